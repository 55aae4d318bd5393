// The arithmetic of reviewing afterwards: the text that a file is compared with, moved along with what the user types,
// and single changes kept or undone. Pure; which files are compared is baselines.ts' business.
import { applyHunks } from "../proposals/hunks.ts";
import { dominantLineEnd, lineEnd, lineText, splitLines } from "../proposals/lines.ts";
import type { LineChange } from "../proposals/lines.ts";
import { rebaseTexts } from "../proposals/rebase.ts";

/**
 * The baseline of `live`, where `base` is that of `last`, and what turned `last` into `live` is nobody's to review: it
 * is part of both sides. Only where it overlaps with what is to be reviewed it shows, together with that.
 */
export function rebaseBaseline({
  base,
  last,
  live,
}: {
  readonly base: string;
  readonly last: string;
  readonly live: string;
}): string {
  if (live === last) return base;
  if (base === last) return live;
  const { hunks, lines } = rebaseTexts(last, base, live);
  return applyHunks(lines, hunks).join("");
}

/**
 * Lines as an editor counts them: a text that ends with a line end has an empty last one. Changes between them may
 * touch that.
 */
export function editorLines(text: string): string[] {
  const lines = splitLines(text);
  const last = lines.at(-1);
  return last === undefined || lineEnd(last) !== "" ? [...lines, ""] : lines;
}

/** Whether these are, in order, all differences of two texts in editor lines, blanks at the ends of lines apart. */
export function areDifferences(base: string, live: string, changes: readonly LineChange[]): boolean {
  const baseLines = editorLines(base);
  const liveLines = editorLines(live);
  let at = { old: 0, new: 0 };
  for (const change of [...changes, endOf(baseLines, liveLines)]) {
    const length = change.oldStart - at.old;
    if (length < 0 || change.newStart - at.new !== length) return false;
    for (let i = 0; i < length; i += 1)
      if (baseLines[at.old + i]?.trim() !== liveLines[at.new + i]?.trim()) return false;
    at = { old: change.oldEnd, new: change.newEnd };
  }
  return at.old === baseLines.length && at.new === liveLines.length;
}

/** `base` with the lines that `live` has in place of them. */
export function keepChange(base: string, live: string, change: LineChange): string {
  return withLines(
    base,
    [change.oldStart, change.oldEnd],
    editorLines(live).slice(change.newStart, change.newEnd),
  );
}

/** `live` with the lines that `base` has in place of them. */
export function undoChange(base: string, live: string, change: LineChange): string {
  return withLines(
    live,
    [change.newStart, change.newEnd],
    editorLines(base).slice(change.oldStart, change.oldEnd),
  );
}

function endOf(baseLines: readonly string[], liveLines: readonly string[]): LineChange {
  const [old, now] = [baseLines.length, liveLines.length];
  return { oldStart: old, oldEnd: old, newStart: now, newEnd: now };
}

/** Every line but the last ends with a line end, whatever it ended with where it comes from. */
function withLines(text: string, [start, end]: readonly [number, number], lines: readonly string[]): string {
  const before = editorLines(text);
  const all = [...before.slice(0, start), ...lines, ...before.slice(end)];
  const ending = dominantLineEnd(text, dominantLineEnd(lines.join("")));
  return all
    .map((line, index) => {
      if (index === all.length - 1) return lineText(line);
      return lineEnd(line) === "" ? line + ending : line;
    })
    .join("");
}
