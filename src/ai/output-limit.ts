// How many output tokens a request may ask for without its input and output together exceeding the context window.
import type { Model } from "./types.ts";

/** Room for the error of the input estimate. */
const minMargin = 4_096;
const comfortable = 32_768;

/** At least 1. `inputTokens` is an estimate; `requested` defaults to the model's maximum. */
export function outputLimit(model: Model, inputTokens: number, requested?: number): number {
  const wanted = Math.min(requested ?? model.maxTokens, model.maxTokens);
  const careful = model.contextWindow - inputTokens - Math.max(minMargin, Math.ceil(inputTokens * 0.15));
  const room =
    careful >= comfortable
      ? careful
      : Math.max(careful, Math.min(comfortable, model.contextWindow - inputTokens - minMargin));
  return Math.max(1, Math.min(wanted, room));
}
