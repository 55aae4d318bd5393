// A loopback model provider for tests: speaks the Messages, Chat Completions and Responses APIs over SSE, answers what it
// was scripted to, keeps a journal, and refuses with the API's own body what the real APIs refuse.
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../src/shared/json.ts";
import { checkAnthropicRequest } from "./anthropic-rules.ts";
import type { AnthropicRules } from "./anthropic-rules.ts";
import { checkOpenAiRequest } from "./openai-rules.ts";
import type { OpenAiServerRules } from "./openai-rules.ts";
import type { ProviderRequest, Reply, ReplySource, ServedApi } from "./provider-replies.ts";
import { RuleViolation } from "./request-rules.ts";
import { checkResponsesRequest } from "./responses-rules.ts";
import type { ResponsesServerRules } from "./responses-rules.ts";
import { checkAccess } from "./server-access.ts";
import type { ServerAccess } from "./server-access.ts";
import { allowCrossOrigin, answer, sendJson, sendRefusal } from "./server-answers.ts";
import type { Refusal } from "./server-answers.ts";

export interface ProviderServerOptions extends ServerAccess {
  readonly anthropic?: AnthropicRules;
  readonly openai?: OpenAiServerRules;
  readonly responses?: ResponsesServerRules;
  /** Given when no reply is queued; default a 400 that says so. */
  readonly fallback?: ReplySource;
  /** Default: any free port. */
  readonly port?: number;
}

export interface ProviderServer {
  /** `http://127.0.0.1:<port>`: the base URL of an Anthropic model. */
  readonly url: string;
  /** `<url>/v1`: the base URL of a Chat Completions or Responses model. */
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
    const path = incoming.url ?? "/";
    const api = apiOf(incoming, new URL(path, "http://loopback").pathname);
    if (!api) {
      sendJson(response, 404, { error: { type: "not_found_error", message: `No route ${path}` } });
      return;
    }
    const rawBody = await readBody(incoming);
    const refusal = checkAccess(api, incoming, this.options) ?? this.refusal(api, rawBody);
    const request: ProviderRequest = {
      api,
      number: this.requests.length + 1,
      path,
      headers: incoming.headers,
      body: parseBody(rawBody) ?? {},
      rawBody,
      refused: refusal?.message,
      closed: new Promise((resolve) => response.once("close", resolve)),
    };
    this.record(request);
    if (refusal) sendRefusal(api, refusal, response);
    else await answer(this.nextReply(request), request, response);
  }

  private record(request: ProviderRequest): void {
    this.requests.push(request);
    for (const waiter of this.waiters.filter(({ number }) => number === request.number))
      waiter.resolve(request);
  }

  private refusal(api: ServedApi, rawBody: string): Refusal | undefined {
    const body = parseBody(rawBody);
    if (!body)
      return { status: 400, type: "invalid_request_error", message: "The request body is not valid JSON" };
    const { anthropic, openai, responses } = this.options;
    try {
      if (api === "anthropic-messages") checkAnthropicRequest(body, anthropic);
      else if (api === "openai-chat") checkOpenAiRequest(body, openai);
      else checkResponsesRequest(body, responses);
      return undefined;
    } catch (error) {
      if (!(error instanceof RuleViolation)) throw error;
      const { message, details } = error;
      return { status: 400, type: "invalid_request_error", message, details };
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

function apiOf(incoming: IncomingMessage, path: string): ServedApi | undefined {
  if (incoming.method !== "POST") return undefined;
  if (path.endsWith("/v1/messages")) return "anthropic-messages";
  if (path.endsWith("/chat/completions")) return "openai-chat";
  return path.endsWith("/responses") ? "openai-responses" : undefined;
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
