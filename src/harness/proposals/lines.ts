// Texts as arrays of lines that keep their line ends, and what changed between two of them. Everything a proposal
// computes is made of these, so that joining lines again is byte-exact. Knows nothing of hunks' states.
import { diffArrays } from "diff";
import { commonOnce } from "./unique-lines.ts";

/** Replaces lines `[oldStart, oldEnd)` of one text by lines `[newStart, newEnd)` of another. 0-based. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Lines of both sides together up to which the exact answer is taken. */
const mostExact = 1_000;
/** Added and removed lines beyond which lines that cannot be cut further are one change; its square is the time. */
const mostEdits = 1_500;

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
 * What turns `oldLines` into `newLines`, in order, separated by at least one unchanged line. The same for the same lines,
 * however busy the machine is. Where the exact answer would take too long, there may be more lines in it than needed.
 */
export function lineChanges(oldLines: readonly string[], newLines: readonly string[]): LineChange[] {
  const changes: LineChange[] = [];
  const whole = { oldStart: 0, oldEnd: oldLines.length, newStart: 0, newEnd: newLines.length };
  collect(changes, { oldLines, newLines }, whole);
  return changes;
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
    for (const line of oldLines.slice(oldIndex, change?.oldStart)) result.push(line);
    if (change === undefined) break;
    for (const line of newLines.slice(change.newStart, change.newEnd)) {
      result.push(["", "\r"].includes(lineEnd(line)) ? line : lineText(line) + end);
    }
    oldIndex = change.oldEnd;
  }
  return result.join("");
}

interface Texts {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/** Adds the changes within `range`, which is wider than they are. */
function collect(changes: LineChange[], texts: Texts, range: LineChange): void {
  const trimmed = trim(texts, range);
  const { oldStart, oldEnd, newStart, newEnd } = trimmed;
  if (oldStart === oldEnd && newStart === newEnd) return;
  if (oldStart === oldEnd || newStart === newEnd) return add(changes, trimmed);
  const [oldPart, newPart] = partsOf(texts, trimmed);
  const cuts = oldPart.length + newPart.length > mostExact ? commonOnce(oldPart, newPart) : [];
  if (cuts.length === 0) return collectExact(changes, texts, trimmed);
  let from = { oldStart, newStart };
  for (const { oldLine, newLine } of cuts) {
    collect(changes, texts, { ...from, oldEnd: oldStart + oldLine, newEnd: newStart + newLine });
    from = { oldStart: oldStart + oldLine + 1, newStart: newStart + newLine + 1 };
  }
  collect(changes, texts, { ...from, oldEnd, newEnd });
}

function partsOf({ oldLines, newLines }: Texts, { oldStart, oldEnd, newStart, newEnd }: LineChange) {
  return [oldLines.slice(oldStart, oldEnd), newLines.slice(newStart, newEnd)] as const;
}

/** Without what is the same at both ends. */
function trim({ oldLines, newLines }: Texts, range: LineChange): LineChange {
  let { oldStart, oldEnd, newStart, newEnd } = range;
  while (oldStart < oldEnd && newStart < newEnd && oldLines[oldStart] === newLines[newStart]) {
    oldStart += 1;
    newStart += 1;
  }
  while (oldStart < oldEnd && newStart < newEnd && oldLines[oldEnd - 1] === newLines[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}

function collectExact(changes: LineChange[], texts: Texts, range: LineChange): void {
  const [oldPart, newPart] = partsOf(texts, range);
  const known = new Set(oldPart);
  const parts = newPart.some((line) => known.has(line))
    ? diffArrays([...oldPart], [...newPart], { maxEditLength: mostEdits })
    : undefined;
  if (parts === undefined) return add(changes, range);
  let oldLine = range.oldStart;
  let newLine = range.newStart;
  for (const { added, removed, count } of parts) {
    const [oldCount, newCount] = [added ? 0 : count, removed ? 0 : count];
    if (added || removed) {
      add(changes, {
        ...{ oldStart: oldLine, oldEnd: oldLine + oldCount },
        ...{ newStart: newLine, newEnd: newLine + newCount },
      });
    }
    oldLine += oldCount;
    newLine += newCount;
  }
}

/** Changes without an unchanged line between them are one. */
function add(changes: LineChange[], change: LineChange): void {
  const last = changes.at(-1);
  if (last?.oldEnd !== change.oldStart || last.newEnd !== change.newStart) changes.push(change);
  else changes[changes.length - 1] = { ...last, oldEnd: change.oldEnd, newEnd: change.newEnd };
}
