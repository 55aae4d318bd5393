// Random files as models and people make them, and edits of them as models send them: every mix of line ends, with and
// without a last one, look-alikes, combining marks, joined emoji, long lines; and oldText that is exact or nearly so.
import fc from "fast-check";
import type { TextEdit } from "../../../../src/harness/tools/match.ts";

/** An edit whose place is known beforehand. Offsets into the file's text, UTF-16 units. */
export interface PlacedEdit extends TextEdit {
  /** The text that is meant. */
  readonly start: number;
  readonly end: number;
  /** What the model left away before each line, and gets back before each of the new ones. */
  readonly indent: string;
}

export interface EditedFile {
  readonly text: string;
  /** In the order in which the model sends them; their places do not overlap. */
  readonly edits: readonly PlacedEdit[];
}

const pieces = [
  "",
  "a",
  "}",
  "é",
  "e\u0301",
  "각",
  "ﬁ",
  "“q” – ‘x’",
  "：",
  "👩‍👩‍👧",
  "😀",
  "\u200b",
  "$&$1",
  "\tb",
  " c",
];
const blanks = fc.constantFrom("", "", "", "  ", "\t", " \t ");
const indent = fc.constantFrom("", "  ", "    ", "\t");
const body = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((all) => all.join("")),
  },
  { weight: 1, arbitrary: fc.constantFrom("x", "ü ", "\t").map((part) => part.repeat(500)) },
);
const lineEnds = fc.constantFrom<readonly string[]>(
  ["\n"],
  ["\r\n"],
  ["\r"],
  ["\n", "\r\n"],
  ["\n", "\r\n", "\r"],
);

/** In no other line, so that what has it in it is unique, however tolerant the match. */
const mark = (n: number) => `‹mark ${n}›`;

const lines = fc
  .tuple(lineEnds, fc.array(fc.tuple(indent, body, blanks, fc.nat(2), fc.boolean()), { maxLength: 12 }))
  .map(([ends, all]) =>
    all.map(([before, text, after, end, marked], n) => ({
      text: before + (marked ? mark(n) + text : text) + after,
      end: ends[end % ends.length] ?? "\n",
      marked,
    })),
  );

/** How a model spells what it read; the last three only of whole lines. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/\r\n?/g, "\n"),
  (text) => text.replace(/\r\n?|\n/g, "\r\n"),
  (text) => text.replace(/[“”]/g, '"').replace(/[‘’]/g, "'").replace(/–/g, "-"),
  (text) => text.normalize("NFC").replace(/\r\n?/g, "\n"),
  (text) => text.replace(/\r\n?/g, "\n").replace(/[ \t]+(?=\n|$)/g, ""),
  (text) => text.replace(/(?=[\r\n]|$)/g, "  ").replace(/\r {2}\n/g, "\r\n"),
  (text) => outdented(text, commonIndent(text)),
];
const ofAnyText = 5;

/** Of several lines; one line without its indentation is just a part of it. */
function commonIndent(text: string): string {
  const all = text.split(/\r\n|\r|\n/).filter((line) => /[^\s\u200b]/.test(line));
  if (all.length < 2) return "";
  const indents = all.map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  const least = indents.reduce((a, b) => (a.length <= b.length ? a : b));
  return indents.every((each) => each.startsWith(least)) ? least : "";
}

function outdented(text: string, indent: string): string {
  const parts = text.split(/(\r\n|\r|\n)/);
  return parts
    .map((line) => (line.startsWith(indent) && line.trim() !== "" ? line.slice(indent.length) : line))
    .join("");
}

const newTexts = fc
  .array(fc.constantFrom(...pieces, "$$", "\\n", "(.*)", "&amp;", "new"), { minLength: 1, maxLength: 4 })
  .map((all) => `<${all.join("\n")}>`);

/** Each edit replaces a part of a line, or up to three lines, with a mark in it. */
export const editedFiles: fc.Arbitrary<EditedFile> = fc
  .record({
    lines,
    final: fc.boolean(),
    bom: fc.boolean(),
    choices: fc.array(
      fc.record({
        count: fc.integer({ min: 1, max: 3 }),
        whole: fc.boolean(),
        spelling: fc.nat(spellings.length - 1),
        newText: newTexts,
      }),
      { minLength: 12, maxLength: 12 },
    ),
    backwards: fc.boolean(),
  })
  .map(({ lines, final, bom, choices, backwards }) => {
    const joined = lines.map(({ text, end }, n) => text + (final || n < lines.length - 1 ? end : ""));
    const mostly = bom ? ["\ufeff", ...joined] : joined;
    const text = mostly.join("");
    const edits: PlacedEdit[] = [];
    let offset = bom ? 1 : 0;
    let free = 0;
    lines.forEach((line, n) => {
      const choice = choices[n];
      if (line.marked && choice && offset >= free) {
        const place = placeOf(joined.slice(n, n + choice.count), offset, choice.whole);
        const spelling = choice.whole ? choice.spelling : choice.spelling % ofAnyText;
        const exact = text.slice(place.start, place.end);
        const outdents = spelling === spellings.length - 1;
        const indent = outdents ? commonIndent(exact) : "";
        // A mark within the text (the file has two) is no indentation.
        const oldText = bom && n === 0 && outdents ? exact : (spellings[spelling]?.(exact) ?? exact);
        edits.push({ ...place, oldText, newText: choice.newText, indent: oldText === exact ? "" : indent });
        free = place.end + 1;
      }
      offset += joined[n]?.length ?? 0;
    });
    return { text, edits: backwards ? edits.reverse() : edits };
  });

/** Without the last line end, which would belong to what follows. */
function placeOf(lines: readonly string[], offset: number, whole: boolean) {
  const text = lines.join("").replace(/(\r\n|\r|\n)$/, "");
  const from = whole ? 0 : text.indexOf("‹");
  const to = whole ? text.length : text.indexOf("›") + 1;
  return { start: offset + from, end: offset + to };
}
