// Providers that speak OpenAI's Chat Completions. Data only. Sources, read 2026-12-01, all public documentation:
// api-docs.deepseek.com (prices left out: they change with the hour), docs.x.ai (no output limit is named, so the figure
// is ours), docs.mistral.ai and its price page (Large 4's price left out: it is a preview's), console.groq.com/docs.
// GitHub Models is not among them: GitHub ended it on 2026-07-30.
import type { Price } from "../types.ts";
import { lowToHigh, seeing, textOnly } from "./provider-entry.ts";
import type { CatalogueProvider } from "./provider-entry.ts";

const deepseekFacts = { contextWindow: 1_000_000, maxTokens: 384_000, reasoning: true } as const;

export const deepseek: CatalogueProvider = {
  id: "deepseek",
  name: "DeepSeek",
  api: "openai-chat",
  baseUrl: "https://api.deepseek.com",
  compat: { thinkingFormat: "deepseek", reasoningField: "reasoning_content" },
  models: [
    {
      ...deepseekFacts,
      ...{ id: "deepseek-flash", name: "DeepSeek V4.1 Flash", input: seeing },
      thinkingLevels: ["off", "low", "high", "max"],
    },
    {
      ...deepseekFacts,
      ...{ id: "deepseek-v4-pro", name: "DeepSeek V4 Pro", input: textOnly },
      thinkingLevels: ["off", "high", "max"],
    },
  ],
};

const grokLevels = {
  thinkingLevels: ["low", "medium", "high", "xhigh"],
  thinkingEfforts: { xhigh: "xhigh" },
} as const;

const grokFacts = {
  maxTokens: 32_768,
  input: seeing,
  imageLimits: { types: ["image/png", "image/jpeg"] },
  reasoning: true,
} as const;

export const xai: CatalogueProvider = {
  id: "xai",
  name: "xAI",
  api: "openai-chat",
  baseUrl: "https://api.x.ai/v1",
  compat: { reasoningEffort: true, sessionHeader: "x-grok-conv-id" },
  models: [
    {
      ...grokFacts,
      ...{ id: "grok-4.7", name: "Grok 4.7", contextWindow: 500_000 },
      ...grokLevels,
      price: grokPrice(2, 6, 0.5),
    },
    {
      ...grokFacts,
      ...{ id: "grok-4.6", name: "Grok 4.6", contextWindow: 500_000 },
      ...grokLevels,
      price: grokPrice(2, 6, 0.5),
    },
    {
      ...grokFacts,
      ...{ id: "grok-4.3", name: "Grok 4.3", contextWindow: 1_000_000 },
      thinkingLevels: lowToHigh,
      price: grokPrice(1.25, 2.5, 0.2),
    },
  ],
};

/** From 200,000 tokens of input on, the whole request costs twice as much. */
function grokPrice(input: number, output: number, cacheRead: number): Price {
  const rates = { input, output, cacheRead, cacheWrite: input };
  return {
    ...rates,
    longContext: {
      above: 199_999,
      ...{ input: input * 2, output: output * 2, cacheRead: cacheRead * 2, cacheWrite: input * 2 },
    },
  };
}

const thinkingOrNot = {
  reasoning: true,
  thinkingLevels: ["off", "high"],
  thinkingEfforts: { off: "none" },
  compat: { reasoningEffort: true },
} as const;

export const mistral: CatalogueProvider = {
  id: "mistral",
  name: "Mistral",
  api: "openai-chat",
  baseUrl: "https://api.mistral.ai/v1",
  compat: { shortToolCallIds: true, alternatingRoles: true, streamUsage: false },
  models: [
    {
      ...{ id: "mistral-medium-latest", name: "Mistral Medium 3.5", contextWindow: 262_144 },
      ...{ maxTokens: 131_072, input: seeing },
      ...thinkingOrNot,
      price: { input: 1.5, output: 7.5, cacheRead: 0.15, cacheWrite: 1.5 },
    },
    {
      ...{ id: "mistral-large-4", name: "Mistral Large 4", contextWindow: 1_048_576 },
      ...{ maxTokens: 262_144, input: seeing },
      ...thinkingOrNot,
    },
    {
      ...{ id: "codestral-latest", name: "Codestral", contextWindow: 256_000, maxTokens: 32_768 },
      ...{ input: textOnly, reasoning: false },
      price: { input: 0.3, output: 0.9, cacheRead: 0.3, cacheWrite: 0.3 },
    },
  ],
};

const ossFacts = {
  contextWindow: 131_072,
  maxTokens: 65_536,
  input: textOnly,
  reasoning: true,
  thinkingLevels: lowToHigh,
} as const;

export const groq: CatalogueProvider = {
  id: "groq",
  name: "Groq",
  api: "openai-chat",
  baseUrl: "https://api.groq.com/openai/v1",
  compat: { reasoningEffort: true },
  models: [
    {
      ...ossFacts,
      ...{ id: "openai/gpt-oss-120b", name: "GPT-OSS 120B" },
      price: { input: 0.15, output: 0.6, cacheRead: 0.075, cacheWrite: 0.15 },
    },
    {
      ...ossFacts,
      ...{ id: "openai/gpt-oss-20b", name: "GPT-OSS 20B" },
      price: { input: 0.075, output: 0.3, cacheRead: 0.0375, cacheWrite: 0.075 },
    },
    {
      ...{ id: "qwen/qwen3.8-27b", name: "Qwen 3.8 27B", contextWindow: 131_042, maxTokens: 16_384 },
      ...{ input: seeing, reasoning: true, thinkingLevels: ["off", "high"] },
      thinkingEfforts: { off: "none", high: "default" },
      // A request with images has at most 4 MB, and five of them.
      imageLimits: { maxLength: 3_000_000, maxCount: 5, maxTotalLength: 3_000_000 },
      price: { input: 0.8, output: 4, cacheRead: 0.4, cacheWrite: 0.8 },
    },
  ],
};
