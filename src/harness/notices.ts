// Things the user must be told in the transcript. While a run is on they wait for the next place where a message may
// stand: before a request, or after the run.
import type { AppMessage } from "../agent/types.ts";
import { Emitter } from "../shared/event.ts";

export class Notices {
  private readonly now: () => number;
  private waiting: AppMessage[] = [];
  private readonly pushed = new Emitter<void>();
  /** A message was pushed, which should be delivered as soon as it can. */
  readonly onDidPush = this.pushed.event;

  constructor(now: () => number) {
    this.now = now;
  }

  add(text: string): void {
    this.waiting.push({ role: "app", kind: "notice", text, timestamp: this.now() });
  }

  push(message: AppMessage): void {
    this.waiting.push(message);
    this.pushed.fire();
  }

  /** The caller puts it into the transcript. Undefined when none waits. */
  next(): AppMessage | undefined {
    return this.waiting.shift();
  }

  /** All that wait. */
  take(): readonly AppMessage[] {
    return this.waiting.splice(0);
  }
}
