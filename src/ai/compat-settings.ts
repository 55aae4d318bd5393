// The fields of a `compat` object in the settings.
import { fieldsOf, flag, oneOf, valueOf } from "./setting-fields.ts";
import type { OpenAiChatCompat } from "./types.ts";

/** The names that HTTP allows. */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

export const compat = fieldsOf<OpenAiChatCompat>({
  maxTokensField: oneOf(["max_tokens", "max_completion_tokens"]),
  streamUsage: flag,
  reasoningEffort: flag,
  thinkingFormat: oneOf(["openrouter", "deepseek"]),
  promptCacheKey: flag,
  sessionHeader: valueOf(
    "the name of a header",
    (value): value is string => typeof value === "string" && headerName.test(value),
  ),
  systemRole: oneOf(["system", "developer"]),
  reasoningField: oneOf(["reasoning_content", "reasoning", "reasoning_text"]),
  reasoningDetails: flag,
  alternatingRoles: flag,
  shortToolCallIds: flag,
  thoughtSignatures: flag,
});
