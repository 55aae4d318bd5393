// One page of a text or of a list of lines, within the limits on what goes to a model, and the exact notice of how to go
// on. Costs one look at each character, whatever the size, and keeps only the page.
import { UserError } from "../../shared/errors.ts";
import { numberLines } from "./line-numbers.ts";
import type { Cut } from "./truncate.ts";
import { cutHead, formatBytes, maxResultBytes, maxResultLines } from "./truncate.ts";

/** What is wanted of it. */
export interface PageRange {
  /** The first line, from 1. */
  readonly offset: number;
  readonly limit: number | undefined;
}

/** Lines in order, their ends taken off. */
export interface LineSource {
  readonly total: number;
  /** At most `count` lines, from the 1-based `first` one on. */
  readonly slice: (first: number, count: number) => readonly string[];
}

export interface Page {
  /** With their numbers. */
  readonly lines: readonly string[];
  readonly lastLine: number;
  /** Undefined where the last line is shown. */
  readonly notice: string | undefined;
}

/** What the notices say of it. */
export interface PagedThing {
  readonly path: string;
  readonly what: "file" | "notebook";
  /** A sentence on how to see the rest of a line that is too long. */
  readonly rest: (line: number) => string;
}

/** Throws a UserError for an offset beyond the end. */
export function pageOf(source: LineSource, { offset, limit }: PageRange, thing: PagedThing): Page {
  const { total } = source;
  if (offset > total)
    throw new UserError(
      `offset ${offset} is beyond the end of ${thing.path}, which has ${total} ${total === 1 ? "line" : "lines"}${thing.what === "notebook" ? " as read" : ""}.`,
    );
  // One more than fits, so that the cut knows that something is left.
  const wanted = source.slice(offset, Math.min(limit ?? Infinity, maxResultLines + 1));
  const cut = cutHead(numberLines(wanted, offset));
  const lastLine = offset + cut.lines.length - 1;
  return { lines: cut.lines, lastLine, notice: continuation(cut, { offset, lastLine, total }, thing) };
}

/** Lines end with LF, CRLF or a lone CR; after the last line end there is no further line. */
export function textLines(text: string): LineSource {
  const next = text.includes("\r") ? anyLineEnd : newline;
  return {
    total: skipLines(text, Infinity, next).skipped,
    slice: (first, count) => {
      const lines: string[] = [];
      let { at } = skipLines(text, first - 1, next);
      while (lines.length < count && at < text.length) {
        const { end, after } = next(text, at);
        lines.push(text.slice(at, end));
        at = after;
      }
      return lines;
    },
  };
}

export function listedLines(lines: readonly string[]): LineSource {
  return { total: lines.length, slice: (first, count) => lines.slice(first - 1, first - 1 + count) };
}

function continuation(
  cut: Cut,
  { offset, lastLine, total }: { readonly offset: number; readonly lastLine: number; readonly total: number },
  { what, rest }: PagedThing,
): string | undefined {
  const next = lastLine + 1;
  const go = next <= total ? ` Use offset=${next} to continue.` : "";
  const most = formatBytes(maxResultBytes);
  if (cut.lineBytes !== undefined)
    return `[Line ${offset} is ${formatBytes(cut.lineBytes)}; its first ${most} are shown. ${rest(offset)}${go}]`;
  if (cut.by !== undefined) {
    const why = cut.by === "bytes" ? ` (${most} limit)` : "";
    return `[Showing lines ${offset}-${lastLine} of ${total}${why}.${go}]`;
  }
  return next > total ? undefined : `[${total - lastLine} more lines in the ${what}.${go}]`;
}

type NextLineEnd = (text: string, from: number) => { readonly end: number; readonly after: number };

function skipLines(text: string, count: number, next: NextLineEnd): { at: number; skipped: number } {
  let at = 0;
  let skipped = 0;
  for (; skipped < count && at < text.length; skipped += 1) at = next(text, at).after;
  return { at, skipped };
}

/** Where there is no CR: many times faster than a look at each character. */
function newline(text: string, from: number) {
  const found = text.indexOf("\n", from);
  const end = found < 0 ? text.length : found;
  return { end, after: end + 1 };
}

function anyLineEnd(text: string, from: number) {
  let end = from;
  while (end < text.length && text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) end += 1;
  const isPair = text.charCodeAt(end) === 13 && text.charCodeAt(end + 1) === 10;
  return { end, after: end + (isPair ? 2 : 1) };
}
