// Makes JSON that several parties hold safe to hold: nobody can change it any more.

/** Freezes `value` and everything in it, in place. Stops at what is frozen already. Never throws, however deep it is. */
export function deepFreeze<T>(value: T): T {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const item of Object.values(next)) if (typeof item === "object") waiting.push(item);
  }
  return value;
}
