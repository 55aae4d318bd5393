// Random texts and random edits of them, for property tests: all mixes of line ends, few distinct lines so that
// repetitions occur, with and without a final line end.
import fc from "fast-check";

const content = fc.constantFrom("", "a", "b", "}", "  x", "ü€😀", "$&$1", "tab\tin");
const mixedEnd = fc.constantFrom("\n", "\n", "\r\n", "\r");

function joined(lines: readonly string[], end: string, final: boolean): string {
  return lines.length === 0 ? "" : lines.join(end) + (final ? end : "");
}

/** Any mix of line ends. */
export const texts = fc
  .tuple(fc.array(fc.tuple(content, mixedEnd), { maxLength: 12 }), fc.boolean())
  .map(([lines, final]) =>
    lines.map(([text, end], i) => text + (i < lines.length - 1 || final ? end : "")).join(""),
  );

/** One kind of line end, and an edit made of replaced runs of lines. */
export const lineEdits = fc
  .record({
    lines: fc.array(content, { maxLength: 14 }),
    end: fc.constantFrom("\n", "\r\n"),
    final: fc.boolean(),
    edits: fc.array(
      fc.record({ at: fc.nat(14), remove: fc.nat(2), insert: fc.array(content, { maxLength: 3 }) }),
      { maxLength: 4 },
    ),
    nextFinal: fc.boolean(),
  })
  .map(({ lines, end, final, edits, nextFinal }) => ({
    base: joined(lines, end, final),
    next: joined(
      edits.reduce((all, { at, remove, insert }) => all.toSpliced(at, remove, ...insert), lines),
      end,
      nextFinal,
    ),
  }));
