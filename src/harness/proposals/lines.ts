// Texts as arrays of lines that keep their line ends, and what changed between two of them. Everything a proposal
// computes is made of these, so that joining lines again is byte-exact. Knows nothing of hunks' states.
import { diffArrays } from "diff";

/** Replaces lines `[oldStart, oldEnd)` of one text by lines `[newStart, newEnd)` of another. 0-based. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Milliseconds a diff may take before the changed middle counts as one change. */
const diffTimeout = 500;

/** Lines with their line end (LF, CRLF or a lone CR); only the last may have none. `""` has no lines. */
export function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

/** A line without its line end. */
export function lineText(line: string): string {
  return line.replace(/(?:\r\n|\n|\r)$/, "");
}

/** A line's line end; empty for a last line without one. */
export function lineEnd(line: string): string {
  return line.slice(lineText(line).length);
}

/** Equal for lines that differ at most in the kind of their line end. */
export function lineKey(line: string): string {
  return lineEnd(line) === "" ? line : `${lineText(line)}\n`;
}

/**
 * What turns `oldLines` into `newLines`, in order, separated by at least one unchanged line. Where the exact answer
 * would take too long, everything between the common start and end is one change.
 */
export function lineChanges(oldLines: readonly string[], newLines: readonly string[]): LineChange[] {
  const start = commonStart(oldLines, newLines);
  const end = commonEnd(oldLines, newLines, start);
  const oldEnd = oldLines.length - end;
  const newEnd = newLines.length - end;
  if (start === oldEnd && start === newEnd) return [];
  const whole = { oldStart: start, oldEnd, newStart: start, newEnd };
  if (start === oldEnd || start === newEnd) return [whole];
  const parts = diffArrays(oldLines.slice(start, oldEnd), newLines.slice(start, newEnd), {
    timeout: diffTimeout,
  });
  return parts === undefined ? [whole] : collectChanges(parts, start);
}

/** `lineChanges`, where a different kind of line end is no difference. */
export function contentChanges(oldLines: readonly string[], newLines: readonly string[]): LineChange[] {
  return lineChanges(oldLines.map(lineKey), newLines.map(lineKey));
}

/** Whether two runs of lines are the same, whatever the kind of their line ends. */
export function sameContent(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => lineKey(line) === lineKey(b[i] ?? ""));
}

/** The line end most lines of a text have; `fallback` for a text with none. */
export function dominantLineEnd(text: string, fallback = "\n"): string {
  const crlf = text.match(/\r\n/g)?.length ?? 0;
  const lf = (text.match(/\n/g)?.length ?? 0) - crlf;
  if (crlf === 0 && lf === 0) return text.includes("\r") ? "\r" : fallback;
  return crlf > lf ? "\r\n" : "\n";
}

/** Gives every LF and CRLF of a text the given line end; a lone CR stays what it is. */
export function withLineEnd(text: string, end: string): string {
  return text.replace(/\r\n|\n/g, () => end);
}

/**
 * `next` with the line ends of `previous` where a line is unchanged, and those that prevail there elsewhere: what an
 * editor or a model that knows only one kind of line end meant. A missing last line end stays missing.
 */
export function keepLineEnds(previous: string, next: string): string {
  const oldLines = splitLines(previous);
  const newLines = splitLines(next);
  const end = dominantLineEnd(previous, dominantLineEnd(next));
  const result: string[] = [];
  let oldIndex = 0;
  for (const change of [...contentChanges(oldLines, newLines), undefined]) {
    result.push(...oldLines.slice(oldIndex, change?.oldStart));
    if (change === undefined) break;
    for (const line of newLines.slice(change.newStart, change.newEnd)) {
      result.push(["", "\r"].includes(lineEnd(line)) ? line : lineText(line) + end);
    }
    oldIndex = change.oldEnd;
  }
  return result.join("");
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

function collectChanges(
  parts: readonly { readonly added: boolean; readonly removed: boolean; readonly count: number }[],
  offset: number,
): LineChange[] {
  const changes: LineChange[] = [];
  let oldLine = offset;
  let newLine = offset;
  let open: LineChange | undefined;
  for (const { added, removed, count } of parts) {
    if (added || removed) {
      open ??= { oldStart: oldLine, oldEnd: oldLine, newStart: newLine, newEnd: newLine };
      open = {
        ...open,
        oldEnd: open.oldEnd + (removed ? count : 0),
        newEnd: open.newEnd + (added ? count : 0),
      };
    } else if (open !== undefined) {
      changes.push(open);
      open = undefined;
    }
    if (!added) oldLine += count;
    if (!removed) newLine += count;
  }
  if (open !== undefined) changes.push(open);
  return changes;
}
