// How many tokens a text is, without a tokenizer: one pass that cuts it where byte-pair tokenizers cut (words at a change
// of case, digits in threes, runs of punctuation, white space) and weighs each piece by its length and script. The weights
// were fitted to o200k_base, whose table alone is larger than all of Reins; other tokenizers differ from that by more.
// `character-kind.ts` tells the scripts apart.
import { characterWeight, isTraditional, kindOf, kinds } from "./character-kind.ts";
import type { Kind } from "./character-kind.ts";

/** The first `free` characters of a piece are `first` tokens; each further character adds `more`. */
interface Weight {
  readonly first: number;
  readonly free: number;
  readonly more: number;
}

const lowerWord: Weight = { first: 1, free: 7, more: 0.17 };
/** A word without accents, near words of a language that tokenizers have seen less of. */
const rareWord: Weight = { first: 1.05, free: 3, more: 0.26 };
const capitals: Weight = { first: 1, free: 3, more: 0.36 };
/** What is this long is no word. */
const longest = { word: 24, more: 0.33 };
const accentedWord: Weight = { first: 1.15, free: 4, more: 0.28 };
const rareAccented: Weight = { first: 1.3, free: 3, more: 0.31 };

/** Of scripts that are written in words, or in runs. */
const scripts: { readonly [kind in Kind]?: Weight } = {
  [kinds.greek]: { first: 1.05, free: 3, more: 0.33 },
  [kinds.cyrillic]: { first: 1, free: 4, more: 0.21 },
  [kinds.hebrew]: { first: 1.05, free: 2, more: 0.42 },
  [kinds.arabic]: { first: 1.05, free: 3, more: 0.3 },
  [kinds.indic]: { first: 1.05, free: 3, more: 0.31 },
  [kinds.thai]: { first: 1, free: 1, more: 0.36 },
  [kinds.caucasian]: { first: 1, free: 3, more: 0.38 },
  [kinds.hangul]: { first: 1, free: 1, more: 0.57 },
  [kinds.foreign]: { first: 1, free: 1, more: 0.6 },
};

/** Per character; the traditional ones near each other. */
const ideograph = { usual: 0.7, traditional: 0.86 };
const kana = 0.7;
/** How many pieces on one that shows the language still counts. */
const memory = 16;
/** A piece of punctuation of one, two, … characters; beyond that per character. */
const punctuation = { one: 1, two: 1.1, more: 0.35, repeated: 0.04 };
/** Of one symbol beyond ASCII in a row, from the second on. */
const repeatedSymbol = 0.1;
/** Blanks and line ends that fit into one token. */
const blanksPerToken = 128;
const linesPerToken = 16;
/** Per character of a run that looks like base64: upper and lower case and digits in one, and this long. */
const dense = { weight: 0.68, shortest: 24 };
/** A mark right before a word is often one token with it. */
const prefix = 0.55;

/** Never negative; 0 for an empty text. Within 15 % of o200k_base on a mixed corpus (test/fixtures/corpus). */
export function estimateTokens(text: string): number {
  const scan = new Scan(text);
  while (scan.at < text.length) scan.piece();
  return Math.ceil(scan.tokens);
}

class Scan {
  at = 0;
  tokens = 0;
  private readonly text: string;
  /** Up to here it is known whether letters and digits are dense. */
  private looked = 0;
  /** Above zero: near a word with letters of a rarer Latin alphabet, or near a traditional ideograph. */
  private rare = 0;
  private traditional = 0;

  constructor(text: string) {
    this.text = text;
  }

  piece(): void {
    const kind = this.kind();
    switch (kind) {
      case kinds.space:
        this.space();
        return;
      case kinds.mark:
        this.marks();
        return;
      case kinds.lower:
      case kinds.upper:
        if (!this.takeDense()) this.word();
        return;
      case kinds.digit:
        if (!this.takeDense()) this.digits();
        return;
      case kinds.accented:
      case kinds.rareLatin:
        this.accented(this.at);
        return;
      case kinds.ideograph:
        this.ideograph();
        return;
      case kinds.kana:
        this.tokens += kana * this.skip(kind);
        return;
      case kinds.symbol:
        this.symbol();
        return;
      default:
        this.weigh(scripts[kind], this.skip(kind));
    }
  }

  /** Takes a whole dense run, or remembers that the run is none. */
  private takeDense(): boolean {
    if (this.at < this.looked || !isDense(this.text.charCodeAt(this.at + dense.shortest - 1))) return false;
    let end = this.at;
    const seen = { upper: false, lower: false, digit: false };
    for (let code = this.text.charCodeAt(end); isDense(code); code = this.text.charCodeAt(end)) {
      const kind = kindOf(code);
      if (kind === kinds.upper) seen.upper = true;
      else if (kind === kinds.lower) seen.lower = true;
      else if (kind === kinds.digit) seen.digit = true;
      end += 1;
    }
    this.looked = end;
    if (end - this.at < dense.shortest || !seen.upper || !seen.lower || !seen.digit) return false;
    this.tokens += (end - this.at) * dense.weight;
    this.at = end;
    return true;
  }

  /** Upper case, then lower case: what follows in upper case again is the next piece. */
  private word(): void {
    const start = this.at;
    const upper = this.skip(kinds.upper);
    const lower = this.skip(kinds.lower);
    const next = this.kind();
    if (next === kinds.accented || next === kinds.rareLatin) this.accented(start);
    else if (lower === 0) this.weigh(capitals, upper);
    else {
      this.weigh(this.rare > 0 ? rareWord : lowerWord, Math.min(longest.word, upper + lower));
      this.tokens += Math.max(0, upper + lower - longest.word) * longest.more;
      this.rare -= 1;
    }
  }

  /** The rest of a word that has letters with accents. */
  private accented(start: number): void {
    this.rare -= 1;
    for (let kind = this.kind(); isLatin(kind); kind = this.kind()) {
      if (kind === kinds.rareLatin) this.rare = memory;
      this.at += 1;
    }
    this.weigh(this.rare > 0 ? rareAccented : accentedWord, this.at - start);
  }

  private ideograph(): void {
    this.traditional = isTraditional(this.text.charCodeAt(this.at)) ? memory : this.traditional - 1;
    this.tokens += this.traditional > 0 ? ideograph.traditional : ideograph.usual;
    this.at += 1;
  }

  private digits(): void {
    this.tokens += Math.ceil(this.skip(kinds.digit) / 3);
  }

  /** One space belongs to the word behind it, and line ends to the punctuation before them. */
  private space(): void {
    const start = this.at;
    let lines = 0;
    let ends = 0;
    for (; this.kind() === kinds.space; this.at += 1) {
      if (!this.isLineEnd()) continue;
      lines += 1;
      ends = this.at + 1;
    }
    this.tokens += Math.ceil(lines / linesPerToken);
    const blanks = this.at - Math.max(start, ends);
    const joins = this.at < this.text.length && this.kind() !== kinds.digit;
    if (blanks > 1 || !joins) this.tokens += Math.ceil(blanks / blanksPerToken);
  }

  private marks(): void {
    const first = this.text.charCodeAt(this.at);
    const start = this.at;
    let same = true;
    for (; this.kind() === kinds.mark; this.at += 1) same &&= this.text.charCodeAt(this.at) === first;
    const length = this.at - start;
    const next = this.kind();
    const { one, two, more, repeated } = punctuation;
    if (length === 1) this.tokens += next === kinds.lower || next === kinds.upper ? prefix : one;
    else this.tokens += two + (length - 2) * (same ? repeated : more);
    while (this.isLineEnd()) this.at += 1;
  }

  private symbol(): void {
    const code = this.text.charCodeAt(this.at);
    this.tokens += characterWeight(code);
    // A pair is one character.
    const pair = code >= 0xd800 && code <= 0xdbff;
    this.at += pair ? 2 : 1;
    if (pair) return;
    for (; this.text.charCodeAt(this.at) === code; this.at += 1) this.tokens += repeatedSymbol;
  }

  private weigh(weight: Weight | undefined, length: number): void {
    if (weight) this.tokens += weight.first + Math.max(0, length - weight.free) * weight.more;
  }

  private isLineEnd(): boolean {
    const code = this.text.charCodeAt(this.at);
    return code === 10 || code === 13;
  }

  private kind(): Kind {
    return kindOf(this.text.charCodeAt(this.at));
  }

  /** How many of one kind there are from here on. */
  private skip(kind: Kind): number {
    const start = this.at;
    while (this.kind() === kind) this.at += 1;
    return this.at - start;
  }
}

function isLatin(kind: Kind): boolean {
  return kind === kinds.lower || kind === kinds.accented || kind === kinds.rareLatin;
}

/** Letters, digits, + and /. */
function isDense(code: number): boolean {
  const kind = kindOf(code);
  return kind === kinds.lower || kind === kinds.upper || kind === kinds.digit || code === 43 || code === 47;
}
