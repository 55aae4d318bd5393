// A selection of what OpenRouter passes on; every other id of its list works too. Data only. Sources, read 2026-12-01:
// openrouter.ai's model pages. No prices: they depend on who serves a request, and OpenRouter reports what it took.
import { lowToHigh, seeing } from "./provider-entry.ts";
import type { ThinkingLevel } from "../types.ts";
import type { CatalogueProvider } from "./provider-entry.ts";

const fromLow: readonly ThinkingLevel[] = ["low", "medium", "high", "xhigh"];

const claude = { contextWindow: 1_000_000, maxTokens: 128_000, input: seeing, reasoning: true } as const;
const gpt = { ...claude, contextWindow: 922_000 } as const;

export const openrouter: CatalogueProvider = {
  id: "openrouter",
  name: "OpenRouter",
  api: "openai-chat",
  baseUrl: "https://openrouter.ai/api/v1",
  compat: { thinkingFormat: "openrouter", reasoningDetails: true },
  models: [
    {
      ...claude,
      ...{ id: "anthropic/claude-sonnet-5.5", name: "Claude Sonnet 5.5" },
      thinkingLevels: ["off", ...fromLow],
    },
    { ...claude, id: "anthropic/claude-opus-5.5", name: "Claude Opus 5.5", thinkingLevels: fromLow },
    { ...gpt, id: "openai/gpt-6-sol", name: "GPT-6 Sol", thinkingLevels: ["off", ...fromLow] },
    {
      ...{ id: "google/gemini-4-carbon", name: "Gemini 4 Carbon", contextWindow: 1_048_576 },
      ...{ maxTokens: 65_536, input: seeing, reasoning: true, thinkingLevels: lowToHigh },
    },
  ],
  families: [
    { pattern: /^anthropic\/claude-[a-z]+-([5-9]|\d\d)/, like: { ...claude, thinkingLevels: fromLow } },
    { pattern: /^openai\/gpt-([6-9]|\d\d)/, like: { ...gpt, thinkingLevels: fromLow } },
  ],
};
