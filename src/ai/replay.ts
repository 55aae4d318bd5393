// History as the turns that a given model may be shown. Deterministic, and stable under appending: the same messages
// give the same turns, and more messages only add turns (`image-limits.ts` says when an API forces an exception).
// Leaves wire formats to the converters.
import { ImagePlan } from "./image-limits.ts";
import type { ImageLimits } from "./image-limits.ts";
import { isReplayable, showContent, showText } from "./replay-blocks.ts";
import { changesTools, countLeading, systemChangeText } from "./system.ts";
import { ToolCallIds, legalToolName } from "./tool-call-ids.ts";
import type { IdRule } from "./tool-call-ids.ts";
import type {
  AssistantBlock,
  AssistantMessage,
  ImageBlock,
  Message,
  Model,
  SystemMessage,
  TextBlock,
  ToolCallBlock,
  ToolResultMessage,
} from "./types.ts";
import { wellFormedJson } from "./well-formed.ts";

export type ContentBlock = TextBlock | ImageBlock;

export interface ReplayedResult {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Never empty. */
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
}

/**
 * A results turn follows every assistant turn with calls and answers each call once, in order. No assistant turn
 * follows another, the first and the last are none, and only thinking of the same model is in them. System turns
 * exist only where `laterSystem` asks for them.
 */
export type ReplayedTurn =
  | { readonly role: "user"; readonly content: readonly ContentBlock[] }
  | { readonly role: "assistant"; readonly content: readonly AssistantBlock[] }
  | { readonly role: "results"; readonly results: readonly ReplayedResult[] }
  | { readonly role: "system"; readonly text: string };

export interface ReplayOptions {
  readonly ids: IdRule;
  /** Own thinking is left out too; for a provider that refused it. Default false. */
  readonly dropThinking?: boolean;
  /** Own thinking without a signature is left out. Default false. */
  readonly signedThinkingOnly?: boolean;
  /**
   * Own thinking is valid only behind exactly what it was made behind, and is left out where that changed since: other
   * tools, a summary, images that had to go. Default false.
   */
  readonly boundThinking?: boolean;
  /** What cannot be sent becomes a note. Default: all images are sent. */
  readonly imageLimits?: ImageLimits;
  /**
   * How system messages after the first turn are told: `user` (default), in a tag in a user turn; `inPlace`, as a
   * system turn; `afterUser`, as a system turn that no user turn follows. Always after the results of open calls.
   */
  readonly laterSystem?: "user" | "inPlace" | "afterUser";
}

const interrupted = "No result: the call was interrupted.";
const noOutput = "(no output)";
const opening = "(The beginning of the conversation was left out.)";
/** Between two answers, and after the last: many models refuse a conversation that ends with their own words. */
const goOn = "Continue.";

/** Leading system messages are left to `system.ts`. */
export function replay(messages: readonly Message[], model: Model, options: ReplayOptions): ReplayedTurn[] {
  const replayer = new Replayer(model, options);
  const leading = countLeading(messages);
  const toolsChangedAt = messages.findLastIndex(
    (message, index) => index >= leading && message.role === "system" && changesTools(message),
  );
  for (const [index, message] of messages.entries()) {
    if (index < leading) replayer.pass(message);
    else replayer.add(message, index < toolsChangedAt);
  }
  return replayer.end();
}

interface PendingCall {
  readonly call: ToolCallBlock;
  readonly argumentsError: string | undefined;
  result: ReplayedResult | undefined;
}

class Replayer {
  private readonly model: Model;
  private readonly options: ReplayOptions;
  private readonly ids: ToolCallIds;
  private readonly images: ImagePlan | undefined;
  private readonly turns: ReplayedTurn[] = [];
  /** Calls of the last assistant turn, in order, and the unanswered ones of them by their ids in the history. */
  private pending: PendingCall[] = [];
  private unanswered = new Map<string, PendingCall[]>();
  /** System texts that must wait. */
  private held: string[] = [];
  /** The newest time of what came before. */
  private newest = 0;
  /** What was sent before this turn has changed since. */
  private rewrittenBefore = 0;

  constructor(model: Model, options: ReplayOptions) {
    this.model = model;
    this.options = options;
    this.ids = new ToolCallIds(options.ids);
    this.images = options.imageLimits && new ImagePlan(options.imageLimits);
  }

  pass(message: Message): void {
    this.newest = Math.max(this.newest, message.timestamp);
  }

  /** `isOutdated`: the tools changed after this message. */
  add(message: Message, isOutdated: boolean): void {
    if (message.role === "toolResult") this.answer(message);
    if (message.role === "user") this.addUser(message.content);
    if (message.role === "system") this.addSystem(message);
    // A summary stands before what it kept, and is newer.
    if (message.role === "assistant")
      this.addAssistant(message, isOutdated || this.newest > message.timestamp);
    this.pass(message);
  }

  end(): ReplayedTurn[] {
    this.settle();
    this.flushSystem();
    this.letGoOn();
    const turns = this.turns.map((turn, index) => this.finish(turn, index));
    if (turns[0]?.role === "user") return turns;
    return [{ role: "user", content: [{ type: "text", text: opening }] }, ...turns];
  }

  private addUser(content: string | readonly ContentBlock[]): void {
    this.settle();
    const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    const shown = showContent(blocks, this.model);
    if (shown.length > 0) this.turns.push({ role: "user", content: this.planImages(shown) });
  }

  private addSystem(message: SystemMessage): void {
    const text = systemChangeText(message);
    if (text !== undefined) this.held.push(text);
    if (this.pending.length === 0 && this.options.laterSystem !== "afterUser") this.flushSystem();
  }

  private flushSystem(): void {
    const { laterSystem = "user" } = this.options;
    if (this.held.length === 0) return;
    const text = this.held.join("\n\n");
    this.held = [];
    if (laterSystem === "user") {
      const told = `<system-update>\n${text}\n</system-update>`;
      this.turns.push({ role: "user", content: [{ type: "text", text: told }] });
      return;
    }
    // After an answer, the API takes no system turn either.
    if (laterSystem === "afterUser") this.letGoOn();
    this.turns.push({ role: "system", text });
  }

  private addAssistant(message: AssistantMessage, isOutdated: boolean): void {
    this.settle();
    if (message.stopReason === "error" || message.stopReason === "aborted") return;
    const { dropThinking = false, signedThinkingOnly = false, boundThinking = false } = this.options;
    const own = this.isOwn(message) && !dropThinking;
    const thinks = own && !(boundThinking && isOutdated);
    const content: AssistantBlock[] = [];
    for (const block of message.content) {
      if (block.type === "text" && block.text.trim() !== "") content.push(showText(block, own));
      if (block.type === "thinking" && thinks && isReplayable(block, signedThinkingOnly)) content.push(block);
      if (block.type === "toolCall") content.push(this.addCall(block, own));
    }
    // Thinking that led to nothing cannot be the end of a message.
    while (content.at(-1)?.type === "thinking") content.pop();
    if (content.length === 0) return;
    this.flushSystem();
    this.letGoOn();
    this.turns.push({ role: "assistant", content });
  }

  private addCall(block: ToolCallBlock, own: boolean): ToolCallBlock {
    const signature = own ? block.thoughtSignature : undefined;
    const call: ToolCallBlock = {
      type: "toolCall",
      id: this.ids.assign(block.id),
      name: legalToolName(block.name),
      arguments: wellFormedJson(block.arguments),
      ...(signature?.isWellFormed() && { thoughtSignature: signature }),
    };
    const pending: PendingCall = { call, argumentsError: block.argumentsError, result: undefined };
    this.pending.push(pending);
    const same = this.unanswered.get(block.id);
    if (same) same.push(pending);
    else this.unanswered.set(block.id, [pending]);
    return call;
  }

  /** A result that answers no open call of the last assistant turn is stray and dropped. */
  private answer(message: ToolResultMessage): void {
    const open = this.unanswered.get(message.toolCallId)?.shift();
    if (!open) return;
    const content = showContent(message.content, this.model);
    open.result = {
      toolCallId: open.call.id,
      toolName: open.call.name,
      content: content.length > 0 ? this.planImages(content) : [{ type: "text", text: noOutput }],
      isError: message.isError,
    };
  }

  private settle(): void {
    if (this.pending.length > 0) {
      const results = this.pending.map((entry) => entry.result ?? interruptedResult(entry));
      this.turns.push({ role: "results", results });
      this.pending = [];
      this.unanswered = new Map();
    }
    if (this.options.laterSystem !== "afterUser") this.flushSystem();
  }

  private letGoOn(): void {
    if (this.turns.at(-1)?.role !== "assistant") return;
    this.turns.push({ role: "user", content: [{ type: "text", text: goOn }] });
  }

  private isOwn(message: AssistantMessage): boolean {
    const { api, provider, id } = this.model;
    return message.api === api && message.provider === provider && message.model === id;
  }

  private planImages(content: readonly ContentBlock[]): readonly ContentBlock[] {
    if (this.images?.add(content)) this.rewrittenBefore = this.turns.length;
    return content;
  }

  /** What could be decided only at the end: the images that go, and thinking that was made behind them. */
  private finish(turn: ReplayedTurn, index: number): ReplayedTurn {
    if (turn.role === "assistant" && this.options.boundThinking && index < this.rewrittenBefore) {
      return { ...turn, content: turn.content.filter((block) => block.type !== "thinking") };
    }
    const { images } = this;
    if (!images) return turn;
    if (turn.role === "user") return { ...turn, content: images.apply(turn.content) };
    if (turn.role !== "results") return turn;
    return {
      ...turn,
      results: turn.results.map((result) => ({ ...result, content: images.apply(result.content) })),
    };
  }
}

function interruptedResult({ call, argumentsError }: PendingCall): ReplayedResult {
  const text = argumentsError === undefined ? interrupted : `${interrupted} ${argumentsError.toWellFormed()}`;
  return { toolCallId: call.id, toolName: call.name, content: [{ type: "text", text }], isError: true };
}
