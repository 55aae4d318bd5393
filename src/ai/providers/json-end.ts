// Tells, while a JSON object arrives in pieces, whether it has ended; every piece is looked at once. Does not tell whether
// it is valid: `tool-arguments.ts` does.

/** All that matters outside of strings, and in them. */
const outside = /["{}[\]]/g;
const inside = /["\\]/g;

export class JsonEnd {
  private depth = 0;
  private inString = false;
  /** The last piece ended with a backslash. */
  private escaped = false;
  private begun = false;

  /** The first object or list is closed. What follows it does not count. */
  get reached(): boolean {
    return this.begun && this.depth === 0;
  }

  add(piece: string): void {
    let at = 0;
    if (this.escaped && piece !== "") at = 1;
    if (piece !== "") this.escaped = false;
    while (!this.reached) {
      const pattern = this.inString ? inside : outside;
      pattern.lastIndex = at;
      const found = pattern.exec(piece);
      if (!found) return;
      at = found.index + 1;
      if (found[0] === "\\") {
        this.escaped = at === piece.length;
        at += 1;
      } else this.pass(found[0]);
    }
  }

  private pass(mark: string): void {
    if (mark === '"') this.inString = !this.inString;
    else if (mark === "{" || mark === "[") {
      this.begun = true;
      this.depth += 1;
    } else this.depth -= 1;
  }
}
