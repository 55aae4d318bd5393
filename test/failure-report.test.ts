import assert from "node:assert/strict";
import { failureReport } from "./ide/failure-report.ts";

const failure = (n: number, diff: number): string =>
  [
    `  ${n}) a suite`,
    `       test ${n}:`,
    "",
    `      AssertionError: message ${n}`,
    ...Array.from({ length: diff }, (_, line) => `      + line ${line}`),
    "      at Context.<anonymous> (file:///a.test.ts:1:2)",
    "",
  ].join("\n");
const run = (failures: readonly string[]): string =>
  ["  ..!..", "", "  7 passing (3s)", `  ${failures.length} failing`, "", ...failures].join("\n");

describe("What failed, said again at the end", () => {
  it("is the names and messages of tests, without stacks and what passed", () => {
    assert.deepEqual(failureReport(run([failure(1, 1), failure(2, 0)])), [
      "  1) a suite",
      "       test 1:",
      "      AssertionError: message 1",
      "      + line 0",
      "  2) a suite",
      "       test 2:",
      "      AssertionError: message 2",
    ]);
  });

  it("has every name, though one of them has a long story", () => {
    const lines = failureReport(run([failure(1, 500), failure(2, 500), failure(3, 0)]));
    assert.ok(lines.length <= 60);
    for (const n of [1, 2, 3]) assert.ok(lines.includes(`       test ${n}:`));
    for (const n of [1, 2, 3]) assert.ok(lines.includes(`      AssertionError: message ${n}`));
  });

  it("never grows beyond its bounds", () => {
    const lines = failureReport(run(Array.from({ length: 200 }, (_, n) => failure(n + 1, 9))));
    assert.ok(lines.length <= 60);
  });

  it("is what any other command printed, its beginning and its end", () => {
    assert.deepEqual(failureReport("\u001b[31msrc/a.ts(1,2): error TS1\u001b[0m\n\n"), [
      "src/a.ts(1,2): error TS1",
    ]);
    const long = failureReport(Array.from({ length: 200 }, (_, n) => `line ${n}`).join("\n"));
    assert.deepEqual([long.length, long[0], long.at(-1)], [60, "line 0", "line 199"]);
  });
});
