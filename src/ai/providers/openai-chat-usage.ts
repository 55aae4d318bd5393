// Token counts of a Chat Completions server as disjoint parts: the prompt includes what was cached, and some servers
// leave reasoning out of the completion.
import type { UsageParts } from "../usage.ts";
import { count, object } from "./read-json.ts";

export function chatUsage(usage: unknown): UsageParts {
  const details = object(usage, "prompt_tokens_details");
  const cacheRead =
    count(details, "cached_tokens") ||
    count(usage, "prompt_cache_hit_tokens") ||
    count(usage, "cached_tokens");
  const cacheWrite = count(details, "cache_write_tokens");
  const prompt = count(usage, "prompt_tokens");
  return {
    input: Math.max(0, prompt - cacheRead - cacheWrite),
    output: outputTokens(usage, prompt),
    cacheRead,
    cacheWrite,
  };
}

function outputTokens(usage: unknown, prompt: number): number {
  const completion = count(usage, "completion_tokens");
  const reasoning = count(object(usage, "completion_tokens_details"), "reasoning_tokens");
  const apart = count(usage, "total_tokens") === prompt + completion + reasoning;
  return apart ? completion + reasoning : completion;
}
