// The providers and models that are known without any setting. The facts are data, one file per family in `catalogue/`;
// what is not certain is left out there.
import { anthropic } from "./catalogue/anthropic.ts";
import { deepseek, groq, mistral, xai } from "./catalogue/compatible.ts";
import { google } from "./catalogue/google.ts";
import { localServers } from "./catalogue/local.ts";
import { azure, openai } from "./catalogue/openai.ts";
import { openrouter } from "./catalogue/openrouter.ts";
import type { CatalogueProvider } from "./catalogue/provider-entry.ts";

/** In the order in which they are offered. */
export const catalogue: readonly CatalogueProvider[] = [
  anthropic,
  openai,
  google,
  deepseek,
  xai,
  mistral,
  groq,
  openrouter,
  azure,
  ...localServers,
];
