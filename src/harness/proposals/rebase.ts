// Moves hunks onto a document that changed under them. What does not overlap follows; what does becomes a conflict
// that shows both texts. Nothing of the new document is ever dropped here: only accepting a hunk replaces lines.
import type { Hunk } from "./hunks.ts";
import { applyHunks, computeHunks, hunkEnd } from "./hunks.ts";
import type { LineChange } from "./lines.ts";
import { contentChanges, dominantLineEnd, lineEnd, lineText, splitLines } from "./lines.ts";

export interface RebasedHunk extends Hunk {
  /** Indexes into the given hunks; several when one change touched several hunks. */
  readonly sources: readonly number[];
  readonly conflict: boolean;
  /** What the new document's `oldLines` were in the old one. */
  readonly baseLines: readonly string[];
}

export interface Rebase {
  readonly hunks: readonly RebasedHunk[];
  /** Where a line of the old document is in the new one. */
  readonly mapLine: (line: number) => number;
}

interface Group {
  start: number;
  end: number;
  readonly sources: number[];
  readonly changes: LineChange[];
  /** Index of the first change that was not looked at for it. */
  next: number;
}

/** `edited` was made from `known`, which is `now` by now. The text with both changes, or the first hunk that overlaps. */
export function mergeTexts(known: string, edited: string, now: string): string | RebasedHunk {
  if (now === known) return edited;
  const { hunks, lines } = rebaseTexts(known, edited, now);
  return hunks.find((hunk) => hunk.conflict) ?? applyHunks(lines, hunks).join("");
}

/** What turned `known` into `edited`, as hunks of the lines of `now`. */
export function rebaseTexts(
  known: string,
  edited: string,
  now: string,
): { readonly hunks: readonly RebasedHunk[]; readonly lines: readonly string[] } {
  const before = splitLines(known);
  const lines = splitLines(now);
  return { hunks: rebaseHunks(before, computeHunks(before, splitLines(edited)), lines).hunks, lines };
}

/** `hunks` were computed on `document`, which is now `next`. A different kind of line end alone is no conflict. */
export function rebaseHunks(
  document: readonly string[],
  hunks: readonly Hunk[],
  next: readonly string[],
): Rebase {
  const changes = contentChanges(document, next);
  const shiftBefore = shiftsOf(changes);
  const mapLine = (line: number): number => line + shiftBefore(line);
  const rebased = groupOverlaps(hunks, changes).map((group): RebasedHunk => {
    const start = mapLine(group.start);
    const length = group.end - group.start + shiftOf(group.changes);
    const region = document.slice(group.start, group.end);
    const own = group.sources.flatMap((index) => hunks[index] ?? []);
    const newLines = applyHunks(
      region,
      own.map((hunk) => ({ ...hunk, start: hunk.start - group.start })),
    );
    return {
      sources: group.sources,
      baseLines: region,
      conflict: group.changes.length > 0,
      start,
      oldLines: next.slice(start, start + length),
      newLines,
    };
  });
  const end = dominantLineEnd(next.join(""), dominantLineEnd(document.join("")));
  const convert = dominantLineEnd(document.join(""), end) !== end;
  return {
    hunks: seal(convert ? rebased.map((hunk) => withEnds(hunk, end)) : rebased, next, end),
    mapLine,
  };
}

/** Hunks with the changes that touch their lines; an insertion just before or after a hunk does not. */
function groupOverlaps(hunks: readonly Hunk[], changes: readonly LineChange[]): Group[] {
  const groups: Group[] = [];
  hunks.forEach((hunk, index) => {
    const last = groups.at(-1);
    if (last !== undefined && last.changes.length > 0 && overlap(last, hunk.start, hunkEnd(hunk))) {
      last.sources.push(index);
      last.end = Math.max(last.end, hunkEnd(hunk));
      addChanges(last, changes);
      return;
    }
    const next = endingBy(changes, hunk.start);
    const group: Group = { start: hunk.start, end: hunkEnd(hunk), sources: [index], changes: [], next };
    addChanges(group, changes);
    groups.push(group);
  });
  return groups;
}

function addChanges(group: Group, changes: readonly LineChange[]): void {
  for (; group.next < changes.length; group.next += 1) {
    const change = changes[group.next];
    if (change === undefined || change.oldStart >= group.end) return;
    if (!overlap(group, change.oldStart, change.oldEnd)) continue;
    group.changes.push(change);
    group.start = Math.min(group.start, change.oldStart);
    group.end = Math.max(group.end, change.oldEnd);
  }
}

function overlap(group: Group, start: number, end: number): boolean {
  return group.start < end && start < group.end;
}

/** By how much a line moves, for the changes that end at it or before. */
function shiftsOf(changes: readonly LineChange[]): (line: number) => number {
  const shifts = [0];
  for (const change of changes) shifts.push((shifts.at(-1) ?? 0) + shiftOf([change]));
  return (line) => shifts[endingBy(changes, line)] ?? 0;
}

/** How many changes end at this line or before. */
function endingBy(changes: readonly LineChange[], line: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle]?.oldEnd ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

function shiftOf(changes: readonly LineChange[]): number {
  return changes.reduce((sum, c) => sum + (c.newEnd - c.newStart) - (c.oldEnd - c.oldStart), 0);
}

function withEnds(hunk: RebasedHunk, end: string): RebasedHunk {
  const newLines = hunk.newLines.map((line) => (lineEnd(line) === "" ? line : lineText(line) + end));
  return { ...hunk, newLines };
}

/** Keeps lines apart where the document's last line, which may lack its line end, is no longer where it was. */
function seal(hunks: readonly RebasedHunk[], next: readonly string[], end: string): RebasedHunk[] {
  const sealed: RebasedHunk[] = [];
  for (const hunk of hunks) {
    const last = hunk.newLines.at(-1);
    const open = last !== undefined && lineEnd(last) === "" && hunkEnd(hunk) < next.length;
    const closed = open ? { ...hunk, newLines: [...hunk.newLines.slice(0, -1), last + end] } : hunk;
    const previous = next[hunk.start - 1];
    if (previous === undefined || lineEnd(previous) !== "" || hunk.newLines.length === 0) sealed.push(closed);
    else sealed.push(attach(takeAdjacent(sealed, hunk.start) ?? lineBefore(hunk, previous), closed, end));
  }
  return sealed;
}

function takeAdjacent(sealed: RebasedHunk[], line: number): RebasedHunk | undefined {
  const last = sealed.at(-1);
  return last !== undefined && hunkEnd(last) === line ? sealed.pop() : undefined;
}

/** The unterminated line before a hunk, as a hunk that does not change it. */
function lineBefore(hunk: RebasedHunk, line: string): RebasedHunk {
  const same = [line];
  return { ...hunk, sources: [], start: hunk.start - 1, oldLines: same, newLines: same, baseLines: same };
}

function attach(first: RebasedHunk, second: RebasedHunk, end: string): RebasedHunk {
  const last = first.newLines.at(-1);
  const open = last !== undefined && lineEnd(last) === "";
  return {
    sources: [...first.sources, ...second.sources],
    conflict: first.conflict || second.conflict,
    start: first.start,
    baseLines: [...first.baseLines, ...second.baseLines],
    oldLines: [...first.oldLines, ...second.oldLines],
    newLines: [...(open ? [...first.newLines.slice(0, -1), last + end] : first.newLines), ...second.newLines],
  };
}
