import assert from "node:assert/strict";
import fc from "fast-check";
import { applyHunks, computeHunks } from "../../../../src/harness/proposals/hunks.ts";
import { keepLineEnds, splitLines } from "../../../../src/harness/proposals/lines.ts";
import { lineEdits, texts } from "./arbitrary-texts.ts";

describe("Hunks of a change", () => {
  it("split a text into lines that join to the same bytes, whatever the line ends", () => {
    fc.assert(fc.property(texts, (text) => assert.equal(splitLines(text).join(""), text)));
    assert.deepEqual(splitLines("a\r\nb\rc\n\nd"), ["a\r\n", "b\r", "c\n", "\n", "d"]);
    assert.deepEqual(splitLines(""), []);
  });

  it("lead to the proposed text byte for byte when all are accepted, and to the base when none is", () => {
    fc.assert(
      fc.property(texts, texts, (base, proposed) => {
        const hunks = computeHunks(splitLines(base), splitLines(proposed));
        assert.equal(applyHunks(splitLines(base), hunks).join(""), proposed);
        assert.equal(applyHunks(splitLines(base), []).join(""), base);
      }),
    );
  });

  it("can be accepted in every subset: each line of the result is of the base or of a chosen hunk", () => {
    fc.assert(
      fc.property(lineEdits, ({ base, next }) => {
        const lines = splitLines(base);
        const hunks = computeHunks(lines, splitLines(next)).slice(0, 5);
        for (let subset = 0; subset < 2 ** hunks.length; subset += 1) {
          const chosen = hunks.filter((_, i) => subset & (1 << i));
          const expected = chosen.reduceRight(
            (text, hunk) => text.toSpliced(hunk.start, hunk.oldLines.length, ...hunk.newLines),
            lines,
          );
          assert.deepEqual(applyHunks(lines, chosen), expected);
        }
      }),
    );
  });

  it("E03: only the edited line of a file with mixed line ends is a change", () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i + 1}${i < 50 ? "\r\n" : "\n"}`);
    const edited = lines.with(74, "edited\n");
    assert.deepEqual(computeHunks(lines, edited), [
      { start: 74, oldLines: ["line 75\n"], newLines: ["edited\n"] },
    ]);
  });

  it("E12: a missing final line end is kept, removed or added exactly", () => {
    const change = (a: string, b: string) => computeHunks(splitLines(a), splitLines(b));
    assert.deepEqual(change("a\nb", "a\nc"), [{ start: 1, oldLines: ["b"], newLines: ["c"] }]);
    assert.deepEqual(change("a\n", "a"), [{ start: 0, oldLines: ["a\n"], newLines: ["a"] }]);
  });

  it("give up on a diff that takes too long and offer the changed middle as one hunk", () => {
    const old = Array.from({ length: 20_000 }, (_, i) => `old ${i}\n`);
    const next = Array.from({ length: 20_000 }, (_, i) => `new ${i}\n`);
    const hunks = computeHunks(["same\n", ...old], ["same\n", ...next]);
    assert.equal(hunks.length, 1);
    assert.equal(hunks[0]?.start, 1);
  });
});

describe("Line ends of a rewritten text", () => {
  const cases: readonly [string, string, string, string][] = [
    ["E04: an LF rewrite of a CRLF file keeps CRLF", "a\r\nb\r\n", "a\nB\nc\n", "a\r\nB\r\nc\r\n"],
    ["a CRLF rewrite of an LF file keeps LF", "a\nb\n", "a\r\nB\r\n", "a\nB\n"],
    ["E03: unchanged lines keep theirs in a mixed file", "a\r\nb\nc\n", "a\nb\nC\n", "a\r\nb\nC\n"],
    ["E12: a missing final line end stays missing", "a\r\nb\r\n", "a\nb", "a\r\nb"],
    ["an empty file takes what comes", "", "a\r\nb", "a\r\nb"],
    ["a lone CR inside the new text stays", "a\n", "10%\r20%\n", "10%\r20%\n"],
  ];
  for (const [name, previous, next, expected] of cases) {
    it(name, () => assert.equal(keepLineEnds(previous, next), expected));
  }
});
