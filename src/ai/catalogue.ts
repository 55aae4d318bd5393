// The models that are known without any setting: reference, 2026-11, from the providers' public model and price pages.
// US dollars per million tokens; a price that varies by time of day or is not certain is left out. Data only.
import { anthropicBaseUrl, openAiBaseUrl } from "./provider-host.ts";
import type { Api, Model, OpenAiChatCompat, Price, ThinkingLevel } from "./types.ts";

/** A model without what its provider says once for all of its models. */
export type CatalogueModel = Omit<Model, "provider" | "api" | "baseUrl" | "headers">;

export interface CatalogueProvider {
  /** As settings and secrets spell it. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly api: Api;
  readonly baseUrl: string;
  readonly compat?: OpenAiChatCompat;
  readonly models: readonly CatalogueModel[];
}

const seeing = ["text", "image"] as const;
const textOnly = ["text"] as const;
const thinkingFromLow: readonly ThinkingLevel[] = ["low", "medium", "high", "xhigh", "max"];
const threeLevels: readonly ThinkingLevel[] = ["low", "medium", "high"];

const claude = { contextWindow: 1_000_000, maxTokens: 128_000, input: seeing, reasoning: true } as const;

const anthropic: CatalogueProvider = {
  id: "anthropic",
  name: "Anthropic",
  api: "anthropic-messages",
  baseUrl: anthropicBaseUrl,
  models: [
    {
      ...claude,
      id: "claude-opus-5-5",
      name: "Claude Opus 5.5",
      thinking: "adaptive",
      thinkingLevels: thinkingFromLow,
      price: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
    },
    {
      ...claude,
      id: "claude-sonnet-5-5",
      name: "Claude Sonnet 5.5",
      thinking: "between_tools",
      price: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
    },
    {
      ...claude,
      id: "claude-haiku-5-5",
      name: "Claude Haiku 5.5",
      thinking: "adaptive",
      price: {
        ...{ input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
        longContext: { above: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
      },
    },
    {
      ...claude,
      id: "claude-fable-5-1",
      name: "Claude Fable 5.1",
      thinking: "adaptive",
      thinkingLevels: thinkingFromLow,
      price: { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 },
    },
    {
      ...claude,
      id: "claude-opus-5",
      name: "Claude Opus 5",
      thinking: "adaptive",
      price: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    },
    {
      ...claude,
      id: "claude-haiku-4-5",
      name: "Claude Haiku 4.5",
      contextWindow: 200_000,
      maxTokens: 64_000,
      thinking: "budget",
      price: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    },
  ],
};

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

const openai: CatalogueProvider = {
  id: "openai",
  name: "OpenAI",
  // Its current models refuse function tools in Chat Completions.
  api: "openai-responses",
  baseUrl: openAiBaseUrl,
  models: [
    {
      ...gpt,
      id: "gpt-6.2-sol",
      name: "GPT-6.2 Sol",
      thinkingLevels: thinkingFromLow,
      price: gptPrice(2, 10, 0.1),
    },
    { ...gpt, id: "gpt-6.2-astra", name: "GPT-6.2 Astra", thinkingLevels: thinkingFromLow },
    { ...gpt, id: "gpt-6.1-terra", name: "GPT-6.1 Terra", price: gptPrice(1, 5, 0.05) },
    { ...gpt, id: "gpt-6-luna", name: "GPT-6 Luna", price: gptPrice(0.1, 0.5, 0.01) },
  ],
};

const google: CatalogueProvider = {
  id: "google",
  name: "Google",
  api: "openai-chat",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
  compat: { reasoningEffort: true, thoughtSignatures: true },
  models: [
    gemini("gemini-3.8-flash", "Gemini 3.8 Flash"),
    gemini("gemini-3.6-flash", "Gemini 3.6 Flash"),
    gemini("gemini-3.1-pro-preview", "Gemini 3.1 Pro"),
  ],
};

function gemini(id: string, name: string): CatalogueModel {
  return {
    ...{ id, name, contextWindow: 1_048_576, maxTokens: 65_536, input: seeing },
    reasoning: true,
    thinkingLevels: threeLevels,
  };
}

const deepseek: CatalogueProvider = {
  id: "deepseek",
  name: "DeepSeek",
  api: "openai-chat",
  baseUrl: "https://api.deepseek.com",
  compat: { reasoningEffort: true, reasoningField: "reasoning_content" },
  models: [
    {
      ...{ id: "deepseek-flash", name: "DeepSeek V4.1 Flash", contextWindow: 1_000_000, maxTokens: 384_000 },
      input: seeing,
      reasoning: true,
      thinkingLevels: ["low", "high"],
    },
    {
      ...{ id: "deepseek-v4-pro", name: "DeepSeek V4 Pro", contextWindow: 1_000_000, maxTokens: 384_000 },
      input: textOnly,
      reasoning: true,
      thinkingLevels: ["high"],
    },
  ],
};

const xai: CatalogueProvider = {
  id: "xai",
  name: "xAI",
  api: "openai-chat",
  baseUrl: "https://api.x.ai/v1",
  compat: { reasoningEffort: true },
  models: [
    {
      ...{ id: "grok-4.6", name: "Grok 4.6", contextWindow: 500_000, maxTokens: 32_768 },
      input: seeing,
      reasoning: true,
      thinkingLevels: threeLevels,
    },
    {
      ...{ id: "grok-4.3", name: "Grok 4.3", contextWindow: 1_000_000, maxTokens: 32_768 },
      input: textOnly,
      reasoning: true,
      thinkingLevels: threeLevels,
    },
  ],
};

const mistral: CatalogueProvider = {
  id: "mistral",
  name: "Mistral",
  api: "openai-chat",
  baseUrl: "https://api.mistral.ai/v1",
  compat: { shortToolCallIds: true, streamUsage: false },
  models: [
    {
      ...{ id: "devstral-medium-latest", name: "Devstral Medium", contextWindow: 262_144, maxTokens: 32_768 },
      input: textOnly,
      reasoning: false,
      price: { input: 0.4, output: 2, cacheRead: 0.4, cacheWrite: 0.4 },
    },
    {
      ...{ id: "codestral-latest", name: "Codestral", contextWindow: 256_000, maxTokens: 32_768 },
      input: textOnly,
      reasoning: false,
      price: { input: 0.3, output: 0.9, cacheRead: 0.3, cacheWrite: 0.3 },
    },
  ],
};

const groq: CatalogueProvider = {
  id: "groq",
  name: "Groq",
  api: "openai-chat",
  baseUrl: "https://api.groq.com/openai/v1",
  compat: { reasoningEffort: true },
  models: [
    {
      ...{ id: "openai/gpt-oss-120b", name: "GPT-OSS 120B", contextWindow: 131_072, maxTokens: 65_536 },
      input: textOnly,
      reasoning: true,
      thinkingLevels: threeLevels,
    },
    {
      ...{ id: "openai/gpt-oss-20b", name: "GPT-OSS 20B", contextWindow: 131_072, maxTokens: 65_536 },
      input: textOnly,
      reasoning: true,
      thinkingLevels: threeLevels,
    },
  ],
};

const openrouter: CatalogueProvider = {
  id: "openrouter",
  name: "OpenRouter",
  api: "openai-chat",
  baseUrl: "https://openrouter.ai/api/v1",
  compat: { reasoningEffort: true },
  models: [
    {
      ...{ id: "anthropic/claude-sonnet-5.5", name: "Claude Sonnet 5.5", contextWindow: 1_000_000 },
      ...{ maxTokens: 128_000, input: seeing, reasoning: true },
    },
    {
      ...{ id: "openai/gpt-6.1-terra", name: "GPT-6.1 Terra", contextWindow: 922_000 },
      ...{ maxTokens: 128_000, input: seeing, reasoning: true },
    },
    {
      ...{ id: "deepseek/deepseek-v4.1-flash", name: "DeepSeek V4.1 Flash", contextWindow: 1_000_000 },
      ...{ maxTokens: 65_536, input: textOnly, reasoning: true },
    },
  ],
};

export const catalogue: readonly CatalogueProvider[] = [
  anthropic,
  openai,
  google,
  deepseek,
  xai,
  mistral,
  groq,
  openrouter,
];
