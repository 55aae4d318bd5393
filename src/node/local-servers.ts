// Finds servers on this machine that offer models, at the ports they have by default. Asks when it is told to, never by
// itself. Where they are once more, for settings that know no list: ai/catalogue/local.ts.
import type { ModelSource } from "../harness/ports.ts";
import { Emitter } from "../shared/event.ts";
import type { JsonObject } from "../shared/json.ts";
import { listIn, llamaCppFacts, lmStudioFacts, ollamaFacts, vllmFacts } from "./local-server-facts.ts";
import type { FactsReader, ModelFacts } from "./local-server-facts.ts";
import { askLoopback } from "./loopback-json.ts";

type Model = ModelSource["models"][number];

export interface LocalServer {
  /** The provider's name in settings and model references. */
  readonly id: string;
  readonly port: number;
  readonly facts: FactsReader;
}

export const wellKnownServers: readonly LocalServer[] = [
  { id: "ollama", port: 11434, facts: ollamaFacts },
  { id: "lmstudio", port: 1234, facts: lmStudioFacts },
  { id: "llamacpp", port: 8080, facts: llamaCppFacts },
  { id: "vllm", port: 8000, facts: vllmFacts },
];

/** For one answer; a server that is there answers at once. */
const defaultTimeoutMs = 500;

const maxModels = 200;

/** Where the server does not say. */
const defaultWindow = 32_768;
const defaultOutput = 8_192;

export class LocalServers implements ModelSource {
  private readonly servers: readonly LocalServer[];
  private readonly timeoutMs: number;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private found: readonly Model[] = [];
  private looking: Promise<void> | undefined;

  constructor(servers: readonly LocalServer[] = wellKnownServers, timeoutMs = defaultTimeoutMs) {
    this.servers = servers;
    this.timeoutMs = timeoutMs;
  }

  get models(): readonly Model[] {
    return this.found;
  }

  /** Who asks while it is looking gets what it finds. */
  refresh(): Promise<void> {
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async look(): Promise<void> {
    const lists = await Promise.all(this.servers.map((server) => modelsOf(server, this.timeoutMs)));
    const models = lists.flat();
    if (JSON.stringify(models) === JSON.stringify(this.found)) return;
    this.found = models;
    this.changed.fire();
  }
}

/** None when there is no such server, or another program is there. */
async function modelsOf({ id, port, facts }: LocalServer, timeoutMs: number): Promise<readonly Model[]> {
  const list = await askLoopback({ port, path: "/v1/models", timeoutMs });
  const entries = named(listIn(list, "data")).slice(0, maxModels);
  if (entries.length === 0) return [];
  const known = await facts(entries, (path, body) => askLoopback({ port, path, body, timeoutMs }));
  return entries.flatMap((entry, index) => {
    const own = known[index] ?? {};
    return own.chats === false ? [] : [toModel(id, port, entry.id, own)];
  });
}

/** Each id once. */
function named(entries: readonly JsonObject[]): readonly (JsonObject & { readonly id: string })[] {
  const byId = new Map<string, JsonObject & { readonly id: string }>();
  for (const entry of entries) {
    const { id } = entry;
    if (typeof id === "string" && id !== "" && !byId.has(id)) byId.set(id, { ...entry, id });
  }
  return [...byId.values()];
}

function toModel(provider: string, port: number, id: string, facts: ModelFacts): Model {
  const contextWindow = facts.contextWindow ?? defaultWindow;
  return {
    ...{ provider, id, name: id, api: "openai-chat", baseUrl: `http://127.0.0.1:${port}/v1` },
    contextWindow,
    // Half of a small window, so that something can be said as well.
    maxTokens: Math.min(defaultOutput, Math.floor(contextWindow / 2)),
    input: facts.seesImages === true ? ["text", "image"] : ["text"],
    reasoning: false,
  };
}
