// A loopback model provider for tests: speaks the Messages and Chat Completions APIs over SSE, answers what it was
// scripted to, keeps a journal, and refuses with the API's own 400 what the real APIs refuse.
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../src/shared/json.ts";
import { checkAnthropicRequest } from "./anthropic-rules.ts";
import { checkOpenAiRequest } from "./openai-rules.ts";
import type { OpenAiServerRules } from "./openai-rules.ts";
import type { MessageReply, ProviderRequest, RawReply, Reply, ReplySource } from "./provider-replies.ts";
import { anthropicFrames, openAiFrames } from "./provider-wire.ts";
import type { Frame } from "./provider-wire.ts";
import { RuleViolation } from "./request-rules.ts";

export interface ProviderServerOptions {
  /** When set, any other key is answered with 401. */
  readonly apiKey?: string;
  readonly openai?: OpenAiServerRules;
  /** Given when no reply is queued; default a 400 that says so. */
  readonly fallback?: ReplySource;
  /** Default: any free port. */
  readonly port?: number;
}

export interface ProviderServer {
  /** `http://127.0.0.1:<port>`: the base URL of an Anthropic model. */
  readonly url: string;
  /** `<url>/v1`: the base URL of a Chat Completions model. */
  readonly openAiUrl: string;
  /** Every request in order of arrival, refused ones included. */
  readonly requests: readonly ProviderRequest[];
  /** Replies still to be given, in order; push here or use `enqueue`. */
  readonly replies: ReplySource[];
  enqueue(...replies: ReplySource[]): void;
  /** Resolves when request `number` (from 1) has arrived. */
  request(number: number): Promise<ProviderRequest>;
  close(): Promise<void>;
}

export async function startProviderServer(options: ProviderServerOptions = {}): Promise<ProviderServer> {
  const provider = new LoopbackProvider(options);
  await provider.listen(options.port ?? 0);
  return provider;
}

class LoopbackProvider implements ProviderServer {
  readonly requests: ProviderRequest[] = [];
  readonly replies: ReplySource[] = [];
  url = "";
  private readonly options: ProviderServerOptions;
  private readonly waiters: { number: number; resolve: (request: ProviderRequest) => void }[] = [];
  private readonly server = createServer((request, response) => {
    this.handle(request, response).catch(() => response.destroy());
  });

  constructor(options: ProviderServerOptions) {
    this.options = options;
  }

  get openAiUrl(): string {
    return `${this.url}/v1`;
  }

  enqueue(...replies: ReplySource[]): void {
    this.replies.push(...replies);
  }

  request(number: number): Promise<ProviderRequest> {
    const found = this.requests[number - 1];
    if (found) return Promise.resolve(found);
    return new Promise((resolve) => this.waiters.push({ number, resolve }));
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(port, "127.0.0.1", resolve);
    });
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    allowCrossOrigin(incoming, response);
    if (incoming.method === "OPTIONS") {
      response.writeHead(204).end();
      return;
    }
    const api = apiOf(incoming);
    if (!api) {
      sendJson(response, 404, { error: { type: "not_found_error", message: `No route ${incoming.url}` } });
      return;
    }
    const rawBody = await readBody(incoming);
    const refusal = this.refusal(api, incoming, rawBody);
    const request: ProviderRequest = {
      api,
      number: this.requests.length + 1,
      headers: incoming.headers,
      body: parseBody(rawBody) ?? {},
      rawBody,
      refused: refusal?.message,
      closed: new Promise((resolve) => response.once("close", resolve)),
    };
    this.record(request);
    if (refusal) sendJson(response, refusal.status, errorBody(api, refusal));
    else await send(this.nextReply(request), request, response);
  }

  private record(request: ProviderRequest): void {
    this.requests.push(request);
    for (const waiter of this.waiters.filter(({ number }) => number === request.number))
      waiter.resolve(request);
  }

  private refusal(
    api: ProviderRequest["api"],
    incoming: IncomingMessage,
    rawBody: string,
  ): Refusal | undefined {
    const key = keyOf(incoming);
    const { apiKey } = this.options;
    const wrongKey = apiKey === undefined ? api === "anthropic-messages" && !key : key !== apiKey;
    if (wrongKey) return { status: 401, type: "authentication_error", message: "invalid x-api-key" };
    const body = parseBody(rawBody);
    if (!body)
      return { status: 400, type: "invalid_request_error", message: "The request body is not valid JSON" };
    try {
      if (api === "anthropic-messages") checkAnthropicRequest(body);
      else checkOpenAiRequest(body, this.options.openai);
      return undefined;
    } catch (error) {
      if (!(error instanceof RuleViolation)) throw error;
      return { status: 400, type: "invalid_request_error", message: error.message };
    }
  }

  private nextReply(request: ProviderRequest): Reply {
    const source = this.replies.shift() ?? this.options.fallback;
    if (source === undefined) {
      const message = `The test scripted no reply for request ${request.number}`;
      return {
        type: "http",
        status: 400,
        body: { type: "error", error: { type: "invalid_request_error", message } },
      };
    }
    return typeof source === "function" ? source(request) : source;
  }
}

interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

async function send(reply: Reply, request: ProviderRequest, response: ServerResponse): Promise<void> {
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

async function sendRaw(reply: RawReply, response: ServerResponse): Promise<void> {
  const type = reply.contentType ?? "text/event-stream";
  response.writeHead(200, type ? { "content-type": type } : {});
  response.flushHeaders();
  for (const chunk of reply.chunks) {
    if (chunk instanceof Promise) await chunk;
    else response.write(chunk);
  }
  if (!reply.hold) response.end();
}

async function sendMessage(
  reply: MessageReply,
  request: ProviderRequest,
  response: ServerResponse,
): Promise<void> {
  const frames: Frame[] =
    request.api === "anthropic-messages" ? anthropicFrames(reply, request) : openAiFrames(reply, request);
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "request-id": `req_${request.number}`,
  });
  response.flushHeaders();
  let sent = 0;
  for (const frame of frames) {
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

/** Resolves when the frame has been handed to the socket, so that a reset cannot overtake it. */
function written(response: ServerResponse, frame: string): Promise<void> {
  return new Promise((resolve) => response.write(frame, () => resolve()));
}

function apiOf(incoming: IncomingMessage): ProviderRequest["api"] | undefined {
  const path = new URL(incoming.url ?? "/", "http://loopback").pathname;
  if (incoming.method !== "POST") return undefined;
  if (path.endsWith("/v1/messages")) return "anthropic-messages";
  return path.endsWith("/chat/completions") ? "openai-chat" : undefined;
}

function allowCrossOrigin(incoming: IncomingMessage, response: ServerResponse): void {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-allow-methods", "POST, OPTIONS");
  response.setHeader(
    "access-control-allow-headers",
    incoming.headers["access-control-request-headers"] ?? "*",
  );
  response.setHeader("access-control-expose-headers", "*");
  response.setHeader("access-control-allow-private-network", "true");
}

function keyOf(incoming: IncomingMessage): string | undefined {
  const header = incoming.headers["x-api-key"];
  if (typeof header === "string") return header;
  return incoming.headers.authorization?.replace(/^Bearer /i, "");
}

function errorBody(api: ProviderRequest["api"], refusal: Refusal): JsonObject {
  const { type, message } = refusal;
  return api === "anthropic-messages"
    ? { type: "error", error: { type, message } }
    : { error: { message, type, param: null, code: null } };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (!response.hasHeader("content-type")) response.setHeader("content-type", "application/json");
  response.writeHead(status).end(JSON.stringify(body));
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parseBody(rawBody: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(rawBody);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}
