// How a request says who asks: the key in the header where the server wants it, what every address carries, and what the
// SDKs are not to do themselves. Keys and base URLs of the environment are not used.
import { ProviderError } from "../errors.ts";
import { anthropicBaseUrl, baseUrlOf, openAiBaseUrl } from "../provider-host.ts";
import type { Model } from "../types.ts";
import type { ProviderRun } from "./provider.ts";

/** Larger than any response takes: the limits of `response-guard.ts` are the only clocks. */
const sdkTimeoutMs = 2_000_000_000;

/** A stand-in for servers that need no key; the SDKs insist on one. It is never sent. */
const noKey = "no-key";

export interface ClientOptions extends Access {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly maxRetries: 0;
  readonly timeout: number;
  readonly logLevel: "off";
  readonly dangerouslyAllowBrowser: boolean;
  readonly fetch: typeof fetch;
}

interface Access {
  /** Null: a header that the SDK would set, and that must not be sent. */
  readonly defaultHeaders: { [name: string]: string | null };
  readonly defaultQuery?: { [name: string]: string };
}

/** What each SDK's client is opened with. Throws a ProviderError where a key is needed and there is none. */
export function clientOptions({ model, options, wire, web }: ProviderRun): ClientOptions {
  const baseURL = baseUrlOf(model);
  const official = { [anthropicBaseUrl]: "Anthropic", [openAiBaseUrl]: "OpenAI" }[baseURL];
  if (!options.apiKey && official !== undefined) {
    throw new ProviderError("auth", `There is no API key for ${official}. Set one, or choose another model.`);
  }
  return {
    ...{ baseURL, apiKey: options.apiKey || noKey, maxRetries: 0, timeout: sdkTimeoutMs },
    ...{ logLevel: "off", dangerouslyAllowBrowser: web, fetch: wire.fetch },
    ...accessOf(model, options.apiKey),
  };
}

/** Headers of the model count more than the key's own. */
function accessOf(model: Model, apiKey: string | undefined): Access {
  const { headers, query } = model;
  const usual = model.api === "anthropic-messages" ? "x-api-key" : "authorization";
  const keyHeader = model.keyHeader ?? usual;
  const key = keyHeader === "authorization" ? `Bearer ${apiKey}` : apiKey;
  return {
    defaultHeaders: { authorization: null, ...(apiKey && { [keyHeader]: key }), ...headers },
    ...(query && { defaultQuery: { ...query } }),
  };
}
