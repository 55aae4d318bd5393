// The content blocks of one response while they grow: chunks are collected and joined once, when a block ends. Leaves
// events and the message around the blocks to `partial-message.ts`.
import { v4 } from "uuid";
import { deepFreeze } from "./deep-freeze.ts";
import { GrowingArguments } from "./growing-arguments.ts";
import { parseToolArguments } from "./tool-arguments.ts";
import type { AssistantBlock, ToolCallBlock } from "./types.ts";

interface GrowingBlock {
  readonly type: AssistantBlock["type"];
  readonly id: string;
  readonly name: string;
  readonly redacted: boolean;
  readonly chunks: string[];
  readonly signature: string[];
  /** Made when a snapshot first asks for the arguments so far; `shown` chunks are in it. */
  preview: GrowingArguments | undefined;
  shown: number;
  ended: AssistantBlock | undefined;
}

export class ResponseBlocks {
  private readonly blocks: GrowingBlock[] = [];
  private readonly findUsedIds: () => Set<string>;
  private usedIds: Set<string> | undefined;

  /** Tool call ids the conversation already has; asked for at the first call. */
  constructor(findUsedIds: () => Set<string>) {
    this.findUsedIds = findUsedIds;
  }

  get count(): number {
    return this.blocks.length;
  }

  /** The new block's index. */
  open(type: "text" | "thinking", redacted = false): number {
    return this.add({ type, redacted, id: "", name: "" });
  }

  /** An empty id, or one the conversation already has, is replaced by a new unique one. */
  openCall(id: string, name: string): { readonly index: number; readonly id: string } {
    this.usedIds ??= this.findUsedIds();
    const unique = id === "" || this.usedIds.has(id) ? `call_${v4().replaceAll("-", "")}` : id;
    this.usedIds.add(unique);
    return { index: this.add({ type: "toolCall", redacted: false, id: unique, name }), id: unique };
  }

  /** The type of the block that grew; undefined when there is none, or it has ended. */
  append(index: number, delta: string): AssistantBlock["type"] | undefined {
    const block = this.blocks[index];
    if (!block || block.ended) return undefined;
    block.chunks.push(delta);
    return block.type;
  }

  sign(index: number, signature: string): void {
    if (signature !== "") this.blocks[index]?.signature.push(signature);
  }

  /** The whole text so far. */
  text(index: number): string {
    return this.blocks[index]?.chunks.join("") ?? "";
  }

  /**
   * The finished block; undefined when there is none, or it ended before. `whole`: what a call's arguments really are, where
   * the provider says them once more.
   */
  end(index: number, whole?: string): AssistantBlock | undefined {
    const block = this.blocks[index];
    if (!block || block.ended) return undefined;
    block.ended = deepFreeze(finished(block, whole));
    return block.ended;
  }

  /** All blocks as they are. A call that has not ended is never usable, even if its text happens to parse. */
  content(): AssistantBlock[] {
    return this.blocks.map((block) => block.ended ?? unfinished(block));
  }

  /** All blocks as they are, for display: with the arguments so far of calls that have not ended. Shares nothing mutable. */
  snapshot(): AssistantBlock[] {
    return this.blocks.map(
      (block) => block.ended ?? (block.type === "toolCall" ? shown(block) : finished(block)),
    );
  }

  private add(block: Pick<GrowingBlock, "type" | "id" | "name" | "redacted">): number {
    return (
      this.blocks.push({
        ...block,
        chunks: [],
        signature: [],
        preview: undefined,
        shown: 0,
        ended: undefined,
      }) - 1
    );
  }
}

function finished(block: GrowingBlock, whole?: string): AssistantBlock {
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
        ...parseToolArguments(whole ?? text),
        ...(signature !== "" && { thoughtSignature: signature }),
      };
  }
}

function shown(block: GrowingBlock): AssistantBlock {
  const preview = (block.preview ??= new GrowingArguments());
  preview.add(block.chunks.slice(block.shown).join(""));
  block.shown = block.chunks.length;
  return { ...unfinishedCall(block), arguments: preview.value() };
}

function unfinished(block: GrowingBlock): AssistantBlock {
  return block.type === "toolCall" ? unfinishedCall(block) : finished(block);
}

/** Its error keeps everybody from running it. */
function unfinishedCall(block: GrowingBlock): ToolCallBlock {
  const argumentsError = "The response ended before the arguments were complete.";
  return { type: "toolCall", id: block.id, name: block.name, arguments: {}, argumentsError };
}
