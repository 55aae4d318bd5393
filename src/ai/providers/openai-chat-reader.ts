// Maps Chat Completions chunks to a PartialMessage. Trusts no field to be there: indexes, ids, names, choices, usage and
// even the end may be missing or odd, depending on the server.
import { ProviderError } from "../errors.ts";
import type { PartialMessage } from "../partial-message.ts";
import { parseToolArguments } from "../tool-arguments.ts";
import { ReasoningDetails, detailsText } from "./openai-chat-details.ts";
import { chatUsage } from "./openai-chat-usage.ts";
import { list, object, text } from "./read-json.ts";
import { isJsonObject } from "../../shared/json.ts";

interface Call {
  id: string;
  /** Undefined until the name is known; argument text waits in `early`. */
  index: number | undefined;
  early: string;
}

export class OpenAiChatReader {
  private readonly partial: PartialMessage;
  private readonly host: string;
  /** Keyed by the wire's index, else by its id. */
  private readonly calls = new Map<string, Call>();
  private lastCall: Call | undefined;
  /** The text or thinking block that is growing. */
  private growing: { readonly type: "text" | "thinking"; readonly index: number } | undefined;
  private readonly details = new ReasoningDetails();
  private finishReason: string | undefined;

  constructor(partial: PartialMessage, host: string) {
    this.partial = partial;
    this.host = host;
  }

  read(chunk: unknown): void {
    this.partial.start();
    const id = text(chunk, "id");
    if (id !== "") this.partial.identify(id);
    const choice = list(chunk, "choices")[0];
    const usage =
      object(chunk, "usage") ?? object(choice, "usage") ?? object(object(chunk, "x_groq"), "usage");
    if (usage) {
      this.partial.reportUsage(chatUsage(usage));
      // OpenRouter: what was charged.
      if ("cost" in usage) this.partial.reportCost(usage.cost);
    }
    const delta = object(choice, "delta");
    if (delta) this.readDelta(delta);
    const reason = text(choice, "finish_reason");
    if (reason !== "") this.finishReason = reason;
  }

  /** `saidDone`: the stream ended with `[DONE]`, which is as good as a finish reason if nothing is left open. */
  finish(saidDone: boolean): void {
    const { finishReason } = this;
    this.closeGrowing();
    if ([...this.calls.values()].some((call) => call.index === undefined))
      this.malformed("a call without a name");
    if (finishReason === undefined && !(saidDone && this.callsAreWhole())) {
      this.malformed("it ended before it was complete");
    }
    switch (finishReason) {
      case "length":
      case "max_tokens":
        return this.partial.finish("length");
      case "content_filter": {
        const message = `${this.host} cut the answer off (content filter). Rephrase the request, or choose another model.`;
        return this.partial.fail({ kind: "content_filter", message });
      }
      case "model_context_window_exceeded": {
        const message =
          "The model's context window is full. Compact the conversation, or choose a larger model.";
        return this.partial.fail({ kind: "context_overflow", message });
      }
      case "insufficient_system_resource":
      case "network_error":
      case "error": {
        const message = `${this.host} failed while answering (${finishReason}). Try again in a moment.`;
        return this.partial.fail({ kind: "overloaded", message });
      }
      default:
        // Whether tools were called is told by the calls: servers say `stop`, `eos`, `function_call` or nothing.
        return this.partial.finish("stop");
    }
  }

  private readDelta(delta: Record<string, unknown>): void {
    const details = list(delta, "reasoning_details");
    const thinking =
      text(delta, "reasoning_content") || text(delta, "reasoning") || text(delta, "reasoning_text");
    this.grow("thinking", thinking || detailsText(details));
    this.details.add(details);
    for (const part of list(delta, "content")) {
      for (const inner of list(part, "thinking")) this.grow("thinking", text(inner, "text"));
      this.grow("text", text(part, "text"));
    }
    this.grow("text", text(delta, "content"));
    this.grow("text", text(delta, "refusal"));
    for (const call of list(delta, "tool_calls")) this.readCall(call);
    const legacy = object(delta, "function_call");
    if (legacy) this.readCall({ index: 0, function: legacy });
  }

  private grow(type: "text" | "thinking", delta: string): void {
    if (delta === "") return;
    if (this.growing?.type !== type) {
      this.closeGrowing();
      const index = type === "text" ? this.partial.openText() : this.partial.openThinking();
      this.growing = { type, index };
    }
    this.partial.append(this.growing.index, delta);
  }

  /** Details sign the thinking that they are of; without such text they are thinking that nobody can read. */
  private closeGrowing(): void {
    const { growing } = this;
    this.growing = undefined;
    const signature = this.details.take();
    if (growing?.type === "thinking") this.partial.blocks.sign(growing.index, signature);
    if (growing) this.partial.close(growing.index);
    if (signature !== "" && growing?.type !== "thinking") {
      this.partial.close(this.partial.openThinking({ signature }));
    }
  }

  private readCall(delta: unknown): void {
    const called = object(delta, "function");
    const name = text(called, "name");
    const call = this.findCall(delta, name);
    if (call.index === undefined && name !== "") {
      this.closeGrowing();
      call.index = this.partial.openToolCall(call.id, name);
      this.partial.append(call.index, call.early);
    }
    const signature = text(object(object(delta, "extra_content"), "google"), "thought_signature");
    if (call.index !== undefined) this.partial.blocks.sign(call.index, signature);
    const args = argumentText(called?.["arguments"]);
    if (call.index === undefined) call.early += args;
    else this.partial.append(call.index, args);
  }

  /** By index, then by id, then the last one; a new id or, without any key, a new name begins a new call. */
  private findCall(delta: unknown, name: string): Call {
    const id = text(delta, "id");
    const index = isJsonObject(delta) ? delta["index"] : undefined;
    const hasIndex = typeof index === "number" && Number.isSafeInteger(index);
    const known = hasIndex ? this.calls.get(`index ${index}`) : this.withoutIndex(id, name);
    const isOther = known !== undefined && id !== "" && known.id !== "" && known.id !== id && name !== "";
    if (known && !isOther) {
      if (known.index === undefined && known.id === "") known.id = id;
      this.lastCall = known;
      return known;
    }
    const call: Call = { id, index: undefined, early: "" };
    this.calls.set(hasIndex && !isOther ? `index ${index}` : `id ${id} ${this.calls.size}`, call);
    // Several calls under one index: later deltas of that index belong to the newest.
    if (isOther && hasIndex) this.calls.set(`index ${index}`, call);
    this.lastCall = call;
    return call;
  }

  private withoutIndex(id: string, name: string): Call | undefined {
    if (id !== "") return [...this.calls.values()].findLast((call) => call.id === id);
    return name === "" || this.lastCall?.index === undefined ? this.lastCall : undefined;
  }

  private callsAreWhole(): boolean {
    return [...this.calls.values()].every(({ index }) => {
      const args = index === undefined ? "" : this.partial.blocks.text(index);
      return parseToolArguments(args).argumentsError === undefined;
    });
  }

  private malformed(what: string): never {
    const message = `The answer of ${this.host} broke off or could not be read (${what}). Try again.`;
    throw new ProviderError("malformed_stream", message);
  }
}

/** Some servers send the arguments as an object. */
function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return isJsonObject(value) ? JSON.stringify(value) : "";
}
