// Maps Chat Completions chunks to a PartialMessage. Trusts no field to be there: choices, usage, reasons and even the end
// may be missing, odd or sent twice, depending on the server. Leaves tool calls to `openai-chat-calls.ts`.
import { ProviderError } from "../errors.ts";
import type { PartialMessage } from "../partial-message.ts";
import { ChatCalls } from "./openai-chat-calls.ts";
import { ReasoningDetails, detailsText } from "./openai-chat-details.ts";
import { chatEnding } from "./openai-chat-endings.ts";
import { chargedDollars, chatUsage } from "./openai-chat-usage.ts";
import { field, list, object, text } from "./read-json.ts";
import { isJsonObject } from "../../shared/json.ts";

export class OpenAiChatReader {
  private readonly partial: PartialMessage;
  private readonly host: string;
  private readonly calls: ChatCalls;
  /** The text or thinking block that is growing. */
  private growing: { readonly type: "text" | "thinking"; readonly index: number } | undefined;
  private readonly details = new ReasoningDetails();
  private finishReason = "";

  constructor(partial: PartialMessage, host: string) {
    this.partial = partial;
    this.host = host;
    this.calls = new ChatCalls(partial, () => this.closeGrowing());
  }

  /** Whether a reason to end has arrived: what may follow is usage and `[DONE]`. */
  get isComplete(): boolean {
    return this.finishReason !== "";
  }

  /** One chunk. Throws what the response fails with. */
  read(chunk: unknown): void {
    this.partial.start();
    const id = text(chunk, "id");
    if (id !== "") this.partial.identify(id);
    const choice = list(chunk, "choices")[0];
    const error = field(chunk, "error") || field(choice, "error");
    if (error) throw Object.assign(new Error("error in the stream"), { error: { error } });
    const usage =
      object(chunk, "usage") ?? object(choice, "usage") ?? object(object(chunk, "x_groq"), "usage");
    if (usage) {
      this.partial.reportUsage(chatUsage(usage), true);
      this.partial.reportCost(chargedDollars(usage));
    }
    // Servers that do not really stream send one whole message.
    const delta = object(choice, "delta") ?? (this.partial.blocks.count === 0 && object(choice, "message"));
    if (delta) this.readDelta(delta);
    const reason = text(choice, "finish_reason");
    if (reason !== "" && (this.finishReason === "" || chatEnding(this.finishReason) === "stop")) {
      this.finishReason = reason;
    }
  }

  /** `saidDone`: the stream ended with `[DONE]`, which is as good as a finish reason if nothing is left open. */
  finish(saidDone: boolean): void {
    const { finishReason, host } = this;
    this.closeGrowing();
    if (this.calls.areNameless()) this.malformed("a call without a name");
    if (finishReason === "" && !(saidDone && this.calls.areWhole())) {
      this.malformed("it ended before it was complete");
    }
    const ending = finishReason === "" ? "stop" : chatEnding(finishReason);
    switch (ending) {
      case "stop":
      case "length":
        return this.partial.finish(ending);
      case "content_filter": {
        const message = `${host} cut the answer off (content filter). Rephrase the request, or choose another model.`;
        return this.partial.fail({ kind: "content_filter", message });
      }
      case "context_overflow": {
        const message =
          "The model's context window is full. Compact the conversation, or choose a larger model.";
        return this.partial.fail({ kind: "context_overflow", message });
      }
      case "overloaded": {
        const message = `${host} failed while answering (${finishReason}). Try again in a moment.`;
        return this.partial.fail({ kind: "overloaded", message });
      }
      case "malformed_stream":
        return this.malformed(finishReason);
      case "unknown": {
        const message = `${host} ended its answer for an unknown reason (${finishReason}). Try again, or choose another model.`;
        return this.partial.fail({ kind: "unknown", message });
      }
    }
  }

  private readDelta(delta: Record<string, unknown>): void {
    const details = list(delta, "reasoning_details");
    const thinking = ["reasoning_content", "reasoning", "reasoning_text"].map((name) => words(delta[name]));
    this.grow("thinking", thinking.find((found) => found !== "") ?? detailsText(details));
    this.details.add(details);
    const content = delta["content"];
    for (const part of Array.isArray(content) ? content : [content]) this.readPart(part);
    this.grow("text", text(delta, "refusal"));
    for (const call of list(delta, "tool_calls")) this.calls.read(call);
    const legacy = object(delta, "function_call");
    if (legacy) this.calls.read({ index: 0, function: legacy });
  }

  /** Content is a text, or a list of parts, of which some are thinking (Mistral). */
  private readPart(part: unknown): void {
    if (!isJsonObject(part)) return this.grow("text", words(part));
    this.grow("thinking", words(part["thinking"] ?? part["reasoning"]));
    this.grow("text", words(part["text"] ?? part["refusal"]));
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

  private malformed(what: string): never {
    const message = `The answer of ${this.host} broke off or could not be read (${what}). Try again.`;
    throw new ProviderError("malformed_stream", message);
  }
}

/** Text, however deep it is wrapped: `"…"`, `[{ text: "…" }]`, `{ content: [...] }`. */
function words(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (depth > 3) return "";
  if (Array.isArray(value)) return value.map((item) => words(item, depth + 1)).join("");
  if (!isJsonObject(value)) return "";
  return words(value["text"] ?? value["content"] ?? value["summary"], depth + 1);
}
