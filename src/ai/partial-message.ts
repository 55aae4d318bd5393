// One response as it grows: providers say what arrived, this emits the events, and a delta costs its own length only.
// The final message, whatever ends the response, is built here and nowhere else.
import { deepFreeze } from "./deep-freeze.ts";
import { cleanFailure } from "./errors.ts";
import type { Failure } from "./errors.ts";
import { ResponseBlocks } from "./response-blocks.ts";
import type { AssistantMessage, Model, StopReason, StreamEvent, StreamOptions } from "./types.ts";
import { noUsage, toUsage } from "./usage.ts";
import type { UsageParts } from "./usage.ts";

export interface PartialMessageOptions {
  readonly model: Model;
  readonly options: StreamOptions;
  readonly now: () => number;
  readonly emit: (event: StreamEvent) => void;
  /** Tool call ids the conversation already has: a provider that repeats one gets a new one. */
  readonly usedIds: () => Set<string>;
  /** For the text of an answer without content. */
  readonly host: string;
  /** Taken out of everything that is said of a failure. */
  readonly secrets?: readonly string[];
}

/** Ends once, by `finish`, `fail` or `abort`; everything after that is ignored. */
export class PartialMessage {
  readonly blocks: ResponseBlocks;
  private readonly context: PartialMessageOptions;
  private readonly startedAt: number;
  private usage: UsageParts & { readonly cost?: number } = noUsage;
  private responseId: string | undefined;
  private started = false;
  private final: AssistantMessage | undefined;

  constructor(context: PartialMessageOptions) {
    this.context = context;
    this.blocks = new ResponseBlocks(context.usedIds);
    this.startedAt = context.now();
  }

  get ended(): boolean {
    return this.final !== undefined;
  }

  /** As `AssistantStream.snapshot` promises it. */
  snapshot(): AssistantMessage {
    return this.final ?? deepFreeze(this.message("aborted", this.blocks.snapshot()));
  }

  start(): void {
    if (!this.started) this.emit({ type: "start" });
    this.started = true;
  }

  openText(): number {
    this.start();
    const index = this.blocks.open("text");
    this.emit({ type: "text_start", index });
    return index;
  }

  /** A redacted block has its whole payload in `signature`. */
  openThinking(redacted?: { readonly signature: string }): number {
    this.start();
    const index = this.blocks.open("thinking", redacted !== undefined);
    this.emit({ type: "thinking_start", index });
    if (redacted) this.blocks.sign(index, redacted.signature);
    return index;
  }

  openToolCall(wireId: string, name: string): number {
    this.start();
    const { index, id } = this.blocks.openCall(wireId, name);
    this.emit({ type: "toolcall_start", index, id, name });
    return index;
  }

  append(index: number, delta: string): void {
    if (delta === "" || this.ended) return;
    const type = this.blocks.append(index, delta);
    if (type === "toolCall") this.emit({ type: "toolcall_delta", index, delta });
    else if (type) this.emit({ type: `${type}_delta`, index, delta });
  }

  /** `whole`: the arguments of a call, where they are said once more; they count, and the deltas were for display. */
  close(index: number, whole?: string): void {
    const block = this.ended ? undefined : this.blocks.end(index, whole);
    if (block?.type === "toolCall") this.emit({ type: "toolcall_end", index, toolCall: block });
    else if (block) this.emit({ type: `${block.type}_end`, index });
  }

  identify(responseId: string): void {
    this.responseId ??= responseId;
  }

  /** What the provider says that it charged, in US dollars; what is no amount is ignored. */
  reportCost(dollars: unknown): void {
    if (typeof dollars === "number" && Number.isFinite(dollars) && dollars >= 0)
      this.usage = { ...this.usage, cost: dollars };
  }

  /**
   * Takes over what is a positive number; a missing, null or zero part never replaces a known one, unless `isWhole`: the
   * report says everything about what went in, when it says anything.
   */
  reportUsage(parts: Partial<UsageParts>, isWhole = false): void {
    const replaces = isWhole && Boolean(parts.input || parts.cacheRead || parts.cacheWrite);
    const known = replaces ? { ...this.usage, input: 0, cacheRead: 0, cacheWrite: 0 } : this.usage;
    this.usage = {
      ...known,
      input: parts.input || known.input,
      output: parts.output || known.output,
      cacheRead: parts.cacheRead || known.cacheRead,
      cacheWrite: parts.cacheWrite || known.cacheWrite,
    };
  }

  /** The provider's proper end. An answer without text and calls is a failure: there is nothing to go on with. */
  finish(reason: "stop" | "length"): void {
    if (this.ended) return;
    this.start();
    for (let index = 0; index < this.blocks.count; index += 1) this.close(index);
    const content = this.blocks.content();
    const calls = content.some((block) => block.type === "toolCall");
    const text = content.some((block) => block.type === "text" && block.text.trim() !== "");
    if (reason === "stop" && !calls && !text) {
      const message = `${this.context.host} answered with nothing. Try again, or rephrase the request.`;
      this.fail({ kind: "malformed_stream", message });
      return;
    }
    const stopReason = reason === "stop" && calls ? "toolUse" : reason;
    this.end({ type: "done", message: this.message(stopReason) });
  }

  fail(failure: Failure): void {
    if (this.ended) return;
    const {
      kind,
      message: errorMessage,
      retryAfterMs,
      final,
      cause,
    } = cleanFailure(failure, this.context.secrets ?? []);
    const message = {
      ...this.message("error"),
      ...{ errorKind: kind, errorMessage },
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(final && { errorFinal: final }),
    };
    this.end({ type: "error", message, ...(cause !== undefined && { cause }) });
  }

  abort(): void {
    if (this.ended) return;
    this.end({ type: "error", message: { ...this.message("aborted"), errorMessage: "Stopped." } });
  }

  private message(stopReason: StopReason, content = this.blocks.content()): AssistantMessage {
    const { model, options, now } = this.context;
    const { cost, ...parts } = this.usage;
    return {
      role: "assistant",
      content,
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: toUsage(parts, model.price, cost),
      stopReason,
      ...(this.responseId !== undefined && { responseId: this.responseId }),
      ...(options.thinkingLevel !== undefined && { thinkingLevel: options.thinkingLevel }),
      durationMs: Math.max(0, now() - this.startedAt),
      timestamp: this.startedAt,
    };
  }

  private emit(event: StreamEvent): void {
    if (!this.ended) this.context.emit(event);
  }

  private end(event: Extract<StreamEvent, { type: "done" | "error" }>): void {
    this.final = deepFreeze(event.message);
    this.context.emit(event);
  }
}
