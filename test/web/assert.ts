// Stands for node:assert/strict in the web worker, where there are no Node modules: the few checks that tests which run
// in both hosts use.

function fail(message: string): never {
  throw new Error(message);
}

const show = (value: unknown) => JSON.stringify(value, undefined, 2) ?? String(value);

/** The test's name says what is checked, so that messages may stay short. */
const assert = {
  ok(value: unknown, message = "Expected a truthy value"): asserts value {
    if (!value) fail(message);
  },
  equal(actual: unknown, expected: unknown, message = ""): void {
    if (!Object.is(actual, expected)) fail(`${message} Expected ${show(expected)}, got ${show(actual)}`);
  },
  /** For JSON values, which is what tests compare here. */
  deepEqual(actual: unknown, expected: unknown, message = ""): void {
    if (show(actual) !== show(expected)) fail(`${message} Expected ${show(expected)}, got ${show(actual)}`);
  },
  match(actual: string, pattern: RegExp, message = ""): void {
    if (!pattern.test(actual)) fail(`${message} ${show(actual)} does not match ${String(pattern)}`);
  },
  async rejects(promise: Promise<unknown>, pattern: RegExp): Promise<void> {
    const outcome = await promise.then(
      () => undefined,
      (error: unknown) => String(error),
    );
    if (outcome === undefined) fail(`Expected a rejection that matches ${String(pattern)}`);
    assert.match(outcome, pattern);
  },
};

export default assert;
