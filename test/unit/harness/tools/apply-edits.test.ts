import assert from "node:assert/strict";
import fc from "fast-check";
import type { TextEdit } from "../../../../src/harness/tools/match.ts";
import { applyEdits } from "../../../../src/harness/tools/apply-edits.ts";

function edit(text: string, oldText: string, newText: string): string {
  return applyEdits(text, [{ oldText, newText }], "a.txt");
}

describe("An edit", () => {
  const cases: readonly { name: string; text: string; edits: readonly TextEdit[]; expected: string }[] = [
    one(
      "E01: LF oldText matches a CRLF file, and CRLF is kept",
      "a\r\nb\r\nc\r\n",
      "a\nb",
      "a\nB",
      "a\r\nB\r\nc\r\n",
    ),
    one("E01: a match never starts between CR and LF", "a\r\nb\r\n", "\nb", "\nB", "a\r\nB\r\n"),
    one("E03: only the edited line of a mixed file changes", "a\r\nb\nc\n", "b", "x\ny", "a\r\nx\ny\nc\n"),
    one("E12: a missing final line end stays missing", "a\nb", "b", "c", "a\nc"),
    one(
      "E13: blanks at line ends survive",
      "line one  \nline two\n",
      "line two",
      "line 2",
      "line one  \nline 2\n",
    ),
    one(
      "E14: dollar signs are text",
      'log("done");',
      'log("done");',
      'log("$& $$ $1 $\' $`");',
      'log("$& $$ $1 $\' $`");',
    ),
    one(
      "E15: tolerance for trailing blanks changes the matched lines only",
      "untouched   \nreplace me   \nafter\n“q” — x\n",
      "replace me\nafter",
      "DONE\nDONE2",
      "untouched   \nDONE\nDONE2\n“q” — x\n",
    ),
    one(
      "E17: ligatures before and after a look-alike match are kept",
      "ﬁﬁﬁ ①Ⅳ\nname = ‘x’\nkeep ﬁ\n",
      "name = 'x'",
      "name = 'y'",
      "ﬁﬁﬁ ①Ⅳ\nname = 'y'\nkeep ﬁ\n",
    ),
    one(
      "E17: decomposed Hangul and combining marks match composed ones",
      "각 é\nx\n",
      "각 é",
      "ok",
      "ok\nx\n",
    ),
    one(
      "W3: full-width punctuation beside the match is kept",
      "（甲）：乙\nz “q”\n",
      'z "q"',
      "z",
      "（甲）：乙\nz\n",
    ),
    one("W4: an exact match counts although a look-alike exists", "it's\nit’s\n", "it's", "IT", "IT\nit’s\n"),
    one(
      "E18: spaces for tabs match, and tabs are kept",
      "\tif x:\n\t\ty()\n",
      "    if x:\n        y()",
      "    if x:\n        z()\n        w()",
      "\tif x:\n\t\tz()\n\t\tw()\n",
    ),
    one(
      "missing indentation is added",
      "  a {\n    b\n  }\n",
      "a {\n  b\n}",
      "a {\n  c\n}",
      "  a {\n    c\n  }\n",
    ),
    one(
      "blanks that only look like such are replaced with their line",
      "‘a’\n\u200b\nb\n",
      "'a'\n\u200b",
      "c",
      "c\nb\n",
    ),
    one("E20: an empty file is filled", "", "", "x", "x"),
    one(
      "E22: copied line numbers are taken off",
      "x\nfoo();\nbar();\n",
      "2\tfoo();\n3\tbar();",
      "2\tbaz();",
      "x\nbaz();\n",
    ),
    one("E22: other styles of numbers too", "foo();\nbar();\n", "1| foo();\n2| bar();", "baz();", "baz();\n"),
    one("E22: a table that looks numbered is text", "1 | a\n2 | b\n", "1 | a\n2 | b", "1 | c", "1 | c\n"),
    one("E22: a numbered replacement of plain text stays", "a\n", "a", "1\tb\n2\tc", "1\tb\n2\tc\n"),
    one(
      "E23: entities are literal",
      "if (a &amp;&amp; b) {}",
      "a &amp;&amp; b",
      "a &lt; b",
      "if (a &lt; b) {}",
    ),
    one("E05: a BOM before the match stays", "\ufeffa=1\n", "a=1", "a=2", "\ufeffa=2\n"),
    {
      name: "several edits are all matched against the original",
      text: "a\nb\nc\n",
      edits: [
        { oldText: "c", newText: "a" },
        { oldText: "a", newText: "c" },
      ],
      expected: "c\nb\na\n",
    },
  ];
  for (const { name, text, edits, expected } of cases) {
    it(name, () => assert.equal(applyEdits(text, edits, "a.txt"), expected));
  }

  function one(name: string, text: string, oldText: string, newText: string, expected: string) {
    return { name, text, edits: [{ oldText, newText }], expected };
  }
});

describe("An edit that is refused", () => {
  const refused: readonly [string, string, string, RegExp][] = [
    ["E19: exact duplicates", "x\ny\nx\n", "x", /occurs 2 times in a\.txt, at lines 1, 3.*\n1\tx\n3\tx/s],
    ["E19: overlapping hits", "aaa", "aa", /occurs 2 times/],
    [
      "E19: duplicates apart from trailing blanks",
      "x = 1\nx = 1  \n",
      "x = 1 ",
      /occurs 2 times.*lines 1, 2/,
    ],
    ["E20: empty oldText", "a\n", "", /no text in it/],
    ["E20: oldText of blank lines", "a\n\n\nb\n", "\n  \n", /no text in it/],
    ["E20: any oldText in an empty file", "", "a", /a\.txt is empty.*Use write/],
    ["E22: wrong line numbers", "foo();\n", "7\tfoo();\n8\tbar();", /not found/],
    [
      "E28: a line that was formatted meanwhile",
      'const a = "x";\n',
      "const a = 'x'",
      /closest lines are:\n1\tconst a = "x";/,
    ],
    [
      "E18: indentation that cannot be told",
      "\tif x:\n\t\ty()\n",
      "   if x:\n     y()",
      /file has "→", oldText has "···"/,
    ],
    ["half of a ligature", "ﬁx\n", "ix", /not found/],
    ["no change", "a\n", "a", /changes nothing/],
  ];
  for (const [name, text, oldText, expected] of refused) {
    it(name, () => assert.throws(() => edit(text, oldText, oldText), expected));
  }

  it("overlaps another one, which is named", () => {
    const edits = [
      { oldText: "b c", newText: "x" },
      { oldText: "a b", newText: "y" },
    ];
    assert.throws(() => applyEdits("a b c", edits, "a.txt"), /edits\[0\] and edits\[1\] overlap/);
  });
});

describe("Any edit", () => {
  const unicode = fc.array(fc.constantFrom("a", "ﬁ", "é", "“q”", "각", "  ", "\t", "：", "😀", "x  "), {
    maxLength: 5,
  });
  const line = unicode.map((parts) => parts.join(""));
  const lines = fc.array(line, { maxLength: 5 });
  const end = fc.constantFrom("\n", "\r\n");

  it("E15, E17: leaves every byte outside the matched range", () => {
    fc.assert(
      fc.property(lines, lines, end, fc.constantFrom("", "  "), (before, after, eol, trailing) => {
        const head = before.map((text) => text + eol).join("");
        const tail = after.map((text) => eol + text).join("");
        const text = `${head}let ‘key’ = 1${trailing}${eol}next();${tail}`;
        assert.equal(edit(text, "let 'key' = 1\nnext();", "done\nok"), `${head}done${eol}ok${tail}`);
      }),
    );
  });

  it("E14: puts the new text in verbatim, on every path", () => {
    const odd = fc.array(fc.constantFrom("$", "&", "'", "`", "1", "$&", "$$", "\\", "<"), { maxLength: 8 });
    fc.assert(
      fc.property(odd, fc.constantFrom("old()", "old() ", "‘old’()"), (parts, spelled) => {
        const newText = parts.join("");
        const oldText = spelled.replaceAll(/[‘’]/g, "'");
        assert.equal(edit(`a\n${spelled}\nb\n`, oldText, `<${newText}>`), `a\n<${newText}>\nb\n`);
      }),
    );
  });
});
