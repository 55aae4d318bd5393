// Puts planned files back, each as a change that is recorded like any other: so it can be undone, and cut off anywhere.
import { errorText } from "../../shared/errors.ts";
import type { FileImage, FileImages } from "../ports.ts";
import type { SessionEntry } from "../session/entries.ts";
import { isOf } from "./history.ts";
import type { ChangeHistory } from "./history.ts";
import type { ImageStore } from "./image-store.ts";
import type { ChangeRecorder } from "./recorder.ts";
import { sha256 } from "./sha256.ts";
import type { PlannedFile, RestorePlan, RestorePoint, RestoreResult } from "./types.ts";

export interface RestoreContext {
  readonly images: FileImages;
  readonly history: ChangeHistory;
  readonly recorder: ChangeRecorder;
  readonly store: ImageStore;
  readonly restoreId: string;
}

export interface RestoreOrder {
  readonly plan: RestorePlan;
  /** Those of the plan that are to be put back. */
  readonly uris: readonly string[];
  /** Of the session, for naming the message. */
  readonly entries: readonly SessionEntry[];
}

/** Never rejects. `text` is for the user and the model; undefined when nothing was done or failed. */
export async function restoreFiles(
  { plan, uris, entries }: RestoreOrder,
  context: RestoreContext,
): Promise<{ readonly result: RestoreResult; readonly text: string | undefined }> {
  const restored: string[] = [];
  const failed: { path: string; why: string }[] = [];
  const said: string[] = [];
  const folders = new Set<string>();
  for (const file of plan.files) {
    if (!uris.includes(file.uri)) continue;
    try {
      await restoreFile(file, plan.point, context);
      restored.push(file.path);
      said.push(`${file.path} (${pastOf[file.action]})`);
      if (file.then === null)
        for (const folder of firstOf(file.uri, plan.point, context.history)?.folders ?? [])
          folders.add(folder);
    } catch (error) {
      failed.push({ path: file.path, why: errorText(error) });
    }
  }
  await removeEmpty(folders, context.images);
  const result = { restoreId: context.restoreId, restored, failed };
  return { result, text: describe(result, said, pointName(plan.point, entries)) };
}

async function restoreFile(file: PlannedFile, point: RestorePoint, context: RestoreContext): Promise<void> {
  const { images, recorder, restoreId } = context;
  const { uri, path } = file;
  const image = await imageOf(file, point, context);
  await recorder.record([{ uri, restoreId }], async () => {
    const now = await images.read(uri);
    const hash = now === undefined ? null : await sha256(now.bytes);
    if (hash !== file.now) throw new Error(`${path} changed just now. Look at it, then restore it again.`);
    await images.write(uri, image);
  });
}

async function imageOf(
  { uri, path, then }: PlannedFile,
  point: RestorePoint,
  { history, store }: RestoreContext,
): Promise<FileImage | undefined> {
  if (then === null) return undefined;
  const bytes = await store.read(then);
  if (bytes === undefined) throw new Error(`The copy of ${path} is not there any more.`);
  const mode = firstOf(uri, point, history)?.before?.mode;
  return { bytes, ...(mode !== undefined && { mode }) };
}

/** Folders that were made for files that are gone again, innermost first. */
export async function removeEmpty(folders: ReadonlySet<string>, images: FileImages): Promise<void> {
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    // One that cannot be removed holds nothing of the user's up.
    await images.removeEmptyFolder(folder).catch(() => undefined);
  }
}

function firstOf(uri: string, point: RestorePoint, history: ChangeHistory) {
  const changes = point.type === "message" ? history.since(point.id) : history.ofRestore(point.id);
  return changes?.find((change) => isOf(change, uri));
}

const pastOf = { change: "changed back", create: "created again", delete: "deleted" } as const;

function describe({ failed }: RestoreResult, restored: readonly string[], name: string): string | undefined {
  if (restored.length + failed.length === 0) return undefined;
  const done =
    restored.length > 0 ? [`Files put back to what they were ${name}: ${restored.join(", ")}.`] : [];
  const not = failed.map(({ path, why }) => `${path} was not put back: ${why}`);
  return [...done, ...not].join("\n");
}

function pointName(point: RestorePoint, entries: readonly SessionEntry[]): string {
  if (point.type === "restore") return "before the last restore";
  const entry = entries.find(({ id }) => id === point.id);
  if (entry?.type !== "message" || entry.message.role !== "user") return "before a message";
  const { content } = entry.message;
  const text =
    typeof content === "string"
      ? content
      : content.map((block) => (block.type === "text" ? block.text : "")).join(" ");
  const line = text.trim().replace(/\s+/g, " ");
  return `before “${[...line].length > 60 ? `${[...line].slice(0, 59).join("")}…` : line}”`;
}
