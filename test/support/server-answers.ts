// How the loopback provider answers over HTTP: scripted replies with everything that can go wrong on the way, and errors
// in the words of each API. Leaves the events themselves to the wire files.
import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, gzipSync } from "node:zlib";
import type { JsonObject } from "../../src/shared/json.ts";
import type { MessageReply, ProviderRequest, RawReply, Reply, ServedApi } from "./provider-replies.ts";
import { anthropicErrorFrames, anthropicFrames, openAiErrorFrames, openAiFrames } from "./provider-wire.ts";
import type { Frame } from "./reply-parts.ts";
import type { ViolationDetails } from "./request-rules.ts";
import { responsesErrorFrames, responsesFrames } from "./responses-wire.ts";

export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly details?: ViolationDetails;
}

/** The reply as the request's API writes it. */
export function framesOf(reply: MessageReply, request: ProviderRequest): Frame[] {
  switch (request.api) {
    case "anthropic-messages":
      return anthropicFrames(reply, request);
    case "openai-chat":
      return openAiFrames(reply, request);
    case "openai-responses":
      return responsesFrames(reply, request);
  }
}

/** An overload that is told in the stream, after its status was fine. */
export function overloadFrames(api: ServedApi): string[] {
  switch (api) {
    case "anthropic-messages":
      return anthropicErrorFrames("overloaded_error", "Overloaded");
    case "openai-chat":
      return openAiErrorFrames("server_error", "The server is overloaded");
    case "openai-responses":
      return responsesErrorFrames("server_error", "The server is overloaded");
  }
}

export async function answer(
  reply: Reply,
  request: ProviderRequest,
  response: ServerResponse,
): Promise<void> {
  switch (reply.type) {
    case "silence":
      return;
    case "http": {
      for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
      if (typeof reply.body === "string") {
        const type = reply.body.trimStart().startsWith("<") ? "text/html" : "text/plain";
        if (!response.hasHeader("content-type")) response.setHeader("content-type", type);
        response.writeHead(reply.status).end(reply.body);
      } else sendJson(response, reply.status, reply.body);
      return;
    }
    case "raw":
      return sendRaw(reply, response);
    case "message":
      return sendMessage(reply, request, response);
  }
}

export function sendRefusal(api: ServedApi, refusal: Refusal, response: ServerResponse): void {
  sendJson(response, refusal.status, errorBody(api, refusal));
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (!response.hasHeader("content-type")) response.setHeader("content-type", "application/json");
  response.writeHead(status).end(JSON.stringify(body));
}

/** Webviews and web workers ask from another origin. */
export function allowCrossOrigin(incoming: IncomingMessage, response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-methods", "POST, OPTIONS");
  response.setHeader(
    "access-control-allow-headers",
    incoming.headers["access-control-request-headers"] ?? "*",
  );
  response.setHeader("access-control-expose-headers", "*");
  response.setHeader("access-control-allow-private-network", "true");
}

async function sendRaw(reply: RawReply, response: ServerResponse): Promise<void> {
  const type = reply.contentType ?? "text/event-stream";
  response.writeHead(200, {
    ...(type !== "" && { "content-type": type }),
    ...(reply.gzip && { "content-encoding": "gzip" }),
    ...reply.headers,
  });
  response.flushHeaders();
  for (const chunk of reply.chunks) {
    if (chunk instanceof Promise) await chunk;
    // Members one behind the other are one gzip stream.
    else await written(response, reply.gzip ? gzipSync(chunk, { level: constants.Z_BEST_SPEED }) : chunk);
  }
  if (reply.reset) response.destroy();
  else if (!reply.hold) response.end();
}

async function sendMessage(
  reply: MessageReply,
  request: ProviderRequest,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    [request.api === "anthropic-messages" ? "request-id" : "x-request-id"]: `req_${request.number}`,
  });
  response.flushHeaders();
  let sent = 0;
  for (const frame of framesOf(reply, request)) {
    if (reply.cut && sent >= reply.cut.after) break;
    if (frame instanceof Promise) {
      await frame;
      continue;
    }
    if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
    if (response.destroyed) return;
    await written(response, frame);
    sent += 1;
  }
  if (!reply.cut || reply.cut.how === "end") response.end();
  else if (reply.cut.how === "reset") response.destroy();
}

/** Resolves when the chunk has been handed to the socket, so that a reset cannot overtake it. */
function written(response: ServerResponse, chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(chunk, () => resolve()));
}

function errorBody(api: ServedApi, { type, message, details }: Refusal): JsonObject {
  if (api === "anthropic-messages") {
    return { type: "error", error: { type, message }, request_id: "req_refused" };
  }
  return { error: { message, type, param: details?.param ?? null, code: details?.code ?? null } };
}
