// Numbers events, folds them, and hands them out: to listeners that change nothing, and to barriers that are awaited.
// Leaves to the agent what a failing barrier means.
import type { Disposable } from "../shared/disposable.ts";
import { errorText } from "../shared/errors.ts";
import type { AgentEvent, SequencedEvent } from "./events.ts";
import { reduceTranscript } from "./transcript.ts";
import type { TranscriptState } from "./transcript.ts";

export type Listener = (event: SequencedEvent) => void;
export type Barrier = (event: SequencedEvent) => Promise<void>;

interface Delivery {
  readonly event: AgentEvent;
  done: Promise<void>;
}

const DELIVERED = Promise.resolve();

export class EventHub {
  private transcript: TranscriptState;
  private readonly log: (text: string) => void;
  private readonly listeners = new Set<{ readonly call: Listener }>();
  private readonly barriers = new Set<{ readonly call: Barrier }>();
  private readonly outbox: Delivery[] = [];
  private dispatching = false;
  /** Of the barriers; never rejects. */
  private tail = DELIVERED;
  /** Of an event that nobody awaited. */
  private unreported: { readonly error: unknown } | undefined;

  constructor(transcript: TranscriptState, log: (text: string) => void) {
    this.transcript = transcript;
    this.log = log;
  }

  /** Everything that was handed out so far, folded. */
  get state(): TranscriptState {
    return this.transcript;
  }

  /** `listener` may throw, reject or be slow. */
  subscribe(listener: Listener): Disposable {
    return added(this.listeners, { call: listener });
  }

  /** Called one event after the other, in order; updates (deltas, progress) are left out. */
  subscribeBarrier(barrier: Barrier): Disposable {
    return added(this.barriers, { call: barrier });
  }

  /**
   * Listeners have been called when it returns, except when it is itself called from a listener: then they are
   * called after the event that is being handed out. Resolves after the barriers; rejects when one fails, or has
   * failed for an announced event before. Undefined where there is nothing to wait for, as for most events.
   */
  emit(event: AgentEvent): Promise<void> | undefined {
    const done = this.deliver(event);
    if (done === DELIVERED && this.unreported === undefined) return undefined;
    return this.report(done);
  }

  private async report(done: Promise<void>): Promise<void> {
    await done;
    const failed = this.unreported;
    this.unreported = undefined;
    if (failed !== undefined) throw failed.error;
  }

  /** Like `emit` for an event that nobody awaits: the next `emit` reports a failing barrier. */
  announce(event: AgentEvent): void {
    this.deliver(event).catch((error: unknown) => {
      this.unreported ??= { error };
    });
  }

  private deliver(event: AgentEvent): Promise<void> {
    if (this.dispatching) {
      const delivery: Delivery = { event, done: DELIVERED };
      this.outbox.push(delivery);
      return DELIVERED.then(() => delivery.done);
    }
    this.dispatching = true;
    const done = this.handOut(event);
    for (let next = this.outbox.shift(); next !== undefined; next = this.outbox.shift()) {
      next.done = this.handOut(next.event);
    }
    this.dispatching = false;
    return done;
  }

  private handOut(unnumbered: AgentEvent): Promise<void> {
    const event: SequencedEvent = { ...unnumbered, seq: this.transcript.seq + 1 };
    this.transcript = reduceTranscript(this.transcript, event);
    if (this.listeners.size > 0) for (const listener of [...this.listeners]) this.tell(listener.call, event);
    if (this.barriers.size === 0 || isUpdate(event)) return DELIVERED;
    const done = this.tail.then(() => this.passBarriers(event));
    this.tail = done.catch(() => undefined);
    return done;
  }

  private tell(listener: Listener, event: SequencedEvent): void {
    try {
      const returned: unknown = listener(event);
      // An async function is a legal listener; its rejection is nobody's.
      if (returned instanceof Promise) returned.catch((error: unknown) => this.complain(error));
    } catch (error) {
      this.complain(error);
    }
  }

  private async passBarriers(event: SequencedEvent): Promise<void> {
    for (const barrier of [...this.barriers]) await barrier.call(event);
  }

  private complain(error: unknown): void {
    this.log(`An event listener failed: ${errorText(error)}`);
  }
}

function isUpdate(event: AgentEvent): boolean {
  return event.type === "message_update" || event.type === "tool_execution_update";
}

function added<T>(set: Set<T>, item: T): Disposable {
  set.add(item);
  return { dispose: () => set.delete(item) };
}
