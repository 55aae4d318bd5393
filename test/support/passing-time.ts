// Time limits without waiting: timers are mocked, and their time passes only between turns of the event loop in which all
// that is ready runs. For answers that come from memory; what a socket brings is not ready at once.
import { mock } from "node:test";
import { settle } from "./until.ts";

const stepMs = 10;
const maxSteps = 20_000;

/** What `act` resolves with, while time passes in steps of 10 ms; `eachStep` is done before each. */
export async function whileTimePasses<T>(act: () => Promise<T>, eachStep?: () => unknown): Promise<T> {
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: Date.now() });
  try {
    let isOver = false;
    const acting = act().finally(() => (isOver = true));
    for (let step = 0; !isOver; step += 1) {
      if (step === maxSteps) throw new Error(`Still not over after ${step * stepMs} ms`);
      await settle();
      if (isOver) break;
      eachStep?.();
      await settle();
      mock.timers.tick(stepMs);
    }
    return await acting;
  } finally {
    mock.timers.reset();
  }
}

/** A response whose body stays open until the test ends it. */
export class OpenBody {
  readonly fetch: typeof fetch;
  private readonly writer: WritableStreamDefaultWriter<Uint8Array>;

  constructor(status = 200, headers: Record<string, string> = { "content-type": "text/event-stream" }) {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    this.writer = writable.getWriter();
    this.writer.closed.catch(() => undefined); // Nobody reads any more once there is an answer.
    this.fetch = () => Promise.resolve(new Response(readable, { status, headers }));
  }

  /** It is read later, if it is. */
  write(text: string): void {
    this.writer.write(new TextEncoder().encode(text)).catch(() => undefined);
  }
}
