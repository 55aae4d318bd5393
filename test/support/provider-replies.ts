// Builders for what the loopback provider answers. They know no wire format: `provider-wire.ts` writes them as SSE.
import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "../../src/shared/json.ts";
import { textOf } from "./request-rules.ts";

/** Text as one string (cut into small deltas), or as the exact deltas with promises that hold the stream. */
export type Pieces = string | readonly (string | Promise<unknown>)[];

export interface ReplyCall {
  /** Default `call_<request number>_<n>`. */
  readonly id?: string;
  readonly name: string;
  /** An object, or the raw argument text for broken or held arguments. */
  readonly arguments: JsonObject | Pieces;
}

export interface ReplyUsage {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface MessageReply {
  readonly type: "message";
  readonly thinking?: Pieces;
  /** Adds a redacted thinking block (Anthropic only). */
  readonly redacted?: boolean;
  readonly text?: Pieces;
  /** A refusal in words (OpenAI only). */
  readonly refusal?: Pieces;
  readonly calls?: readonly ReplyCall[];
  /** Cut at the output limit, or taken back by the provider; spelled as the wire spells it. */
  readonly outcome?: "length" | "refused";
  /** As the wire spells it, where it is not one of `outcome`; default follows from the calls. */
  readonly stopReason?: string;
  /** Default: counted from the request. `null`: none is reported. */
  readonly usage?: ReplyUsage | null;
  /** Characters per delta of a plain string. Default 12. */
  readonly deltaSize?: number;
  /** Milliseconds between deltas. Default 0. */
  readonly delayMs?: number;
  /** After this many SSE events the socket is destroyed, or the body ends, or nothing follows. */
  readonly cut?: { readonly after: number; readonly how: "reset" | "end" | "hold" };
}

export interface HttpReply {
  readonly type: "http";
  readonly status: number;
  readonly body: unknown;
  readonly headers?: { readonly [name: string]: string };
}

/** Exact bytes or SSE data, for recordings and malformed streams. */
export interface RawReply {
  readonly type: "raw";
  /** Default `text/event-stream`; empty: none. */
  readonly contentType?: string;
  readonly chunks: readonly (string | Uint8Array | Promise<unknown>)[];
  readonly headers?: { readonly [name: string]: string };
  /** Each chunk compressed by itself, as a proxy in between does. */
  readonly gzip?: boolean;
  /** Keeps the socket open after the last chunk. */
  readonly hold?: boolean;
  /** Destroys the socket after the last chunk. */
  readonly reset?: boolean;
}

/** The request is read and nothing is ever answered. */
export interface SilentReply {
  readonly type: "silence";
}

export type Reply = MessageReply | HttpReply | RawReply | SilentReply;
export type ReplySource = Reply | ((request: ProviderRequest) => Reply);

/** What the server speaks. */
export type ServedApi = "anthropic-messages" | "openai-chat" | "openai-responses";

/** One request as the server received it. */
export interface ProviderRequest {
  readonly api: ServedApi;
  /** From 1. */
  readonly number: number;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON. */
  readonly body: JsonObject;
  readonly rawBody: string;
  /** Why the rules refused it; undefined when a scripted reply was given. */
  readonly refused: string | undefined;
  /** Resolves when the client has gone away or the response is complete. */
  readonly closed: Promise<void>;
}

export function reply(content: Omit<MessageReply, "type">): MessageReply {
  return { type: "message", ...content };
}

/** `body` is sent as JSON unless it is a string. */
export function httpError(
  status: number,
  body: unknown = { error: { type: "api_error", message: `Status ${status}` } },
  headers?: { readonly [name: string]: string },
): HttpReply {
  return { type: "http", status, body, ...(headers && { headers }) };
}

/** The reply breaks off with a connection reset after `events` SSE events. */
export function resetAfter(events: number, content: Omit<MessageReply, "type">): MessageReply {
  return { type: "message", ...content, cut: { after: events, how: "reset" } };
}

/** The reply's body ends cleanly, but too early, after `events` SSE events. */
export function endAfter(events: number, content: Omit<MessageReply, "type">): MessageReply {
  return { type: "message", ...content, cut: { after: events, how: "end" } };
}

/** The reply falls silent after `events` SSE events; the socket stays open. */
export function holdAfter(events: number, content: Omit<MessageReply, "type">): MessageReply {
  return { type: "message", ...content, cut: { after: events, how: "hold" } };
}

export function silence(): SilentReply {
  return { type: "silence" };
}

/** A raw body, for example what is not SSE at all. */
export function raw(chunks: RawReply["chunks"], options: Omit<RawReply, "type" | "chunks"> = {}): RawReply {
  return { type: "raw", chunks, ...options };
}

/** JSON events as an SSE body of the Messages or the Responses API: the event name is the object's type. */
export function namedEvents(
  events: readonly JsonObject[],
  options: Omit<RawReply, "type" | "chunks"> = {},
): RawReply {
  return raw(
    events.map((event) => namedFrame(event)),
    options,
  );
}

/** JSON chunks as a Chat Completions SSE body, ended with `[DONE]` unless told otherwise. */
export function openAiChunks(
  chunks: readonly JsonObject[],
  options: Omit<RawReply, "type" | "chunks"> & { readonly done?: boolean } = {},
): RawReply {
  const { done = true, ...rest } = options;
  const frames = chunks.map((chunk) => openAiFrame(chunk));
  return raw(done ? [...frames, "data: [DONE]\n\n"] : frames, rest);
}

export function namedFrame(event: JsonObject): string {
  return `event: ${textOf(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`;
}

export function openAiFrame(chunk: JsonObject): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

/** A promise with its resolver, to hold a stream in the middle. */
export function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { promise, open };
}
