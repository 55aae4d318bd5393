// Takes unseen changes out of files again: each file by one recorded change, so that it can be undone like a restore.
import { errorText } from "../../shared/errors.ts";
import type { AppMessage } from "../../agent/types.ts";
import { editorLines } from "./baseline-lines.ts";
import type { Clock, FileImages, Files, Workspace } from "../ports.ts";
import { lineChanges } from "../proposals/lines.ts";
import { shownPath } from "../tools/paths.ts";
import type { BaselineFile } from "./baseline-file.ts";
import { isOf } from "./history.ts";
import type { ChangeHistory } from "./history.ts";
import type { ChangeRecorder } from "./recorder.ts";
import { removeEmpty } from "./restore-files.ts";
import type { ChangePart, RestoreResult } from "./types.ts";

export interface UndoContext {
  readonly files: Files;
  readonly images: FileImages;
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly history: ChangeHistory;
  readonly recorder: ChangeRecorder;
  readonly createId: () => string;
  readonly tell: (message: AppMessage) => void;
}

/** Never rejects: what fails is in the result. The user and the model are told what was done. */
export async function undoUnseen(
  files: readonly BaselineFile[],
  part: ChangePart | undefined,
  context: UndoContext,
): Promise<RestoreResult> {
  const restoreId = context.createId();
  const restored: string[] = [];
  const failed: { path: string; why: string }[] = [];
  const said: string[] = [];
  for (const file of files) {
    const path = shownPath(file.uri, context.workspace);
    try {
      const undone = await undoFile(file, part, { ...context, restoreId });
      restored.push(path);
      said.push(`${path} (${undone.where})`);
      if (undone.problem !== undefined) failed.push({ path, why: undone.problem });
    } catch (error) {
      failed.push({ path, why: errorText(error) });
    }
  }
  if (said.length > 0) {
    const what = part === undefined ? "Edits were undone" : "One edit was undone";
    const text = `${what} in ${said.join(", ")}.`;
    context.tell({
      ...{ role: "app", kind: "restore", text, details: { restoreId } },
      timestamp: context.clock.now(),
    });
  }
  return { restoreId, restored, failed };
}

interface Undone {
  /** For the user and the model. */
  readonly where: string;
  /** It is undone in the editor, but could not be saved. */
  readonly problem?: string | undefined;
}

async function undoFile(
  file: BaselineFile,
  part: ChangePart | undefined,
  context: UndoContext & { readonly restoreId: string },
): Promise<Undone> {
  const { files, recorder, restoreId } = context;
  const { uri } = file;
  const base = await files.readText(uri);
  file.take(base.text);
  const text = file.without(part);
  if (text === null) return deleteFile(uri, context);
  const { saveError } = await recorder.record([{ uri, text, restoreId }], () =>
    files.applyText({ uri, base, text }),
  );
  return { where: changedLines(base.text, text), problem: saveError };
}

/** With the folders that were made for it. */
async function deleteFile(
  uri: string,
  { images, history, recorder, restoreId }: UndoContext & { readonly restoreId: string },
): Promise<Undone> {
  const folders = history.changes.findLast((change) => isOf(change, uri) && change.before === null)?.folders;
  await recorder.record([{ uri, restoreId }], () => images.write(uri, undefined));
  await removeEmpty(new Set(folders), images);
  return { where: "deleted" };
}

/** Where they are in the text after the change. */
function changedLines(before: string, after: string): string {
  const places = lineChanges(editorLines(before), editorLines(after)).map(({ newStart, newEnd }) =>
    newEnd - newStart > 1 ? `${newStart + 1}–${newEnd}` : String(newStart + 1),
  );
  if (places.length === 0) return "nothing was left to undo";
  return `${places.length === 1 && !places[0]?.includes("–") ? "line" : "lines"} ${places.join(", ")}`;
}
