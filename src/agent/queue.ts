// Messages that wait for their turn. Leaves to the loop when they enter and to the agent who is told of a change.
import type { UserMessage } from "../ai/types.ts";
import type { LoopQueue } from "./loop.ts";
import type { QueuedMessage, QueueKind, QueueMode } from "./types.ts";

/** How many messages of each kind enter at once. */
export type QueueModes = { readonly [kind in QueueKind]: QueueMode };

/** In the order shown; the kinds share one list. Unknown ids (gone meanwhile) change nothing. */
export class MessageQueue implements LoopQueue {
  private items: readonly QueuedMessage[];
  private readonly modes: QueueModes;
  private readonly onChange: (items: readonly QueuedMessage[]) => void;

  private unseen = false;

  constructor(
    items: readonly QueuedMessage[],
    modes: QueueModes,
    onChange: (items: readonly QueuedMessage[]) => void,
  ) {
    this.items = items;
    this.modes = modes;
    this.onChange = onChange;
  }

  /** Something was added since the loop last looked. */
  get hasUnseen(): boolean {
    return this.unseen;
  }

  has(kind: QueueKind): boolean {
    this.unseen = false;
    return this.items.some((item) => item.kind === kind);
  }

  add(item: QueuedMessage): void {
    this.unseen = true;
    this.set([...this.items, item]);
  }

  /** A new text replaces all text and keeps images. */
  edit(id: string, change: { readonly text?: string; readonly kind?: QueueKind }): void {
    const index = this.items.findIndex((item) => item.id === id);
    const item = this.items[index];
    if (item === undefined) return;
    const message = change.text === undefined ? item.message : withText(item.message, change.text);
    this.set(this.items.with(index, { id, kind: change.kind ?? item.kind, message }));
  }

  /** Puts it in front of `before`; without one (or if it is gone) at the end. */
  move(id: string, before: string | undefined): void {
    const item = this.items.find((candidate) => candidate.id === id);
    if (item === undefined || id === before) return;
    const rest = this.items.filter((candidate) => candidate !== item);
    const index = rest.findIndex((candidate) => candidate.id === before);
    this.set(rest.toSpliced(index < 0 ? rest.length : index, 0, item));
  }

  remove(id: string): void {
    if (this.items.some((item) => item.id === id)) this.set(this.items.filter((item) => item.id !== id));
  }

  /** Takes out the next batch of a kind. */
  take(kind: QueueKind): readonly QueuedMessage[] {
    const waiting = this.items.filter((item) => item.kind === kind);
    return this.takeOut(this.modes[kind] === "all" ? waiting : waiting.slice(0, 1));
  }

  /** The next batch of either kind, steering first. */
  takeNext(): readonly QueuedMessage[] {
    return this.take(this.has("steering") ? "steering" : "followUp");
  }

  takeAll(): readonly QueuedMessage[] {
    return this.takeOut(this.items);
  }

  private takeOut(taken: readonly QueuedMessage[]): readonly QueuedMessage[] {
    if (taken.length > 0) this.set(this.items.filter((item) => !taken.includes(item)));
    return taken;
  }

  private set(items: readonly QueuedMessage[]): void {
    this.items = items;
    this.onChange(items);
  }
}

function withText(message: UserMessage, text: string): UserMessage {
  const images =
    typeof message.content === "string" ? [] : message.content.filter((block) => block.type === "image");
  return { ...message, content: images.length === 0 ? text : [{ type: "text", text }, ...images] };
}
