// Keeps a decision that just appeared from being answered by keys or clicks that were meant for something else.

/** How long a new decision ignores answers in milliseconds. */
const guardMs = 400;
/** Typing this shortly before counts as still typing, in milliseconds. */
const typingMs = 1000;

export class AnswerGuard {
  private shown: string | undefined;
  private until = 0;

  /** Tells which decision is shown now. True when it is another one than before. */
  appeared(id: string | undefined, lastTyped: number, now = performance.now()): boolean {
    if (id === this.shown) return false;
    // One decision taking another's place counts as well: the second half of a double click is not an answer.
    const unexpected = now - lastTyped < typingMs || this.shown !== undefined;
    this.shown = id;
    this.until = unexpected ? now + guardMs : 0;
    return true;
  }

  passes(now = performance.now()): boolean {
    return this.remaining(now) === 0;
  }

  /** Milliseconds until answers are taken. */
  remaining(now = performance.now()): number {
    return Math.max(0, this.until - now);
  }
}
