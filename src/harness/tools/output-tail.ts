// Keeps the end of a command's output while it runs, in bounded memory, and counts what came before it.
import { plainLine } from "./terminal-text.ts";
import { byteLength, cutTail, formatBytes, maxResultBytes, maxResultLines, takeEnd } from "./truncate.ts";

/** Of a line that does not end: what is kept, in UTF-16 units. */
const maxPartial = 4 * maxResultBytes;

interface Line {
  readonly text: string;
  /** Of the whole line; `text` may be its end. */
  readonly bytes: number;
}

export interface TailText {
  readonly text: string;
  /** What is not shown and where all of it is; undefined when everything is. */
  readonly notice: string | undefined;
  /** NULs were among it. */
  readonly binary: boolean;
}

export class OutputTail {
  private lines: Line[] = [];
  private keptBytes = 0;
  private totalLines = 0;
  private partial = "";
  private droppedUnits = 0;
  private binary = false;

  push(chunk: string): void {
    if (chunk.includes("\0")) this.binary = true;
    const parts = chunk.split("\n");
    parts.forEach((part, i) => {
      this.partial += part;
      if (i < parts.length - 1) this.endLine();
    });
    if (this.partial.length <= 2 * maxPartial) return;
    this.droppedUnits += this.partial.length - maxPartial;
    this.partial = this.partial.slice(-maxPartial);
  }

  /** The output so far as a model is shown it; `logPath` is where all of it is. */
  result(logPath: string): TailText {
    const pending = this.partial === "" ? [] : [this.line()];
    const lines = [...this.lines, ...pending];
    const total = this.totalLines + pending.length;
    const cut = cutTail(lines.map((line) => line.text));
    return {
      text: cut.lines.join("\n"),
      notice: this.notice(cut, total, lines.at(-1)?.bytes ?? 0, logPath),
      binary: this.binary,
    };
  }

  private notice(
    cut: ReturnType<typeof cutTail>,
    total: number,
    lastBytes: number,
    logPath: string,
  ): string | undefined {
    if (cut.by === undefined && cut.lines.length === total) return undefined;
    const limit = formatBytes(maxResultBytes);
    if (cut.lineBytes !== undefined) {
      return `[Showing the last ${limit} of line ${total}, which is ${formatBytes(lastBytes)}. Full output: ${logPath}]`;
    }
    const why = cut.by === "bytes" ? ` (${limit} limit)` : "";
    return `[Showing lines ${total - cut.lines.length + 1}-${total} of ${total}${why}. Full output: ${logPath}]`;
  }

  private endLine(): void {
    const line = this.line();
    this.partial = "";
    this.droppedUnits = 0;
    this.lines.push(line);
    this.totalLines += 1;
    this.keptBytes += byteLength(line.text);
    if (this.lines.length > 2 * maxResultLines || this.keptBytes > 8 * maxResultBytes) this.dropOldest();
  }

  private line(): Line {
    const text = plainLine(this.partial);
    const bytes = byteLength(text) + this.droppedUnits;
    // A little more than fits, so that cutting it is noticed.
    return { text: takeEnd(text, maxResultBytes + 4), bytes };
  }

  /** More than can be shown stays: the limits are exact. */
  private dropOldest(): void {
    let kept = 0;
    let start = this.lines.length;
    while (start > 0 && kept <= 2 * maxResultBytes && this.lines.length - start <= maxResultLines) {
      start -= 1;
      kept += byteLength(this.lines[start]?.text ?? "");
    }
    this.lines = this.lines.slice(start);
    this.keptBytes = kept;
  }
}
