// Waiting for a state without waiting for a time: turns of the event loop until it holds.

/** Resolves when `condition` holds. Fails after `turns` turns of the event loop, naming what was waited for. */
export async function until(
  condition: () => boolean,
  what = "the awaited state",
  turns = 2000,
): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    if (condition()) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  throw new Error(`Never reached: ${what}`);
}

/** Lets everything that is ready to run, run. */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
