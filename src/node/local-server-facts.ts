// What the well-known servers on this machine tell of their models beyond their ids, each in its own way. Fields that are
// missing or odd are no facts. Documentation: docs.ollama.com/api, lmstudio.ai/docs (REST API v0), llama.cpp's
// tools/server/README.md, docs.vllm.ai.
import { isJsonObject } from "../shared/json.ts";
import type { JsonObject } from "../shared/json.ts";

export interface ModelFacts {
  /** Tokens. */
  readonly contextWindow?: number;
  readonly seesImages?: boolean;
  /** False: it cannot chat (embeddings). */
  readonly chats?: boolean;
}

/** Answers undefined for what could not be asked. */
export type Ask = (path: string, body?: unknown) => Promise<unknown>;

/** The facts of the listed models, in their order. `entries` are those of `GET /v1/models`. */
export type FactsReader = (entries: readonly JsonObject[], ask: Ask) => Promise<readonly ModelFacts[]>;

/** Each costs a question of its own. */
const maxShown = 40;

/** What Ollama gives a model that it has not loaded is only known to itself; this much it can be asked to hold. */
const ollamaWindow = 32_768;

export const ollamaFacts: FactsReader = async (entries, ask) => {
  const running = listIn(await ask("/api/ps"), "models");
  return Promise.all(
    entries.map(async ({ id }, index): Promise<ModelFacts> => {
      const shown = index < maxShown ? await ask("/api/show", { model: id }) : undefined;
      const info = isJsonObject(shown) && isJsonObject(shown["model_info"]) ? shown["model_info"] : {};
      const longest = Object.entries(info).find(([name]) => name.endsWith(".context_length"))?.[1];
      const loaded = running.find((each) => each["name"] === id || each["model"] === id);
      const abilities = isJsonObject(shown) ? shown["capabilities"] : undefined;
      return {
        contextWindow:
          tokens(loaded?.["context_length"]) ?? Math.min(tokens(longest) ?? ollamaWindow, ollamaWindow),
        ...(Array.isArray(abilities) && {
          seesImages: abilities.includes("vision"),
          chats: abilities.includes("completion"),
        }),
      };
    }),
  );
};

export const lmStudioFacts: FactsReader = async (entries, ask) => {
  const known = listIn(await ask("/api/v0/models"), "data");
  return entries.map((entry) => {
    const model = known.find(({ id }) => id === entry["id"]) ?? entry;
    const contextWindow = tokens(model["loaded_context_length"]) ?? tokens(model["max_context_length"]);
    const { type } = model;
    return {
      ...(contextWindow !== undefined && { contextWindow }),
      ...(typeof type === "string" && { seesImages: type === "vlm", chats: type !== "embeddings" }),
    };
  });
};

/** A server with one model tells how it was started; one with several does not. */
export const llamaCppFacts: FactsReader = async (entries, ask) => {
  const props = entries.length === 1 ? await ask("/props") : undefined;
  const settings = isJsonObject(props) ? props["default_generation_settings"] : undefined;
  const modalities = isJsonObject(props) ? props["modalities"] : undefined;
  const started = isJsonObject(settings) ? tokens(settings["n_ctx"]) : undefined;
  return entries.map(({ meta }) => {
    const trained = isJsonObject(meta) ? (tokens(meta["n_ctx"]) ?? tokens(meta["n_ctx_train"])) : undefined;
    const contextWindow = started ?? trained;
    return {
      ...(contextWindow !== undefined && { contextWindow }),
      ...(isJsonObject(modalities) && { seesImages: modalities["vision"] === true }),
    };
  });
};

export const vllmFacts: FactsReader = (entries) =>
  Promise.resolve(
    entries.map((entry) => {
      const contextWindow = tokens(entry["max_model_len"]);
      return contextWindow === undefined ? {} : { contextWindow };
    }),
  );

/** The objects of a list in an answer. */
export function listIn(answer: unknown, name: string): readonly JsonObject[] {
  const list = isJsonObject(answer) ? answer[name] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function tokens(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 512 ? value : undefined;
}
