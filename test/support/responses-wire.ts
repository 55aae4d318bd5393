// Writes a scripted reply as SSE of the Responses API, event by event as it sends them: items and their parts begin, grow,
// end and are told again in whole.
import type { JsonObject } from "../../src/shared/json.ts";
import { namedFrame } from "./provider-replies.ts";
import type { MessageReply, Pieces, ProviderRequest, ReplyUsage } from "./provider-replies.ts";
import { argumentPieces, callId, countedUsage, encryptedReasoning, joined, pieces } from "./reply-parts.ts";
import type { Frame } from "./reply-parts.ts";
import { textOf } from "./request-rules.ts";

export function responsesFrames(reply: MessageReply, request: ProviderRequest): Frame[] {
  const writer = new ResponsesWriter(reply, request);
  if (reply.thinking !== undefined || reply.redacted) writer.addReasoning(reply.thinking ?? "");
  if (reply.text !== undefined) writer.addMessage("output_text", reply.text);
  if (reply.refusal !== undefined) writer.addMessage("refusal", reply.refusal);
  for (const [index, call] of (reply.calls ?? []).entries()) {
    writer.addCall({ id: callId(call, request, index), name: call.name, args: argumentPieces(call) });
  }
  return writer.end();
}

/** The event that ends a response with an error after it began. */
export function responsesErrorFrames(code: string, message: string): string[] {
  return [
    namedFrame({ type: "error", sequence_number: 2, code, message, param: null }),
    namedFrame({
      type: "response.failed",
      sequence_number: 3,
      response: { id: "resp_1", object: "response", status: "failed", error: { code, message }, output: [] },
    }),
  ];
}

class ResponsesWriter {
  private readonly reply: MessageReply;
  private readonly request: ProviderRequest;
  private readonly frames: Frame[] = [];
  private readonly output: JsonObject[] = [];
  private sequence = 0;

  constructor(reply: MessageReply, request: ProviderRequest) {
    this.reply = reply;
    this.request = request;
    this.push("response.created", { response: this.response("in_progress") });
    this.push("response.in_progress", { response: this.response("in_progress") });
  }

  /** Paragraphs are parts of the summary; without one asked for, or for hidden reasoning, there is only the payload. */
  addReasoning(thinking: Pieces): void {
    const { body } = this.request;
    const asked =
      typeof body["reasoning"] === "object" && JSON.stringify(body["reasoning"]).includes("summary");
    const isEncrypted = JSON.stringify(body["include"] ?? []).includes("reasoning.encrypted_content");
    const parts: Pieces[] = typeof thinking === "string" ? thinking.split("\n\n") : [thinking];
    const summary = asked && joined(thinking) !== "" ? parts : [];
    const texts = summary.map(joined);
    const item = (done: boolean): JsonObject => ({
      id: this.id("rs"),
      type: "reasoning",
      summary: done ? texts.map((text) => ({ type: "summary_text", text })) : [],
      ...(isEncrypted && {
        encrypted_content: done ? encryptedReasoning(textOf(body["model"]), texts) : "gAAAAAB",
      }),
    });
    this.item(item, () => {
      for (const [index, source] of summary.entries()) {
        const place = { ...this.place("rs"), summary_index: index };
        this.push("response.reasoning_summary_part.added", {
          ...place,
          part: { type: "summary_text", text: "" },
        });
        this.deltas("response.reasoning_summary_text", source, place);
        const text = texts[index] ?? "";
        this.push("response.reasoning_summary_text.done", { ...place, text });
        this.push("response.reasoning_summary_part.done", { ...place, part: { type: "summary_text", text } });
      }
    });
  }

  addMessage(type: "output_text" | "refusal", source: Pieces): void {
    const field = type === "refusal" ? "refusal" : "text";
    const part = (text: string): JsonObject => ({
      type,
      [field]: text,
      ...(type === "output_text" && { annotations: [], logprobs: [] }),
    });
    const item = (done: boolean): JsonObject => ({
      id: this.id("msg"),
      type: "message",
      status: done ? "completed" : "in_progress",
      role: "assistant",
      content: done ? [part(joined(source))] : [],
    });
    this.item(item, () => {
      const place = { ...this.place("msg"), content_index: 0 };
      this.push("response.content_part.added", { ...place, part: part("") });
      this.deltas(`response.${type}`, source, place);
      this.push(`response.${type}.done`, { ...place, [field]: joined(source) });
      this.push("response.content_part.done", { ...place, part: part(joined(source)) });
    });
  }

  addCall({ id, name, args }: { readonly id: string; readonly name: string; readonly args: Pieces }): void {
    const item = (done: boolean): JsonObject => ({
      id: this.id("fc"),
      type: "function_call",
      status: done ? "completed" : "in_progress",
      call_id: id,
      name,
      arguments: done ? joined(args) : "",
    });
    this.item(item, () => {
      this.deltas("response.function_call_arguments", args, this.place("fc"));
      this.push("response.function_call_arguments.done", { ...this.place("fc"), arguments: joined(args) });
    });
  }

  end(): Frame[] {
    const { outcome, stopReason } = this.reply;
    const reason =
      stopReason ?? (outcome && { length: "max_output_tokens", refused: "content_filter" }[outcome]);
    const usage = this.reply.usage === null ? null : usageOf(countedUsage(this.reply, this.request));
    if (reason === undefined)
      this.push("response.completed", { response: this.response("completed", { usage }) });
    else {
      const response = this.response("incomplete", { usage, incomplete_details: { reason } });
      this.push("response.incomplete", { response });
    }
    return this.frames;
  }

  private item(item: (done: boolean) => JsonObject, grow: () => void): void {
    const output_index = this.output.length;
    this.push("response.output_item.added", { output_index, item: item(false) });
    grow();
    const whole = item(true);
    this.push("response.output_item.done", { output_index, item: whole });
    this.output.push(whole);
  }

  private deltas(event: string, source: Pieces, place: JsonObject): void {
    for (const piece of pieces(source, this.reply, (delta) => ({ delta }))) {
      if (piece instanceof Promise) this.frames.push(piece);
      else this.push(`${event}.delta`, { ...place, ...piece });
    }
  }

  private push(type: string, fields: JsonObject): void {
    this.frames.push(namedFrame({ type, sequence_number: this.sequence, ...fields }));
    this.sequence += 1;
  }

  private place(prefix: string): JsonObject {
    return { item_id: this.id(prefix), output_index: this.output.length };
  }

  private id(prefix: string): string {
    return `${prefix}_${this.request.number}_${this.output.length}`;
  }

  private response(status: string, change: JsonObject = {}): JsonObject {
    const { body, number } = this.request;
    return {
      id: `resp_${number}`,
      object: "response",
      created_at: 0,
      status,
      error: null,
      incomplete_details: null,
      max_output_tokens: body["max_output_tokens"] ?? null,
      model: body["model"] ?? "",
      output: [...this.output],
      parallel_tool_calls: true,
      previous_response_id: null,
      store: false,
      tool_choice: "auto",
      truncation: "disabled",
      usage: null,
      ...change,
    };
  }
}

function usageOf(usage: Required<ReplyUsage>): JsonObject {
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(usage.cacheWrite > 0 && { cache_write_tokens: usage.cacheWrite }),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + usage.output,
  };
}
