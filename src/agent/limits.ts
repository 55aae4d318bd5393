// Counts what a run has used, from its prompt on. Leaves to the loop when it asks, and to the layers above what a pause
// looks like and who raises a limit.
import type { AssistantMessage } from "../ai/types.ts";
import type { LimitKind, LimitReached } from "./events.ts";
import type { LoopLimits, TurnInfo } from "./types.ts";
import { WorkClock } from "./work-clock.ts";

/** Generous: an ordinary task of hours stays below all of them. */
export const DEFAULT_LIMITS: LoopLimits = {
  turns: 200,
  toolCalls: 1_000,
  tokens: 20_000_000,
  cost: 25,
  minutes: 240,
  repeats: 5,
};

/** In the order in which they are asked about: what says most about the run comes first. */
const kinds: readonly LimitKind[] = ["repeats", "turns", "toolCalls", "tokens", "cost", "minutes"];

/** The counters of one run and its continuations. */
export class LimitCounter {
  /** Time that the run itself takes. */
  readonly clock: WorkClock;
  private readonly getLimits: () => Partial<LoopLimits>;
  /** As they were at the last boundary. */
  private limits: LoopLimits = DEFAULT_LIMITS;
  private readonly used = { turns: 0, toolCalls: 0, tokens: 0, cost: 0, repeats: 0 };
  /** What was allowed beyond the limits. */
  private readonly raised = new Map<LimitKind, number>();
  private last: Round | undefined;
  private paused: LimitReached | undefined;

  /** `getLimits` is asked at every boundary; `now` gives milliseconds. */
  constructor(now: () => number, getLimits: () => Partial<LoopLimits> = () => ({})) {
    this.clock = new WorkClock(now);
    this.getLimits = getLimits;
  }

  /** Every answer that came, failed ones included: they cost as well. */
  countAnswer({ usage }: AssistantMessage): void {
    // What the provider read from its cache was counted when it was new.
    this.used.tokens += usage.input + usage.output + usage.cacheWrite;
    this.used.cost += usage.cost.total;
  }

  countTurn(turn: TurnInfo): void {
    this.used.turns += 1;
    this.used.toolCalls += turn.toolResults.length;
    const round = turn.toolResults.length === 0 ? undefined : roundOf(turn);
    this.used.repeats = round === undefined ? 0 : repeats(this.last, round) ? this.used.repeats + 1 : 1;
    this.last = round;
  }

  /** Someone said something new: what repeats from here on is a new attempt. */
  forgetRepeats(): void {
    this.used.repeats = 0;
    this.last = undefined;
  }

  /** Asked at a boundary, when another turn is due. What it answers is the limit that `raise` means. */
  reached(): LimitReached | undefined {
    this.limits = { ...DEFAULT_LIMITS, ...this.getLimits() };
    const limit = kinds.find((kind) => this.usedOf(kind) >= this.maxOf(kind));
    this.paused = limit && {
      limit,
      used: this.usedOf(limit),
      max: this.maxOf(limit),
      raiseBy: this.limits[limit],
    };
    return this.paused;
  }

  /** Lets a run that a limit paused go on. `by` is in the limit's unit; default: as much again as the limit is. */
  raise(by?: number): void {
    if (this.paused === undefined) return;
    const { limit } = this.paused;
    this.paused = undefined;
    if (limit === "repeats") return this.forgetRepeats();
    // Above what is used, so that at least one turn follows whatever the limit was overshot by.
    const base = Math.max(this.maxOf(limit), this.usedOf(limit));
    const more = by !== undefined && by > 0 ? by : this.limits[limit];
    this.raised.set(limit, base + more - this.limits[limit]);
  }

  private usedOf(kind: LimitKind): number {
    return kind === "minutes" ? this.clock.elapsedMs() / 60_000 : this.used[kind];
  }

  private maxOf(kind: LimitKind): number {
    return this.limits[kind] + (this.raised.get(kind) ?? 0);
  }
}

/** All calls of one turn, to compare with the next turn's. */
interface Round {
  readonly calls: string;
  readonly failed: boolean;
  readonly results: string;
}

function repeats(last: Round | undefined, round: Round): boolean {
  if (last === undefined || last.calls !== round.calls) return false;
  return (last.failed && round.failed) || last.results === round.results;
}

function roundOf({ message, toolResults }: TurnInfo): Round {
  const calls = message.content.filter((block) => block.type === "toolCall");
  return {
    // Cut arguments differ in where they were cut; it is the same attempt all the same.
    calls:
      message.stopReason === "length"
        ? "length"
        : JSON.stringify(calls.map((call) => [call.name, call.arguments])),
    failed: toolResults.every((result) => result.isError),
    results: JSON.stringify(toolResults.map((result) => result.content)),
  };
}
