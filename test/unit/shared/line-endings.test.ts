// Line endings survive an editor that makes them all the same.
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  hasMixedLineEndings,
  restoreLineEndings,
  splitLines,
  withLineEnding,
} from "../../../src/shared/line-endings.ts";

const line = fc.constantFrom("", "a", "b", "long line");
const ending = fc.constantFrom("\n", "\r\n", "\r");
const text = fc.array(fc.tuple(line, ending)).map((lines) => lines.map((each) => each.join("")).join(""));

describe("line endings", () => {
  it("are mixed when an editor would change some of them", () => {
    for (const same of ["", "a", "a\nb\n", "a\r\nb\r\n"]) assert.equal(hasMixedLineEndings(same), false);
    for (const mixed of ["a\nb\r\n", "a\rb", "\r\n\n"]) assert.equal(hasMixedLineEndings(mixed), true);
  });

  it("come back after an editor made them all the same", () => {
    fc.assert(
      fc.property(text, fc.constantFrom("\n" as const, "\r\n" as const), (original, shown) => {
        const edited = withLineEnding(original, shown);
        if (hasMixedLineEndings(original)) assert.equal(restoreLineEndings(original, edited), original);
        else assert.equal(restoreLineEndings(original, edited), edited);
      }),
    );
  });

  it("of untouched lines come back when others were edited, and new lines get the usual one (E03)", () => {
    assert.equal(restoreLineEndings("a\r\nb\r\nc\nd\n", "a\nb\nX\nd\nnew\n"), "a\r\nb\r\nX\r\nd\nnew\r\n");
  });

  it("stay with their lines", () => {
    assert.deepEqual(splitLines("a\r\n\rb\n\nc"), ["a\r\n", "\r", "b\n", "\n", "c"]);
    assert.deepEqual(splitLines(""), []);
  });
});
