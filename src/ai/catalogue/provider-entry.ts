// The shape of the catalogue's entries, and what several of them share. The entries are beside it, one file per family.
import type { Api, Model, OpenAiChatCompat, ThinkingLevel } from "../types.ts";

/** A model without what its provider says once for all of its models. */
export type CatalogueModel = Omit<Model, "provider" | "api" | "baseUrl" | "headers" | "query" | "keyHeader">;

/** What an id that is not listed is taken for, by its name. */
export interface ModelFamily {
  readonly pattern: RegExp;
  readonly like: Partial<Omit<CatalogueModel, "id" | "name" | "price">>;
}

export interface CatalogueProvider {
  /** As settings and secrets spell it. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly api: Api;
  /** Without a trailing slash. Absent: everybody has their own; `address` says how it looks. */
  readonly baseUrl?: string;
  /** How the address looks that the user has to set, where everybody has their own. */
  readonly address?: string;
  readonly keyHeader?: Model["keyHeader"];
  readonly compat?: OpenAiChatCompat;
  readonly models: readonly CatalogueModel[];
  /** Facts of models that are known but not listed, because which of them there are is the user's to say. */
  readonly unlisted?: readonly CatalogueModel[];
  /** The first that matches counts; without one the general defaults hold. */
  readonly families?: readonly ModelFamily[];
  /** Its models are found by looking (a server on this machine). */
  readonly found?: boolean;
}

export const seeing = ["text", "image"] as const;
export const textOnly = ["text"] as const;

/** Of models that always think. */
export const fromLow: readonly ThinkingLevel[] = ["low", "medium", "high", "xhigh", "max"];
export const withOff: readonly ThinkingLevel[] = ["off", ...fromLow];
export const lowToHigh: readonly ThinkingLevel[] = ["low", "medium", "high"];
