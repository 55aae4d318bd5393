// The parts of a change that can be decided on one by one. Pure; which of them are decided is proposal.ts' business.
import { lineChanges } from "./lines.ts";

/** Replaces `oldLines`, found at the 0-based line `start` of a document, by `newLines`. Lines keep their line ends. */
export interface Hunk {
  readonly start: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/** The runs of changed lines between two texts, in order. Applying all of them to the old text gives the new one. */
export function computeHunks(oldLines: readonly string[], newLines: readonly string[]): Hunk[] {
  return lineChanges(oldLines, newLines).map((change) => ({
    start: change.oldStart,
    oldLines: oldLines.slice(change.oldStart, change.oldEnd),
    newLines: newLines.slice(change.newStart, change.newEnd),
  }));
}

/** The document with these hunks in it. They must be in order and not overlap. */
export function applyHunks(document: readonly string[], hunks: readonly Hunk[]): string[] {
  const result: string[] = [];
  let line = 0;
  for (const hunk of hunks) {
    for (; line < hunk.start; line += 1) result.push(document[line] ?? "");
    for (const added of hunk.newLines) result.push(added);
    line = hunkEnd(hunk);
  }
  for (; line < document.length; line += 1) result.push(document[line] ?? "");
  return result;
}

/** The 0-based line after a hunk's old lines. */
export function hunkEnd(hunk: Hunk): number {
  return hunk.start + hunk.oldLines.length;
}
