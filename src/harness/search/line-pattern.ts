// A pattern made into a check of one line, for where no ripgrep is: its dialect put into JavaScript's as far as they
// differ in what people write, and refused where it could run for ever.
import { errorText, UserError } from "../../shared/errors.ts";
import type { LineQuery } from "../search-ports.ts";

/** JavaScript cannot be interrupted within a line, so a regular expression sees no more of it. Characters. */
const longestLine = 5000;

const posixClasses: { readonly [name: string]: string } = {
  alnum: "A-Za-z0-9",
  alpha: "A-Za-z",
  blank: "\\t ",
  digit: "0-9",
  lower: "a-z",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\s",
  upper: "A-Z",
  word: "\\w",
  xdigit: "0-9A-Fa-f",
};

/** Throws a UserError for a pattern that is wrong or too dangerous. */
export function lineMatcher({ pattern, literal, ignoreCase }: LineQuery): (line: string) => boolean {
  if (literal && !ignoreCase) return (line) => line.includes(pattern);
  if (!literal) refuseNestedRepeats(pattern);
  const expression = literal
    ? new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu")
    : translate(pattern, ignoreCase);
  return (line) => expression.test(literal ? line : line.slice(0, longestLine));
}

/** Throws a UserError that says where, for brackets that do not match. Both dialects agree about these. */
export function checkBrackets(pattern: string): void {
  const open: number[] = [];
  for (const { at, token } of tokens(pattern)) {
    if (token === "(") open.push(at);
    if (token === ")" && open.pop() === undefined) throw wrong(`the ) at character ${at + 1} closes nothing`);
    if (token === "[") throw wrong(`the [ at character ${at + 1} is not closed`);
    if (token === "\\") throw wrong("it ends in a single \\");
  }
  const at = open.pop();
  if (at !== undefined) throw wrong(`the ( at character ${at + 1} is not closed`);
}

function translate(pattern: string, ignoreCase: boolean): RegExp {
  const inline = /^\(\?([imsux]+)\)/.exec(pattern);
  const flags = ignoreCase || inline?.[1]?.includes("i") ? "i" : "";
  const source = pattern
    .slice(inline?.[0].length ?? 0)
    .replace(/\(\?P</g, "(?<")
    .replace(/\[:(\w+):\]/g, (whole, name: string) => posixClasses[name] ?? whole)
    .replace(/(?<!\\)((?:\\\\)*)\\A/g, "$1^")
    .replace(/(?<!\\)((?:\\\\)*)\\z/g, "$1$$");
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return withoutUnicode(source, flags);
  }
}

/** Escapes that mean nothing, as in `\-`, are errors only in Unicode mode. */
function withoutUnicode(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw wrong(errorText(error).replace(/^.*: /s, ""));
  }
}

/** `(a+)+` on a line that almost matches takes longer than anyone waits. */
function refuseNestedRepeats(pattern: string): void {
  const repeats: boolean[] = [];
  let closed = false;
  for (const { at, token } of tokens(pattern)) {
    if (isRepeat(token) && closed) {
      throw new UserError(
        `The pattern repeats something at character ${at + 1} that already repeats in itself, as in (a+)+. Here that can take for ever. Write it with one repetition, or search for a part of it.`,
      );
    }
    closed = false;
    if (token === "(") repeats.push(false);
    if (token === ")") {
      closed = repeats.pop() ?? false;
      if (closed) markRepeat(repeats);
    }
    if (isRepeat(token)) markRepeat(repeats);
  }
}

function isRepeat(token: string): boolean {
  return token === "*" || token === "+" || /^\{\d*,\d*\}$/.test(token) || /^\{\d{2,}\}$/.test(token);
}

function markRepeat(repeats: boolean[]): void {
  if (repeats.length > 0) repeats[repeats.length - 1] = true;
}

/** A pattern's parts: an escape or a whole class is one; a lone `[` or `\` is one that does not end. */
function* tokens(pattern: string): Generator<{ readonly at: number; readonly token: string }> {
  const part = /\\[\s\S]|\[\^?\]?(?:\[:\w+:\]|\\[\s\S]|[^\]\\])*\]|\{\d*,?\d*\}|[\s\S]/g;
  for (const found of pattern.matchAll(part)) yield { at: found.index, token: found[0] };
}

function wrong(why: string): UserError {
  return new UserError(
    `The pattern is not a regular expression: ${why}. Correct it, or set literal to true to find the text as it is.`,
  );
}
