// The smallest set of replacements that turns one text into another, so that cursors, markers and undo of
// everything else stay. Knows nothing of documents.
import { diffArrays } from "diff";
import { splitLines } from "../shared/line-endings.ts";

/** Offsets into the text before the change; `end` is exclusive. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Above this many differing lines one replacement from the first to the last difference is made. */
const maxEdits = 1_000;

/** Whole lines, in order, not touching each other. */
export function minimalReplacements(before: string, after: string): Replacement[] {
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  const head = commonCount(oldLines, newLines, (lines, index) => lines[index]);
  const tail = commonCount(oldLines.slice(head), newLines.slice(head), (lines, index) =>
    lines.at(-1 - index),
  );
  const oldMiddle = oldLines.slice(head, oldLines.length - tail);
  const newMiddle = newLines.slice(head, newLines.length - tail);
  const start = lengthOf(oldLines.slice(0, head));
  if (oldMiddle.length === 0 && newMiddle.length === 0) return [];
  const parts = diffArrays(oldMiddle, newMiddle, { maxEditLength: maxEdits });
  if (parts === undefined) {
    return [{ start, end: start + lengthOf(oldMiddle), text: newMiddle.join("") }];
  }
  return joinNeighbours(parts, start);
}

type Part = {
  readonly added?: boolean;
  readonly removed?: boolean;
  readonly value: readonly string[];
};

function joinNeighbours(parts: readonly Part[], from: number): Replacement[] {
  const result: Replacement[] = [];
  let position = from;
  let open: Replacement | undefined;
  for (const part of parts) {
    const length = part.added ? 0 : lengthOf(part.value);
    if (part.added || part.removed) {
      open ??= { start: position, end: position, text: "" };
      open = { ...open, end: position + length, text: open.text + (part.added ? part.value.join("") : "") };
    } else if (open) {
      result.push(open);
      open = undefined;
    }
    position += length;
  }
  if (open) result.push(open);
  return result;
}

function commonCount(
  a: readonly string[],
  b: readonly string[],
  at: (lines: readonly string[], index: number) => string | undefined,
): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && at(a, count) === at(b, count)) count++;
  return count;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}
