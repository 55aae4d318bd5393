// Replacements that are small and give exactly the new text.
import assert from "node:assert/strict";
import fc from "fast-check";
import { minimalReplacements } from "../../../src/vscode/minimal-edit.ts";
import type { Replacement } from "../../../src/vscode/minimal-edit.ts";

function apply(text: string, replacements: readonly Replacement[]): string {
  let result = text;
  for (const each of [...replacements].reverse()) {
    result = result.slice(0, each.start) + each.text + result.slice(each.end);
  }
  return result;
}

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\r\n", "😀\n", "\n", "x"), { maxLength: 30 })
  .map((parts) => parts.join(""));

describe("minimal replacements", () => {
  it("give the new text, for any two texts", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.equal(apply(before, minimalReplacements(before, after)), after);
      }),
    );
  });

  it("touch only the lines that differ", () => {
    assert.deepEqual(minimalReplacements("a\nb\nc\nd\n", "a\nB\nc\nD\n"), [
      { start: 2, end: 4, text: "B\n" },
      { start: 6, end: 8, text: "D\n" },
    ]);
    assert.deepEqual(minimalReplacements("same\n", "same\n"), []);
  });
});
