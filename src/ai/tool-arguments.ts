// The one strict parse of a tool call's argument text, when it is complete. Leaves what is shown of it before that to
// `growing-arguments.ts`.
import { errorText } from "../shared/errors.ts";
import { isJsonObject } from "../shared/json.ts";
import type { JsonObject } from "../shared/json.ts";

/** How much of a broken argument text is kept, in characters. */
const maxRawText = 500;

/** Lists and objects in each other. No tool takes as many, and what walks over JSON later may run out of stack. */
const maxDepth = 500;

export interface ParsedArguments {
  readonly arguments: JsonObject;
  /** Why the text was not usable, with the text itself; `arguments` is then `{}`. */
  readonly argumentsError?: string;
}

/**
 * Empty text is `{}`; anything but one JSON object, nested 500 deep at most, is an error that quotes the text, bounded.
 * Otherwise exactly what JSON.parse gives. Never throws.
 */
export function parseToolArguments(text: string): ParsedArguments {
  if (text.trim() === "") return { arguments: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (isTooDeep(value)) {
      return { arguments: {}, argumentsError: `The arguments are nested too deeply: ${boundedText(text)}` };
    }
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

/** Level by level, so that the check itself needs no stack. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= maxDepth) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function boundedText(text: string): string {
  return bounded(text, maxRawText);
}

function bounded(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit).toWellFormed()}… (${text.length} characters)`;
}
