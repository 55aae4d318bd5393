// Matches whole lines whose indentation differs throughout in the same way: more or less of it, or tabs for spaces.
// The replacement gets the file's indentation, so that a file never ends up with both.
import { lineText, splitLines } from "../proposals/lines.ts";
import { bareLine } from "./searched-text.ts";
import type { SearchedText } from "./searched-text.ts";

export interface IndentedRange {
  readonly start: number;
  readonly end: number;
  readonly reindent: (newText: string) => string | undefined;
}

type Reindent = (indent: string) => string | undefined;

/** All places where the lines of `oldText` stand, indentation aside, if it differs in one consistent way. */
export function findIndented(searched: SearchedText, oldText: string): IndentedRange[] {
  const { lines: fileLines, bareLines: fileBare } = searched;
  const oldLines = splitLines(oldText);
  const oldBare = oldLines.map(bareLine);
  const openEnd = lineText(oldLines.at(-1) ?? "") === oldLines.at(-1);
  const ranges: IndentedRange[] = [];
  let offset = 0;
  fileLines.forEach((line, i) => {
    if (oldBare.every((bare, k) => bare === fileBare[i + k])) {
      const window = fileLines.slice(i, i + oldLines.length);
      const change = indentChange(oldLines, window);
      const length = window.join("").length - (openEnd ? lineEndLength(window.at(-1)) : 0);
      if (change !== undefined) {
        ranges.push({
          start: offset,
          end: offset + length,
          reindent: (newText) => reindentText(newText, change),
        });
      }
    }
    offset += line.length;
  });
  return ranges;
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function lineEndLength(line = ""): number {
  return line.length - lineText(line).length;
}

function indentChange(oldLines: readonly string[], fileLines: readonly string[]): Reindent | undefined {
  const pairs = oldLines.flatMap((line, i): [string, string][] =>
    lineText(line).trim() === "" ? [] : [[indentOf(line), indentOf(fileLines[i] ?? "")]],
  );
  return candidates(pairs).find((change) => pairs.every(([old, file]) => change(old) === file));
}

function candidates(pairs: readonly (readonly [string, string])[]): Reindent[] {
  const [old, file] = pairs[0] ?? ["", ""];
  const more = file.endsWith(old) ? file.slice(0, file.length - old.length) : "";
  const less = old.endsWith(file) ? old.slice(0, old.length - file.length) : "";
  const units = [4, 2, 8, 3, 1].map((width) => " ".repeat(width));
  return [
    (indent) => more + indent,
    (indent) => (indent.startsWith(less) ? indent.slice(less.length) : undefined),
    ...units.map(
      (unit): Reindent =>
        (indent) =>
          replaceUnit(indent, unit, "\t"),
    ),
    ...units.map(
      (unit): Reindent =>
        (indent) =>
          replaceUnit(indent, "\t", unit),
    ),
  ];
}

function replaceUnit(indent: string, from: string, to: string): string | undefined {
  const count = indent.length / from.length;
  return Number.isInteger(count) && indent === from.repeat(count) ? to.repeat(count) : undefined;
}

function reindentText(newText: string, change: Reindent): string | undefined {
  const lines = splitLines(newText).map((line) => {
    if (lineText(line).trim() === "") return line;
    const indent = indentOf(line);
    const next = change(indent);
    return next === undefined ? undefined : next + line.slice(indent.length);
  });
  return lines.includes(undefined) ? undefined : lines.join("");
}
