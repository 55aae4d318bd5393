// Line endings that an editor would change.
import assert from "node:assert/strict";
import { hasMixedLineEndings, withLineEnding } from "../../../src/vscode/line-endings.ts";

describe("line endings", () => {
  it("are mixed when an editor would change some of them", () => {
    for (const same of ["", "a", "a\nb\n", "a\r\nb\r\n"]) assert.equal(hasMixedLineEndings(same), false);
    for (const mixed of ["a\nb\r\n", "a\rb", "\r\n\n"]) assert.equal(hasMixedLineEndings(mixed), true);
  });

  it("of all kinds are replaced", () => {
    assert.equal(withLineEnding("a\r\nb\rc\nd", "\r\n"), "a\r\nb\r\nc\r\nd");
  });
});
