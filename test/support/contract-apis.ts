// The APIs that the contract suite runs, one entry each: how to play it a reply, and what it can say at all. A new API adds
// an entry here and to `contractApis`, and nothing to the suite.
import type { StreamDeps } from "../../src/ai/stream.ts";
import { tourModel } from "../../src/ai/tour-model.ts";
import type { Api, Model } from "../../src/ai/types.ts";
import type { JsonObject } from "../../src/shared/json.ts";
import { anthropicModel, openAiModel, responsesModel } from "./provider-models.ts";
import type { MessageReply, ProviderRequest, Reply, ServedApi } from "./provider-replies.ts";
import { startProviderServer } from "./provider-server.ts";
import type { ProviderServer } from "./provider-server.ts";
import { LanguageModelHost } from "./language-model-host.ts";
import { argumentPieces, joined } from "./reply-parts.ts";
import type { Frame } from "./reply-parts.ts";
import { framesOf } from "./server-answers.ts";

/** What an API has no way to say is left out of its suite. */
export interface ContractAbilities {
  /** It can fail, with `http` replies and by promises that are rejected in the middle of a reply. */
  readonly fails: boolean;
  /** It tells of the output limit and of refusals: `outcome`. */
  readonly outcomes: boolean;
  /** Arguments arrive in pieces, and a stream can end within them. */
  readonly streamsArguments: boolean;
  /** Arguments may be no JSON. */
  readonly rawArguments: boolean;
  /** It reports what a reply's `usage` says. */
  readonly usage: boolean;
  /** It takes images, and what it was sent can be looked at. */
  readonly images: boolean;
  /** Thinking arrives. */
  readonly thinking: boolean;
  /** The model's own thinking is sent back to it. */
  readonly thinkingBack: boolean;
}

export interface ContractApi {
  readonly name: Api;
  readonly can: ContractAbilities;
  start(): Promise<ContractHost>;
}

/** One API with something behind it that plays replies. */
export interface ContractHost {
  readonly model: Model;
  /** Given to `createStream` for each response anew. */
  deps(): Partial<StreamDeps>;
  /** Played in order, one for each request. A promise among pieces holds the reply, and breaks it when it is rejected. */
  play(...replies: readonly Reply[]): void;
  /** Requests so far. */
  readonly count: number;
  /** Resolves when the next request has arrived. */
  arrival(): Promise<unknown>;
  /** Why the last request was refused; undefined when it was not. */
  refused(): string | undefined;
  /** The last request, as text to look into. */
  sent(): string;
  /** Resolves when the last request's connection is gone. */
  closed(): Promise<void>;
  close(): Promise<void>;
}

/** With what only HTTP has. */
export interface HttpHost extends ContractHost {
  readonly server: ProviderServer;
  /** The reply as this API writes it. */
  frames(reply: MessageReply): Frame[];
}

export interface HttpApi extends ContractApi {
  readonly name: ServedApi;
  start(): Promise<HttpHost>;
}

const everything: ContractAbilities = {
  fails: true,
  outcomes: true,
  streamsArguments: true,
  rawArguments: true,
  usage: true,
  images: true,
  thinking: true,
  thinkingBack: true,
};

export const httpApis: readonly HttpApi[] = [
  httpApi("anthropic-messages", anthropicModel, everything),
  httpApi("openai-chat", openAiModel, { ...everything, thinkingBack: false }),
  httpApi("openai-responses", responsesModel, everything),
];

const scripted: ContractApi = {
  name: "scripted",
  can: {
    fails: false,
    outcomes: false,
    streamsArguments: true,
    rawArguments: false,
    usage: false,
    images: false,
    thinking: true,
    thinkingBack: false,
  },
  start: () => Promise.resolve(new ScriptedHost()),
};

const languageModels: ContractApi = {
  name: "vscode-lm",
  can: {
    fails: true,
    outcomes: false,
    streamsArguments: false,
    rawArguments: false,
    usage: false,
    images: true,
    thinking: false,
    thinkingBack: false,
  },
  start: () => Promise.resolve(new LanguageModelHost()),
};

export const contractApis: readonly ContractApi[] = [...httpApis, languageModels, scripted];

function httpApi(name: ServedApi, model: (server: ProviderServer) => Model, can: ContractAbilities): HttpApi {
  return { name, can, start: async () => new ServerHost(name, model, await startProviderServer()) };
}

class ServerHost implements HttpHost {
  readonly model: Model;
  readonly server: ProviderServer;
  private readonly name: ServedApi;

  constructor(name: ServedApi, model: (server: ProviderServer) => Model, server: ProviderServer) {
    this.name = name;
    this.model = model(server);
    this.server = server;
  }

  get count(): number {
    return this.server.requests.length;
  }

  arrival(): Promise<unknown> {
    return this.server.request(this.count + 1);
  }

  deps(): Partial<StreamDeps> {
    return {};
  }

  play(...replies: readonly Reply[]): void {
    this.server.replies.splice(0);
    this.server.enqueue(...replies);
  }

  refused(): string | undefined {
    return this.server.requests.at(-1)?.refused;
  }

  sent(): string {
    return this.server.requests.at(-1)?.rawBody ?? "";
  }

  async closed(): Promise<void> {
    await this.server.requests.at(-1)?.closed;
  }

  frames(reply: MessageReply): Frame[] {
    return framesOf(reply, requestOf(this.name));
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

/** A request that asks for all there is. */
function requestOf(api: ServedApi): ProviderRequest {
  const body: JsonObject = {
    model: "m",
    reasoning: { effort: "high", summary: "auto" },
    include: ["reasoning.encrypted_content"],
  };
  return {
    ...{ api, number: 1, path: "/", headers: {}, body, rawBody: "{}", refused: undefined },
    closed: Promise.resolve(),
  };
}

/** Every step of its scenario is the reply, so that it is played wherever the conversation stands. */
class ScriptedHost implements ContractHost {
  readonly model: Model = tourModel;
  /** It asks nobody. */
  readonly count = 0;
  private replies: Reply[] = [];

  arrival(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  deps(): Partial<StreamDeps> {
    const reply = this.replies.shift();
    const isSilent = reply?.type !== "message";
    const step = isSilent ? { text: "?" } : stepOf(reply);
    const scenario = { title: "Contract", steps: Array.from({ length: 20 }, () => step) };
    return { scripted: { scenario, delayMs: isSilent ? 60_000 : isHeld(reply) ? 20 : 0 } };
  }

  play(...replies: readonly Reply[]): void {
    this.replies = [...replies];
  }

  refused(): undefined {
    return undefined;
  }

  sent(): string {
    return "";
  }

  closed(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function isHeld({ thinking, text, calls = [] }: MessageReply): boolean {
  const all = [thinking, text, ...calls.map(argumentPieces)];
  return all.some((source) => Array.isArray(source) && source.some((piece) => piece instanceof Promise));
}

function stepOf({ thinking, text, calls = [] }: MessageReply) {
  return {
    ...(thinking !== undefined && { thinking: joined(thinking) }),
    ...(text !== undefined && { text: joined(text) }),
    calls: calls.map((call) => ({
      name: call.name,
      arguments: JSON.parse(joined(argumentPieces(call)) || "{}") as JsonObject,
    })),
  };
}
