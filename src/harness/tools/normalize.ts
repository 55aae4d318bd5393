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
  /\r\n|\r|\n|[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?\p{M}*|[\uac00-\ud7a3][\u11a8-\u11ff]\p{M}*|\P{M}\p{M}*|\p{M}+/uy;

const beyondAscii = new RegExp(String.raw`[^\u0000-\u007f]`);

const plain = new Map<string, string>([
  ..."‘’‚‛′´".split("").map((c): [string, string] => [c, "'"]),
  ..."“”„‟″".split("").map((c): [string, string] => [c, '"']),
  ..."‐‑‒–—―−﹘﹣－".split("").map((c): [string, string] => [c, "-"]),
  ["…", "..."],
]);

/** Line ends are always LF afterwards. */
export function normalize(text: string, tolerance: Tolerance): NormalizedText {
  const units = new Units();
  let offset = 0;
  while (offset < text.length) {
    const source = sourceAt(text, offset);
    const end = offset + source.length;
    const isLineEnd = source === "\n" || source === "\r\n" || source === "\r";
    if (isLineEnd && tolerance.trailingBlanks) units.dropBlanks();
    units.push(isLineEnd ? "\n" : tolerance.lookAlikes ? simplify(source) : source, offset, end);
    offset = end;
  }
  if (tolerance.trailingBlanks) units.dropBlanks();
  return { text: units.parts.join(""), starts: units.starts, ends: units.ends };
}

/** Whether only the plain forms occur, which no tolerance for look-alikes changes. */
export function isPlain(text: string): boolean {
  return !beyondAscii.test(text);
}

class Units {
  readonly parts: string[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  push(text: string, start: number, end: number): void {
    for (let i = 0; i < text.length; i += 1) {
      this.parts.push(text.charAt(i));
      this.starts.push(start);
      this.ends.push(end);
    }
  }

  dropBlanks(): void {
    for (let last = this.parts.at(-1); last === " " || last === "\t"; last = this.parts.at(-1)) {
      this.parts.pop();
      this.starts.pop();
      this.ends.pop();
    }
  }
}

/** A line end, or a character with its combining marks. Plain ASCII goes without the pattern, which is slow. */
function sourceAt(text: string, offset: number): string {
  const unit = text.charCodeAt(offset);
  const next = text.charCodeAt(offset + 1);
  const isReturn = unit === 0x0d;
  if (unit < 0x80 && !isReturn && !(next >= 0x80)) return text.charAt(offset);
  cluster.lastIndex = offset;
  return cluster.exec(text)?.[0] ?? text.charAt(offset);
}

function simplify(source: string): string {
  if (source.length === 1 && source < "\u0080") return source;
  const known = plain.get(source);
  if (known !== undefined) return known;
  return source.normalize("NFKC").replace(/[\s\u200b]/gu, " ");
}
