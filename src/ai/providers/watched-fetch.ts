// The fetch given to the SDKs: reports every sign of life, turns answers that are no event stream into HttpFailure and
// broken connections into errors that say so, and remembers whether the stream said `[DONE]`. Leaves events to the SDKs.
import { HttpFailure } from "../errors.ts";

export interface WatchedFetch {
  readonly fetch: typeof fetch;
  /** Whether the last lines of the stream are `[DONE]`, whatever chunks they came in. */
  saidDone(): boolean;
}

/** Bytes of an error body that are read; the rest says nothing new. */
const maxErrorBody = 64 * 1024;

/** Milliseconds that an error body may take, its headers having said already that it is an error. */
const errorBodyMs = 2_000;

/** Bytes of a body that are looked at to tell whether it is an event stream. */
const maxSniffed = 256;

/** Bytes of the end that are looked at for `[DONE]`, which may have line ends and comments behind it. */
const tailLength = 256;

type Bytes = Uint8Array<ArrayBuffer>;
type Reader = ReadableStreamDefaultReader<Bytes>;

export function watchFetch(base: typeof fetch, onActivity: () => void): WatchedFetch {
  let tail: Bytes = new Uint8Array();
  const onChunk = (chunk: Bytes) => {
    tail = joined(chunk.length < tailLength ? [tail, chunk] : [chunk]).slice(-tailLength);
    onActivity();
  };
  return {
    fetch: async (input, init) => {
      const response = await base(input, init);
      onActivity();
      return asEventStream(response, onChunk);
    },
    // A line of its own: within an event's JSON there are no line ends.
    saidDone: () => /(?:^|[\r\n])data:\s*\[DONE\]\s*(?:[\r\n]+:[^\r\n]*)*\s*$/.test(decode(tail)),
  };
}

async function asEventStream(response: Response, onChunk: (chunk: Bytes) => void): Promise<Response> {
  const reader = response.body?.getReader();
  if (!reader) throw new HttpFailure(response.status, "", response.headers);
  if (!response.ok) throw new HttpFailure(response.status, await readText(reader, []), response.headers);
  const declared = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
  const first = await sniffed(reader, onChunk);
  const isStream = looksLikeEvents(decode(joined(first))) ?? declared;
  if (!isStream) throw new HttpFailure(response.status, await readText(reader, first), response.headers);
  const body = new ReadableStream<Bytes>({
    async pull(controller) {
      const chunk = first.shift() ?? (await nextChunk(reader, onChunk));
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** The first chunks, as many as it takes to know what they are. */
async function sniffed(reader: Reader, onChunk: (chunk: Bytes) => void): Promise<Bytes[]> {
  const chunks: Bytes[] = [];
  for (let size = 0; size < maxSniffed;) {
    const chunk = await nextChunk(reader, onChunk);
    if (!chunk) break;
    chunks.push(chunk);
    size += chunk.length;
    if (looksLikeEvents(decode(joined(chunks))) !== undefined) break;
  }
  return chunks;
}

/** Undefined when there is nothing left. */
async function nextChunk(reader: Reader, onChunk: (chunk: Bytes) => void): Promise<Bytes | undefined> {
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw brokenConnection(error);
    });
    if (done) return undefined;
    if (value.length === 0) continue;
    onChunk(value);
    return value;
  }
}

/** What runtimes say about it is seldom more than "terminated". */
function brokenConnection(cause: unknown): unknown {
  if (cause instanceof Error && cause.name === "AbortError") return cause;
  return new Error("the connection broke off", { cause });
}

/**
 * Whatever the content type says: servers forget it, and put it before JSON and pages. Events begin with a field or a
 * comment. Undefined: not to tell from this much.
 */
function looksLikeEvents(start: string): boolean | undefined {
  const line = start.replace(/^\uFEFF?\s*/, "");
  if (/^[{[<]/.test(line)) return false;
  return /^(data|event|id|retry)?:/.test(line) ? true : undefined;
}

/** As much of a body as arrives in time: what its status says must not get lost because of it. */
async function readText(reader: Reader, read: readonly Bytes[]): Promise<string> {
  const chunks = [...read];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>(
    (resolve) => (timer = setTimeout(() => resolve(undefined), errorBodyMs)),
  );
  for (let size = 0; size < maxErrorBody;) {
    const chunk = await Promise.race([reader.read(), late]).catch(() => undefined);
    if (!chunk || chunk.done) break;
    chunks.push(chunk.value);
    size += chunk.value.length;
  }
  clearTimeout(timer);
  // The rest is not wanted, and a failure to cancel it would hide the error that is being read.
  reader.cancel().catch(() => undefined);
  return decode(joined(chunks)).slice(0, maxErrorBody);
}

function decode(bytes: Bytes): string {
  return new TextDecoder().decode(bytes);
}

function joined(chunks: readonly Bytes[]): Bytes {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
