// What a session has used: tokens in the context, money, cache hits. Counts each message once, however often it is asked.
import type { AgentMessage, MessageEntry } from "../agent/types.ts";
import type { AssistantMessage, Model } from "../ai/types.ts";
import { estimateMessagesTokens } from "../ai/usage.ts";
import { convertForModel, projectForModel } from "./session/projection.ts";
import type { Meter } from "./types.ts";

interface Count {
  /** Of the last answer that the provider counted; undefined before it, and after a compaction. */
  reported: number | undefined;
  /** Tokens of what came since, or of everything. */
  added: number;
  cost: number;
  cacheHitRate: number | undefined;
}

export class SessionMeter {
  private count: Count = zero();
  private seen = 0;
  private last: MessageEntry | undefined;

  /** `messages` is the transcript; `model` the one the next request goes to. */
  measure(messages: readonly MessageEntry[], model: Model | undefined): Meter {
    // A transcript only grows. Where it did not (another session), counting starts again.
    if (this.seen > messages.length || messages[this.seen - 1] !== this.last) this.restart();
    // What comes before the last count of the provider needs no estimate, only its cost.
    const counted = messages.findLastIndex(({ message }) => isCounted(message));
    for (; this.seen < messages.length; this.seen++) {
      if (this.seen < counted) this.addCost(messages[this.seen]?.message);
      else this.add(messages, this.seen);
    }
    this.last = messages[this.seen - 1];
    const { reported, added, cost, cacheHitRate } = this.count;
    return {
      contextTokens: (reported ?? 0) + added,
      estimated: reported === undefined || added > 0,
      contextWindow: model?.contextWindow ?? 0,
      cost: cost > 0 || model?.price !== undefined ? cost : undefined,
      cacheHitRate,
    };
  }

  private restart(): void {
    this.count = zero();
    this.seen = 0;
  }

  private add(messages: readonly MessageEntry[], index: number): void {
    const message = messages[index]?.message;
    if (message === undefined) return;
    if (message.role === "app" && message.kind === "compaction") {
      this.count.reported = undefined;
      this.count.added = estimateProjection(messages.slice(0, index + 1));
    } else if (message.role === "assistant") this.addAnswer(message);
    else this.count.added += estimateMessagesTokens(convertForModel([message]));
  }

  private addCost(message: AgentMessage | undefined): void {
    if (message?.role === "assistant") this.count.cost += message.usage.cost.total;
  }

  private addAnswer(message: AssistantMessage): void {
    const { input, cacheRead, cacheWrite, totalTokens } = message.usage;
    this.addCost(message);
    // Failed answers are not part of the context, though they may have cost something.
    if (hasFailed(message)) return;
    if (!isCounted(message)) {
      this.count.added += estimateMessagesTokens([message]);
      return;
    }
    const sent = input + cacheRead + cacheWrite;
    this.count.reported = totalTokens;
    this.count.added = 0;
    if (sent > 0) this.count.cacheHitRate = cacheRead / sent;
  }
}

function estimateProjection(messages: readonly MessageEntry[]): number {
  return estimateMessagesTokens(convertForModel(projectForModel(messages.map(({ message }) => message))));
}

function isCounted(message: AgentMessage): boolean {
  return message.role === "assistant" && !hasFailed(message) && message.usage.totalTokens > 0;
}

function hasFailed({ stopReason }: AssistantMessage): boolean {
  return stopReason === "error" || stopReason === "aborted";
}

function zero(): Count {
  return { reported: undefined, added: 0, cost: 0, cacheHitRate: undefined };
}
