import assert from "node:assert/strict";
import fc from "fast-check";
import { lineText, splitLines } from "../../../../src/harness/proposals/lines.ts";
import { pageOf, textLines } from "../../../../src/harness/tools/line-page.ts";

const thing = { path: "a.txt", what: "file", rest: () => "Ask." } as const;

describe("A page of a text", () => {
  it("has the lines that proposals count, whatever their ends", () => {
    const text = fc
      .array(fc.constantFrom("a", "bc", "\r", "\n", "\r\n", "\u2028", "😀"))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.nat(12), fc.nat(12), (whole, skipped, count) => {
        const lines = splitLines(whole).map(lineText);
        const source = textLines(whole);
        assert.equal(source.total, lines.length);
        assert.deepEqual(source.slice(skipped + 1, count), lines.slice(skipped, skipped + count));
      }),
    );
  });

  it("of a large one is only that page, with the numbers of its lines", () => {
    const source = textLines("a\n".repeat(500_000));
    const page = pageOf(source, { offset: 499_990, limit: undefined }, thing);
    assert.deepEqual([source.total, page.lines[0], page.lines.length], [500_000, "499990\ta", 11]);
    assert.equal(source.slice(1, 2001).length, 2001);
  });
});
