// Text made comparable, with the way back: every unit of the normalised text knows the range of the original that it
// stands for, so that a match found here can be replaced there without touching anything else.

export interface Tolerance {
  /** Blanks before a line end do not count. */
  readonly trailingBlanks: boolean;
  /** Typographic quotes, dashes, spaces, ligatures, full-width and decomposed characters equal their plain forms. */
  readonly lookAlikes: boolean;
}

/** Offsets given are of the normalised text, those returned of the original. */
export interface NormalizedText {
  readonly text: string;
  /** Whether a source begins here: a match may neither start nor end within one. True for the end of the text. */
  readonly startsUnit: (at: number) => boolean;
  /** Where the source of the unit at `at` starts; the original's end for the end of the text. */
  readonly startOf: (at: number) => number;
  /** Where the source of the unit at `at` ends. */
  readonly endOf: (at: number) => number;
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

/** Line ends are always LF afterwards. Time and memory are those of the text's length, whatever is in it. */
export function normalize(text: string, tolerance: Tolerance): NormalizedText {
  const pieces = new Pieces(text);
  for (let offset = 0; offset < text.length;) {
    const unit = text.charCodeAt(offset);
    if (unit === 0x0a || unit === 0x0d) {
      if (tolerance.trailingBlanks) pieces.dropBlanks(offset);
      const end = unit === 0x0d && text.charCodeAt(offset + 1) === 0x0a ? offset + 2 : offset + 1;
      if (unit === 0x0d) pieces.push(offset, end, "\n");
      offset = end;
    } else if (unit < 0x80 && !(text.charCodeAt(offset + 1) >= 0x80)) offset += 1;
    else {
      const source = sourceAt(text, offset);
      pieces.push(offset, offset + source.length, tolerance.lookAlikes ? simplify(source) : source);
      offset += source.length;
    }
  }
  if (tolerance.trailingBlanks) pieces.dropBlanks(text.length);
  return pieces.finish();
}

/** Whether only the plain forms occur, which no tolerance for look-alikes changes. */
export function isPlain(text: string): boolean {
  return !beyondAscii.test(text);
}

/** What stands for something else than itself, or for more than one unit, in order. All between is the original's. */
class Pieces {
  private readonly original: string;
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly texts: string[] = [];
  /** Where each is in the normalised text; with `texts` emptied into it by `finish`. */
  private readonly places: number[] = [];
  private readonly lengths: number[] = [];

  constructor(original: string) {
    this.original = original;
  }

  push(start: number, end: number, text: string): void {
    this.starts.push(start);
    this.ends.push(end);
    this.texts.push(text);
  }

  /** The blanks that end at `end` stand for nothing. */
  dropBlanks(end: number): void {
    let start = end;
    for (;;) {
      const inPiece = start > 0 && this.ends.at(-1) === start;
      const before = inPiece ? this.texts.at(-1) : this.original.charAt(start - 1);
      if (before !== " " && before !== "\t") break;
      start = (inPiece ? this.starts.pop() : undefined) ?? start - 1;
      if (!inPiece) continue;
      this.ends.pop();
      this.texts.pop();
    }
    if (start < end) this.push(start, end, "");
  }

  finish(): NormalizedText {
    const parts: string[] = [];
    let offset = 0;
    let length = 0;
    this.texts.forEach((text, i) => {
      const kept = this.original.slice(offset, this.starts[i]);
      parts.push(kept, text);
      length += kept.length;
      this.places.push(length);
      this.lengths.push(text.length);
      length += text.length;
      offset = this.ends[i] ?? offset;
    });
    parts.push(this.original.slice(offset));
    return {
      text: parts.join(""),
      startsUnit: (at) => !this.isInside(this.last(at), at) || this.places[this.last(at)] === at,
      startOf: (at) => this.startOf(at),
      endOf: (at) => {
        const last = this.last(at);
        return this.isInside(last, at) ? (this.ends[last] ?? at) : this.startOf(at) + 1;
      },
    };
  }

  private startOf(at: number): number {
    const last = this.last(at);
    if (this.isInside(last, at)) return this.starts[last] ?? at;
    const place = (this.places[last] ?? 0) + (this.lengths[last] ?? 0);
    return (this.ends[last] ?? 0) + at - place;
  }

  private isInside(piece: number, at: number): boolean {
    return at < (this.places[piece] ?? 0) + (this.lengths[piece] ?? 0);
  }

  /** The last piece that is at or before `at`; -1 for none. */
  private last(at: number): number {
    let low = 0;
    let high = this.places.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.places[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** A character with its combining marks. */
function sourceAt(text: string, offset: number): string {
  cluster.lastIndex = offset;
  return cluster.exec(text)?.[0] ?? text.charAt(offset);
}

function simplify(source: string): string {
  if (source.length === 1 && source < "\u0080") return source;
  const known = plain.get(source);
  if (known !== undefined) return known;
  return source.normalize("NFKC").replace(/[\s\u200b]/gu, " ");
}
