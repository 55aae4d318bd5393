// A clock that moves only when a test says so.
import type { Clock } from "../../src/harness/ports.ts";
import type { Disposable } from "../../src/shared/disposable.ts";
import { settle } from "./until.ts";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

export class FakeClock implements Clock {
  private time: number;
  private readonly timers = new Set<Timer>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.time = start;
  }

  /** Timers that wait. */
  get pending(): number {
    return this.timers.size;
  }

  now(): number {
    return this.time;
  }

  schedule(ms: number, callback: () => void): Disposable {
    const timer = { at: this.time + ms, callback };
    this.timers.add(timer);
    return { dispose: () => this.timers.delete(timer) };
  }

  /** Moves on by `ms`, calling back what is due, in order, with everything it sets off settled. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (let next = this.nextUntil(end); next; next = this.nextUntil(end)) {
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.callback();
      await settle();
    }
    this.time = end;
  }

  private nextUntil(end: number): Timer | undefined {
    return [...this.timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
