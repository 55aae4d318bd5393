// The fetch given to the SDKs: reports every sign of life, turns answers that are no event stream into HttpFailure, and
// remembers the stream's last bytes. Leaves events to the SDKs.
import { HttpFailure } from "../errors.ts";

export interface WatchedFetch {
  readonly fetch: typeof fetch;
  /** The last two chunks, decoded: tells whether a stream said `[DONE]`. */
  tail(): string;
}

/** Bytes of an error body that are read; the rest says nothing new. */
const maxErrorBody = 64 * 1024;

export function watchFetch(base: typeof fetch, onActivity: () => void): WatchedFetch {
  let last: Uint8Array[] = [];
  const onChunk = (chunk: Uint8Array) => {
    last = [...last.slice(-1), chunk];
    onActivity();
  };
  return {
    fetch: async (input, init) => {
      const response = await base(input, init);
      onActivity();
      return asEventStream(response, onChunk);
    },
    tail: () => last.map((chunk) => new TextDecoder().decode(chunk)).join(""),
  };
}

async function asEventStream(response: Response, onChunk: (chunk: Uint8Array) => void): Promise<Response> {
  const reader = response.body?.getReader();
  if (!reader) throw new HttpFailure(response.status, "", response.headers);
  const declared = response.headers.get("content-type")?.includes("text/event-stream") ?? false;
  let first: Uint8Array | undefined;
  if (!response.ok || !declared) {
    first = await firstChunk(reader);
    if (!response.ok || !first || !looksLikeEvents(first)) {
      throw new HttpFailure(response.status, await readRest(reader, first), response.headers);
    }
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = first ?? (await reader.read()).value;
      first = undefined;
      if (!chunk) {
        controller.close();
        return;
      }
      onChunk(chunk);
      controller.enqueue(chunk);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function firstChunk(reader: Reader): Promise<Uint8Array | undefined> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value.length > 0) return value;
  }
}

/** Servers that forget the content type still send fields or comments; JSON and markup are neither. */
function looksLikeEvents(chunk: Uint8Array): boolean {
  return /^\uFEFF?\s*(data|event|id|retry)?:/.test(new TextDecoder().decode(chunk.subarray(0, 64)));
}

async function readRest(reader: Reader, first: Uint8Array | undefined): Promise<string> {
  const decoder = new TextDecoder();
  let size = first?.length ?? 0;
  let text = first ? decoder.decode(first, { stream: true }) : "";
  while (first && size < maxErrorBody) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    text += decoder.decode(value, { stream: true });
  }
  // The rest is not wanted, and a failure to cancel it would hide the error that is being read.
  reader.cancel().catch(() => undefined);
  return text.slice(0, maxErrorBody);
}
