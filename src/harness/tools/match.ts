// Finds the one place of a text that a model means. Exact first and counted exactly; only if there is none, with growing
// tolerance, always as a range of the original. What is put there is apply-edits.ts' business.
import { findIndented } from "./match-indent.ts";
import type { Tolerance } from "./normalize.ts";
import { isPlain, normalize } from "./normalize.ts";
import type { SearchedText } from "./searched-text.ts";

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

export interface Found {
  readonly type: "found";
  /** Range in the original text, UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Gives the replacement the indentation of the file; undefined when it cannot be told. */
  readonly reindent?: (newText: string) => string | undefined;
}

export type MatchResult =
  | Found
  | { readonly type: "none" }
  /** Where the matches start. */
  | { readonly type: "many"; readonly offsets: readonly number[] };

const levels: readonly Tolerance[] = [
  { trailingBlanks: false, lookAlikes: false },
  { trailingBlanks: true, lookAlikes: false },
  { trailingBlanks: true, lookAlikes: true },
];

/** `oldText` has something else than blanks in it. Overlapping matches count too. */
export function findMatch(searched: SearchedText, oldText: string): MatchResult {
  const { text } = searched;
  const exact = findExact(text, oldText);
  if (exact.length > 1) return { type: "many", offsets: exact };
  const [start] = exact;
  if (start !== undefined) {
    const found: Found = { type: "found", start, end: start + oldText.length };
    if (!cutsTrailingBlanks(text, found.end)) return found;
    // The last blanks are neither all of the line's nor none: other lines may be meant as well.
    const tolerant = findNormalized(searched, oldText, { trailingBlanks: true, lookAlikes: false });
    return tolerant.length > 1 ? toResult(tolerant) : found;
  }
  for (const level of usefulLevels(searched, oldText)) {
    const ranges = findNormalized(searched, oldText, level);
    if (ranges.length > 0) return toResult(ranges);
  }
  return toResult(findIndented(searched, oldText));
}

/** Without the levels that cannot find more than the ones before them. */
function usefulLevels({ text, isPlain: plainText }: SearchedText, oldText: string): readonly Tolerance[] {
  const plain = plainText && isPlain(oldText);
  const sameEnds = !text.includes("\r") && !oldText.includes("\r");
  return levels.filter((level) => (level.lookAlikes ? !plain : level.trailingBlanks || !sameEnds));
}

function toResult(ranges: readonly Omit<Found, "type">[]): MatchResult {
  const [first] = ranges;
  if (first === undefined) return { type: "none" };
  if (ranges.length > 1) return { type: "many", offsets: ranges.map((range) => range.start) };
  return { type: "found", ...first };
}

function findExact(text: string, oldText: string): number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(oldText); at >= 0; at = text.indexOf(oldText, at + 1)) {
    if (!insideLineEnd(text, at) && !insideLineEnd(text, at + oldText.length)) offsets.push(at);
  }
  return offsets;
}

function insideLineEnd(text: string, offset: number): boolean {
  return text[offset - 1] === "\r" && text[offset] === "\n";
}

function cutsTrailingBlanks(text: string, end: number): boolean {
  const before = text[end - 1];
  if (before !== " " && before !== "\t") return false;
  let after = end;
  while (text[after] === " " || text[after] === "\t") after += 1;
  return after > end && (after === text.length || text[after] === "\n" || text[after] === "\r");
}

function findNormalized(
  searched: SearchedText,
  oldText: string,
  tolerance: Tolerance,
): Omit<Found, "type">[] {
  const haystack = searched.normalized(tolerance);
  const needle = normalize(oldText, tolerance).text;
  const blank = tolerance.lookAlikes ? /[^\S\r\n]$|\u200b$/ : /[ \t]$/;
  const toLineEnd = tolerance.trailingBlanks && blank.test(oldText);
  const ranges: Omit<Found, "type">[] = [];
  if (needle === "") return ranges;
  for (let at = haystack.text.indexOf(needle); at >= 0; at = haystack.text.indexOf(needle, at + 1)) {
    const after = at + needle.length;
    const next = haystack.text[after];
    if (!haystack.startsUnit(at) || !haystack.startsUnit(after)) continue;
    if (toLineEnd && next !== undefined && next !== "\n") continue;
    const end = toLineEnd ? haystack.startOf(after) : haystack.endOf(after - 1);
    ranges.push({ start: haystack.startOf(at), end });
  }
  return ranges;
}
