// The estimate against a real tokenizer, on texts of many kinds and scripts (test/fixtures/corpus).
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { Tiktoken } from "js-tiktoken/lite";
import ranks from "js-tiktoken/ranks/o200k_base";
import { estimateTokens } from "../../../src/ai/token-estimate.ts";
import { runs } from "../../support/properties.ts";

const folder = new URL("../../fixtures/corpus/", import.meta.url);
const corpus = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(new URL(name, folder), "utf8"),
}));

describe("The token estimate", () => {
  let tokenizer: Tiktoken;
  before(() => {
    tokenizer = new Tiktoken(ranks);
  });
  const count = (text: string) => tokenizer.encode(text, "all").length;

  for (const { name, text } of corpus) {
    it(`is within 15 % for ${name}`, () => {
      const off = estimateTokens(text) / count(text) - 1;
      assert.ok(Math.abs(off) <= 0.15, `${(off * 100).toFixed(1)} %`);
    });
  }

  it("is within 15 % for all of it, in any mixture of its parts", () => {
    const all = corpus.map(({ text }) => text).join("");
    assert.ok(Math.abs(estimateTokens(all) / count(all) - 1) <= 0.05);
    const parts = fc.array(
      fc.record({ at: fc.nat(all.length), length: fc.integer({ min: 200, max: 900 }) }),
      {
        minLength: 12,
        maxLength: 20,
      },
    );
    fc.assert(
      fc.property(parts, (list) => {
        const text = list.map(({ at, length }) => all.slice(at, at + length)).join("\n");
        assert.ok(Math.abs(estimateTokens(text) / count(text) - 1) <= 0.15);
      }),
      { numRuns: runs(15) },
    );
  });

  it("is a whole number that no text makes negative or endless, and grows with the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (a, b) => {
        const both = estimateTokens(a + b);
        assert.ok(Number.isSafeInteger(both) && both >= 0);
        assert.ok(both >= Math.max(estimateTokens(a), estimateTokens(b)) * 0.5 - 2);
      }),
    );
    assert.equal(estimateTokens(""), 0);
  });
});
