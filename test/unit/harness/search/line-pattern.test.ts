import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { LineQuery } from "../../../../src/harness/search-ports.ts";
import { checkBrackets, lineMatcher } from "../../../../src/harness/search/line-pattern.ts";

const query = (pattern: string, change: Partial<LineQuery> = {}): LineQuery => ({
  pattern,
  ...{ literal: false, ignoreCase: false, context: 0, limit: 1 },
  ...change,
});

describe("A pattern without ripgrep", () => {
  for (const [pattern, line, matches] of [
    ["(?i)FOO", "a foo", true],
    ["(?P<year>\\d{4})-\\k<year>", "2026-2026", true],
    ["^[[:alpha:]_]+$", "ab_c", true],
    ["\\Afoo\\z", "foo", true],
    ["\\Afoo\\z", "foo ", false],
    ["a\\-b", "a-b", true],
    ["\\p{Lu}", "É", true],
    ["[\\]a]", "]", true],
    ["\\(a", "(a", true],
  ] as const) {
    it(`${pattern} ${matches ? "matches" : "does not match"} ${line}`, () => {
      assert.equal(lineMatcher(query(pattern))(line), matches);
    });
  }

  it("is text when it is literal, and case may not count", () => {
    assert.equal(lineMatcher(query("a.b(", { literal: true }))("xa.b("), true);
    assert.equal(lineMatcher(query("A.B(-", { literal: true, ignoreCase: true }))("xa.b(-"), true);
    assert.equal(lineMatcher(query("É", { ignoreCase: true }))("é"), true);
  });

  it("is refused where it repeats what repeats, before it can run for ever", () => {
    for (const pattern of ["(a+)+$", "(x*)*", "((a|b+))+", "(a{2,})*", "(\\w+\\s*){2,}", "(a+){20}"]) {
      assert.throws(() => lineMatcher(query(pattern)), /repeats something at character \d+/, pattern);
    }
    for (const pattern of ["(ab)+", "a+b+", "(a+)?b", "[(a+)]+", "\\(a+\\)+", "(a+)(b+)", "(foo){3}"]) {
      lineMatcher(query(pattern));
    }
  });

  it("says where its brackets are wrong", () => {
    const wrong = (pattern: string, text: RegExp) => assert.throws(() => checkBrackets(pattern), text);
    wrong("fo(o", /the \( at character 3 is not closed/);
    wrong("a)b", /the \) at character 2 closes nothing/);
    wrong("ab[c", /the \[ at character 3 is not closed/);
    wrong("ab\\", /ends in a single/);
    for (const pattern of ["\\(", "[(]", "[]a]", "[^]a]", "(a)(b)", "[[:alpha:]]", "a]"])
      checkBrackets(pattern);
  });

  it("is refused with JavaScript's reason for what else is wrong", () => {
    assert.throws(
      () => lineMatcher(query("*a")),
      /not a regular expression: Nothing to repeat.*literal to true/,
    );
  });
});
