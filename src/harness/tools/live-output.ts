// Output for the card while a command runs: plain text, at most ten times a second, only the end of a flood.
import type { Disposable } from "../../shared/disposable.ts";
import type { Clock } from "../ports.ts";
import { incompleteTail, plainChunk } from "./terminal-text.ts";

const intervalMs = 100;
/** The panel keeps no more, in UTF-16 units. */
const maxPending = 16_384;

export class LiveOutput implements Disposable {
  private pending = "";
  private midLine = false;
  private timer: Disposable | undefined;
  private readonly clock: Clock;
  private readonly show: (text: string) => void;

  constructor(clock: Clock, show: (text: string) => void) {
    this.clock = clock;
    this.show = show;
  }

  push(chunk: string): void {
    this.pending += chunk;
    if (this.pending.length > 4 * maxPending) this.pending = this.pending.slice(-2 * maxPending);
    this.timer ??= this.clock.schedule(intervalMs, () => {
      this.timer = undefined;
      this.flush(incompleteTail(this.pending));
    });
  }

  /** Shows what is left. */
  dispose(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.flush(0);
  }

  private flush(held: number): void {
    const end = this.pending.length - held;
    const chunk = this.pending.slice(0, end);
    this.pending = this.pending.slice(end);
    const text = plainChunk(chunk, this.midLine);
    if (text === "") return;
    this.midLine = !text.endsWith("\n");
    this.show(text);
  }
}
