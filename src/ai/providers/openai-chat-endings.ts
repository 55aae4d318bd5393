// What the `finish_reason` of a Chat Completions server means. Servers spell it as they like; what none is known to say is
// no reason to trust an answer.
import type { ErrorKind } from "../types.ts";

type Ending =
  | "stop"
  | "length"
  | Extract<ErrorKind, "content_filter" | "context_overflow" | "overloaded" | "malformed_stream" | "unknown">;

/** The first that matches counts. */
const endings: readonly (readonly [Ending, RegExp])[] = [
  // Whether tools were called is told by the calls themselves.
  [
    "stop",
    /^(stop|stop_sequence|eos|eos_token|end|end_turn|completed?|finish(ed)?|done|normal|tool_?(calls?|use)|function_?calls?)$/,
  ],
  ["context_overflow", /^(model_context_window_exceeded|context_(length|window)_exceeded|model_length)$/],
  ["length", /^(length|max_(output_|completion_|new_)?tokens|max_length|token_limit|incomplete)$/],
  // Gemini: `content_filter: PROHIBITED_CONTENT`.
  [
    "content_filter",
    /content_?filter|safety|sensitive|refusal|recitation|blocklist|prohibited|spii|guardrail|moderat/,
  ],
  // Gemini: `function_call_filter: MALFORMED_FUNCTION_CALL`.
  ["malformed_stream", /malformed|unexpected_tool_call/],
  ["overloaded", /error|insufficient_system_resource|abort|cancel|timeout|overloaded|unavailable/],
];

export function chatEnding(finishReason: string): Ending {
  const reason = finishReason.trim().toLowerCase();
  return endings.find(([, pattern]) => pattern.test(reason))?.[0] ?? "unknown";
}
