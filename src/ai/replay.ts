// History as the turns that a given model may be shown. Deterministic, and stable under appending: the same messages
// give the same turns, and more messages only add turns. Leaves wire formats to the converters.
import { countImages, imageProblem } from "./image-limits.ts";
import type { ImageLimits } from "./image-limits.ts";
import { ToolCallIds } from "./tool-call-ids.ts";
import type { IdRule } from "./tool-call-ids.ts";
import type {
  AssistantBlock,
  AssistantMessage,
  ImageBlock,
  Message,
  Model,
  TextBlock,
  ThinkingBlock,
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

/** A results turn follows every assistant turn with calls and answers each call once, in order. */
export type ReplayedTurn =
  | { readonly role: "user"; readonly content: readonly ContentBlock[] }
  | { readonly role: "assistant"; readonly content: readonly AssistantBlock[] }
  | { readonly role: "results"; readonly results: readonly ReplayedResult[] };

export interface ReplayOptions {
  readonly ids: IdRule;
  /** Own thinking is left out too; for a provider that refused it. Default false. */
  readonly dropThinking?: boolean;
  /** Larger images become a note. Default: all are sent. */
  readonly imageLimits?: ImageLimits;
}

const interrupted = "No result: the call was interrupted.";
const noOutput = "(no output)";
const blindNote = "(An image was left out: this model does not read images.)";
const opening = "(The beginning of the conversation was left out.)";

/** System messages are left to `system.ts`. The first turn is always a user turn. */
export function replay(messages: readonly Message[], model: Model, options: ReplayOptions): ReplayedTurn[] {
  const replayer = new Replayer(model, options, countImages(messages));
  for (const message of messages) replayer.add(message);
  return replayer.end();
}

class Replayer {
  private readonly model: Model;
  private readonly options: ReplayOptions;
  private readonly imageCount: number;
  private readonly ids: ToolCallIds;
  private readonly turns: ReplayedTurn[] = [];
  /** Calls of the last assistant turn, by the ids of the history and of the request, with what answered them. */
  private pending: { originalId: string; call: ToolCallBlock; result: ReplayedResult | undefined }[] = [];

  constructor(model: Model, options: ReplayOptions, imageCount: number) {
    this.model = model;
    this.options = options;
    this.imageCount = imageCount;
    this.ids = new ToolCallIds(options.ids);
  }

  add(message: Message): void {
    if (message.role === "toolResult") this.answer(message);
    if (message.role === "user") this.addUser(message.content);
    if (message.role === "assistant") this.addAssistant(message);
  }

  end(): ReplayedTurn[] {
    this.settle();
    if (this.turns[0]?.role === "user") return this.turns;
    return [{ role: "user", content: [{ type: "text", text: opening }] }, ...this.turns];
  }

  private addUser(content: string | readonly ContentBlock[]): void {
    this.settle();
    const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    const shown = this.showContent(blocks);
    if (shown.length > 0) this.turns.push({ role: "user", content: shown });
  }

  private addAssistant(message: AssistantMessage): void {
    this.settle();
    if (message.stopReason === "error" || message.stopReason === "aborted") return;
    const own = this.isOwn(message) && this.options.dropThinking !== true;
    const content: AssistantBlock[] = [];
    for (const block of message.content) {
      if (block.type === "text" && block.text.trim() !== "") content.push(showText(block, own));
      if (block.type === "thinking" && own && isReplayable(block)) content.push(block);
      if (block.type === "toolCall") content.push(this.addCall(block, own));
    }
    // Thinking that led to nothing cannot be the end of a message.
    while (content.at(-1)?.type === "thinking") content.pop();
    if (content.length > 0) this.turns.push({ role: "assistant", content });
  }

  private addCall(block: ToolCallBlock, own: boolean): ToolCallBlock {
    const call: ToolCallBlock = {
      type: "toolCall",
      id: this.ids.assign(block.id),
      name: block.name.toWellFormed(),
      arguments: wellFormedJson(block.arguments),
      ...(own && block.thoughtSignature !== undefined && { thoughtSignature: block.thoughtSignature }),
    };
    this.pending.push({ originalId: block.id, call, result: undefined });
    return call;
  }

  /** A result that answers no open call of the last assistant turn is stray and dropped. */
  private answer(message: ToolResultMessage): void {
    const open = this.pending.find((entry) => entry.originalId === message.toolCallId && !entry.result);
    if (!open) return;
    const content = this.showContent(message.content);
    open.result = {
      toolCallId: open.call.id,
      toolName: open.call.name,
      content: content.length > 0 ? content : [{ type: "text", text: noOutput }],
      isError: message.isError,
    };
  }

  private settle(): void {
    if (this.pending.length === 0) return;
    const results = this.pending.map(({ call, result }) => result ?? interruptedResult(call));
    this.turns.push({ role: "results", results });
    this.pending = [];
  }

  private isOwn(message: AssistantMessage): boolean {
    const { api, provider, id } = this.model;
    return message.api === api && message.provider === provider && message.model === id;
  }

  /** Without empty text; images that cannot be sent become a note, the same one in a row only once. */
  private showContent(content: readonly ContentBlock[]): ContentBlock[] {
    const shown: ContentBlock[] = [];
    let lastNote: string | undefined;
    for (const block of content) {
      const note = block.type === "image" ? this.imageNote(block) : undefined;
      if (note !== undefined) {
        if (note !== lastNote) shown.push({ type: "text", text: note });
        lastNote = note;
        continue;
      }
      if (block.type === "image" && block.data !== "") shown.push(block);
      else if (block.type === "text" && block.text.trim() !== "") shown.push(showText(block, false));
      else continue;
      lastNote = undefined;
    }
    return shown;
  }

  private imageNote(image: ImageBlock): string | undefined {
    if (!this.model.input.includes("image")) return blindNote;
    const { imageLimits } = this.options;
    const problem = imageLimits && imageProblem(image, imageLimits, this.imageCount);
    return problem === undefined ? undefined : `(An image was left out: ${problem}.)`;
  }
}

function interruptedResult(call: ToolCallBlock): ReplayedResult {
  return {
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: interrupted }],
    isError: true,
  };
}

/** Signatures are opaque to everyone but the model that made them. */
function showText(block: TextBlock, own: boolean): TextBlock {
  const signature = own ? block.textSignature : undefined;
  return {
    type: "text",
    text: block.text.toWellFormed(),
    ...(signature !== undefined && { textSignature: signature }),
  };
}

/** Thinking goes back byte for byte or not at all. */
function isReplayable(block: ThinkingBlock): boolean {
  if (!block.thinking.isWellFormed()) return false;
  return block.thinkingSignature !== undefined || block.thinking.trim() !== "";
}
