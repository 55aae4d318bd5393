// One line of the log for a response that failed: what a person was told, and what was behind it.
import type { Target } from "./errors.ts";
import { redact } from "./redact.ts";
import type { StreamEvent } from "./types.ts";

/** Without secrets and line breaks. Never throws. */
export function failureLine(
  { message, cause = "" }: Extract<StreamEvent, { type: "error" }>,
  target: Target,
): string {
  const { errorKind = "unknown", errorMessage = "", provider, model } = message;
  const what = `Response failed (${errorKind}): ${provider}/${model} at ${target.host}: ${errorMessage}`;
  const line = cause === "" || errorMessage.includes(cause) ? what : `${what} Cause: ${cause}`;
  return redact(line, target.secrets).replace(/\s+/g, " ");
}
