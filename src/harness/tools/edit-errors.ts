// What a model is told when its oldText does not name one place: where the candidates are and how they differ, so that
// the next call can be right.
import { UserError } from "../../shared/errors.ts";
import { lineText, splitLines } from "../proposals/lines.ts";
import { numberLines } from "./line-numbers.ts";
import { indentOf } from "./match-indent.ts";
import { bareLine } from "./searched-text.ts";
import type { SearchedText } from "./searched-text.ts";

const maxNamed = 20;
const maxShown = 5;
const maxRegion = 12;
const maxLineLength = 200;
/** Lines that are compared by their words for finding the closest one. */
const maxCompared = 20_000;

export function ambiguous(
  { text, lines }: SearchedText,
  offsets: readonly number[],
  what: string,
  path: string,
): UserError {
  const found = offsets.slice(0, maxNamed).map((offset) => splitLines(text.slice(0, offset + 1)).length);
  const shown = [...new Set(found)].slice(0, maxShown).flatMap((line) => showLines(lines, line - 1, line));
  const more = offsets.length > maxNamed ? " and more" : "";
  return new UserError(
    `${what} occurs ${offsets.length} times in ${path}, at lines ${found.join(", ")}${more}. ` +
      `Add neighbouring lines to it until it is unique:\n${shown.join("\n")}`,
  );
}

export function notFound(searched: SearchedText, oldText: string, what: string, path: string): UserError {
  if (searched.text === "") {
    return new UserError(`${path} is empty, so ${what} cannot be found. Use write, or an empty oldText.`);
  }
  const { lines } = searched;
  const wanted = splitLines(oldText);
  const from = wanted.findIndex((line) => lineText(line).trim() !== "");
  const closest = closestLine(searched, wanted[from] ?? "");
  const intro = `${what} was not found in ${path}. It must be the file's text, every blank included.`;
  if (closest === undefined) return new UserError(`${intro} Read the file again and copy the lines.`);
  const start = Math.max(0, closest - from);
  const region = showLines(lines, start, start + Math.min(wanted.length, maxRegion));
  return new UserError(
    `${intro}${describeBlanks(lines[closest] ?? "", wanted[from] ?? "")} The closest lines are:\n${region.join("\n")}`,
  );
}

function showLines(lines: readonly string[], start: number, end: number): string[] {
  return numberLines(lines.slice(start, end).map(shorten), start + 1);
}

function shorten(line: string): string {
  const text = lineText(line);
  return text.length > maxLineLength ? `${text.slice(0, maxLineLength).toWellFormed()}…` : text;
}

function closestLine({ lines, bareLines }: SearchedText, wanted: string): number | undefined {
  const bare = bareLine(wanted);
  const same = lines.findIndex((line, i) => line.includes(bare) || bareLines[i] === bare);
  if (same >= 0) return same;
  const words = wordsOf(bare);
  let best: number | undefined;
  let bestScore = 0.5;
  lines.slice(0, maxCompared).forEach((line, i) => {
    const others = wordsOf(line);
    const shared = [...words].filter((word) => others.has(word)).length;
    const score = (2 * shared) / (words.size + others.size || 1);
    if (score <= bestScore) return;
    best = i;
    bestScore = score;
  });
  return best;
}

function wordsOf(line: string): Set<string> {
  return new Set(line.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []);
}

function describeBlanks(line: string, wanted: string): string {
  if (bareLine(line) !== bareLine(wanted) || indentOf(line) === indentOf(wanted)) return "";
  const show = (text: string): string => `"${indentOf(text).replace(/\t/g, "→").replace(/ /g, "·")}"`;
  return ` The indentation differs: the file has ${show(line)}, oldText has ${show(wanted)} (→ tab, · space).`;
}
