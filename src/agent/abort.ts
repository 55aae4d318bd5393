// Waiting that ends when a signal fires. Leaves to callers what an aborted step means.
import { abortError } from "../shared/errors.ts";

/** Settles like `promise`, or rejects with an AbortError as soon as the signal fires. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const outcome = await withGrace(promise, signal, 0);
  if (outcome === undefined) throw abortError();
  return outcome.value;
}

/**
 * The value in a box, or undefined when `promise` is still unsettled `graceMs` milliseconds after the signal
 * fired. Rejects as `promise` does; a rejection after that is swallowed. A grace of 0 uses no timer.
 */
export function withGrace<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  graceMs: number,
): Promise<{ readonly value: T } | undefined> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const giveUp = () => resolve(undefined);
    const onAbort = () => {
      if (graceMs > 0) timer = setTimeout(giveUp, graceMs);
      else giveUp();
    };
    const release = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    promise.then((value) => resolve({ value }), reject).finally(release);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
