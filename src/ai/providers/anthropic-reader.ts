// Maps the events of the Messages API to a PartialMessage. Trusts no field to be there: compatible servers leave out, repeat
// and add. What cannot be put into its place is a broken stream, not a guess.
import { isJsonObject } from "../../shared/json.ts";
import { ProviderError } from "../errors.ts";
import type { PartialMessage } from "../partial-message.ts";
import type { UsageParts } from "../usage.ts";
import { count, field, object, text } from "./read-json.ts";

interface Block {
  readonly type: string;
  /** Of its block in the message; -1 for text without a character yet and for kinds that nobody asked for. */
  index: number;
  signature: string;
  /** The arguments, where the start had them. */
  whole: string;
  stopped: boolean;
}

/** Delta types and the only block type that each belongs to. */
const deltaFields: ReadonlyMap<string, readonly [block: string, field: string]> = new Map([
  ["text_delta", ["text", "text"]],
  ["thinking_delta", ["thinking", "thinking"]],
  ["signature_delta", ["thinking", "signature"]],
  ["input_json_delta", ["tool_use", "partial_json"]],
]);

/** Kinds of blocks that a message is made of; all others carry what nobody asked for. */
const knownBlocks: ReadonlySet<string> = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);

export class AnthropicReader {
  private readonly partial: PartialMessage;
  private readonly host: string;
  /** By place on the wire. */
  private readonly blocks = new Map<number, Block>();
  /** The place that the last event named. */
  private lastPlace = 0;
  private messageId: string | undefined;
  private stopReason = "";
  private explanation = "";

  constructor(partial: PartialMessage, host: string) {
    this.partial = partial;
    this.host = host;
  }

  /** One event; `name` is null where the server named none. Throws what the response fails with. */
  read(name: string | null, data: string): void {
    if (data === "" || data.trim() === "[DONE]") return;
    const event = name === "error" ? parsedError(data) : parsed(data);
    const type = text(event, "type") || name;
    if (type === "error" || field(event, "error"))
      throw Object.assign(new Error("error event"), { error: event });
    switch (type) {
      case "message_start":
        return this.startMessage(object(event, "message"));
      case "content_block_start":
        return this.startBlock(this.placeOf(event, 1), object(event, "content_block"));
      case "content_block_delta":
        return this.addDelta(this.placeOf(event, 0), object(event, "delta"));
      case "content_block_stop":
        return this.stopBlock(this.placeOf(event, 0));
      case "message_delta":
        return this.updateMessage(object(event, "delta"), object(event, "usage"));
      case "message_stop":
        return this.finish();
      default:
        // Pings, and kinds that were added to the API later: they carry nothing that this client asked for.
        return;
    }
  }

  /** An event without a place belongs to the last one; `step`: or begins the next. */
  private placeOf(event: unknown, step: 0 | 1): number {
    const named = field(event, "index");
    const place = typeof named === "number" ? named : this.blocks.size === 0 ? 0 : this.lastPlace + step;
    this.lastPlace = place;
    return place;
  }

  /** Some gateways send the start twice; a start that belongs to another message is a broken stream. */
  private startMessage(message: unknown): void {
    const id = text(message, "id");
    const repeated = this.messageId !== undefined;
    if (repeated && (id !== this.messageId || this.blocks.size > 0)) this.malformed("a second message began");
    this.messageId = id;
    this.partial.start();
    if (id !== "") this.partial.identify(id);
    this.partial.reportUsage(usageParts(object(message, "usage")));
  }

  private startBlock(place: number, block: unknown): void {
    if (this.blocks.has(place)) this.malformed("a content block began twice");
    const type = text(block, "type");
    const whole = type === "tool_use" ? wholeInput(field(block, "input")) : "";
    const index = this.openBlock(type, block);
    const opened: Block = { type, index, signature: "", whole, stopped: false };
    this.blocks.set(place, opened);
    if (type === "text") this.addText(opened, text(block, "text"));
    if (type === "thinking") {
      this.partial.append(opened.index, text(block, "thinking"));
      this.sign(opened, text(block, "signature"));
    }
  }

  /** Text opens with its first character, so that no empty text block ever exists. */
  private openBlock(type: string, block: unknown): number {
    if (type === "thinking") return this.partial.openThinking();
    if (type === "redacted_thinking") return this.partial.openThinking({ signature: text(block, "data") });
    if (type !== "tool_use") return -1;
    const name = text(block, "name");
    if (name === "") this.malformed("a call without a name");
    return this.partial.openToolCall(text(block, "id"), name);
  }

  private addDelta(place: number, delta: unknown): void {
    const block = this.blocks.get(place);
    if (!block) return this.malformed("a delta arrived for a content block that never began");
    const [type, name] = deltaFields.get(text(delta, "type")) ?? [];
    if (type === undefined || name === undefined || !knownBlocks.has(block.type)) return;
    const words = text(delta, name);
    if (words === "") return;
    if (block.stopped) this.malformed("a delta arrived for a content block that had ended");
    if (type !== block.type) this.malformed("a delta of the wrong kind arrived");
    if (name === "signature") this.sign(block, words);
    else if (name === "text") this.addText(block, words);
    else this.partial.append(block.index, words);
  }

  private addText(block: Block, words: string): void {
    if (words === "") return;
    if (block.index < 0) block.index = this.partial.openText();
    this.partial.append(block.index, words);
  }

  /** Some gateways send the whole signature twice. */
  private sign(block: Block, signature: string): void {
    if (signature === block.signature) return;
    block.signature += signature;
    this.partial.blocks.sign(block.index, signature);
  }

  private stopBlock(place: number): void {
    const block = this.blocks.get(place);
    if (!block || block.stopped) return;
    block.stopped = true;
    if (this.partial.blocks.text(block.index) === "") this.partial.append(block.index, block.whole);
    this.partial.close(block.index);
  }

  private updateMessage(delta: unknown, usage: unknown): void {
    this.stopReason = text(delta, "stop_reason") || this.stopReason;
    this.explanation = text(object(delta, "stop_details"), "explanation") || this.explanation;
    this.partial.reportUsage(usageParts(usage));
  }

  /** Reasons of the API, and `stop`, `tool_calls` and so on as gateways in front of other models say them. */
  private finish(): void {
    const why = this.explanation === "" ? "" : ` It said: ${this.explanation}`;
    switch (this.stopReason) {
      case "end_turn":
      case "stop_sequence":
      case "tool_use":
      case "pause_turn":
      case "stop":
      case "tool_calls":
        this.assertWholeCalls();
        return this.partial.finish("stop");
      case "max_tokens":
      case "length":
        return this.partial.finish("length");
      case "refusal":
      case "sensitive":
      case "content_filter": {
        const message = `${this.host} declined to answer. Rephrase the request, or choose another model.${why}`;
        return this.partial.fail({ kind: "content_filter", message });
      }
      case "model_context_window_exceeded": {
        const message =
          "The model's context window is full. Compact the conversation, or choose a larger model.";
        return this.partial.fail({ kind: "context_overflow", message });
      }
      case "":
        return this.malformed("it ended without a reason");
      default: {
        const message = `${this.host} ended its answer for an unknown reason (${this.stopReason}).${why} Try again, or choose another model.`;
        return this.partial.fail({ kind: "unknown", message });
      }
    }
  }

  /** What was not finished on the wire is not run, even if what arrived happens to parse. */
  private assertWholeCalls(): void {
    for (const { type, stopped } of this.blocks.values()) {
      if (type === "tool_use" && !stopped) this.malformed("a call was not completed");
    }
  }

  private malformed(what: string): never {
    const message = `The answer of ${this.host} could not be read (${what}). Try again.`;
    throw new ProviderError("malformed_stream", message);
  }
}

/** Throws a SyntaxError. */
function parsed(data: string): unknown {
  return JSON.parse(data);
}

/** An error may be told in plain text. */
function parsedError(data: string): unknown {
  try {
    return parsed(data);
  } catch {
    return { message: data };
  }
}

/** Gateways without streamed arguments put them into the start event; usually there is an empty object. */
function wholeInput(input: unknown): string {
  if (typeof input === "string") return input;
  return isJsonObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : "";
}

/** Compatible servers leave fields out or send null, whatever the documentation says. */
function usageParts(usage: unknown): Partial<UsageParts> {
  return {
    input: count(usage, "input_tokens"),
    output: count(usage, "output_tokens"),
    cacheRead: count(usage, "cache_read_input_tokens"),
    cacheWrite: count(usage, "cache_creation_input_tokens"),
  };
}
