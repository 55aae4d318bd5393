// Counts what a run has used. Leaves to the loop when it asks, and to the layers above what a pause looks like.
import type { LimitKind } from "./events.ts";
import type { LoopLimits, TurnInfo } from "./types.ts";

export const DEFAULT_LIMITS: LoopLimits = { maxTurns: 200, maxRepeats: 5 };

export interface LimitReached {
  readonly limit: LimitKind;
  readonly used: number;
  readonly max: number;
}

/** The counters of one run. */
export class LimitCounter {
  private readonly limits: LoopLimits;
  private turns = 0;
  private repeats = 0;
  private last: Round | undefined;

  constructor(limits: Partial<LoopLimits> = {}) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }

  countTurn(turn: TurnInfo): void {
    this.turns += 1;
    const round = turn.toolResults.length === 0 ? undefined : roundOf(turn);
    this.repeats = round === undefined ? 0 : repeats(this.last, round) ? this.repeats + 1 : 1;
    this.last = round;
  }

  /** Someone said something new: what repeats from here on is a new attempt. */
  forgetRepeats(): void {
    this.repeats = 0;
    this.last = undefined;
  }

  /** Asked at a boundary, when another turn is due. */
  reached(): LimitReached | undefined {
    const { maxTurns, maxRepeats } = this.limits;
    if (this.repeats >= maxRepeats) return { limit: "repeats", used: this.repeats, max: maxRepeats };
    if (this.turns >= maxTurns) return { limit: "turns", used: this.turns, max: maxTurns };
    return undefined;
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
