// How a thinking level becomes fields of a Chat Completions request, for each way in which servers are told to think, and
// how thinking that came as a list of details goes back.
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { clampThinkingLevel, effortFor } from "../thinking-level.ts";
import type { Model, ThinkingBlock, ThinkingLevel } from "../types.ts";

type Efforts = { readonly [Level in ThinkingLevel]?: string };

/** Compatible servers know three levels; off is the absence of the field. */
const threeEfforts: Efforts = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "high",
  max: "high",
};

/** https://openrouter.ai/docs/use-cases/reasoning-tokens, 2026-11. */
const openRouterEfforts: Efforts = {
  off: "none",
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
  max: "xhigh",
};

/** https://api-docs.deepseek.com/guides/thinking_mode, 2026-11. */
const deepSeekEfforts: Efforts = {
  minimal: "low",
  low: "low",
  medium: "high",
  high: "high",
  xhigh: "high",
  max: "max",
};

/** Fields of a request; not all of them are known to the SDK. */
export function chatThinking(
  model: Model,
  wish: ThinkingLevel | undefined,
): Partial<ChatCompletionCreateParamsStreaming> {
  const { thinkingFormat, reasoningEffort } = model.compat ?? {};
  if (!model.reasoning || (!thinkingFormat && !reasoningEffort)) return {};
  const level = clampThinkingLevel(model, wish);
  return fields(model, level, thinkingFormat);
}

function fields(
  model: Model,
  level: ThinkingLevel,
  format: "openrouter" | "deepseek" | undefined,
): Record<string, unknown> {
  if (format === "openrouter") return { reasoning: { effort: effortFor(model, level, openRouterEfforts) } };
  const effort = effortFor(model, level, format === "deepseek" ? deepSeekEfforts : threeEfforts);
  return {
    ...(format === "deepseek" && { thinking: { type: level === "off" ? "disabled" : "enabled" } }),
    ...(effort !== undefined && { reasoning_effort: effort }),
  };
}

/** The lists in which the thinking of one answer arrived, as one; nothing when it came as text only. */
export function reasoningDetails(thinking: readonly ThinkingBlock[]): { reasoning_details?: unknown[] } {
  const details = thinking.flatMap(({ thinkingSignature }) => parsedList(thinkingSignature));
  return details.length > 0 ? { reasoning_details: details } : {};
}

function parsedList(signature: string | undefined): unknown[] {
  try {
    const list: unknown = JSON.parse(signature ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    // A signature of another kind: there is nothing to send back.
    return [];
  }
}
