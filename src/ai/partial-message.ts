// One response as it grows: providers say what arrived, this emits the events and collects the chunks, so that a delta
// costs its own length only. The final message, whatever ends the response, is built here and nowhere else.
import { v4 } from "uuid";
import type { Failure } from "./errors.ts";
import { parseToolArguments } from "./tool-arguments.ts";
import type {
  AssistantBlock,
  AssistantMessage,
  Model,
  StopReason,
  StreamEvent,
  StreamOptions,
  ToolCallBlock,
} from "./types.ts";
import { noUsage, toUsage } from "./usage.ts";
import type { UsageParts } from "./usage.ts";

interface OpenBlock {
  readonly type: AssistantBlock["type"];
  readonly chunks: string[];
  readonly signature: string[];
  readonly id: string;
  readonly name: string;
  readonly redacted: boolean;
  closed: AssistantBlock | undefined;
}

export interface PartialMessageOptions {
  readonly model: Model;
  readonly options: StreamOptions;
  readonly now: () => number;
  readonly emit: (event: StreamEvent) => void;
  /** Tool call ids the conversation already has: a provider that repeats one gets a new one. */
  readonly usedIds: () => Set<string>;
  /** For the text of an answer without content. */
  readonly host: string;
}

/** Ends once, by `finish`, `fail` or `abort`; everything after that is ignored. */
export class PartialMessage {
  private readonly context: PartialMessageOptions;
  private readonly startedAt: number;
  private readonly blocks: OpenBlock[] = [];
  private usage: UsageParts = noUsage;
  private responseId: string | undefined;
  private started = false;
  private over = false;
  private ids: Set<string> | undefined;

  constructor(context: PartialMessageOptions) {
    this.context = context;
    this.startedAt = context.now();
  }

  get ended(): boolean {
    return this.over;
  }

  get isEmpty(): boolean {
    return this.blocks.length === 0;
  }

  start(): void {
    if (this.started || this.over) return;
    this.started = true;
    this.context.emit({ type: "start" });
  }

  openText(): number {
    return this.open({ type: "text" });
  }

  /** A redacted block has its whole payload in `signature`. */
  openThinking(redacted?: { readonly signature: string }): number {
    const index = this.open({ type: "thinking", redacted: redacted !== undefined });
    if (redacted) this.sign(index, redacted.signature);
    return index;
  }

  /** An empty id, or one the conversation already has, is replaced by a new unique one. */
  openToolCall(id: string, name: string): number {
    this.ids ??= this.context.usedIds();
    const unique = id === "" || this.ids.has(id) ? `call_${v4().replaceAll("-", "")}` : id;
    this.ids.add(unique);
    return this.open({ type: "toolCall", id: unique, name });
  }

  append(index: number, delta: string): void {
    const block = this.blocks[index];
    if (!block || block.closed || delta === "" || this.over) return;
    block.chunks.push(delta);
    const type = block.type === "toolCall" ? "toolcall_delta" : (`${block.type}_delta` as const);
    this.context.emit({ type, index, delta });
  }

  sign(index: number, signature: string): void {
    if (signature !== "") this.blocks[index]?.signature.push(signature);
  }

  /** The argument text so far; for deciding whether a call without a proper end is complete. */
  argumentText(index: number): string {
    return this.blocks[index]?.chunks.join("") ?? "";
  }

  close(index: number): void {
    const block = this.blocks[index];
    if (!block || block.closed || this.over) return;
    const final = buildBlock(block);
    block.closed = final;
    if (final.type === "toolCall") this.context.emit({ type: "toolcall_end", index, toolCall: final });
    else this.context.emit({ type: `${final.type}_end`, index });
  }

  identify(responseId: string): void {
    this.responseId ??= responseId;
  }

  /** Takes over what is a positive number; a missing, null or zero part never replaces a known one. */
  reportUsage(parts: Partial<UsageParts>): void {
    const known = this.usage;
    this.usage = {
      input: parts.input || known.input,
      output: parts.output || known.output,
      cacheRead: parts.cacheRead || known.cacheRead,
      cacheWrite: parts.cacheWrite || known.cacheWrite,
    };
  }

  /** The provider's proper end. An answer without text and calls is a failure: there is nothing to go on with. */
  finish(reason: "stop" | "length"): void {
    if (this.over) return;
    this.start();
    for (const index of this.blocks.keys()) this.close(index);
    const content = this.content();
    const calls = content.some((block) => block.type === "toolCall");
    const text = content.some((block) => block.type === "text" && block.text.trim() !== "");
    if (reason === "stop" && !calls && !text) {
      const message = `${this.context.host} answered with nothing. Try again, or rephrase the request.`;
      this.fail({ kind: "malformed_stream", message });
      return;
    }
    const stopReason = reason === "stop" && calls ? "toolUse" : reason;
    this.end("done", this.message(stopReason));
  }

  fail(failure: Failure): void {
    if (this.over) return;
    const { kind, message, retryAfterMs } = failure;
    this.end("error", {
      ...this.message("error"),
      errorKind: kind,
      errorMessage: message,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  }

  abort(): void {
    if (!this.over) this.end("error", { ...this.message("aborted"), errorMessage: "Stopped." });
  }

  private open(block: {
    type: AssistantBlock["type"];
    id?: string;
    name?: string;
    redacted?: boolean;
  }): number {
    const { type, id = "", name = "", redacted = false } = block;
    const index = this.blocks.length;
    this.blocks.push({ type, id, name, redacted, chunks: [], signature: [], closed: undefined });
    if (this.over) return index;
    this.start();
    if (type === "toolCall") this.context.emit({ type: "toolcall_start", index, id, name });
    else this.context.emit({ type: `${type}_start`, index });
    return index;
  }

  private content(): AssistantBlock[] {
    return this.blocks.map((block) => block.closed ?? buildUnfinished(block));
  }

  private message(stopReason: StopReason): AssistantMessage {
    const { model, options, now } = this.context;
    return {
      role: "assistant",
      content: this.content(),
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: toUsage(this.usage, model.price),
      stopReason,
      ...(this.responseId !== undefined && { responseId: this.responseId }),
      ...(options.thinkingLevel !== undefined && { thinkingLevel: options.thinkingLevel }),
      durationMs: Math.max(0, now() - this.startedAt),
      timestamp: this.startedAt,
    };
  }

  private end(type: "done" | "error", message: AssistantMessage): void {
    this.over = true;
    this.context.emit({ type, message });
  }
}

function buildBlock(block: OpenBlock): AssistantBlock {
  const text = block.chunks.join("");
  const signature = block.signature.join("");
  switch (block.type) {
    case "text":
      return { type: "text", text, ...(signature !== "" && { textSignature: signature }) };
    case "thinking":
      return {
        type: "thinking",
        thinking: text,
        ...(signature !== "" && { thinkingSignature: signature }),
        ...(block.redacted && { redacted: true }),
      };
    case "toolCall":
      return {
        type: "toolCall",
        id: block.id,
        name: block.name,
        ...parseToolArguments(text),
        ...(signature !== "" && { thoughtSignature: signature }),
      };
  }
}

/** A call that broke off is never usable, even if its text happens to parse. */
function buildUnfinished(block: OpenBlock): AssistantBlock {
  if (block.type !== "toolCall") return buildBlock(block);
  const argumentsError = "The response ended before the arguments were complete.";
  return {
    type: "toolCall",
    id: block.id,
    name: block.name,
    arguments: {},
    argumentsError,
  } satisfies ToolCallBlock;
}
