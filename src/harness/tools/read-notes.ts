// What `read` says below what it shows.
import type { TextSnapshot } from "../ports.ts";

/** Notes stand apart from the lines, one below the other. */
export function withNotes(lines: readonly string[], notes: readonly string[]): string[] {
  return notes.length === 0 ? [...lines] : [...lines, "", ...notes];
}

/** `dirty` alone for what has no bytes to decode. */
export function snapshotNotes({
  dirty,
  lossy,
  encoding,
}: Pick<TextSnapshot, "dirty"> & Partial<TextSnapshot>): string[] {
  return [
    ...(dirty ? ["[Unsaved changes in the editor are included.]"] : []),
    ...(lossy === true
      ? [`[Bytes that are not valid ${encoding} are shown as \ufffd. Edits of this file are refused.]`]
      : []),
  ];
}
