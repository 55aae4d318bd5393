// Text made comparable, with the way back: every unit of the normalised text knows the range of the original that it
// stands for, so that a match found here can be replaced there without touching anything else.

export interface Tolerance {
  /** Blanks before a line end do not count. */
  readonly trailingBlanks: boolean;
  /** Typographic quotes, dashes, spaces, ligatures, full-width and decomposed characters equal their plain forms. */
  readonly lookAlikes: boolean;
}

export interface NormalizedText {
  readonly text: string;
  /** The original's offset at which a unit's source starts, or ends. Units of one source share both. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const cluster =
  /\r\n|\r|\n|[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?\p{M}*|[\uac00-\ud7a3][\u11a8-\u11ff]\p{M}*|\P{M}\p{M}*|\p{M}+/gu;

const plain = new Map<string, string>([
  ..."‘’‚‛′´".split("").map((c): [string, string] => [c, "'"]),
  ..."“”„‟″".split("").map((c): [string, string] => [c, '"']),
  ..."‐‑‒–—―−﹘﹣－".split("").map((c): [string, string] => [c, "-"]),
  ["…", "..."],
]);

/** Line ends are always LF afterwards. */
export function normalize(text: string, tolerance: Tolerance): NormalizedText {
  const units: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const dropBlanks = (): void => {
    while (isBlank(units.at(-1))) {
      units.pop();
      starts.pop();
      ends.pop();
    }
  };
  for (const match of text.matchAll(cluster)) {
    const source = match[0];
    const isEnd = source === "\n" || source === "\r\n" || source === "\r";
    if (isEnd && tolerance.trailingBlanks) dropBlanks();
    for (const unit of isEnd ? "\n" : tolerance.lookAlikes ? simplify(source) : source) {
      for (let i = 0; i < unit.length; i += 1) {
        units.push(unit.charAt(i));
        starts.push(match.index);
        ends.push(match.index + source.length);
      }
    }
  }
  if (tolerance.trailingBlanks) dropBlanks();
  return { text: units.join(""), starts, ends };
}

function simplify(source: string): string {
  if (source.length === 1 && source < "\u0080") return source;
  const known = plain.get(source);
  if (known !== undefined) return known;
  return source.normalize("NFKC").replace(/[\s\u200b]/gu, " ");
}

function isBlank(unit: string | undefined): boolean {
  return unit === " " || unit === "\t";
}
