// The smallest set of replacements that turns one text into another, so that cursors, markers and undo of
// everything else stay. Knows nothing of documents.
import { lineChanges, splitLines } from "../harness/proposals/lines.ts";

/** Offsets into the text before the change; `end` is exclusive. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Whole lines, in order, not touching each other. */
export function minimalReplacements(before: string, after: string): Replacement[] {
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  let line = 0;
  let offset = 0;
  const offsetOf = (target: number): number => {
    for (; line < target; line++) offset += oldLines[line]?.length ?? 0;
    return offset;
  };
  return lineChanges(oldLines, newLines).map((change) => ({
    start: offsetOf(change.oldStart),
    end: offsetOf(change.oldEnd),
    text: newLines.slice(change.newStart, change.newEnd).join(""),
  }));
}
