// How a thinking level becomes parameters of the Messages API, for each way in which its models are told to think.
import type {
  MessageCreateParamsStreaming,
  OutputConfig,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { ReplayedTurn } from "../replay.ts";
import { effortFor } from "../thinking-level.ts";
import type { Model, ThinkingLevel } from "../types.ts";

export interface ThinkingRequest {
  readonly model: Model;
  readonly level: ThinkingLevel;
  /** Output tokens that fit, thinking included. */
  readonly limit: number;
  readonly turns: readonly ReplayedTurn[];
}

type ThinkingParams = Pick<MessageCreateParamsStreaming, "max_tokens" | "thinking" | "output_config">;

/** The least that must be left for the answer. */
const minAnswer = 1_024;

const budgets: Readonly<Record<Exclude<ThinkingLevel, "off">, number>> = {
  minimal: 1_024,
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
};

const efforts: Readonly<Record<Exclude<ThinkingLevel, "off">, NonNullable<OutputConfig["effort"]>>> = {
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
  max: "max",
};

export function thinkingParams(request: ThinkingRequest): ThinkingParams {
  const { model, level, limit } = request;
  if (!model.reasoning) return { max_tokens: limit };
  const mode = model.thinking ?? "budget";
  if (mode === "budget") return budgetParams(request);
  if (level !== "off") {
    return {
      max_tokens: limit,
      thinking: { type: "adaptive", display: "summarized" },
      // The model's own word is what its API takes, whether the SDK knows it yet or not.
      output_config: { effort: effortFor(model, level, efforts) as NonNullable<OutputConfig["effort"]> },
    };
  }
  return { max_tokens: limit, thinking: { type: mode === "adaptive" ? "disabled" : "between_tools" } };
}

function budgetParams({ level, limit, turns }: ThinkingRequest): ThinkingParams {
  if (level === "off" || continuesWithoutThinking(turns)) return { max_tokens: limit };
  // In steps, since another budget makes everything that is cached of the messages worthless.
  const fitting = Object.values(budgets).filter(
    (budget) => budget <= Math.min(budgets[level], limit - minAnswer),
  );
  const budget = Math.max(0, ...fitting);
  if (budget === 0) return { max_tokens: limit };
  return { max_tokens: limit, thinking: { type: "enabled", budget_tokens: budget } };
}

/** With a budget, the turn whose tool results are being sent must begin with thinking, or the API refuses. */
function continuesWithoutThinking(turns: readonly ReplayedTurn[]): boolean {
  if (turns.at(-1)?.role !== "results") return false;
  const caller = turns.at(-2);
  return caller?.role === "assistant" && caller.content[0]?.type !== "thinking";
}
