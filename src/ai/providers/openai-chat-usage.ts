// Token counts of a Chat Completions server as disjoint parts, and what it charged: the prompt includes what was cached, and
// some servers leave reasoning out of the completion.
import type { UsageParts } from "../usage.ts";
import { count, field, object } from "./read-json.ts";

export function chatUsage(usage: unknown): UsageParts {
  const details = object(usage, "prompt_tokens_details") ?? object(usage, "input_tokens_details");
  const prompt = count(usage, "prompt_tokens") || count(usage, "input_tokens");
  // DeepSeek, Moonshot, and LiteLLM in front of Anthropic have their own fields for it.
  const cacheRead =
    count(details, "cached_tokens") ||
    count(usage, "prompt_cache_hit_tokens") ||
    count(usage, "cached_tokens") ||
    count(usage, "cache_read_input_tokens");
  const cacheWrite = count(details, "cache_write_tokens") || count(usage, "cache_creation_input_tokens");
  return {
    input: Math.max(0, prompt - cacheRead - cacheWrite),
    output: outputTokens(usage, prompt),
    cacheRead,
    cacheWrite,
  };
}

function outputTokens(usage: unknown, prompt: number): number {
  const completion = count(usage, "completion_tokens") || count(usage, "output_tokens");
  const total = count(usage, "total_tokens");
  if (completion === 0) return Math.max(0, total - prompt);
  const reasoning = count(object(usage, "completion_tokens_details"), "reasoning_tokens");
  return total === prompt + completion + reasoning ? completion + reasoning : completion;
}

/** xAI counts in these: https://docs.x.ai/developers/cost-tracking, read 2026-12-01. */
const ticksPerDollar = 1e10;

/** What the provider says that it charged, in US dollars; undefined when it does not say, or nothing sensible. */
export function chargedDollars(usage: unknown): number | undefined {
  const ticks = field(usage, "cost_in_usd_ticks");
  // OpenRouter (https://openrouter.ai/docs/use-cases/usage-accounting, read 2026-12-01) and DeepInfra.
  const dollars =
    typeof ticks === "number"
      ? ticks / ticksPerDollar
      : (field(usage, "cost") ?? field(usage, "estimated_cost"));
  return typeof dollars === "number" && Number.isFinite(dollars) && dollars >= 0 ? dollars : undefined;
}
