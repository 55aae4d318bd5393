// Line endings of a text: what an editor makes of them and how to get the original ones back. Leaves files to others.
import { diffArrays } from "diff";

/** Above this many differing lines the comparison gives up and takes the most frequent line ending. */
const maxEdits = 2_000;

/** Whether an editor, which knows one line ending per document, would change this text by saving it. */
export function hasMixedLineEndings(text: string): boolean {
  const crlf = countOf(text, "\r\n");
  return countOf(text, "\r") > crlf || (crlf > 0 && countOf(text, "\n") > crlf);
}

/** The text with every line ending replaced. */
export function withLineEnding(text: string, ending: "\n" | "\r\n"): string {
  return text.replace(/\r\n|\r|\n/g, ending);
}

/**
 * `edited` with the line endings that `original` had: an editor that opened `original` made them all the same.
 * Lines that are not in `original` get its most frequent ending. Without mixed endings `edited` is returned.
 */
export function restoreLineEndings(original: string, edited: string): string {
  if (!hasMixedLineEndings(original)) return edited;
  const before = splitLines(original);
  const after = splitLines(withLineEnding(edited, "\n"));
  const usual = countOf(original, "\r\n") * 2 >= countOf(original, "\n") ? "\r\n" : "\n";
  const parts = diffArrays(
    before.map((line) => withLineEnding(line, "\n")),
    after,
    { maxEditLength: maxEdits },
  );
  if (parts === undefined) return withLineEnding(edited, usual);
  let position = 0;
  let result = "";
  for (const part of parts) {
    if (part.added) result += withLineEnding(part.value.join(""), usual);
    else {
      if (!part.removed) result += before.slice(position, position + part.count).join("");
      position += part.count;
    }
  }
  return result;
}

/** The lines of a text, each with its ending; the last one may have none. */
export function splitLines(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}
