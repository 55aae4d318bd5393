// Finds the matching lines of one text, with the lines around them.
import type { FoundLine, LineQuery } from "../search-ports.ts";

/** Lines between two looks at the clock. */
const linesPerLook = 64;
/** Of a line, in characters. */
const mostShown = 2000;

/**
 * Lines end at `\n` or `\r\n`. Undefined: `isLate` said so before the end.
 */
export function findLines(
  text: string,
  query: LineQuery,
  matches: (line: string) => boolean,
  isLate: () => boolean = () => false,
): readonly FoundLine[] | undefined {
  if (query.literal && !query.ignoreCase && !text.includes(query.pattern)) return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const hits: number[] = [];
  for (let n = 0; n < lines.length && hits.length < query.limit; n += 1) {
    if (n % linesPerLook === linesPerLook - 1 && isLate()) return undefined;
    if (matches(bare(lines[n] ?? ""))) hits.push(n);
  }
  return withContext(lines, hits, query.context);
}

/** The first `count` matches, and what is shown around them. */
export function firstMatches(lines: readonly FoundLine[], count: number, context: number): FoundLine[] {
  const hits = lines.filter((line) => line.match);
  const last = hits[count - 1];
  if (last === undefined || hits.length === count) return [...lines];
  return lines
    .filter(({ line }) => line <= last.line + context)
    .map((each) => (each.line > last.line ? { ...each, match: false } : each));
}

function withContext(lines: readonly string[], hits: readonly number[], context: number): FoundLine[] {
  const found: FoundLine[] = [];
  const isHit = new Set(hits);
  let next = 0;
  for (const hit of hits) {
    const end = Math.min(hit + context, lines.length - 1);
    for (let n = Math.max(hit - context, next); n <= end; n += 1) {
      found.push({ line: n + 1, text: detached(bare(lines[n] ?? "")), match: isHit.has(n) });
    }
    next = Math.max(next, end + 1);
  }
  return found;
}

/** As a part of the file's text it would keep all of that in memory. Joining and cutting makes a copy. */
function detached(line: string): string {
  return ` ${line.slice(0, mostShown)}`.slice(1);
}

function bare(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
