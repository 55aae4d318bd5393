// Watches over one response from outside: the user's stop, the wait for the answer to begin, and silence within it.
// Leaves what the message then says to whoever asked, and never waits for a provider to notice.
import { isLocalServer, providerHost } from "./provider-host.ts";
import type { Model, StreamOptions } from "./types.ts";

const connectTimeoutMs = 60_000;
const idleTimeoutMs = 120_000;
/** Servers on one's own machine load a model before they answer. */
const localTimeoutMs = 600_000;
/** As many idle limits a server may keep the connection alive without saying anything: long thinking looks like that. */
const keepAliveLimits = 20;
/** Timers that are set for longer fire at once. */
const maxTimerMs = 2_147_483_647;

export interface GuardEvents {
  onAbort(): void;
  /** `message` is for a person and names the setting that allows more time. */
  onTimeout(message: string): void;
}

type Wait = "connect" | "idle";

export class ResponseGuard {
  private readonly controller = new AbortController();
  private readonly model: Model;
  private readonly userSignal: AbortSignal | undefined;
  private readonly events: GuardEvents;
  /** Milliseconds. */
  private readonly limits: { readonly [wait in Wait]: number };
  private timer: ReturnType<typeof setTimeout> | undefined;
  private released = false;
  private aliveAt: number | undefined;
  /** Milliseconds of mere signs of life since the last event; a machine that slept does not count. */
  private quiet = 0;

  constructor(model: Model, options: StreamOptions, events: GuardEvents) {
    this.model = model;
    this.userSignal = options.signal;
    this.events = events;
    const local = isLocalServer(model);
    this.limits = {
      connect: options.connectTimeoutMs ?? (local ? localTimeoutMs : connectTimeoutMs),
      idle: options.idleTimeoutMs ?? (local ? localTimeoutMs : idleTimeoutMs),
    };
  }

  /** Fires when the response has ended, whatever ended it: what is still open for it is to be closed. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The user's stop counts from here on, a stop that came before included. */
  start(): void {
    if (this.userSignal?.aborted) return this.stop();
    this.userSignal?.addEventListener("abort", this.stop, { once: true });
    this.connecting();
  }

  /** A request goes out: from here on the answer has its time to begin. */
  connecting(): void {
    this.expect("connect");
  }

  /** A sign of life, for example bytes: from here on silence has its time. */
  alive(): void {
    const now = Date.now();
    this.quiet += Math.min(Math.max(0, now - (this.aliveAt ?? now)), this.limits.idle);
    this.aliveAt = now;
    if (this.quiet > keepAliveLimits * this.limits.idle && !this.released) {
      return this.events.onTimeout(this.explainKeepAlive());
    }
    this.expect("idle");
  }

  /** Something arrived that belongs to the answer. */
  progress(): void {
    this.quiet = 0;
  }

  /** The response has ended. Nothing is left behind: no timer, no listener, no request. */
  release(): void {
    this.released = true;
    clearTimeout(this.timer);
    this.userSignal?.removeEventListener("abort", this.stop);
    this.controller.abort();
  }

  private readonly stop = (): void => this.events.onAbort();

  private expect(wait: Wait): void {
    clearTimeout(this.timer);
    if (this.released) return;
    const onTime = () => this.events.onTimeout(this.explain(wait));
    this.timer = setTimeout(onTime, Math.min(this.limits[wait], maxTimerMs));
  }

  private explainKeepAlive(): string {
    const time = seconds(keepAliveLimits * this.limits.idle);
    return `${providerHost(this.model)} kept the connection open for ${time} and said nothing. Try again, or choose another model.`;
  }

  private explain(wait: Wait): string {
    const time = seconds(this.limits[wait]);
    const what = wait === "connect" ? `did not answer within ${time}` : `sent nothing for ${time}`;
    const advice = `Try again, choose another model, or raise \`reins.request.${wait}TimeoutSeconds\`.`;
    return `${providerHost(this.model)} ${what}. ${advice}`;
  }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
