// Recognises that a conversation was too long for its model, from the words of many providers or from the numbers.
// Leaves to the caller what to do about it.
import type { AssistantMessage } from "./types.ts";

/** Said about limits per minute, or about the requested output: never an overflow, whatever else the text says. */
const exclusions: readonly RegExp[] = [
  /rate.?limit/i,
  /too many requests/i,
  /(tokens|requests) per (minute|day|hour)/i,
  /throttl/i,
  /service (is )?unavailable/i,
  /max_(completion_|output_)?tokens[`'"]?( is|:)? (too large|must be|should be|cannot|exceeds)/i,
];

const patterns: readonly RegExp[] = [
  /prompt is too long/i,
  /request_too_large|request (entity )?too large/i,
  /exceed(s|ed|ing)? the (model'?s )?(maximum )?context (window|length|size)/i,
  /exceeds? (the )?(available|maximum|model'?s) context/i,
  /context[_ ]length[_ ]exceeded/i,
  /maximum context length/i,
  /input token count.{0,40}exceeds the maximum/i,
  /maximum prompt length/i,
  /reduce the length of (the|your) (messages|prompt|input)/i,
  /input is too long/i,
  /available context size/i,
  /greater than the context length/i,
  /context window exceeds limit/i,
  /exceeded model token limit/i,
  /too large for model with \d+ maximum context/i,
  /model_context_window_exceeded/i,
  /prompt (too long|has too many tokens)/i,
  /range of input length should be/i,
  /`?inputs`? tokens \+ `?max_new_tokens`? must be/i,
  /prompt token count of \d+ exceeds/i,
  /too many (input )?tokens/i,
  /token limit exceeded/i,
  /input length and `?max_tokens`? exceed context limit/i,
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
