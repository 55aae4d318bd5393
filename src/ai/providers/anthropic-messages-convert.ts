// A request as the Messages API wants it: replayed turns to messages, cache breakpoints, thinking and token limits.
import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
  ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages/messages";
import type { ImageType } from "../image-format.ts";
import { anthropicImageLimits } from "../image-limits.ts";
import { outputLimit } from "../output-limit.ts";
import { replay } from "../replay.ts";
import type { ContentBlock, ReplayedResult, ReplayedTurn } from "../replay.ts";
import { replaySystem } from "../system.ts";
import type { AssistantBlock, Model, ModelRequest, StreamOptions, ToolDeclaration } from "../types.ts";
import { estimateMessagesTokens } from "../usage.ts";
import { clampThinkingLevel } from "../thinking-level.ts";
import { cacheHere, markMessages } from "./anthropic-cache.ts";
import { thinkingParams } from "./anthropic-thinking.ts";

export interface AnthropicConversion {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly options: StreamOptions;
  /** Leaves own thinking blocks out, for when the API no longer accepts them. */
  readonly dropThinking?: boolean;
  /** Tells later system messages in user messages, for a model that takes them no other way. */
  readonly laterSystemAsUser?: boolean;
}

export function toAnthropicRequest(conversion: AnthropicConversion): MessageCreateParamsStreaming {
  const { model, request, options, dropThinking = false } = conversion;
  const { prompt, tools } = replaySystem(request.messages);
  const turns = replay(request.messages, model, {
    ids: { maxLength: 64 },
    dropThinking,
    signedThinkingOnly: true,
    // Models that are given a budget check the signature only.
    boundThinking: model.thinking !== undefined && model.thinking !== "budget",
    imageLimits: anthropicImageLimits(model),
    laterSystem: model.laterSystemMessages && !conversion.laterSystemAsUser ? "afterUser" : "user",
  });
  const limit = outputLimit(model, estimateMessagesTokens(request.messages), options.maxTokens);
  return {
    model: model.id,
    stream: true,
    ...thinkingParams({ model, level: clampThinkingLevel(model, options.thinkingLevel), limit, turns }),
    ...(prompt !== "" && { system: [{ type: "text", text: prompt, cache_control: cacheHere }] }),
    ...(tools.length > 0 && { tools: toTools(tools) }),
    messages: markMessages(turns.map(toMessage)),
  };
}

function toTools(tools: readonly ToolDeclaration[]): Tool[] {
  return tools.map((tool, index) => ({
    name: tool.name,
    description: tool.description,
    input_schema: { ...tool.parameters, type: "object" },
    ...(index === tools.length - 1 && { cache_control: cacheHere }),
  }));
}

function toMessage(turn: ReplayedTurn): MessageParam {
  switch (turn.role) {
    case "user":
      return { role: "user", content: turn.content.map(toContentBlock) };
    case "assistant":
      return { role: "assistant", content: turn.content.map(toAssistantBlock) };
    case "results":
      return { role: "user", content: toResultBlocks(turn.results) };
    case "system":
      return { role: "system", content: [{ type: "text", text: turn.text }] };
  }
}

function toAssistantBlock(block: AssistantBlock): ContentBlockParam {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "toolCall":
      return { type: "tool_use", id: block.id, name: block.name, input: block.arguments };
    case "thinking": {
      const signature = block.thinkingSignature ?? "";
      return block.redacted
        ? { type: "redacted_thinking", data: signature }
        : { type: "thinking", thinking: block.thinking, signature };
    }
  }
}

/** Results come first; the API allows no image in an error result, so those images follow with a caption. */
function toResultBlocks(results: readonly ReplayedResult[]): ContentBlockParam[] {
  const moved: ContentBlockParam[] = [];
  const blocks: ContentBlockParam[] = results.map((result) => {
    const images = result.content.filter((block) => block.type === "image");
    if (!result.isError || images.length === 0) return toResultBlock(result, result.content);
    moved.push({ type: "text", text: `Images of the failed call to ${result.toolName}:` });
    moved.push(...images.map(toContentBlock));
    const text = result.content.filter((block) => block.type === "text");
    return toResultBlock(result, text.length > 0 ? text : [{ type: "text", text: "(see the images below)" }]);
  });
  return [...blocks, ...moved];
}

function toResultBlock(result: ReplayedResult, content: readonly ContentBlock[]): ToolResultBlockParam {
  const texts = content.filter((block) => block.type === "text");
  return {
    type: "tool_result",
    tool_use_id: result.toolCallId,
    content:
      texts.length === content.length
        ? texts.map((block) => block.text).join("\n")
        : content.map(toContentBlock),
    ...(result.isError && { is_error: true }),
  };
}

function toContentBlock(block: ContentBlock): TextBlockParam | ImageBlockParam {
  if (block.type === "text") return { type: "text", text: block.text };
  // Replay lets only the API's four types through.
  const media_type = block.mimeType as ImageType;
  return { type: "image", source: { type: "base64", media_type, data: block.data } };
}
