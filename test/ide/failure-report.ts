// What `npm test` says again right before its last line: what failed in a step and why, short enough that the end of a
// log has all of it.
import { stripVTControlCharacters } from "node:util";

const maxLines = 60;

/** What a failed command printed, without stacks; of a run of mocha only its failures, each with its share of lines. */
export function failureReport(output: string): string[] {
  const lines = stripVTControlCharacters(output).trimEnd().split("\n");
  const start = lines.findLastIndex((line) => /^\s*\d+ failing$/.test(line));
  if (start < 0) return shortened(lines.filter(isTelling), maxLines);
  const failures = lines
    .slice(start + 1)
    .filter(isTelling)
    .reduce<string[][]>((found, line) => {
      if (/^ {2}\d+\) /.test(line) || found.length === 0) found.push([]);
      found.at(-1)?.push(line);
      return found;
    }, []);
  const share = Math.max(4, Math.floor(maxLines / Math.max(1, failures.length)));
  return shortened(
    failures.flatMap((failure) => shortened(failure, share)),
    maxLines,
  );
}

function isTelling(line: string): boolean {
  return line.trim() !== "" && !/^\s+at .*:\d+:\d+\)?$/.test(line);
}

/** Most of the beginning, which has the names, and some of the end. */
function shortened(lines: readonly string[], max: number): string[] {
  if (lines.length <= max) return [...lines];
  const tail = Math.floor((max - 1) / 4);
  const head = max - 1 - tail;
  const left = lines.length - head - tail;
  return [...lines.slice(0, head), `    … ${left} lines …`, ...lines.slice(lines.length - tail)];
}
