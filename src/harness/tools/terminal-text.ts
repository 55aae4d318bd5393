// What a terminal would show of a command's output, as plain text for models and cards.
import stripAnsi from "strip-ansi";

/** One line: no escape sequences, only what is left after carriage returns and backspaces, no control characters. */
export function plainLine(line: string): string {
  const text = stripAnsi(line).replace(unterminated, "");
  const shown = text.includes("\r") ? (text.split("\r").findLast((part) => part !== "") ?? "") : text;
  return applyBackspaces(shown).replace(invisible, "").toWellFormed();
}

/** Output as it arrives. `midLine`: something of the first line was already shown. */
export function plainChunk(chunk: string, midLine: boolean): string {
  return chunk
    .split("\n")
    .map((line, i) => (i === 0 && midLine && /\r[^\r]/.test(line) ? `\n${plainLine(line)}` : plainLine(line)))
    .join("\n");
}

/** How much of the end of `text` may be the start of an escape sequence or of a CRLF. */
export function incompleteTail(text: string): number {
  return incomplete.exec(text.slice(-maxSequence))?.[0].length ?? 0;
}

const maxSequence = 4096;
const escape = String.raw`\u001b`;
const incomplete = new RegExp(
  String.raw`(?:${escape}(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007${escape}]*${escape}?|[ -/]*)|\r)$`,
);
/** The start of a sequence that never ended. */
const unterminated = new RegExp(String.raw`${escape}(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007${escape}]*)$`);
/** Control characters but the tab, and marks that turn the direction of text. */
const invisible = new RegExp(
  String.raw`[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]`,
  "g",
);
const overstruck = new RegExp(String.raw`[^\u0008]\u0008`, "g");

function applyBackspaces(text: string): string {
  let result = text;
  while (result.includes("\b")) {
    const next = result.replace(overstruck, "");
    if (next === result) return result;
    result = next;
  }
  return result;
}
