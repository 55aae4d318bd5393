// OpenAI's models, at OpenAI and at Azure. Data only. Sources, read 2026-12-01: developers.openai.com/api/docs, the model
// pages and the price page (GPT-6.2 of 2026-11-17); learn.microsoft.com, Azure OpenAI's v1 API.
import { openAiBaseUrl } from "../provider-host.ts";
import type { Price } from "../types.ts";
import { fromLow, lowToHigh, seeing, withOff } from "./provider-entry.ts";
import type { CatalogueModel, CatalogueProvider, ModelFamily } from "./provider-entry.ts";

/** The window is what may be sent; above 272,000 tokens of input the whole request costs more. */
const gpt = { contextWindow: 922_000, maxTokens: 128_000, input: seeing, reasoning: true } as const;

function gptPrice(input: number, output: number, cacheRead: number): Price {
  const cacheWrite = input * 1.25;
  return {
    ...{ input, output, cacheRead, cacheWrite },
    longContext: {
      above: 272_000,
      input: input * 2,
      output: output * 1.5,
      cacheRead: cacheRead * 2,
      cacheWrite: cacheWrite * 2,
    },
  };
}

const models: readonly CatalogueModel[] = [
  {
    ...gpt,
    id: "gpt-6.2-sol",
    name: "GPT-6.2 Sol",
    thinkingLevels: fromLow,
    price: gptPrice(2, 10, 0.1),
  },
  {
    ...gpt,
    id: "gpt-6.2-astra",
    name: "GPT-6.2 Astra",
    thinkingLevels: fromLow,
    price: gptPrice(8, 40, 0.4),
  },
  {
    ...gpt,
    id: "gpt-6.1-terra",
    name: "GPT-6.1 Terra",
    thinkingLevels: withOff,
    price: gptPrice(1, 5, 0.05),
  },
  {
    ...gpt,
    id: "gpt-6-luna",
    name: "GPT-6 Luna",
    thinkingLevels: withOff,
    price: gptPrice(0.1, 0.5, 0.01),
  },
];

const families: readonly ModelFamily[] = [
  { pattern: /^gpt-([6-9]|\d\d)/, like: { ...gpt, thinkingLevels: fromLow } },
  { pattern: /^gpt-5/, like: { ...gpt, contextWindow: 272_000, thinkingLevels: lowToHigh } },
  {
    pattern: /^o\d/,
    like: { ...gpt, contextWindow: 200_000, maxTokens: 100_000, thinkingLevels: lowToHigh },
  },
];

export const openai: CatalogueProvider = {
  id: "openai",
  name: "OpenAI",
  // Its current models refuse function tools in Chat Completions, or thinking together with them.
  api: "openai-responses",
  baseUrl: openAiBaseUrl,
  models,
  families,
};

/** A model's id is the name of a deployment; one that is named like its model is known by that. */
export const azure: CatalogueProvider = {
  id: "azure",
  name: "Azure OpenAI",
  api: "openai-responses",
  address: "https://<resource>.openai.azure.com/openai/v1",
  keyHeader: "api-key",
  models: [],
  // What a deployment costs depends on its kind and region.
  unlisted: models.map(({ price: _price, ...model }) => model),
  families,
};
