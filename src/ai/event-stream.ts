// The queue between a provider that pushes events and the one consumer that pulls them. Leaves the content of the
// final message to `partial-message.ts`.
import type { AssistantMessage, AssistantStream, StreamEvent } from "./types.ts";

/** Events are kept until they are taken; what is pushed after `done` or `error` is ignored. */
export class EventQueue implements AssistantStream {
  private events: StreamEvent[] = [];
  private head = 0;
  private ended = false;
  private wake: (() => void) | undefined;
  private settle: (message: AssistantMessage) => void = () => undefined;
  private readonly final = new Promise<AssistantMessage>((resolve) => (this.settle = resolve));
  private readonly read: () => AssistantMessage;

  /** `read`: what has arrived so far. */
  constructor(read: () => AssistantMessage) {
    this.read = read;
  }

  push(event: StreamEvent): void {
    if (this.ended) return;
    this.events.push(event);
    if (event.type === "done" || event.type === "error") {
      this.ended = true;
      this.settle(event.message);
    }
    this.wake?.();
  }

  result(): Promise<AssistantMessage> {
    return this.final;
  }

  snapshot(): AssistantMessage {
    return this.read();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent> {
    for (;;) {
      const event = this.take();
      if (event) {
        yield event;
        if (event.type === "done" || event.type === "error") return;
      } else if (this.ended) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Amortised constant time: the consumed front is dropped only when it is the larger half. */
  private take(): StreamEvent | undefined {
    const event = this.events[this.head];
    if (!event) return undefined;
    this.head += 1;
    if (this.head >= 1024 && this.head * 2 > this.events.length) {
      this.events = this.events.slice(this.head);
      this.head = 0;
    }
    return event;
  }
}
