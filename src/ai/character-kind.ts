// Which script or class a UTF-16 code unit belongs to, as far as tokenizers treat them differently. Leaves to
// `token-estimate.ts` what each costs, except for the symbols that stand alone.

export const kinds = {
  /** Of no character: the end of a text. */
  none: 0,
  space: 1,
  digit: 2,
  lower: 3,
  upper: 4,
  /** ASCII punctuation and control characters. */
  mark: 5,
  /** Latin letters of western Europe. */
  accented: 6,
  /** Latin letters of languages that tokenizers know less well. */
  rareLatin: 7,
  greek: 8,
  cyrillic: 9,
  hebrew: 10,
  arabic: 11,
  indic: 12,
  thai: 13,
  /** Armenian and Georgian. */
  caucasian: 14,
  hangul: 15,
  ideograph: 16,
  kana: 17,
  /** Other scripts that are written in words. */
  foreign: 18,
  /** What is a piece of its own, halves of pairs included. */
  symbol: 19,
} as const;

export type Kind = (typeof kinds)[keyof typeof kinds];

/** From the first to the last code of each; later ones overwrite earlier ones, and the rest are symbols. */
const ranges: readonly (readonly [from: number, to: number, kind: Kind])[] = [
  [0x00, 0x7f, kinds.mark],
  [0x09, 0x0d, kinds.space],
  [0x20, 0x20, kinds.space],
  [0x30, 0x39, kinds.digit],
  [0x41, 0x5a, kinds.upper],
  [0x61, 0x7a, kinds.lower],
  [0xc0, 0xff, kinds.accented],
  [0x100, 0x24f, kinds.rareLatin],
  // œ and Œ are French.
  [0x152, 0x153, kinds.accented],
  [0x250, 0x36f, kinds.accented],
  [0x370, 0x3ff, kinds.greek],
  [0x400, 0x52f, kinds.cyrillic],
  [0x530, 0x58f, kinds.caucasian],
  [0x590, 0x5ff, kinds.hebrew],
  [0x600, 0x77f, kinds.arabic],
  [0x900, 0xdff, kinds.indic],
  [0xe00, 0xe7f, kinds.thai],
  [0xe80, 0x109f, kinds.foreign],
  [0x10a0, 0x10ff, kinds.caucasian],
  [0x1200, 0x1dff, kinds.foreign],
  // Vietnamese, which is in short words.
  [0x110, 0x111, kinds.accented],
  [0x1a0, 0x1b0, kinds.accented],
  [0x1e00, 0x1eff, kinds.accented],
  [0x1f00, 0x1fff, kinds.greek],
  // Joins letters of one word (Persian, Hindi).
  [0x200c, 0x200c, kinds.arabic],
];

const table = new Uint8Array(0x2100).fill(kinds.symbol);
for (const [from, to, kind] of ranges) table.fill(kind, from, to + 1);

/** NaN is of no character. */
export function kindOf(code: number): Kind {
  // The table holds nothing but kinds.
  if (code < table.length) return table[code] as Kind;
  if (code >= 0x3400 && code < 0xa000 && (code >= 0x4e00 || code < 0x4dc0)) return kinds.ideograph;
  if (code >= 0x3041 && code < 0x3100) return kinds.kana;
  if (code >= 0xac00 && code < 0xd7b0) return kinds.hangul;
  return code >= 0 ? kinds.symbol : kinds.none;
}

/** The most frequent ideographs of traditional Chinese that neither simplified Chinese nor Japanese has. */
const traditional = new Set(
  Array.from("這們來說會對還國學關經發當實點將擇檔變數應屬與從樣參寫處兩條於並該給嗎麼", (character) =>
    character.charCodeAt(0),
  ),
);

export function isTraditional(code: number): boolean {
  return traditional.has(code);
}

/** Tokens of a symbol; of the first half of a pair, for the pair. */
export function characterWeight(code: number): number {
  // Emoji are nearly all pairs.
  if (code >= 0xd800 && code < 0xdc00) return 1.9;
  const isMath = (code >= 0x2070 && code < 0x20a0) || (code >= 0x2200 && code < 0x2300);
  const isFullWidth = code >= 0xff10 && code < 0xff5b && !(code >= 0xff1a && code <= 0xff20);
  return isMath || isFullWidth ? 1.6 : 1;
}
