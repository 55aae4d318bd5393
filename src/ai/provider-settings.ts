// Reads `reins.providers`: keeps what has the right shape and says, place by place, what has not. The schema in
// package.json says the same to who edits settings.json. Leaves merging with the catalogue to `models.ts`.
import { isJsonObject } from "../shared/json.ts";
import { compat, headerName } from "./compat-settings.ts";
import { amount, below, fieldsOf, flag, listOf, oneOf, readFields, seconds } from "./setting-fields.ts";
import { text, textsOf, tokens, valueOf } from "./setting-fields.ts";
import type { Fields, Reader, Report } from "./setting-fields.ts";
import { allThinkingLevels } from "./thinking-level.ts";
import type { Api, Model, ModelImageLimits, OpenAiChatCompat, Price, ThinkingLevel } from "./types.ts";

/** What a model may say for itself; the rest comes from its provider, the catalogue, or the defaults. */
export type ModelSettings = Pick<Model, "id"> & Partial<Omit<Model, "id" | "provider">>;

export interface ProviderSettings {
  readonly api?: Api;
  readonly baseUrl?: string;
  readonly keyHeader?: NonNullable<Model["keyHeader"]>;
  readonly headers?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly compat?: OpenAiChatCompat;
  /** Instead of `reins.request.connectTimeoutSeconds`. */
  readonly connectTimeoutSeconds?: number;
  /** Instead of `reins.request.idleTimeoutSeconds`. */
  readonly idleTimeoutSeconds?: number;
  readonly models?: readonly ModelSettings[];
}

export interface ReadSettings {
  readonly settings: ReadonlyMap<string, ProviderSettings>;
  readonly problems: string[];
}

/** Of the address of an API, not of one of its operations, without what belongs into `query`. */
const address = /^https?:\/\/[^\s/?#][^\s?#]*$/i;
const operation = /\/(chat\/completions|responses|messages|models)\/*$/i;

export function readProviderSettings(setting: unknown): ReadSettings {
  const settings = new Map<string, ProviderSettings>();
  const problems: string[] = [];
  const report: Report = (problem, place = "") => problems.push(`reins.providers${place} ${problem}.`);
  if (setting === undefined || setting === null) return { settings, problems };
  if (!isJsonObject(setting)) {
    report("must be an object");
    return { settings, problems };
  }
  for (const [id, value] of Object.entries(setting)) {
    const at = below(report, `.${id}`);
    const provider = id === "" || id.includes("/") ? undefined : readProvider(value, at);
    if (provider) settings.set(id, provider);
    else if (id === "" || id.includes("/")) at("must be named without a slash");
  }
  return { settings, problems };
}

const baseUrl: Reader<string> = (value, report) => {
  if (typeof value === "string" && address.test(value) && !operation.test(value))
    return value.replace(/\/+$/, "");
  const path = typeof value === "string" ? operation.exec(value)?.[1] : undefined;
  if (path !== undefined) report(`must be the address without /${path}`);
  else report("must be an http or https address (what follows a ? goes into query)");
  return undefined;
};

const thinkingEfforts: Reader<NonNullable<Model["thinkingEfforts"]>> = (value, report) => {
  const effort = valueOf(
    "the API's word for the level, or null",
    (item): item is string | null => item === null || (typeof item === "string" && item !== ""),
  );
  // Every level has the same reader.
  const fields = Object.fromEntries(allThinkingLevels.map((level) => [level, effort])) as {
    readonly [Level in ThinkingLevel]: Reader<string | null>;
  };
  return fieldsOf<{ readonly [Level in ThinkingLevel]: string | null }>(fields)(value, report);
};

const rates = { input: amount, output: amount, cacheRead: amount, cacheWrite: amount };

const longContext: Reader<NonNullable<Price["longContext"]>> = (value, report) => {
  const read = fieldsOf<NonNullable<Price["longContext"]>>({ above: tokens, ...rates })(value, report);
  const price = completeRates(read);
  if (read?.above !== undefined && price) return { above: read.above, ...price };
  needs(["above", "input", "output"], value, report);
  return undefined;
};

const price: Reader<Price> = (value, report) => {
  const read = fieldsOf<Price>({ ...rates, longContext })(value, report);
  const base = completeRates(read);
  if (base) return { ...base, ...(read?.longContext && { longContext: read.longContext }) };
  needs(["input", "output"], value, report);
  return undefined;
};

/** Reports what is missing; what is wrong has been reported by then. */
function needs(names: readonly string[], value: unknown, report: Report): void {
  if (!isJsonObject(value)) return;
  for (const name of names) if (value[name] === undefined) report("is missing", `.${name}`);
}

/** What the cache costs is what the input costs, unless said otherwise. */
function completeRates(rates: Partial<Price> | undefined) {
  const { input, output, cacheRead = input, cacheWrite = input } = rates ?? {};
  if (input === undefined || output === undefined || cacheRead === undefined || cacheWrite === undefined)
    return undefined;
  return { input, output, cacheRead, cacheWrite };
}

const wire = {
  api: oneOf(["anthropic-messages", "openai-chat", "openai-responses"]),
  baseUrl,
  keyHeader: oneOf(["authorization", "api-key", "x-api-key"]),
  headers: textsOf("a header's name with its text", headerName, /^[\t\x20-\x7e\x80-\xff]*$/),
  query: textsOf("a text", /^/, /^/),
  compat,
} as const;

const imageLimits = fieldsOf<ModelImageLimits>({
  maxLength: tokens,
  maxCount: tokens,
  maxTotalLength: tokens,
  types: listOf(["image/png", "image/jpeg", "image/gif", "image/webp"], 1),
});

const modelFields: Fields<ModelSettings> = {
  ...wire,
  id: text,
  name: text,
  contextWindow: tokens,
  maxTokens: tokens,
  input: listOf(["text", "image"], 0),
  imageLimits,
  reasoning: flag,
  price,
  thinking: oneOf(["budget", "adaptive", "between_tools"]),
  thinkingLevels: listOf(allThinkingLevels, 1),
  thinkingEfforts,
  laterSystemMessages: flag,
};

const providerFields: Fields<ProviderSettings> = {
  ...wire,
  connectTimeoutSeconds: seconds,
  idleTimeoutSeconds: seconds,
  models: (value, report) => {
    if (!Array.isArray(value)) {
      report("must be a list");
      return undefined;
    }
    return value.flatMap((item: unknown, index) => readModel(item, below(report, `[${index}]`)) ?? []);
  },
};

const readProvider: Reader<ProviderSettings> = fieldsOf(providerFields);

function readModel(value: unknown, report: Report): ModelSettings | undefined {
  if (!isJsonObject(value) || value["id"] === undefined) {
    report("must be an object with an id");
    return undefined;
  }
  const { id, ...rest } = readFields(value, modelFields, report);
  return id === undefined ? undefined : { ...rest, id };
}
