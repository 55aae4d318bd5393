// Changes that a window began and whose end it did not record: what the files are now, found when the session is opened.
import type { FileImages, Files } from "../ports.ts";
import type { SessionEntry } from "../session/entries.ts";
import { ChangeHistory } from "./history.ts";
import type { FileChange } from "./history.ts";
import { sha256 } from "./sha256.ts";

export interface CutOffChange {
  readonly changeId: string;
  readonly uri: string;
  readonly toolCallId: string | undefined;
  /** `before`: not written. `written`: it is what was being written. `other`: neither. `unknown`: cannot be read. */
  readonly state: "before" | "written" | "other" | "unknown";
  /** SHA-256; null: there is no file. Undefined where that is unknown. */
  readonly now: string | null | undefined;
}

/** Looks only; never rejects. */
export function findCutOff(
  entries: readonly SessionEntry[],
  ports: { readonly files: Files; readonly images: FileImages },
): Promise<readonly CutOffChange[]> {
  return Promise.all(new ChangeHistory(entries).open.map((change) => look(change, ports)));
}

async function look(
  change: FileChange,
  { files, images }: { readonly files: Files; readonly images: FileImages },
): Promise<CutOffChange> {
  const { changeId, uri, toolCallId, before } = change;
  try {
    const image = await images.read(uri);
    const now = image === undefined ? null : await sha256(image.bytes);
    const isBefore = now === (before === null ? null : before?.hash);
    const state = isBefore ? "before" : (await isWritten(change, now, files)) ? "written" : "other";
    return { changeId, uri, toolCallId, state, now };
  } catch {
    // A folder, no permission, a file system that is not there yet: said as not known.
    return { changeId, uri, toolCallId, state: "unknown", now: undefined };
  }
}

/** A change without a text is a removal or a move: then any other state than before is its end. */
async function isWritten({ uri, text }: FileChange, now: string | null, files: Files): Promise<boolean> {
  if (text === undefined) return true;
  return now !== null && (await sha256((await files.readText(uri)).text)) === text;
}
