// A request as a Chat Completions server wants it: the minimal body every server accepts, plus what the model's compat
// flags ask for.
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { openAiImageLimits } from "../image-limits.ts";
import { outputLimit } from "../output-limit.ts";
import { replay } from "../replay.ts";
import type { ContentBlock, ReplayedResult, ReplayedTurn } from "../replay.ts";
import { replaySystem } from "../system.ts";
import type {
  AssistantBlock,
  Model,
  ModelRequest,
  OpenAiChatCompat,
  StreamOptions,
  ToolCallBlock,
} from "../types.ts";
import { estimateMessagesTokens } from "../usage.ts";
import { alternate } from "./openai-chat-roles.ts";
import { chatThinking, reasoningDetails } from "./openai-chat-thinking.ts";

export interface OpenAiChatConversion {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly options: StreamOptions;
}

export function toOpenAiChatRequest(conversion: OpenAiChatConversion): ChatCompletionCreateParamsStreaming {
  const { model, request, options } = conversion;
  const compat = model.compat ?? {};
  const { prompt, tools } = replaySystem(request.messages);
  const limit = outputLimit(model, estimateMessagesTokens(request.messages), options.maxTokens);
  return {
    model: model.id,
    messages: toMessages(conversion, prompt),
    stream: true,
    ...(compat.streamUsage !== false && { stream_options: { include_usage: true } }),
    [compat.maxTokensField ?? "max_tokens"]: limit,
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: "function" as const,
        function: { name, description, parameters: { ...parameters } },
      })),
    }),
    ...chatThinking(model, options.thinkingLevel),
    ...(compat.promptCacheKey && options.sessionId && { prompt_cache_key: options.sessionId.slice(0, 64) }),
  };
}

function toMessages({ model, request }: OpenAiChatConversion, prompt: string): ChatCompletionMessageParam[] {
  const compat = model.compat ?? {};
  const turns = replay(request.messages, model, {
    ids: { maxLength: 40, short: compat.shortToolCallIds ?? false },
    imageLimits: openAiImageLimits(model),
    laterSystem: model.laterSystemMessages ? "inPlace" : "user",
  });
  const messages = turns.flatMap((turn) => toTurnMessages(turn, compat));
  const alternating = compat.alternatingRoles ? alternate(messages) : messages;
  if (prompt === "") return alternating;
  return [{ role: compat.systemRole ?? "system", content: prompt }, ...alternating];
}

function toTurnMessages(turn: ReplayedTurn, compat: OpenAiChatCompat): ChatCompletionMessageParam[] {
  switch (turn.role) {
    case "user":
      return [{ role: "user", content: toUserContent(turn.content) }];
    case "assistant":
      return [toAssistantMessage(turn.content, compat)];
    case "results":
      return toResultMessages(turn.results);
    case "system":
      return [{ role: compat.systemRole ?? "system", content: turn.text }];
  }
}

/** One string wherever there is no image: not every server understands parts. */
function toUserContent(content: readonly ContentBlock[]): string | ChatCompletionContentPart[] {
  const texts = content.filter((block) => block.type === "text");
  if (texts.length === content.length) return texts.map((block) => block.text).join("\n");
  return content.map((block) =>
    block.type === "text"
      ? { type: "text", text: block.text }
      : { type: "image_url", image_url: { url: `data:${block.mimeType};base64,${block.data}` } },
  );
}

/** Content is a plain string or null: servers that accept parts here answer them as if they were the user's. */
function toAssistantMessage(
  content: readonly AssistantBlock[],
  compat: OpenAiChatCompat,
): ChatCompletionAssistantMessageParam {
  const texts = content.filter((block) => block.type === "text").map((block) => block.text);
  const thinking = content.filter((block) => block.type === "thinking");
  const calls = content
    .filter((block) => block.type === "toolCall")
    .map((block, index) => toToolCall(block, compat.thoughtSignatures === true && index === 0));
  const field = compat.reasoningField;
  // Servers that want the field back miss it on every turn that called a tool, even when there was no thinking.
  const sendsThinking = field !== undefined && (thinking.length > 0 || calls.length > 0);
  return {
    role: "assistant",
    content: texts.length > 0 ? texts.join("\n") : null,
    ...(sendsThinking && { [field]: thinking.map((block) => block.thinking).join("\n") }),
    ...(compat.reasoningDetails && reasoningDetails(thinking)),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Gemini refuses a turn whose first call has no signature; this value says that the call is somebody else's. */
const foreignCall = "skip_thought_signature_validator";

function toToolCall(block: ToolCallBlock, needsSignature: boolean): ChatCompletionMessageFunctionToolCall {
  const signature = block.thoughtSignature ?? (needsSignature ? foreignCall : undefined);
  return {
    id: block.id,
    type: "function",
    function: { name: block.name, arguments: JSON.stringify(block.arguments) },
    ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
  };
}

/** Tool messages hold text only; images of a batch follow in one user message after all of its results. */
function toResultMessages(results: readonly ReplayedResult[]): ChatCompletionMessageParam[] {
  const messages: ChatCompletionMessageParam[] = results.map((result) => {
    const texts = result.content.filter((block) => block.type === "text").map((block) => block.text);
    return {
      role: "tool",
      tool_call_id: result.toolCallId,
      content: texts.length > 0 ? texts.join("\n") : "(see the image below)",
    };
  });
  const images = results.flatMap((result) => result.content.filter((block) => block.type === "image"));
  if (images.length === 0) return messages;
  const caption: ContentBlock = { type: "text", text: "Images of the tool results above:" };
  return [...messages, { role: "user", content: toUserContent([caption, ...images]) }];
}
