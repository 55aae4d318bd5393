import assert from "node:assert/strict";
import fc from "fast-check";
import { applyHunks, computeHunks, hunkEnd } from "../../../../src/harness/proposals/hunks.ts";
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

  it("of a long text are those of its parts: a rewrite of every fourth of 20,000 lines can be decided line by line", () => {
    const old = Array.from({ length: 20_000 }, (_, i) => `line ${i} of it\n`);
    const next = old.map((line, i) => (i % 4 === 0 ? `new ${i}\n` : line));
    const hunks = computeHunks(old, next);
    assert.equal(hunks.length, 5_000);
    assert.ok(hunks.every(({ start, oldLines }, i) => start === 4 * i && oldLines.length === 1));
  });

  it("are one where two long texts have nothing in common, or too much to tell", () => {
    const old = Array.from({ length: 20_000 }, (_, i) => `old ${i}\n`);
    const next = Array.from({ length: 20_000 }, (_, i) => `new ${i}\n`);
    const few = (seed: number) => Array.from({ length: 4_000 }, (_, i) => `${(i * i * seed) % 11}\n`);
    for (const [a, b] of [
      [old, next],
      [few(31), few(7)],
    ] as const) {
      const hunks = computeHunks(["same\n", ...a], ["same\n", ...b]);
      assert.equal(hunks.length, 1);
      assert.deepEqual(applyHunks(["same\n", ...a], hunks), ["same\n", ...b]);
    }
  });

  it("of long texts lead to the proposed one too, with unchanged lines between them", () => {
    const edits = fc.array(fc.record({ at: fc.nat(1_999), remove: fc.nat(40), insert: fc.nat(40) }), {
      maxLength: 30,
    });
    const repeat = fc.constantFrom(3, 50, 10_000);
    fc.assert(
      fc.property(edits, repeat, fc.boolean(), (all, distinct, moved) => {
        const old = Array.from({ length: 2_000 }, (_, i) => `line ${(i * 7) % distinct}\n`);
        const next = all.reduce(
          (lines, { at, remove, insert }) =>
            lines.toSpliced(
              at,
              remove,
              ...Array.from({ length: insert }, (_, i) => `new ${(at + i) % distinct}\n`),
            ),
          moved ? [...old.slice(900), ...old.slice(0, 900)] : old,
        );
        const hunks = computeHunks(old, next);
        assert.deepEqual(applyHunks(old, hunks), next);
        hunks.forEach((hunk, i) => assert.ok(i === 0 || hunk.start > hunkEnd(hunks[i - 1] ?? hunk)));
      }),
      { numRuns: 30 },
    );
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
