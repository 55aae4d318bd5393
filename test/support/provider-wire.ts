// Writes a scripted reply as SSE of the Messages and Chat Completions APIs, with the promises that hold it in between.
import type { JsonObject } from "../../src/shared/json.ts";
import { namedFrame, openAiFrame } from "./provider-replies.ts";
import type { MessageReply, Pieces, ProviderRequest, ReplyUsage } from "./provider-replies.ts";
import {
  argumentPieces,
  callId,
  countedUsage,
  joined,
  pieces,
  redactedData,
  thinkingSignature,
} from "./reply-parts.ts";
import type { Frame } from "./reply-parts.ts";
import { textOf } from "./request-rules.ts";

export function anthropicFrames(reply: MessageReply, request: ProviderRequest): Frame[] {
  const model = textOf(request.body["model"]);
  const usage = reply.usage === null ? undefined : countedUsage(reply, request);
  const frames: Frame[] = [
    namedFrame({ type: "message_start", message: anthropicMessage(model, request, usage) }),
  ];
  let index = 0;
  const block = (start: JsonObject, deltas: readonly (JsonObject | Promise<unknown>)[]) => {
    frames.push(namedFrame({ type: "content_block_start", index, content_block: start }));
    for (const delta of deltas) {
      frames.push(
        delta instanceof Promise ? delta : namedFrame({ type: "content_block_delta", index, delta }),
      );
    }
    frames.push(namedFrame({ type: "content_block_stop", index }));
    index += 1;
  };
  if (reply.thinking !== undefined) {
    const signature = thinkingSignature(model, joined(reply.thinking));
    const deltas = pieces(reply.thinking, reply, (thinking) => ({ type: "thinking_delta", thinking }));
    block({ type: "thinking", thinking: "", signature: "" }, [
      ...deltas,
      { type: "signature_delta", signature },
    ]);
  }
  if (reply.redacted) block({ type: "redacted_thinking", data: redactedData(model) }, []);
  if (reply.text !== undefined) {
    block(
      { type: "text", text: "" },
      pieces(reply.text, reply, (text) => ({ type: "text_delta", text })),
    );
  }
  for (const [n, call] of (reply.calls ?? []).entries()) {
    block(
      { type: "tool_use", id: callId(call, request, n), name: call.name, input: {} },
      pieces(argumentPieces(call), reply, (json) => ({ type: "input_json_delta", partial_json: json })),
    );
  }
  const spelled = reply.outcome && { length: "max_tokens", refused: "refusal" }[reply.outcome];
  const stop = reply.stopReason ?? spelled ?? (reply.calls?.length ? "tool_use" : "end_turn");
  const output = usage?.output;
  frames.push(
    namedFrame({
      type: "message_delta",
      delta: { stop_reason: stop, stop_sequence: null },
      usage: output === undefined ? {} : { output_tokens: output },
    }),
    namedFrame({ type: "message_stop" }),
  );
  return frames;
}

/** The event that ends a response with an error after it began. */
export function anthropicErrorFrames(type: string, message: string): string[] {
  return [namedFrame({ type: "error", error: { type, message }, request_id: "req_1" })];
}

/** As `anthropicErrorFrames`; compatible servers say it in a chunk of its own. */
export function openAiErrorFrames(code: string, message: string): string[] {
  return [openAiFrame({ error: { message, type: code, param: null, code } })];
}

export function openAiFrames(reply: MessageReply, request: ProviderRequest): Frame[] {
  const chunk = (delta: JsonObject, finish: string | null = null): string =>
    openAiFrame({
      ...chunkHead(request),
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const frames: Frame[] = [chunk({ role: "assistant", content: "" })];
  const add = (source: Pieces, delta: (text: string) => JsonObject) => {
    for (const piece of pieces(source, reply, delta)) {
      frames.push(piece instanceof Promise ? piece : chunk(piece));
    }
  };
  if (reply.thinking !== undefined) add(reply.thinking, (text) => ({ reasoning_content: text }));
  if (reply.text !== undefined) add(reply.text, (text) => ({ content: text }));
  if (reply.refusal !== undefined) add(reply.refusal, (refusal) => ({ refusal }));
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const id = callId(call, request, index);
    frames.push(
      chunk({
        tool_calls: [{ index, id, type: "function", function: { name: call.name, arguments: "" } }],
      }),
    );
    add(argumentPieces(call), (text) => ({ tool_calls: [{ index, function: { arguments: text } }] }));
  }
  const spelled = reply.outcome && { length: "length", refused: "content_filter" }[reply.outcome];
  frames.push(chunk({}, reply.stopReason ?? spelled ?? (reply.calls?.length ? "tool_calls" : "stop")));
  if (reply.usage !== null) frames.push(openAiFrame(usageChunk(countedUsage(reply, request), request)));
  frames.push("data: [DONE]\n\n");
  return frames;
}

function anthropicMessage(
  model: string,
  request: ProviderRequest,
  usage: Required<ReplyUsage> | undefined,
): JsonObject {
  return {
    id: `msg_${request.number}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(usage && {
      usage: {
        input_tokens: usage.input,
        cache_creation_input_tokens: usage.cacheWrite,
        cache_read_input_tokens: usage.cacheRead,
        output_tokens: 1,
      },
    }),
  };
}

function usageChunk(usage: Required<ReplyUsage>, request: ProviderRequest): JsonObject {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    ...chunkHead(request),
    choices: [],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: usage.output,
      total_tokens: prompt + usage.output,
      prompt_tokens_details: {
        cached_tokens: usage.cacheRead,
        ...(usage.cacheWrite > 0 && { cache_write_tokens: usage.cacheWrite }),
      },
    },
  };
}

function chunkHead(request: ProviderRequest): JsonObject {
  return {
    id: `chatcmpl_${request.number}`,
    object: "chat.completion.chunk",
    created: 0,
    model: request.body["model"] ?? "",
  };
}
