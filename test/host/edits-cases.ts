// The rows of edits.test.ts: one file each, what a model asks for, and the bytes and the answer that must come of it.
// What is done with them, and in which states of the file, is that test's business.
import type { JsonObject } from "../../src/shared/json.ts";

export interface EditCase {
  /** Of the public bug report. */
  readonly id: string;
  readonly title: string;
  readonly name?: string;
  readonly settings?: { readonly [setting: string]: unknown };
  /** Permission bits. */
  readonly mode?: number;
  readonly before: string | Buffer;
  /** After a read of the whole file. */
  readonly calls: (path: string) => readonly (readonly [tool: string, args: JsonObject])[];
  /** What is on disk then; `before` where it is missing. */
  readonly after?: string | Buffer;
  /** The answer to the last call; `P` stands for the path. */
  readonly says: string | RegExp;
  /** Not with unsaved changes. */
  readonly cleanOnly?: true;
}

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const edit = (oldText: string, newText: string) => edits([oldText, newText]);
const edits =
  (...pairs: readonly (readonly [string, string])[]) =>
  (path: string) => [
    ["edit", { path, edits: pairs.map(([oldText, newText]) => ({ oldText, newText })) }] as const,
  ];
const write = (content: string) => (path: string) => [["write", { path, content }] as const];

export const changed = "Changed P (1 hunk). The user accepted it.";
const changedTwice = "Changed P (2 hunks). The user accepted it.";

const hundred = Array.from({ length: 100 }, (_, n) => `line ${n + 1}${n < 50 ? "\r\n" : "\n"}`);
const gbk = hex("23 B2E2 CAD4 0A 61 3D 31 0A");
const legacy = Buffer.concat([
  Buffer.from("plain 1\n" + "plain\n".repeat(997)),
  hex("99 0A"),
  Buffer.from("end\n"),
]);

export const cases: readonly EditCase[] = [
  {
    ...{ id: "E01", title: "CRLF file, oldText and newText with LF", before: "a\r\nb\r\nc\r\n" },
    ...{ calls: edit("a\nb", "a\nB"), after: "a\r\nB\r\nc\r\n", says: changed },
  },
  {
    ...{ id: "E01", title: "LF file, oldText and newText with CRLF", before: "a\nb\nc\n" },
    ...{ calls: edit("a\r\nb\r\n", "a\r\nB\r\nB2\r\n"), after: "a\nB\nB2\nc\n", says: changed },
  },
  {
    ...{ id: "E01", title: "CRLF file without a last line ending", before: "a\r\nb" },
    ...{ calls: edit("a\nb", "a\nb\nc"), after: "a\r\nb\r\nc", says: changed },
  },
  {
    ...{ id: "E03", title: "half CRLF, half LF: the changed line alone", before: hundred.join("") },
    ...{ calls: edit("line 75\n", "changed\n"), says: changed },
    after: hundred.with(74, "changed\n").join(""),
  },
  {
    ...{ id: "E03", title: "a lone CR within LF lines", before: "a\rb\nc\nd\n" },
    ...{ calls: edit("c\n", "C\n"), after: "a\rb\nC\nd\n", says: changed },
  },
  {
    ...{ id: "E04", title: "write with LF over a CRLF file", before: "a\r\nb\r\nc\r\n" },
    ...{ calls: write("a\nB\nc\nd\n"), after: "a\r\nB\r\nc\r\nd\r\n", says: changedTwice },
    cleanOnly: true,
  },
  {
    ...{ id: "E04", title: "a file with one line takes the line ending of files.eol", before: "a" },
    ...{ settings: { "files.eol": "\r\n" }, cleanOnly: true },
    ...{ calls: edit("a", "a\nb\n"), after: "a\r\nb\r\n", says: changed },
  },
  {
    ...{ id: "E05", title: "a byte order mark, the first line edited", before: hex("EFBBBF 61 3D 31 0A") },
    ...{ calls: edit("a=1", "a=2"), after: hex("EFBBBF 61 3D 32 0A"), says: changed },
  },
  {
    ...{ id: "E05", title: "a byte order mark and CRLF, all of it written", before: hex("EFBBBF 61 0D0A") },
    ...{ calls: write("b\nc\n"), after: hex("EFBBBF 62 0D0A 63 0D0A"), says: changed },
    cleanOnly: true,
  },
  {
    ...{
      id: "E05",
      title: "a byte order mark and one in the new text: one remains",
      before: hex("EFBBBF 61 0A"),
    },
    ...{ calls: write("\ufeffb\n"), after: hex("EFBBBF 62 0A"), says: changed },
    cleanOnly: true,
  },
  {
    ...{ id: "E07", title: "GBK with files.encoding", settings: { "files.encoding": "gbk" }, before: gbk },
    ...{ calls: edit("a=1", "a=2"), after: hex("23 B2E2 CAD4 0A 61 3D 32 0A"), says: changed },
  },
  {
    ...{ id: "E07", title: "GBK with no encoding set is refused", before: gbk },
    ...{ calls: edit("a=1", "a=2"), says: /bytes that are not valid utf8|bytes that are not utf8/ },
    cleanOnly: true,
  },
  {
    ...{
      id: "E07",
      title: "Latin-1 with an encoding for the language",
      name: "f.ini",
      before: hex("E9 3D 31 0A"),
    },
    ...{ settings: { "[ini]": { "files.encoding": "iso88591" } } },
    ...{ calls: edit("é=1", "é=ü"), after: hex("E9 3D FC 0A"), says: changed },
  },
  {
    ...{ id: "E09", title: "one legacy byte far from the edit: refused", before: legacy },
    ...{ calls: edit("plain 1", "PLAIN 1"), says: /bytes that are not/ },
    cleanOnly: true,
  },
  {
    ...{ id: "E10", title: "UTF-16LE with CRLF", before: hex("FFFE 6100 0D00 0A00 6200 0D00 0A00") },
    ...{ calls: edit("b", "c"), after: hex("FFFE 6100 0D00 0A00 6300 0D00 0A00"), says: changed },
  },
  {
    ...{ id: "E11", title: "text that the encoding cannot hold", before: hex("E9 0A") },
    ...{ settings: { "files.encoding": "windows1252" }, calls: edit("é", "→ 😀") },
    says: /cannot hold in its encoding \(windows1252\)/,
  },
  {
    ...{ id: "E12", title: "no newline at the end: none is added", before: "a\nb" },
    ...{ calls: edit("b", "c"), after: "a\nc", says: changed },
  },
  {
    ...{ id: "E12", title: "several newlines at the end are all kept", before: "a\n" },
    ...{ calls: write("x\n\n\n"), after: "x\n\n\n", says: changed, cleanOnly: true },
  },
  {
    ...{ id: "E12", title: "a file emptied by write has no bytes", before: "a\nb\n" },
    ...{ calls: write(""), after: "", says: changed, cleanOnly: true },
  },
  {
    ...{ id: "E13", title: "two blanks at the end of a line stay", name: "f.md", before: "one  \ntwo\n" },
    ...{ calls: edit("one\ntwo", "one  \n2"), after: "one  \n2\n", says: changed },
  },
  {
    ...{ id: "E13", title: "files.trimTrailingWhitespace is told as what saving did", before: "one\ntwo\n" },
    ...{ settings: { "files.trimTrailingWhitespace": true }, cleanOnly: true },
    ...{ calls: edit("two", "two  \nthree"), after: "one\ntwo\nthree\n" },
    says: `${changed}\n\nSaving changed it further (formatter):\n@@ line 2 @@\n-two  \n+two`,
  },
  {
    ...{ id: "E14", title: "dollar signs land as they are", before: 'log("done");\n' },
    ...{ calls: edit('log("done");', 'log("$& $$ $1 $\' $`");'), after: 'log("$& $$ $1 $\' $`");\n' },
    says: changed,
  },
  {
    ...{ id: "E15", title: "a tolerant match changes its own lines only", says: changed },
    before: "untouched   \nreplace me   \nafter\n“q” — x\n",
    ...{ calls: edit("replace me\nafter", "DONE\nDONE2"), after: "untouched   \nDONE\nDONE2\n“q” — x\n" },
  },
  {
    ...{ id: "E15", title: "look-alikes in newText are not made plain", before: "say 'a'\n“q”\n" },
    ...{ calls: edit("say ‘a’", "say “b” — c"), after: "say “b” — c\n“q”\n", says: changed },
  },
  {
    ...{ id: "E17", title: "ligatures before the match", before: "ﬁﬁﬁ ①Ⅳ\nname = ‘x’\nkeep ﬁ\n" },
    ...{ calls: edit("name = 'x'", "name = 'y'"), after: "ﬁﬁﬁ ①Ⅳ\nname = 'y'\nkeep ﬁ\n", says: changed },
  },
  {
    ...{ id: "E18", title: "spaces for tabs", name: "f.py", before: "def f():\n\tif x:\n\t\ty()\n" },
    ...{ calls: edit("    if x:\n        y()", "    if x:\n        z()"), says: changed },
    after: "def f():\n\tif x:\n\t\tz()\n",
  },
  {
    ...{ id: "E19", title: "an ambiguous oldText", before: "x = 1\ny\nx = 1  \n" },
    ...{ calls: edit("x = 1 ", "x = 2"), says: /2 (places|times|matches)|twice/ },
  },
  {
    ...{ id: "E20", title: "an empty file, an empty oldText", before: "", cleanOnly: true },
    ...{ calls: edit("", "x\n"), after: "x\n", says: changed },
  },
  {
    ...{ id: "E20", title: "an empty oldText in a file with text", before: "a\n" },
    ...{ calls: edit("", "x"), says: /oldText has no text in it/ },
  },
  {
    ...{ id: "E22", title: "line numbers copied into oldText", before: "a\nfoo();\nbar();\n" },
    ...{ calls: edit("2| foo();\n3| bar();", "2| foo();\n3| baz();"), cleanOnly: true },
    ...{ after: "a\nfoo();\nbaz();\n", says: changed },
  },
  {
    ...{ id: "E22", title: "a table that looks like line numbers", before: "1 | a\n2 | b\n" },
    ...{ calls: edit("1 | a\n2 | b", "1 | a\n2 | c"), after: "1 | a\n2 | c\n", says: changed },
  },
  {
    ...{ id: "E23", title: "entities and escapes are literal", before: "if (a &amp;&amp; b) {}\nx\n" },
    calls: edits(["a &amp;&amp; b", "a &lt; b"], ["x", "\\n\\t<y> ```"]),
    ...{ after: "if (a &lt; b) {}\n\\n\\t<y> ```\n", says: changed },
  },
  {
    ...{ id: "E25", title: "several hunks around what the user has", before: "one\n2\n3\n4\n5\nsix\n" },
    ...{ calls: edits(["one", "ONE"], ["six", "SIX"]), after: "ONE\n2\n3\n4\n5\nSIX\n", says: changedTwice },
  },
  {
    ...{ id: "E33", title: "an executable file stays one", name: "f.sh", mode: 0o755, before: "echo a\n" },
    ...{ calls: edit("echo a", "echo b"), after: "echo b\n", says: changed },
  },
  {
    ...{ id: "E34", title: "a read-only file, by its mode", mode: 0o444, before: "a\n" },
    ...{ calls: edit("a", "b"), says: /read-only/, cleanOnly: true },
  },
  {
    ...{ id: "E34", title: "a read-only file, by files.readonlyInclude", before: "a\n", cleanOnly: true },
    ...{ settings: { "files.readonlyInclude": { "**/f.txt": true } }, calls: edit("a", "b") },
    says: /read-only/,
  },
  {
    ...{ id: "E40", title: "a binary file", before: hex("00 01 02 03 61 62 63 FF"), cleanOnly: true },
    ...{ calls: edit("abc", "abd"), says: /binary/ },
  },
  {
    ...{ id: "E42", title: "one enormous line", before: `{"a":1,${"x".repeat(300_000)}}`, says: changed },
    ...{ calls: edit('{"a":1,', '{"a":2,'), after: `{"a":2,${"x".repeat(300_000)}}` },
  },
  {
    ...{
      id: "E46",
      title: "a name with an @, blanks and other letters",
      name: "@my docs/ä b #1%20.txt",
      before: "a\n",
    },
    ...{ calls: edit("a", "b"), after: "b\n", says: changed },
  },
  {
    ...{ id: "E47", title: "two edits one after the other, the second on the first", before: "a\nb\n" },
    calls: (path) => [...edit("a", "A\nA2")(path), ...edit("A2\nb", "A2\nB")(path)],
    ...{ after: "A\nA2\nB\n", says: changed },
  },
];
