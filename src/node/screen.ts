// Output on its way to a terminal: in batches, with the line ends a terminal needs, and bounded, so that a
// command that prints megabytes cannot hold up the window. The complete output is in the log.

/** Milliseconds between two writes. */
const intervalMs = 16;
/** Characters of one batch that are shown; what is more shows its end only. */
const maxBatch = 256 * 1024;
const shownOfLarge = 64 * 1024;

export class Screen {
  private readonly write: (text: string) => void;
  private pending = "";
  private dropped = 0;
  private timer: NodeJS.Timeout | undefined;
  private open = false;

  constructor(write: (text: string) => void) {
    this.write = write;
  }

  /** The terminal can show things now; before that they are kept. */
  start(): void {
    this.open = true;
    this.flush();
  }

  push(text: string): void {
    this.pending += text;
    if (this.pending.length > maxBatch) {
      this.dropped += this.pending.length - shownOfLarge;
      this.pending = this.pending.slice(-shownOfLarge);
    }
    if (this.open) this.timer ??= setTimeout(() => this.flush(), intervalMs);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.open || !this.pending) return;
    const note = this.dropped ? dim(`\n… ${this.dropped} characters are only in the log\n`) : "";
    this.write((note + this.pending).replace(/\r?\n/g, "\r\n"));
    this.pending = "";
    this.dropped = 0;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.open = false;
    this.pending = "";
  }
}

/** The text in the terminal's faint style. */
export function dim(text: string): string {
  return `\u001b[2m${text}\u001b[0m`;
}
