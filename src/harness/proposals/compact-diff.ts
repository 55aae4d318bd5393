// A change as few lines of text, for a model: changed lines only, with line numbers, bounded.
import { lineChanges, lineEnd, lineText, splitLines } from "./lines.ts";

/** Lines of one diff that are shown before the rest is only counted. */
const maxLines = 60;
const maxLineLength = 500;

/**
 * What turns `before` into `after`; `firstLine` is the 1-based line at which `after` starts. Empty when they are equal.
 * Where only line ends differ, one line says so.
 */
export function compactDiff(before: string, after: string, firstLine = 1): string {
  const oldLines = splitLines(before);
  const newLines = splitLines(after);
  const changes = lineChanges(oldLines, newLines);
  const onlyEnds = changes.every(
    (change) =>
      change.oldEnd - change.oldStart === change.newEnd - change.newStart &&
      oldLines
        .slice(change.oldStart, change.oldEnd)
        .every((line, i) => lineText(line) === lineText(newLines[change.newStart + i] ?? "")),
  );
  if (changes.length > 0 && onlyEnds) return describeEnds(oldLines, newLines);
  const lines = changes.flatMap((change) => [
    `@@ line ${firstLine + change.newStart} @@`,
    ...oldLines.slice(change.oldStart, change.oldEnd).map((line) => `-${shorten(lineText(line))}`),
    ...newLines.slice(change.newStart, change.newEnd).map((line) => `+${shorten(lineText(line))}`),
  ]);
  if (lines.length <= maxLines) return lines.join("\n");
  return [...lines.slice(0, maxLines), `… ${lines.length - maxLines} more diff lines`].join("\n");
}

function describeEnds(oldLines: readonly string[], newLines: readonly string[]): string {
  const last = lineEnd(newLines.at(-1) ?? "");
  if (last === "" && lineEnd(oldLines.at(-1) ?? "") !== "") return "(the final line end was removed)";
  if (last !== "" && lineEnd(oldLines.at(-1) ?? "") === "") return "(a final line end was added)";
  return "(line ends only)";
}

function shorten(line: string): string {
  return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength).toWellFormed()}…`;
}
