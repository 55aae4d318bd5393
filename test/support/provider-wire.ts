// Writes a scripted reply in the two wire formats, as SSE frames with the promises that hold them in between.
import { createHash } from "node:crypto";
import type { JsonObject } from "../../src/shared/json.ts";
import { anthropicFrame, openAiFrame } from "./provider-replies.ts";
import type { MessageReply, Pieces, ProviderRequest, ReplyCall, ReplyUsage } from "./provider-replies.ts";
import { textOf } from "./request-rules.ts";

export type Frame = string | Promise<unknown>;

/** The only signature the server accepts for this text from this model. */
export function thinkingSignature(model: string, thinking: string): string {
  return `sig_${createHash("sha256").update(`${model}\n${thinking}`).digest("base64")}`;
}

/** The only payload of a redacted block the server accepts from this model. */
export function redactedData(model: string): string {
  return `redacted_${createHash("sha256").update(model).digest("base64")}`;
}

export function anthropicFrames(reply: MessageReply, request: ProviderRequest): Frame[] {
  const model = textOf(request.body["model"]);
  const usage = reply.usage === null ? undefined : countedUsage(reply, request);
  const frames: Frame[] = [
    anthropicFrame({ type: "message_start", message: anthropicMessage(model, request, usage) }),
  ];
  let index = 0;
  const block = (start: JsonObject, deltas: readonly (JsonObject | Promise<unknown>)[]) => {
    frames.push(anthropicFrame({ type: "content_block_start", index, content_block: start }));
    for (const delta of deltas) {
      frames.push(
        delta instanceof Promise ? delta : anthropicFrame({ type: "content_block_delta", index, delta }),
      );
    }
    frames.push(anthropicFrame({ type: "content_block_stop", index }));
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
  const stop = reply.stopReason ?? (reply.calls?.length ? "tool_use" : "end_turn");
  const output = usage?.output;
  frames.push(
    anthropicFrame({
      type: "message_delta",
      delta: { stop_reason: stop, stop_sequence: null },
      usage: output === undefined ? {} : { output_tokens: output },
    }),
    anthropicFrame({ type: "message_stop" }),
  );
  return frames;
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
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const id = callId(call, request, index);
    frames.push(
      chunk({
        tool_calls: [{ index, id, type: "function", function: { name: call.name, arguments: "" } }],
      }),
    );
    add(argumentPieces(call), (text) => ({ tool_calls: [{ index, function: { arguments: text } }] }));
  }
  frames.push(chunk({}, reply.stopReason ?? (reply.calls?.length ? "tool_calls" : "stop")));
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
  const prompt = usage.input + usage.cacheRead;
  return {
    ...chunkHead(request),
    choices: [],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: usage.output,
      total_tokens: prompt + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cacheRead },
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

/** Four characters are a token, which is near enough for tests of meters and limits. */
function countedUsage(reply: MessageReply, request: ProviderRequest): Required<ReplyUsage> {
  const calls = (reply.calls ?? []).map((call) => joined(argumentPieces(call)));
  const output = [joined(reply.thinking ?? ""), joined(reply.text ?? ""), ...calls].join("");
  return {
    input: reply.usage?.input ?? Math.ceil(request.rawBody.length / 4),
    output: reply.usage?.output ?? Math.ceil(output.length / 4) + 1,
    cacheRead: reply.usage?.cacheRead ?? 0,
    cacheWrite: reply.usage?.cacheWrite ?? 0,
  };
}

function callId(call: ReplyCall, request: ProviderRequest, index: number): string {
  return call.id ?? `call_${request.number}_${index + 1}`;
}

function argumentPieces(call: ReplyCall): Pieces {
  const value = call.arguments;
  return typeof value === "string" || isPieces(value) ? value : JSON.stringify(value);
}

function isPieces(value: JsonObject | Pieces): value is readonly (string | Promise<unknown>)[] {
  return Array.isArray(value);
}

function joined(source: Pieces): string {
  return typeof source === "string" ? source : source.filter((piece) => typeof piece === "string").join("");
}

function pieces(
  source: Pieces,
  reply: MessageReply,
  wrap: (text: string) => JsonObject,
): (JsonObject | Promise<unknown>)[] {
  if (typeof source !== "string") {
    return source.map((piece) => (typeof piece === "string" ? wrap(piece) : piece));
  }
  const size = reply.deltaSize ?? 12;
  const characters = [...source];
  const parts: JsonObject[] = [];
  for (let at = 0; at < characters.length; at += size) {
    parts.push(wrap(characters.slice(at, at + size).join("")));
  }
  return parts;
}
