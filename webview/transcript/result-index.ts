// Which result answers which call, and what became of changes that were reviewed later: kept while messages are added.
import type { MessageEntry } from "../../src/agent/types.ts";
import type { ToolResultMessage } from "../../src/ai/types.ts";
import { reviewIn } from "./later-reviews.ts";
import type { Reviewed } from "./later-reviews.ts";

/** Of a call in a message. */
export function resultKey(entryId: string, toolCallId: string): string {
  return `${entryId}/${toolCallId}`;
}

/** Which result answers which call. A result belongs to the latest message before it that made the call. */
export class ResultIndex {
  private seen: readonly MessageEntry[] = [];
  private results = new Map<string, ToolResultMessage>();
  private openCalls = new Map<string, string>();
  /** By proposal, what became of those that were reviewed after their calls. */
  reviews = new Map<string, Reviewed>();

  of(messages: readonly MessageEntry[]): ReadonlyMap<string, ToolResultMessage> {
    const continues =
      this.seen.length <= messages.length && this.seen.at(-1) === messages[this.seen.length - 1];
    if (!continues) {
      this.results = new Map();
      this.openCalls = new Map();
      this.reviews = new Map();
    }
    for (let index = continues ? this.seen.length : 0; index < messages.length; index += 1) {
      const entry = messages[index];
      if (entry) this.add(entry);
    }
    this.seen = messages;
    return this.results;
  }

  private add({ id, message }: MessageEntry): void {
    if (message.role === "assistant") {
      for (const block of message.content) if (block.type === "toolCall") this.openCalls.set(block.id, id);
    } else if (message.role === "toolResult") {
      const owner = this.openCalls.get(message.toolCallId);
      if (owner !== undefined) this.results.set(resultKey(owner, message.toolCallId), message);
    } else if (message.role === "app") {
      const review = reviewIn(message);
      if (review) this.reviews.set(review.id, review.reviewed);
    }
  }
}
