// Providers and models as the user has them: the catalogue and what was found, with the setting `reins.providers` laid
// over both. What is wrong in the setting is reported and left out; everything else works. `provider-settings.ts` reads it.
import { catalogue } from "./catalogue.ts";
import type { CatalogueModel, CatalogueProvider } from "./catalogue/provider-entry.ts";
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
  readonly baseUrl: string;
  readonly keyHeader?: NonNullable<Model["keyHeader"]>;
  readonly headers?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly compat?: OpenAiChatCompat;
}

/** A known provider of which everybody has their own address, not set yet. */
export interface UnreadyProvider {
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** How the address looks. */
  readonly address: string;
}

/** How long a provider may take; absent: what holds for all. */
export interface ProviderTimeouts {
  readonly connectTimeoutSeconds?: number;
  readonly idleTimeoutSeconds?: number;
}

export interface ResolvedProviders {
  readonly providers: readonly Provider[];
  /** In order of providers; the guided tour is last. */
  readonly models: readonly Model[];
  readonly unready: readonly UnreadyProvider[];
  /** By provider. */
  readonly timeouts: ReadonlyMap<string, ProviderTimeouts>;
  /** For people; each names its place in the settings. */
  readonly problems: readonly string[];
}

/** What a model is assumed to have where neither catalogue, server nor settings say. */
const defaults = {
  contextWindow: 128_000,
  maxTokens: 8_192,
  input: ["text"],
  reasoning: false,
} as const;

/** The editor's own models: there is no address that one could set. */
const withoutAddress = "vscode";

/** `setting` is the value of `reins.providers`, unchecked; `found` what servers and the editor offer. Never throws. */
export function resolveProviders(setting: unknown, found: readonly Model[] = []): ResolvedProviders {
  const { settings, problems } = readProviderSettings(setting);
  const providers: Provider[] = [];
  const models: Model[] = [];
  const unready: UnreadyProvider[] = [];
  const ids = [
    ...catalogue.map(({ id }) => id),
    ...settings.keys(),
    ...found.map(({ provider }) => provider),
  ];
  for (const id of new Set(ids)) {
    const known = catalogue.find((provider) => provider.id === id);
    const own = settings.get(id) ?? {};
    // Whoever sets an address means another server than the one that was found.
    const theirs = isElsewhere(own) ? [] : found.filter((model) => model.provider === id);
    const provider = toProvider(id, known, own);
    if (provider) {
      providers.push(provider);
      models.push(...mergeModels(provider, known, own, theirs));
    } else if (theirs.length > 0 || id === withoutAddress) {
      models.push(...theirs.map((model) => overlay(model, own)));
    } else if (known?.address !== undefined) {
      unready.push({ id, name: known.name, address: known.address });
      if (settings.has(id)) problems.push(missingAddress(id, known.address));
    } else {
      problems.push(missingAddress(id, undefined));
    }
  }
  const timeouts = new Map([...settings].map(([id, own]) => [id, timeoutsOf(own)]));
  return { providers, models: [...models, tourModel], unready, timeouts, problems };
}

/**
 * The model of `<provider>/<model id>`. An id that is not listed works with what its name says of its family, else with
 * stated defaults (128,000 tokens of context, 8,192 of output), so that a new model needs no update. Undefined when the
 * provider is not known, or has no address yet.
 */
export function findModel(resolved: ResolvedProviders, ref: string): Model | undefined {
  const listed = resolved.models.find((model) => modelRef(model) === ref);
  if (listed) return listed;
  const { providerId, id } = splitRef(ref);
  const provider = resolved.providers.find((candidate) => candidate.id === providerId);
  return provider && id !== "" ? toModel(provider, { id }, unlistedFacts(providerId, id)) : undefined;
}

/** Whether looking again (for servers, for the editor's models) could find it, or tell more of it. */
export function mayBeFound(resolved: ResolvedProviders, ref: string): boolean {
  if (resolved.models.some((model) => modelRef(model) === ref)) return false;
  const { providerId, id } = splitRef(ref);
  const known = catalogue.find((provider) => provider.id === providerId);
  const provider = resolved.providers.find((candidate) => candidate.id === providerId);
  return (
    id !== "" && (provider === undefined || (known?.found === true && provider.baseUrl === known.baseUrl))
  );
}

/** How settings name a model. */
export function modelRef(model: Model): string {
  return `${model.provider}/${model.id}`;
}

/** The environment variable that holds a provider's key. */
export function envKeyName(provider: string): string {
  return `${provider.replace(/[^A-Za-z0-9]+/g, "_").toUpperCase()}_API_KEY`;
}

function splitRef(ref: string): { readonly providerId: string; readonly id: string } {
  const slash = ref.indexOf("/");
  return { providerId: ref.slice(0, Math.max(0, slash)), id: ref.slice(slash + 1) };
}

function missingAddress(id: string, address: string | undefined): string {
  const place = `reins.providers.${id}.baseUrl`;
  return `${place} is missing: set it to ${address ?? "the address of the server"}.`;
}

function isElsewhere(own: ProviderSettings): boolean {
  return own.baseUrl !== undefined || own.api !== undefined;
}

function toProvider(
  id: string,
  known: CatalogueProvider | undefined,
  own: ProviderSettings,
): Provider | undefined {
  const baseUrl = own.baseUrl ?? known?.baseUrl;
  if (baseUrl === undefined) return undefined;
  // A server of one's own under a known name is not the server the catalogue's flags are about.
  const inherited = isElsewhere(own) ? undefined : known?.compat;
  const compat = { ...inherited, ...own.compat };
  const keyHeader = own.keyHeader ?? known?.keyHeader;
  return {
    id,
    name: known?.name ?? id,
    api: own.api ?? known?.api ?? "openai-chat",
    baseUrl,
    ...(keyHeader && { keyHeader }),
    ...(own.headers && { headers: own.headers }),
    ...(own.query && { query: own.query }),
    ...(Object.keys(compat).length > 0 && { compat }),
  };
}

function mergeModels(
  provider: Provider,
  known: CatalogueProvider | undefined,
  own: ProviderSettings,
  found: readonly Model[],
): Model[] {
  const ownModels = own.models ?? [];
  const listed = (known?.models ?? []).map(({ compat, ...facts }) =>
    toModel(
      provider,
      ownModels.find(({ id }) => id === facts.id) ?? { id: facts.id },
      // As with the provider's flags: they are about its own server.
      compat && !isElsewhere(own) ? { ...facts, compat } : facts,
    ),
  );
  const seen = found
    .filter(({ id }) => !listed.some((model) => model.id === id))
    .map((model) => overlay(model, own));
  const added = ownModels
    .filter(({ id }) => ![...listed, ...seen].some((model) => model.id === id))
    .map((model) => toModel(provider, model, unlistedFacts(provider.id, model.id)));
  return [...listed, ...seen, ...added];
}

function toModel(provider: Provider, own: ModelSettings, known: Partial<CatalogueModel> | undefined): Model {
  const { id: providerId, name: _name, compat: providerCompat, ...wire } = provider;
  const compat = { ...providerCompat, ...known?.compat, ...own.compat };
  return {
    ...defaults,
    name: own.id,
    ...wire,
    ...known,
    ...own,
    provider: providerId,
    ...mergedTexts("headers", provider, own),
    ...mergedTexts("query", provider, own),
    ...(Object.keys(compat).length > 0 && { compat }),
  };
}

/** A model that was found, with what the user says of it and of its provider. */
function overlay(model: Model, own: ProviderSettings): Model {
  const settings: ModelSettings = own.models?.find(({ id }) => id === model.id) ?? { id: model.id };
  const compat = { ...model.compat, ...own.compat, ...settings.compat };
  return {
    ...model,
    ...(own.keyHeader && { keyHeader: own.keyHeader }),
    ...settings,
    ...mergedTexts("headers", own, settings),
    ...mergedTexts("query", own, settings),
    ...(Object.keys(compat).length > 0 && { compat }),
  };
}

type Texts = { readonly [name: string]: string };

function mergedTexts<Name extends "headers" | "query">(
  name: Name,
  provider: { readonly [Key in Name]?: Texts },
  model: { readonly [Key in Name]?: Texts },
): { readonly [Key in Name]?: Texts } {
  if (!provider[name] && !model[name]) return {};
  // One property, named by `name`.
  return { [name]: { ...provider[name], ...model[name] } } as { readonly [Key in Name]: Texts };
}

function unlistedFacts(providerId: string, id: string): Partial<CatalogueModel> | undefined {
  const known = catalogue.find((provider) => provider.id === providerId);
  const unlisted = known?.unlisted?.find((model) => model.id === id);
  return unlisted ?? known?.families?.find(({ pattern }) => pattern.test(id))?.like;
}

function timeoutsOf({ connectTimeoutSeconds, idleTimeoutSeconds }: ProviderSettings): ProviderTimeouts {
  return {
    ...(connectTimeoutSeconds !== undefined && { connectTimeoutSeconds }),
    ...(idleTimeoutSeconds !== undefined && { idleTimeoutSeconds }),
  };
}
