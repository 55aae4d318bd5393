// Several replacements in one text, all found in the original and spliced into it: everything else keeps its bytes.
// Failures are UserErrors written for the model.
import { UserError } from "../../shared/errors.ts";
import { dominantLineEnd, withLineEnd } from "../proposals/lines.ts";
import { ambiguous, notFound } from "./edit-errors.ts";
import { stripLineNumbers } from "./line-numbers.ts";
import type { TextEdit } from "./match.ts";
import { findMatch } from "./match.ts";
import { SearchedText } from "./searched-text.ts";

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly name: string;
}

/** `text` with all edits in it. `path` names it in errors. */
export function applyEdits(text: string, edits: readonly TextEdit[], path: string): string {
  const [only] = edits;
  if (only === undefined) throw new UserError("edits is empty. Give at least one {oldText, newText}.");
  if (text === "" && edits.length === 1 && only.oldText === "") return only.newText;
  const searched = new SearchedText(text);
  const splices = edits.map((edit, i) => locate(searched, edit, edits.length > 1 ? `edits[${i}]` : "", path));
  const result = splice(text, splices, path);
  if (result === text) {
    throw new UserError(
      `This changes nothing: ${path} already has that text. Read it again if you expected otherwise.`,
    );
  }
  return result;
}

function locate(searched: SearchedText, edit: TextEdit, name: string, path: string): Splice {
  const what = name === "" ? "oldText" : `${name}.oldText`;
  if (edit.oldText.trim() === "") {
    throw new UserError(
      `${what} has no text in it. Copy the lines that are to be replaced, or use write to replace the whole of ${path}.`,
    );
  }
  const result = findMatch(searched, edit.oldText);
  if (result.type === "many") throw ambiguous(searched, result.offsets, what, path);
  if (result.type === "none") {
    const plain = stripLineNumbers(edit, searched.text);
    if (plain === undefined) throw notFound(searched, edit.oldText, what, path);
    return locate(searched, plain, name, path);
  }
  const newText = result.reindent === undefined ? edit.newText : result.reindent(edit.newText);
  if (newText === undefined) throw notFound(searched, edit.oldText, what, path);
  const { start, end } = result;
  return { start, end, text: withLineEnd(newText, lineEndAt(searched.text, start)), name };
}

function splice(text: string, splices: readonly Splice[], path: string): string {
  const parts: string[] = [];
  let offset = 0;
  let previous: Splice | undefined;
  for (const next of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (previous !== undefined && next.start < previous.end) throw overlapping(previous, next, path);
    parts.push(text.slice(offset, next.start), next.text);
    offset = next.end;
    previous = next;
  }
  return [...parts, text.slice(offset)].join("");
}

function overlapping(a: Splice, b: Splice, path: string): UserError {
  const names = [a.name, b.name].sort().join(" and ");
  return new UserError(
    `${names} overlap in ${path}. Merge them into one edit, or make their oldText shorter.`,
  );
}

/** The line end of the line at `offset`; of most lines where it has none or only a CR in a file that has others. */
function lineEndAt(text: string, offset: number): string {
  const rest = /\r\n|\n|\r/g;
  rest.lastIndex = offset;
  const end = rest.exec(text)?.[0];
  return end === undefined || end === "\r" ? dominantLineEnd(text) : end;
}
