// Tool arguments as they are shown while they stream.
import assert from "node:assert/strict";
import fc from "fast-check";
import { GrowingArguments } from "../../../src/ai/growing-arguments.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { runs } from "../../support/properties.ts";

function shown(...pieces: readonly string[]): JsonObject {
  const growing = new GrowingArguments();
  for (const piece of pieces) growing.add(piece);
  return growing.value();
}

/** What is shown first is the beginning of what is shown later: texts and lists grow, and members are added at the end. */
function isBeginning(early: unknown, late: unknown): boolean {
  if (typeof early === "string") return typeof late === "string" && late.startsWith(early);
  if (typeof early !== "object" || early === null) return Object.is(early, late);
  if (typeof late !== "object" || late === null || Array.isArray(early) !== Array.isArray(late)) return false;
  const known = Object.entries(late);
  return Object.entries(early).every(
    ([key, value], at) => key === known[at]?.[0] && isBeginning(value, known[at][1]),
  );
}

/** Keys are unique, as they are in what models send; a repeated one is shown as JSON.parse would have it. */
const anyArguments = fc.oneof(
  fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ maxDepth: 4, stringUnit: "binary" })),
  fc.dictionary(fc.constantFrom("path", "edits", "__proto__", "", "n"), fc.jsonValue({ maxDepth: 6 })),
);
const anyText = fc
  .tuple(anyArguments, fc.constantFrom(undefined, 1, "\t"))
  .map(([value, indent]) => JSON.stringify(value, undefined, indent));

describe("arguments that are still streaming", () => {
  it("show unfinished texts, lists and objects, and numbers and words only when they are complete", () => {
    for (const [text, expected] of [
      ["", {}],
      ["  ", {}],
      ["{", {}],
      ['{"path', {}],
      ['{"path":"src/a', { path: "src/a" }],
      ['{"a":"b","n":12', { a: "b" }],
      ['{"a":"b","n":12,', { a: "b", n: 12 }],
      ['{"a":"b","t":tru', { a: "b" }],
      ['{"edits":[{"old":"x","new":"y"},{"old":"z', { edits: [{ old: "x", new: "y" }, { old: "z" }] }],
      ['{"deep":[[{"a":[1,2', { deep: [[{ a: [1] }]] }],
    ] as const) {
      assert.deepEqual(shown(text), expected, text);
    }
  });

  it("leave out half an escape and half a character until the rest is there", () => {
    assert.deepEqual(shown('{"a":"x\\'), { a: "x" });
    assert.deepEqual(shown('{"a":"x\\u00e'), { a: "x" });
    assert.deepEqual(shown('{"a":"x\\u00e', '9"'), { a: "xé" });
    assert.deepEqual(shown('{"a":"x\ud83e'), { a: "x" });
    assert.deepEqual(shown('{"a":"x\ud83e', "\udd8a"), { a: "x🦊" });
    assert.deepEqual(shown('{"a":"x\\ud83e'), { a: "x" });
    // A half that stays one is shown as JSON.parse has it.
    assert.deepEqual(shown('{"a":"x\\ud83e"'), { a: "x\ud83e" });
  });

  it("keep what was readable when the text turns out to be no JSON", () => {
    assert.deepEqual(shown("nonsense"), {});
    assert.deepEqual(shown("[1]"), {});
    assert.deepEqual(shown('{"a":"b",nonsense'), { a: "b" });
    assert.deepEqual(shown('{"a":"b","c":"\\x'), { a: "b", c: "" });
    assert.deepEqual(shown('{"a":01,"b":2'), {});
    assert.deepEqual(shown('{"a":1}', '{"b":2}'), { a: 1 });
    assert.deepEqual(shown(`{"a":1,"n":${"9".repeat(5_000)}`), { a: 1 });
  });

  it("are at the end what JSON.parse makes of them, however they were cut and looked at (P50)", () => {
    fc.assert(
      fc.property(
        anyText,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        fc.boolean(),
        (text, sizes, looks) => {
          const growing = new GrowingArguments();
          for (let at = 0, n = 0; at < text.length; n += 1) {
            const size = sizes[n % sizes.length] ?? 1;
            growing.add(text.slice(at, at + size));
            if (looks) growing.value();
            at += size;
          }
          assert.deepEqual(growing.value(), JSON.parse(text));
        },
      ),
    );
  });

  it("only ever grow, and a value that was kept never changes", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const growing = new GrowingArguments();
        const final: unknown = JSON.parse(text);
        const kept: [JsonObject, string][] = [];
        for (const piece of text) {
          growing.add(piece);
          const value = growing.value();
          kept.push([value, JSON.stringify(value)]);
        }
        for (const [value, asItWas] of kept) {
          assert.equal(JSON.stringify(value), asItWas);
          assert.ok(isBeginning(value, final), `${asItWas} is no beginning of ${text}`);
          assert.ok(Object.isFrozen(value));
        }
      }),
      { numRuns: runs(50) },
    );
  });

  it("cannot reach the prototype of anything", () => {
    const value = shown('{"__proto__":{"polluted":true},"a":{"__proto__":"x');
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    assert.deepEqual(Object.keys(value), ["__proto__", "a"]);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
  });

  it("can be looked at 10,000 times in 5 MB without reading anything twice (P49)", () => {
    const growing = new GrowingArguments();
    growing.add('{"path":"a","content":"');
    const piece = "0123456789\\n".repeat(42);
    const started = performance.now();
    let value: JsonObject = {};
    for (let n = 0; n < 10_000; n += 1) {
      growing.add(piece);
      value = growing.value();
    }
    assert.ok(typeof value["content"] === "string");
    assert.equal(value["content"].length, 10_000 * 42 * 11);
    assert.ok(performance.now() - started < 5_000);
  });
});
