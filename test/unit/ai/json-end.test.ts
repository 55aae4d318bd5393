// The end of a JSON object that arrives in pieces.
import assert from "node:assert/strict";
import fc from "fast-check";
import { JsonEnd } from "../../../src/ai/providers/json-end.ts";

describe("the end of a JSON object", () => {
  it("is reached with its last character, wherever it is cut", () => {
    const objects = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 4 }));
    fc.assert(
      fc.property(objects, fc.boolean(), fc.array(fc.nat(200), { maxLength: 8 }), (value, wide, cuts) => {
        const text = JSON.stringify(value, null, wide ? 2 : 0);
        const places = [0, ...cuts.map((cut) => cut % text.length).sort((a, b) => a - b), text.length - 1];
        const end = new JsonEnd();
        for (const [n, place] of places.entries()) {
          assert.equal(end.reached, false);
          end.add(text.slice(place, places[n + 1] ?? place));
        }
        assert.equal(end.reached, false);
        end.add(text.slice(-1));
        assert.equal(end.reached, true);
      }),
    );
  });

  it("is not in text, and not before the beginning", () => {
    for (const text of ["", " ", '"{}"', '{"a":"}', '{"a\\"}', "{]".slice(0, 1)]) {
      const end = new JsonEnd();
      for (const character of text) end.add(character);
      assert.equal(end.reached, false, text);
    }
  });
});
