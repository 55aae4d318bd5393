// A request as the Responses API wants it: stateless, with the model's own encrypted reasoning sent back.
import type {
  FunctionTool,
  ResponseCreateParamsStreaming,
  ResponseInputContent,
  ResponseInputItem,
} from "openai/resources/responses/responses";
import type { ReasoningEffort } from "openai/resources/shared";
import { isJsonObject } from "../../shared/json.ts";
import { openAiImageLimits } from "../image-limits.ts";
import { outputLimit } from "../output-limit.ts";
import { replay } from "../replay.ts";
import type { ContentBlock, ReplayedResult, ReplayedTurn } from "../replay.ts";
import { replaySystem } from "../system.ts";
import { clampThinkingLevel, effortFor } from "../thinking-level.ts";
import type {
  AssistantBlock,
  Model,
  ModelRequest,
  StreamOptions,
  ThinkingBlock,
  ThinkingLevel,
} from "../types.ts";
import { estimateMessagesTokens } from "../usage.ts";
import { isWellFormedJson } from "../well-formed.ts";
import { text } from "./read-json.ts";

export interface ResponsesConversion {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly options: StreamOptions;
  /** Leaves own reasoning out, for when the API no longer accepts it. */
  readonly dropThinking?: boolean;
}

export function toResponsesRequest(conversion: ResponsesConversion): ResponseCreateParamsStreaming {
  const { model, request, options, dropThinking = false } = conversion;
  const { prompt, tools } = replaySystem(request.messages);
  const turns = replay(request.messages, model, {
    ids: { maxLength: 64 },
    dropThinking,
    signedThinkingOnly: true,
    imageLimits: openAiImageLimits(model),
    laterSystem: model.laterSystemMessages === false ? "user" : "inPlace",
  });
  return {
    model: model.id,
    input: turns.flatMap(toItems),
    stream: true,
    store: false,
    max_output_tokens: Math.max(
      minOutputTokens,
      outputLimit(model, estimateMessagesTokens(request.messages), options.maxTokens),
    ),
    ...(prompt !== "" && { instructions: prompt }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }): FunctionTool => ({
        type: "function",
        name,
        description,
        parameters: { ...parameters },
        strict: false,
      })),
    }),
    ...(model.reasoning && {
      reasoning: { effort: toEffort(model, options.thinkingLevel), summary: "auto" },
      include: ["reasoning.encrypted_content"],
    }),
    ...(options.sessionId && { prompt_cache_key: options.sessionId.slice(0, 64) }),
  };
}

/** The API's own minimum. */
const minOutputTokens = 16;

const efforts: Readonly<Record<ThinkingLevel, NonNullable<ReasoningEffort>>> = {
  off: "none",
  minimal: "low",
  low: "low",
  medium: "medium",
  high: "high",
  xhigh: "xhigh",
  max: "max",
};

function toEffort(model: Model, wish: ThinkingLevel | undefined): ReasoningEffort {
  // The model's own word is what its API takes, whether the SDK knows it yet or not.
  return effortFor(model, clampThinkingLevel(model, wish), efforts) as ReasoningEffort;
}

function toItems(turn: ReplayedTurn): ResponseInputItem[] {
  switch (turn.role) {
    case "user":
      return [{ role: "user", content: turn.content.map(toInput) }];
    case "assistant":
      return turn.content.flatMap(toAssistantItems);
    case "results":
      return turn.results.map(toOutputItem);
    case "system":
      return [{ role: "developer", content: turn.text }];
  }
}

function toAssistantItems(block: AssistantBlock): ResponseInputItem[] {
  switch (block.type) {
    case "text": {
      const phase = block.textSignature === undefined ? undefined : signedPhase(block.textSignature);
      return [{ role: "assistant", content: block.text, ...(phase && { phase }) }];
    }
    case "toolCall": {
      const { id, name } = block;
      return [{ type: "function_call", call_id: id, name, arguments: JSON.stringify(block.arguments) }];
    }
    case "thinking":
      return toReasoningItem(block);
  }
}

/** The signature is the whole item as it arrived; anything else cannot be sent back. */
function toReasoningItem(block: ThinkingBlock): ResponseInputItem[] {
  const item = parsed(block.thinkingSignature ?? "");
  if (!isJsonObject(item) || item["type"] !== "reasoning" || text(item, "encrypted_content") === "")
    return [];
  if (!isWellFormedJson(item)) return [];
  // This client wrote the signature from an item of the same API.
  return [item as unknown as ResponseInputItem];
}

function signedPhase(signature: string): "commentary" | "final_answer" | undefined {
  const phase = text(parsed(signature), "phase");
  return phase === "commentary" || phase === "final_answer" ? phase : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // A signature of another version or program: there is nothing to send back.
    return undefined;
  }
}

function toOutputItem(result: ReplayedResult): ResponseInputItem {
  const texts = result.content.filter((block) => block.type === "text");
  return {
    type: "function_call_output",
    call_id: result.toolCallId,
    output:
      texts.length === result.content.length
        ? texts.map((block) => block.text).join("\n")
        : result.content.map(toInput),
  };
}

function toInput(block: ContentBlock): Extract<ResponseInputContent, { type: "input_text" | "input_image" }> {
  if (block.type === "text") return { type: "input_text", text: block.text };
  return { type: "input_image", detail: "auto", image_url: `data:${block.mimeType};base64,${block.data}` };
}
