// Providers and models as the user has them: the catalogue with the setting `reins.providers` laid over it. What is
// wrong in the setting is reported and left out; everything else works. `provider-settings.ts` reads the setting.
import { catalogue } from "./catalogue.ts";
import type { CatalogueModel } from "./catalogue.ts";
import { readProviderSettings } from "./provider-settings.ts";
import type { ModelSettings, ProviderSettings } from "./provider-settings.ts";
import { tourModel } from "./tour-model.ts";
import type { Api, Model, OpenAiChatCompat } from "./types.ts";

export interface Provider {
  /** As settings, secrets and model references spell it. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly api: Api;
  /** Absent: the SDK's own default. */
  readonly baseUrl?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly compat?: OpenAiChatCompat;
}

export interface ResolvedProviders {
  readonly providers: readonly Provider[];
  /** In order of providers; the guided tour is last. */
  readonly models: readonly Model[];
  /** For people; each names its place in the settings. */
  readonly problems: readonly string[];
}

/** What a model is assumed to have where neither catalogue nor settings say. */
const defaults = {
  contextWindow: 128_000,
  maxTokens: 8_192,
  input: ["text"],
  reasoning: false,
} as const;

/** `setting` is the value of `reins.providers`, unchecked. Never throws. */
export function resolveProviders(setting: unknown): ResolvedProviders {
  const { settings, problems } = readProviderSettings(setting);
  const ids = new Set([...catalogue.map(({ id }) => id), ...settings.keys()]);
  const providers: Provider[] = [];
  const models: Model[] = [];
  for (const id of ids) {
    const known = catalogue.find((provider) => provider.id === id);
    const own = settings.get(id) ?? {};
    const provider = toProvider(id, own);
    if (!provider) {
      problems.push(`reins.providers.${id}.baseUrl is missing: set it to the address of the server.`);
      continue;
    }
    providers.push(provider);
    models.push(...mergeModels(provider, known?.models ?? [], own.models ?? []));
  }
  return { providers, models: [...models, tourModel], problems };
}

/**
 * The model of `<provider>/<model id>`. An id that is not listed works with stated defaults (128,000 tokens of context,
 * 8,192 of output), so that a new model needs no update. Undefined when the provider is not known.
 */
export function findModel(resolved: ResolvedProviders, ref: string): Model | undefined {
  const listed = resolved.models.find((model) => modelRef(model) === ref);
  if (listed) return listed;
  const slash = ref.indexOf("/");
  const id = ref.slice(slash + 1);
  const provider = resolved.providers.find((candidate) => candidate.id === ref.slice(0, slash));
  return slash > 0 && id !== "" && provider ? toModel(provider, { id }, undefined) : undefined;
}

/** How settings name a model. */
export function modelRef(model: Model): string {
  return `${model.provider}/${model.id}`;
}

/** The environment variable that holds a provider's key. */
export function envKeyName(provider: string): string {
  return `${provider.replace(/[^A-Za-z0-9]+/g, "_").toUpperCase()}_API_KEY`;
}

function toProvider(id: string, own: ProviderSettings): Provider | undefined {
  const known = catalogue.find((provider) => provider.id === id);
  const baseUrl = own.baseUrl ?? known?.baseUrl;
  if (baseUrl === undefined) return undefined;
  // A server of one's own under a known name is not the server the catalogue's flags are about.
  const inherited = own.baseUrl === undefined && own.api === undefined ? known?.compat : undefined;
  const compat = { ...inherited, ...own.compat };
  return {
    id,
    name: known?.name ?? id,
    api: own.api ?? known?.api ?? "openai-chat",
    baseUrl,
    ...(own.headers && { headers: own.headers }),
    ...(Object.keys(compat).length > 0 && { compat }),
  };
}

function mergeModels(
  provider: Provider,
  known: readonly CatalogueModel[],
  own: readonly ModelSettings[],
): Model[] {
  const listed = known.map((model) =>
    toModel(provider, own.find(({ id }) => id === model.id) ?? model, model),
  );
  const added = own.filter(({ id }) => !known.some((model) => model.id === id));
  return [...listed, ...added.map((model) => toModel(provider, model, undefined))];
}

function toModel(provider: Provider, own: ModelSettings, known: CatalogueModel | undefined): Model {
  const { id: providerId, name: _name, compat: providerCompat, ...wire } = provider;
  const compat = { ...providerCompat, ...known?.compat, ...own.compat };
  return {
    ...defaults,
    name: own.id,
    ...known,
    ...own,
    ...wire,
    provider: providerId,
    ...(Object.keys(compat).length > 0 && { compat }),
  };
}
