// Google's models at its OpenAI-compatible endpoint. Data only. Sources, read 2026-12-01: ai.google.dev/gemini-api/docs,
// the model pages, the price page and the page on OpenAI compatibility (Gemini 4 Neon of 2026-11-18; Argon's and Carbon's
// prices of 2026-12-01 on). Left out: Gemini 3.8 Flash's price, which changes on 2027-01-01, and the level `xhigh`, which
// the endpoint's page does not have. Cache writes are not charged beyond the input.
import { lowToHigh, seeing } from "./provider-entry.ts";
import type { CatalogueModel, CatalogueProvider } from "./provider-entry.ts";

/** Of Gemini 4 the window is shared by input and output, and one response ends at the given number. */
const gemini = {
  contextWindow: 1_048_576,
  maxTokens: 65_536,
  input: seeing,
  // A request with data in it has at most 20 MB, and GIF is not among the types.
  imageLimits: { maxTotalLength: 16_000_000, types: ["image/png", "image/jpeg", "image/webp"] },
  reasoning: true,
  thinkingLevels: lowToHigh,
} as const;

export const google: CatalogueProvider = {
  id: "google",
  name: "Google",
  api: "openai-chat",
  baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
  compat: { reasoningEffort: true, thoughtSignatures: true },
  models: [
    priced("gemini-4-argon", "Gemini 4 Argon", [4, 20, 0.2]),
    priced("gemini-4-carbon", "Gemini 4 Carbon", [4, 20, 0.2]),
    priced("gemini-4-neon", "Gemini 4 Neon", [3, 15, 0.15]),
    priced("gemini-4-hydrogen", "Gemini 4 Hydrogen", [1.5, 7.5, 0.075]),
    { ...gemini, id: "gemini-3.8-flash", name: "Gemini 3.8 Flash" },
    {
      ...gemini,
      id: "gemini-3.1-pro-preview",
      name: "Gemini 3.1 Pro",
      price: {
        ...{ input: 2, output: 12, cacheRead: 0.2, cacheWrite: 2 },
        longContext: { above: 200_000, input: 4, output: 18, cacheRead: 0.4, cacheWrite: 4 },
      },
    },
  ],
  families: [{ pattern: /^gemini-([3-9]|\d\d)/, like: gemini }],
};

function priced(
  id: string,
  name: string,
  [input, output, cacheRead]: [number, number, number],
): CatalogueModel {
  return { ...gemini, id, name, price: { input, output, cacheRead, cacheWrite: input } };
}
