// Reads a `compat` object of the settings, field by field.
import { isJsonObject } from "../shared/json.ts";
import type { OpenAiChatCompat } from "./types.ts";

const flags = [
  "streamUsage",
  "reasoningEffort",
  "promptCacheKey",
  "shortToolCallIds",
  "thoughtSignatures",
] as const satisfies readonly (keyof OpenAiChatCompat)[];

const choices = {
  maxTokensField: ["max_tokens", "max_completion_tokens"],
  systemRole: ["system", "developer"],
  reasoningField: ["reasoning_content", "reasoning", "reasoning_text"],
} as const satisfies { [K in keyof OpenAiChatCompat]?: readonly OpenAiChatCompat[K][] };

/** `report` gets a text and the place below `compat`. Undefined when there is nothing usable. */
export function readCompat(
  value: unknown,
  report: (text: string, place: string) => void,
): OpenAiChatCompat | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) {
    report("must be an object", "");
    return undefined;
  }
  const compat: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const allowed = allowedValues(key);
    if (!allowed)
      report(`is not known; known are ${[...flags, ...Object.keys(choices)].join(", ")}`, `.${key}`);
    else if (allowed.includes(item)) compat[key] = item;
    else report(`must be one of ${allowed.map(String).join(", ")}`, `.${key}`);
  }
  return compat;
}

function allowedValues(key: string): readonly unknown[] | undefined {
  if (flags.some((flag) => flag === key)) return [true, false];
  return Object.entries(choices).find(([name]) => name === key)?.[1];
}
