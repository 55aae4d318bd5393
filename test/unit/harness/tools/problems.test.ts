// Diagnostics in the result of an edit: what is new and what was fixed, once everyone who reports is quiet.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Problem } from "../../../../src/harness/ports.ts";
import { compareProblems } from "../../../../src/harness/tools/problem-watch.ts";
import { FakeClock } from "../../../support/fake-clock.ts";
import { until } from "../../../support/until.ts";
import { textOf, ToolBench, uri } from "./tool-bench.ts";

const problem = (line: number, message: string, more: Partial<Problem> = {}): Problem => ({
  ...{ uri: uri("a.ts"), line, column: 5, severity: "error", message, source: "ts", code: "2304" },
  ...more,
});

describe("The result of an edit", () => {
  it("names the problems it made, here and elsewhere, and counts those it fixed", async () => {
    const { bench, edit } = await opened();
    bench.ports.diagnostics.report([problem(2, "Cannot find name 'two'.")]);
    const result = edit();
    await applied(bench);
    bench.ports.diagnostics.report([
      problem(1, "Declared but never used.", { severity: "warning", code: "6133" }),
      problem(7, "Property 'two' is missing.", { uri: uri("b.ts") }),
    ]);
    await bench.clock.advance(400);
    assert.equal(
      textOf(await result),
      "Changed a.ts (1 hunk).\n\n" +
        "New problems after this change:\n" +
        "b.ts:7:5 error Property 'two' is missing. (ts 2304)\n" +
        "a.ts:1:5 warning Declared but never used. (ts 6133)\n" +
        "Problems this change fixed: 1.",
    );
  });

  it("waits until nothing more is said, and no longer than three seconds", async () => {
    const { bench, edit } = await opened();
    const result = edit();
    await applied(bench);
    for (let time = 0; time < 3_000; time += 300) {
      bench.ports.diagnostics.report([problem(1, `Still checking ${time}`)]);
      await bench.clock.advance(300);
    }
    assert.match(textOf(await result), /Still checking 2700/);
    assert.equal(bench.clock.pending, 0);
  });

  it("says nothing of problems that only moved, and does not wait where nobody ever reports", async () => {
    const { bench, edit } = await opened();
    bench.ports.diagnostics.report([problem(3, "Old.")]);
    const first = edit("one", "one\none more");
    await applied(bench);
    bench.ports.diagnostics.report([problem(4, "Old.")]);
    await bench.clock.advance(400);
    assert.equal(textOf(await first), "Changed a.ts (1 hunk).");
    for (const old of ["two", "three"]) {
      const silent = edit(old, `${old}!`);
      await applied(bench);
      await bench.clock.advance(1_500);
      await silent;
    }
    assert.equal(textOf(await edit("one more", "one less")), "Changed a.ts (1 hunk).");
  });

  it("names errors only, or nothing at all, where that is set", async () => {
    const { bench, edit } = await opened("errors");
    const result = edit();
    await applied(bench);
    bench.ports.diagnostics.report([problem(1, "Careful.", { severity: "warning" }), problem(2, "Wrong.")]);
    await bench.clock.advance(400);
    assert.match(
      textOf(await result),
      /New problems after this change:\na.ts:2:5 error Wrong\. \(ts 2304\)$/,
    );
    await bench.ports.settings.update({ editDiagnostics: "off" });
    assert.equal(textOf(await edit("three", "3")), "Changed a.ts (1 hunk).");
  });

  it("ends the wait when the run is stopped, and lists no more than twenty", async () => {
    const { bench, edit } = await opened();
    const result = edit();
    await applied(bench);
    bench.ports.diagnostics.report(Array.from({ length: 30 }, (_, n) => problem(n + 1, `No ${n}`)));
    bench.abort.abort();
    const text = textOf(await result);
    assert.equal(text.match(/ error No /g)?.length, 20);
    assert.match(text, /… and 10 more$/);
  });

  async function opened(editDiagnostics: "errors" | "warnings" = "warnings") {
    const clock = new FakeClock();
    const bench = Object.assign(
      new ToolBench({ "a.ts": "one\ntwo\nthree\n", "b.ts": "" }, { approvalEdits: "auto", editDiagnostics }),
      { clock },
    );
    Object.assign(bench.ports, { clock });
    await bench.call("read", { path: "a.ts" });
    const edit = (oldText = "two", newText = "2") =>
      bench.call("edit", { path: "a.ts", edits: [{ oldText, newText }] });
    return { bench, edit };
  }

  function applied({ clock }: { readonly clock: FakeClock }): Promise<void> {
    return until(() => clock.pending > 0, "the wait for problems");
  }
});

describe("Problems", () => {
  it("that are the same after lines were added or taken elsewhere are neither new nor fixed", () => {
    const line = fc.constantFrom("a", "b", "c", "d");
    const lines = fc.array(line, { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, lines, fc.array(fc.nat(11), { maxLength: 4 }), (head, replaced, tail, at) => {
        const before = [...head, "x", ...tail].join("\n");
        const after = [...replaced, "x", ...tail].join("\n");
        const problems = at.filter((n) => n <= tail.length).map((n) => problem(head.length + 1 + n, `p${n}`));
        const moved = problems.map((each) => ({ ...each, line: each.line + replaced.length - head.length }));
        const change = compareProblems(problems, moved, { uri: uri("a.ts"), before, after });
        assert.deepEqual(change, { added: [], fixed: [] });
      }),
    );
  });

  it("of which one more stands there than before: the one that is new is named", () => {
    const text = { uri: uri("a.ts"), before: "1\n2\n3", after: "0\n1\n2\n3" };
    const same = (...at: readonly number[]) => at.map((line) => problem(line, "Same."));
    const change = compareProblems(same(2), same(1, 3), text);
    assert.deepEqual(change, { added: same(1), fixed: [] });
  });
});
