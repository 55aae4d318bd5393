// The guided tour as a model one can choose. `providers/scripted.ts` plays it.
import type { Model } from "./types.ts";

export const tourModel: Model = {
  provider: "scripted",
  id: "tour",
  name: "Guided tour",
  api: "scripted",
  contextWindow: 200_000,
  maxTokens: 8_192,
  input: ["text"],
  reasoning: false,
  price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
};
