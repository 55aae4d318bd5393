// An edit of a file that has changed since the model read it: made on the text that the model knows, and carried over to
// the text of now. Where both changed the same lines it is refused, with what is there now.
import { UserError } from "../../shared/errors.ts";
import { compactDiff } from "../proposals/compact-diff.ts";
import { lineText, splitLines } from "../proposals/lines.ts";
import { mergeTexts } from "../proposals/rebase.ts";
import { numberLines } from "./line-numbers.ts";

const contextLines = 3;
const mostLines = 80;
const mostDiffCharacters = 6_000;

/**
 * `edited` is `known` with the model's edits. Throws a UserError that shows the fresh region where `now` overlaps them,
 * under the heading `why`.
 */
export function carryOver(
  { known, edited, now }: { readonly known: string; readonly edited: string; readonly now: string },
  path: string,
  why = `${path} has changed since you read it, in the very lines you want to edit. Nothing was changed. They are now:`,
): string {
  const conflict = mergeTexts(known, edited, now);
  if (typeof conflict === "string") return conflict;
  const current = splitLines(now);
  const from = Math.max(0, conflict.start - contextLines);
  const to = conflict.start + conflict.oldLines.length + contextLines;
  const region = current.slice(from, Math.min(to, from + mostLines)).map(lineText);
  throw new UserError(
    [
      why,
      ...numberLines(region, from + 1),
      ...(to > from + mostLines ? [`… read ${path} from line ${from + mostLines + 1} on for the rest`] : []),
      "Make your edit on these lines.",
    ].join("\n"),
  );
}

/** What changed in a file since the model read it, for a refusal; bounded. */
export function changesSince(known: string, now: string): string {
  const diff = compactDiff(known, now);
  return diff.length <= mostDiffCharacters ? diff : `${diff.slice(0, mostDiffCharacters).toWellFormed()}…`;
}
