// The line numbers that `read` puts before lines, and taking them off again where a model copied them into an edit.
import type { TextEdit } from "./match.ts";

/** `lines` as the model reads them, the first being number `first`. */
export function numberLines(lines: readonly string[], first: number): string[] {
  return lines.map((line, i) => `${first + i}\t${line}`);
}

const prefix = /^ *(\d+)(?:\t|→|\| ?|: ?)/;

/**
 * The edit without copied line numbers, or undefined when it has none. Only for an `oldText` that was not found: every
 * line must carry its number in sequence, and the file must have exactly these lines there, so that text which merely
 * looks numbered is never touched.
 */
export function stripLineNumbers(edit: TextEdit, text: string): TextEdit | undefined {
  const lines = edit.oldText.replace(/\r?\n$/, "").split(/\r?\n/);
  const first = Number(prefix.exec(lines[0] ?? "")?.[1]);
  if (!Number.isSafeInteger(first) || first < 1) return undefined;
  const fileLines = text.split(/\r\n|\n|\r/);
  const plain = lines.map((line) => line.replace(prefix, () => ""));
  const numbered = lines.every((line, i) => Number(prefix.exec(line)?.[1]) === first + i);
  if (!numbered || !plain.every((line, i) => line.trimEnd() === fileLines[first - 1 + i]?.trimEnd()))
    return undefined;
  const oldText = plain.join("\n") + (edit.oldText.endsWith("\n") ? "\n" : "");
  return { oldText, newText: stripAll(edit.newText) };
}

/** A replacement loses its numbers only when every line with text has one. */
function stripAll(text: string): string {
  const lines = text.split("\n");
  const withText = lines.filter((line) => line.trim() !== "");
  if (withText.length === 0 || !withText.every((line) => prefix.test(line))) return text;
  return lines.map((line) => line.replace(prefix, () => "")).join("\n");
}
