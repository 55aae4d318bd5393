// Reads `reins.providers`: keeps what has the right shape and says, place by place, what has not. Leaves merging with
// the catalogue to `models.ts`.
import { isJsonObject } from "../shared/json.ts";
import type { JsonObject } from "../shared/json.ts";
import { readCompat } from "./compat-settings.ts";
import { isThinkingLevel } from "./thinking-level.ts";
import type { Api, Model, OpenAiChatCompat, Price, ThinkingLevel } from "./types.ts";

export type ModelSettings = Pick<Model, "id"> &
  Partial<Omit<Model, "id" | "provider" | "api" | "baseUrl" | "headers">>;

export interface ProviderSettings {
  readonly api?: Api;
  readonly baseUrl?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly compat?: OpenAiChatCompat;
  readonly models?: readonly ModelSettings[];
}

export interface ReadSettings {
  readonly settings: ReadonlyMap<string, ProviderSettings>;
  readonly problems: string[];
}

const apis: readonly Api[] = ["anthropic-messages", "openai-chat", "openai-responses"];
const providerFields = ["api", "baseUrl", "headers", "compat", "models"];
const modelFields = [
  ...["id", "name", "contextWindow", "maxTokens", "input", "reasoning", "price"],
  ...["compat", "thinking", "thinkingLevels"],
];

export function readProviderSettings(setting: unknown): ReadSettings {
  const settings = new Map<string, ProviderSettings>();
  const problems: string[] = [];
  if (setting === undefined || setting === null) return { settings, problems };
  if (!isJsonObject(setting)) return { settings, problems: ["reins.providers must be an object."] };
  for (const [id, value] of Object.entries(setting)) {
    const read = new SettingReader(problems, `reins.providers.${id}`);
    if (id === "" || id.includes("/")) read.problem("must be named without a slash");
    else if (!isJsonObject(value)) read.problem("must be an object");
    else settings.set(id, readProvider(value, read));
  }
  return { settings, problems };
}

function readProvider(value: JsonObject, read: SettingReader): ProviderSettings {
  read.unknownFields(value, providerFields);
  const api = apis.find((candidate) => candidate === value["api"]);
  if (value["api"] !== undefined && !api) read.problem(`must be one of ${apis.join(", ")}`, ".api");
  const baseUrl = read.baseUrl(value["baseUrl"]);
  const headers = read.headers(value["headers"]);
  const compat = readCompat(value["compat"], (text, place) => read.problem(text, `.compat${place}`));
  const models = read.models(value["models"]);
  return {
    ...(api && { api }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(headers && { headers }),
    ...(compat && { compat }),
    ...(models && { models }),
  };
}

/** Reports under one place of the settings. Every method answers undefined for what is absent or wrong. */
class SettingReader {
  private readonly problems: string[];
  private readonly place: string;

  constructor(problems: string[], place: string) {
    this.problems = problems;
    this.place = place;
  }

  problem(text: string, field = ""): void {
    this.problems.push(`${this.place}${field} ${text}.`);
  }

  unknownFields(value: JsonObject, known: readonly string[]): void {
    for (const key of Object.keys(value)) {
      if (!known.includes(key)) this.problem(`is not known; known are ${known.join(", ")}`, `.${key}`);
    }
  }

  baseUrl(value: unknown): string | undefined {
    if (value === undefined) return undefined;
    if (typeof value === "string" && /^https?:\/\/[^\s/]/i.test(value)) return value.replace(/\/+$/, "");
    this.problem("must be an http or https address", ".baseUrl");
    return undefined;
  }

  headers(value: unknown): { [name: string]: string } | undefined {
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) {
      this.problem("must be an object", ".headers");
      return undefined;
    }
    const headers: { [name: string]: string } = {};
    for (const [name, text] of Object.entries(value)) {
      if (typeof text === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) headers[name] = text;
      else this.problem("must be a header name with a text", `.headers.${name}`);
    }
    return headers;
  }

  models(value: unknown): ModelSettings[] | undefined {
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) {
      this.problem("must be a list", ".models");
      return undefined;
    }
    return value.flatMap((item: unknown, index) => {
      const read = new SettingReader(this.problems, `${this.place}.models[${index}]`);
      return read.model(item) ?? [];
    });
  }

  private model(value: unknown): ModelSettings | undefined {
    if (!isJsonObject(value) || typeof value["id"] !== "string" || value["id"] === "") {
      this.problem("must be an object with an id");
      return undefined;
    }
    this.unknownFields(value, modelFields);
    const { id } = value;
    const compat = readCompat(value["compat"], (text, place) => this.problem(text, `.compat${place}`));
    const fields = {
      name: this.checked(
        value,
        "name",
        (item) => (typeof item === "string" && item !== "" ? item : undefined),
        "a text",
      ),
      contextWindow: this.tokens(value, "contextWindow"),
      maxTokens: this.tokens(value, "maxTokens"),
      input: this.checked(value, "input", inputKinds, 'a list of "text" and "image"'),
      reasoning: this.checked(
        value,
        "reasoning",
        (item) => (typeof item === "boolean" ? item : undefined),
        "true or false",
      ),
      price: this.checked(
        value,
        "price",
        price,
        "an object with the numbers input, output, cacheRead and cacheWrite",
      ),
      thinking: this.checked(value, "thinking", thinkingKind, '"budget", "adaptive" or "between_tools"'),
      thinkingLevels: this.checked(value, "thinkingLevels", levels, "a list of thinking levels"),
      compat,
    };
    return { id, ...withoutUndefined(fields) };
  }

  private tokens(value: JsonObject, key: string): number | undefined {
    const read = (item: unknown) =>
      typeof item === "number" && Number.isSafeInteger(item) && item > 0 ? item : undefined;
    return this.checked(value, key, read, "a positive whole number");
  }

  private checked<T>(
    value: JsonObject,
    key: string,
    read: (item: unknown) => T | undefined,
    expected: string,
  ): T | undefined {
    if (value[key] === undefined) return undefined;
    const result = read(value[key]);
    if (result === undefined) this.problem(`must be ${expected}`, `.${key}`);
    return result;
  }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(value: T): Defined<T> {
  // Dropping exactly the undefined entries gives exactly this type.
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<T>;
}

function inputKinds(item: unknown): readonly ("text" | "image")[] | undefined {
  if (!Array.isArray(item) || !item.every((kind) => kind === "text" || kind === "image")) return undefined;
  return item.includes("image") ? ["text", "image"] : ["text"];
}

function price(item: unknown): Price | undefined {
  if (!isJsonObject(item)) return undefined;
  const { input, output, cacheRead = input, cacheWrite = input } = item;
  const all = [input, output, cacheRead, cacheWrite];
  if (!all.every((rate) => typeof rate === "number" && Number.isFinite(rate) && rate >= 0)) return undefined;
  return {
    input: Number(input),
    output: Number(output),
    cacheRead: Number(cacheRead),
    cacheWrite: Number(cacheWrite),
  };
}

function thinkingKind(item: unknown): Model["thinking"] | undefined {
  return item === "budget" || item === "adaptive" || item === "between_tools" ? item : undefined;
}

function levels(item: unknown): readonly ThinkingLevel[] | undefined {
  return Array.isArray(item) && item.length > 0 && item.every(isThinkingLevel) ? item : undefined;
}
