// A text in which several places are looked for, with what is worked out of it once for all of them. Leaves looking to
// match.ts.
import { lineText, splitLines } from "../proposals/lines.ts";
import { isPlain, normalize } from "./normalize.ts";
import type { NormalizedText, Tolerance } from "./normalize.ts";

export class SearchedText {
  readonly text: string;
  private readonly normalForms = new Map<string, NormalizedText>();
  private plain: boolean | undefined;
  private ownLines: readonly string[] | undefined;
  private ownBareLines: readonly string[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** See `isPlain`. */
  get isPlain(): boolean {
    return (this.plain ??= isPlain(this.text));
  }

  /** With their line ends. */
  get lines(): readonly string[] {
    return (this.ownLines ??= splitLines(this.text));
  }

  /** See `bareLine`. */
  get bareLines(): readonly string[] {
    return (this.ownBareLines ??= this.lines.map(bareLine));
  }

  normalized(tolerance: Tolerance): NormalizedText {
    const key = `${tolerance.trailingBlanks} ${tolerance.lookAlikes}`;
    const known = this.normalForms.get(key) ?? normalize(this.text, tolerance);
    this.normalForms.set(key, known);
    return known;
  }
}

/** A line without indentation and trailing blanks, look-alikes plain. */
export function bareLine(line: string): string {
  if (isPlain(line)) return line.trim();
  return normalize(lineText(line), { trailingBlanks: true, lookAlikes: true }).text.trimStart();
}
