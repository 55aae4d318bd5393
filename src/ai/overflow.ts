// Recognises that a conversation was too long for its model, from the words of many providers or from the numbers.
// Leaves to the caller what to do about it.
import type { AssistantMessage } from "./types.ts";

/** Said about limits per minute, or about the requested output: never an overflow, whatever else the text says. */
const exclusions: readonly RegExp[] = [
  /rate.?limit/i,
  /too many requests/i,
  /(tokens|requests) per (second|minute|min|day|hour)|per.minute/i,
  /throttl/i,
  /service (is )?unavailable/i,
  /max_(completion_|output_)?tokens[`'"]?( is|:)? (too large|must be|should be|cannot|exceeds)/i,
];

const patterns: readonly RegExp[] = [
  // Anthropic, Vertex, Fireworks.
  /prompt is too long/i,
  /request_too_large|request (entity |body )?(is )?too large/i,
  /input length and `?max_tokens`? exceed context limit/i,
  // OpenAI, Azure, DeepSeek, OpenRouter, vLLM, and most who imitate them.
  /context[_ ](length|window|size)[_ ]exceeded|exceed(ed)?_context_size/i,
  /maximum (context|model|sequence) length|max(imum)? context (length|window|size)/i,
  /exceed(s|ed|ing)? (the |this |its )?(model'?s? )?(maximum |max |available )?(allowed |input )?(context|prompt|sequence) ?(window|length|size)?\b/i,
  /context (window|length|size)( of this model)? (is |was |has been )?(exceed|too small|full)/i,
  // Google, GitHub Copilot, GitHub Models.
  /(input|prompt) token count.{0,40}exceeds/i,
  /tokens_limit_reached/i,
  // xAI, Groq, Cerebras.
  /maximum prompt length/i,
  /reduce the length of (the|your) (messages|prompt|input)/i,
  // Mistral.
  /too large for model with \d+ maximum context/i,
  // Bedrock, Cohere, Together, SGLang.
  /input (is|was) too long|input is longer than the/i,
  /(input|prompt|decoder prompt) \([^)]{1,40}\) is (longer|larger|greater) than/i,
  /`?inputs`? tokens \+ `?max_new_tokens`? must be/i,
  /too many (input )?tokens/i,
  // llama.cpp, LM Studio, Ollama.
  /(available|loaded with) context (size|length)/i,
  /(greater|longer|larger) than the (model'?s )?context (length|window|size)/i,
  /context (the )?overflow|context shift is disabled|reached context length/i,
  // MiniMax, Moonshot, Zhipu, DashScope.
  /context window exceeds limit/i,
  /exceeded model token limit/i,
  /prompt exceeds max length|tokens in (the )?request (is )?more than max tokens allowed/i,
  /range of input length should be/i,
  /model_context_window_exceeded/i,
  /prompt (is )?(too long|too large|has too many tokens)/i,
  /token limit exceeded/i,
];

/** Whether the text of an error says that the context is too long. */
export function isOverflowText(text: string): boolean {
  if (exclusions.some((exclusion) => exclusion.test(text))) return false;
  return patterns.some((pattern) => pattern.test(text));
}

/**
 * Whether this answer shows an overflow: an error that says so, an input larger than the window that the server
 * accepted without a word, or nothing written because the input left no room.
 */
export function isOverflow(message: AssistantMessage, contextWindow: number): boolean {
  if (message.stopReason === "error") return message.errorKind === "context_overflow";
  const { input, cacheRead, cacheWrite, output } = message.usage;
  const sent = input + cacheRead + cacheWrite;
  if (message.stopReason === "length" && output === 0) return sent >= contextWindow * 0.99;
  return sent > contextWindow;
}

/** Smaller requests are estimated too roughly to say anything. Tokens. */
const leastTruncated = 4_000;

/**
 * Whether the server seems to have dropped a part of the conversation without a word, as local servers with a small window
 * do: it counted less than half of what was sent. `sent`: the estimate of the whole request, in tokens.
 */
export function isTruncated({ stopReason, usage }: AssistantMessage, sent: number): boolean {
  if (stopReason === "error" || stopReason === "aborted") return false;
  const counted = usage.input + usage.cacheRead + usage.cacheWrite;
  return counted > 0 && sent >= leastTruncated && counted < sent / 2;
}
