// Which failures are worth another try, and how long to wait before it. The waiting itself is the caller's.
import type { ErrorKind } from "./types.ts";

/** Tries after the first one. */
export const maxRetries = 3;

const baseDelayMs = 2_000;
const maxDelayMs = 60_000;

const retryable: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  "rate_limit",
  "overloaded",
  "network",
  "timeout",
  "malformed_stream",
]);

export function isRetryable(kind: ErrorKind | undefined): boolean {
  return kind !== undefined && retryable.has(kind);
}

/** Of a wait that nobody asked for, so that many clients do not come back at once. */
const jitter = 0.25;

/** Longer than this nobody waits: the failure says until when instead. Milliseconds. */
export const longestRetryMs = maxDelayMs;

/**
 * Milliseconds to wait before try number `attempt` (from 1) after a failure; undefined when it should not be tried
 * again: the kind says so, the tries are used up, or the provider asks for a longer wait than a minute. `random`: 0 to 1.
 */
export function retryDelay(
  kind: ErrorKind | undefined,
  attempt: number,
  options: { readonly retryAfterMs?: number | undefined; readonly random?: () => number } = {},
): number | undefined {
  const { retryAfterMs, random = Math.random } = options;
  if (!isRetryable(kind) || attempt > maxRetries) return undefined;
  if (retryAfterMs !== undefined) return retryAfterMs > maxDelayMs ? undefined : Math.max(0, retryAfterMs);
  const delay = baseDelayMs * 2 ** (attempt - 1);
  return Math.round(Math.min(maxDelayMs, delay * (1 - jitter + 2 * jitter * random())));
}
