import assert from "node:assert/strict";
import fc from "fast-check";
import {
  byteLength,
  cutHead,
  cutTail,
  maxResultBytes,
  maxResultLines,
  takeEnd,
  takeStart,
} from "../../../../src/harness/tools/truncate.ts";

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i + 1));

describe("Limits on results", () => {
  it("T20: cut nothing at exactly 2,000 lines and exactly 51,200 bytes", () => {
    assert.deepEqual(cutHead(numbers(maxResultLines)), { lines: numbers(maxResultLines) });
    const full = ["x".repeat(25_600), "y".repeat(25_599)];
    assert.equal(byteLength(full.join("\n")), maxResultBytes);
    assert.deepEqual(cutHead(full), { lines: full });
    assert.deepEqual(cutTail(full), { lines: full });
  });

  it("T20: cut whole lines one beyond the limit", () => {
    const lines = numbers(maxResultLines + 1);
    assert.deepEqual(cutHead(lines), { lines: lines.slice(0, -1), by: "lines" });
    assert.deepEqual(cutTail(lines), { lines: lines.slice(1), by: "lines" });
    const large = ["x".repeat(25_600), "y".repeat(25_600)];
    assert.deepEqual(cutHead(large), { lines: [large[0]], by: "bytes" });
    assert.deepEqual(cutTail(large), { lines: [large[1]], by: "bytes" });
  });

  it("E42: show the part of one enormous line that fits", () => {
    const line = "é".repeat(40_000);
    assert.deepEqual(cutHead([line]), { lines: ["é".repeat(25_600)], by: "bytes", lineBytes: 80_000 });
    assert.deepEqual(cutTail(["a", line]), { lines: ["é".repeat(25_600)], by: "bytes", lineBytes: 80_000 });
  });

  it("count bytes as UTF-8 does and never split a code point", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, bytes) => {
        assert.equal(byteLength(text), Buffer.byteLength(text));
        for (const part of [takeStart(text, bytes), takeEnd(text, bytes)]) {
          assert.ok(part.isWellFormed());
          assert.ok(byteLength(part) <= bytes);
          assert.ok(part === text || byteLength(part) > bytes - 4);
        }
        assert.ok(text.startsWith(takeStart(text, bytes)));
        assert.ok(text.endsWith(takeEnd(text, bytes)));
      }),
    );
  });
});
