// The way of a run's events to who receives them. A receiver that fails ends the run; one that never finishes does not
// hold a stopped run for ever.
import { withGrace } from "./abort.ts";
import type { AgentEvent } from "./events.ts";

/** Undefined: there is nothing to wait for. */
export type Send = (event: AgentEvent) => Promise<void> | undefined;

export interface OutletOptions {
  /** Fires when the run is stopped. */
  readonly signal: AbortSignal;
  /** How long a receiver may hold up a stopped run, in milliseconds. */
  readonly graceMs: number;
  readonly fail: (error: unknown) => void;
}

export class Outlet {
  private readonly send: Send;
  private readonly options: OutletOptions;
  /** A receiver did not finish in time: nothing is waited for any more. */
  private heldUp = false;

  constructor(send: Send, options: OutletOptions) {
    this.send = send;
    this.options = options;
  }

  /** Never rejects. */
  emit(event: AgentEvent): Promise<void> | undefined {
    const sent = this.send(event);
    return sent && this.received(sent);
  }

  private async received(sent: Promise<void>): Promise<void> {
    const { signal, graceMs, fail } = this.options;
    try {
      if (this.heldUp) return void sent.catch(() => undefined);
      if ((await withGrace(sent, signal, graceMs)) !== undefined) return;
      this.heldUp = true;
      fail(new Error(`keeping the session did not finish within ${graceMs} ms of the stop`));
    } catch (error) {
      fail(error);
    }
  }
}
