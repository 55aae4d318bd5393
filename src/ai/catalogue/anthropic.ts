// Anthropic's models. Data only. Sources, read 2026-12-01: platform.claude.com/docs, the model overviews and the price
// page (Fable 5.2 of 2026-11-09; Haiku 5.5 and Sonnet 5.5's cache reads of 2026-10-07). Cache writes are those of five
// minutes.
import { anthropicBaseUrl } from "../provider-host.ts";
import { fromLow, seeing, withOff } from "./provider-entry.ts";
import type { CatalogueProvider } from "./provider-entry.ts";

const claude = {
  contextWindow: 1_000_000,
  maxTokens: 128_000,
  input: seeing,
  reasoning: true,
  laterSystemMessages: true,
} as const;

/** Not every one of them takes system messages later on. */
const older = { ...claude, laterSystemMessages: false } as const;

export const anthropic: CatalogueProvider = {
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
      thinkingLevels: fromLow,
      price: { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 },
    },
    {
      ...claude,
      id: "claude-sonnet-5-5",
      name: "Claude Sonnet 5.5",
      thinking: "between_tools",
      thinkingLevels: withOff,
      price: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
    },
    {
      ...claude,
      id: "claude-haiku-5-5",
      name: "Claude Haiku 5.5",
      thinking: "adaptive",
      thinkingLevels: withOff,
      price: {
        ...{ input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
        longContext: { above: 100_000, input: 0.5, output: 2.5, cacheRead: 0.05, cacheWrite: 0.625 },
      },
    },
    {
      ...claude,
      id: "claude-fable-5-2",
      name: "Claude Fable 5.2",
      thinking: "adaptive",
      thinkingLevels: fromLow,
      price: { input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10 },
    },
    {
      ...claude,
      id: "claude-fable-5-1",
      name: "Claude Fable 5.1",
      thinking: "adaptive",
      thinkingLevels: fromLow,
      price: { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5 },
    },
    {
      ...claude,
      id: "claude-opus-5",
      name: "Claude Opus 5",
      thinking: "adaptive",
      thinkingLevels: withOff,
      price: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
    },
    {
      ...claude,
      id: "claude-haiku-4-5",
      name: "Claude Haiku 4.5",
      contextWindow: 200_000,
      maxTokens: 64_000,
      thinking: "budget",
      laterSystemMessages: false,
      price: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
    },
  ],
  families: [
    // Whether thinking can be switched off differs from model to model; an effort is what all of them take.
    {
      pattern: /^claude-[a-z]+-([5-9]|\d\d)(-|$)/,
      like: { ...older, thinking: "adaptive", thinkingLevels: fromLow },
    },
    {
      pattern: /^claude-(opus|sonnet)-4-[6-9](-|$)/,
      like: { ...older, maxTokens: 64_000, thinking: "adaptive", thinkingLevels: withOff },
    },
    {
      pattern: /^claude-(opus|sonnet|haiku)-4(-|$)/,
      like: { ...older, contextWindow: 200_000, maxTokens: 32_000, thinking: "budget" },
    },
  ],
};
