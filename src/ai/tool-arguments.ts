// Argument text of tool calls: a guess while it streams, for display only, and one strict parse when it is complete.
import { Allow, parse } from "partial-json";
import { errorText } from "../shared/errors.ts";
import { isJsonObject } from "../shared/json.ts";
import type { JsonObject } from "../shared/json.ts";

/** How much of a broken argument text is kept, in characters. */
const maxRawText = 500;

export interface ParsedArguments {
  readonly arguments: JsonObject;
  /** Why the text was not usable, with the text itself; `arguments` is then `{}`. */
  readonly argumentsError?: string;
}

/**
 * What can be shown of arguments that are still streaming: unfinished strings, arrays and objects as they are,
 * numbers and literals only when complete. Never throws; `{}` when there is nothing. Never run a tool with it.
 */
export function previewToolArguments(text: string): JsonObject {
  if (text.trim() === "") return {};
  try {
    const value: unknown = parse(text, Allow.STR | Allow.OBJ | Allow.ARR);
    return isJsonObject(value) ? value : {};
  } catch {
    // Half an escape sequence or not JSON at all: there is nothing to show yet.
    return {};
  }
}

/** The final parse. Empty text is `{}`; anything but one JSON object is an error that quotes the text, bounded. */
export function parseToolArguments(text: string): ParsedArguments {
  if (text.trim() === "") return { arguments: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return { arguments: value };
    return { arguments: {}, argumentsError: `The arguments are not a JSON object: ${boundedText(text)}` };
  } catch (error) {
    const reason = bounded(errorText(error), 200);
    return {
      arguments: {},
      argumentsError: `The arguments are not valid JSON (${reason}): ${boundedText(text)}`,
    };
  }
}

function boundedText(text: string): string {
  return bounded(text, maxRawText);
}

function bounded(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit).toWellFormed()}… (${text.length} characters)`;
}
