// Measures one thing of the model layer in a process of its own, with a heap so large that nothing is collected while
// it is measured: what the heap has grown by is what was allocated. Prints one line of JSON.
import { createStream } from "../../../src/ai/stream.ts";
import type { AssistantStream, Message } from "../../../src/ai/types.ts";
import { argumentsReply, benchModel, fetchOfChunks, httpApis, textReply } from "./wire-replies.ts";
import type { HttpApi } from "./wire-replies.ts";

/** Of one delta: microseconds of the thread's processor time, and bytes allocated. */
export interface DeltaFigures {
  readonly microseconds: number;
  readonly bytes: number;
}

const delta = "A word or two";
const rounds = 5;

const [what, api, size] = process.argv.slice(2);
const measured = httpApis.find((name) => name === api);
if (!measured || !collect()) throw new Error("Run by measure-ai.ts with --expose-gc.");
console.log(JSON.stringify(await measure(measured)));

async function measure(api: HttpApi): Promise<unknown> {
  const count = Number(size);
  switch (what) {
    case "deltas":
      return medianOf(textReply(api, 10_000, delta), textReply(api, count, delta), api, () => undefined);
    case "arguments": {
      const chunks = argumentsReply(api, count, 100 * count);
      return medianOf(chunks, chunks, api, () => undefined);
    }
    case "snapshots": {
      const chunks = argumentsReply(api, count, 100 * count);
      return medianOf(chunks, chunks, api, (stream) => stream.snapshot());
    }
    default:
      return requestMilliseconds(api, count);
  }
}

async function medianOf(
  warmUp: readonly Uint8Array[],
  chunks: readonly Uint8Array[],
  api: HttpApi,
  onEvent: (stream: AssistantStream) => unknown,
): Promise<DeltaFigures> {
  for (let round = 0; round < 10; round += 1) await receive(api, warmUp, onEvent);
  const figures: DeltaFigures[] = [];
  for (let round = 0; round < rounds; round += 1) figures.push(await receive(api, chunks, onEvent));
  return {
    microseconds: median(figures.map((one) => one.microseconds)),
    bytes: median(figures.map((one) => one.bytes)),
  };
}

async function receive(
  api: HttpApi,
  chunks: readonly Uint8Array[],
  onEvent: (stream: AssistantStream) => unknown,
): Promise<DeltaFigures> {
  const open = createStream({ now: () => Date.now(), web: false, fetch: fetchOfChunks(chunks) });
  collect();
  const heap = process.memoryUsage().heapUsed;
  const cpu = process.threadCpuUsage();
  const stream = open(
    benchModel(api),
    { messages: [{ role: "user", content: "Hi", timestamp: 0 }] },
    { apiKey: "k" },
  );
  let events = 0;
  for await (const _event of stream) {
    events += 1;
    onEvent(stream);
  }
  const { user, system } = process.threadCpuUsage(cpu);
  const bytes = process.memoryUsage().heapUsed - heap;
  const { errorMessage } = await stream.result();
  if (errorMessage !== undefined || events < chunks.length - 5)
    throw new Error(errorMessage ?? "Events are missing.");
  return { microseconds: (user + system) / events, bytes: bytes / events };
}

/** From the call to the request on the wire: replay, conversion, and the body as JSON. */
async function requestMilliseconds(api: HttpApi, count: number): Promise<number> {
  const messages = history(api, count);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const sent = Promise.withResolvers<number>();
    const started = process.threadCpuUsage();
    const open = createStream({
      now: () => Date.now(),
      web: false,
      fetch: () => {
        const { user, system } = process.threadCpuUsage(started);
        sent.resolve((user + system) / 1_000);
        return Promise.reject(new Error("Enough."));
      },
    });
    open(benchModel(api), { messages }, { apiKey: "k" });
    times.push(await sent.promise);
  }
  return median(times);
}

/** Rounds of a user's question, a call, its result and an answer, from the model that is asked. */
function history(api: HttpApi, count: number): Message[] {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const answer = {
    role: "assistant",
    api,
    provider: "bench",
    model: "bench-model",
    usage: { ...usage, cost },
  } as const;
  const text = "A line of an answer, with `code` and an umlaut: ü.\n".repeat(6);
  const messages: Message[] = [{ role: "system", content: "Be brief.", timestamp: 0 }];
  for (let n = 0; messages.length < count; n += 1) {
    const id = `call_${n}`;
    const call = { type: "toolCall", id, name: "read", arguments: { path: `src/file-${n}.ts` } } as const;
    const content = [{ type: "text", text }] as const;
    messages.push(
      { role: "user", content: `Question ${n}`, timestamp: 0 },
      { ...answer, content: [...content, call], stopReason: "toolUse", timestamp: 0 },
      { role: "toolResult", toolCallId: id, toolName: "read", content, isError: false, timestamp: 0 },
      { ...answer, content, stopReason: "stop", timestamp: 0 },
    );
  }
  return messages.slice(0, count - 1).concat({ role: "user", content: "Last", timestamp: 0 });
}

/** False without --expose-gc. */
function collect(): boolean {
  globalThis.gc?.();
  return globalThis.gc !== undefined;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
