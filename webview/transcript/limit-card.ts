// The pause at a limit: which one, what was used, and whether the run goes on.
import type { TemplateResult } from "lit";
import type { LimitReached } from "../../src/agent/events.ts";
import { formatCost, formatTokens, plural } from "../format.ts";
import { card } from "./notice-cards.ts";
import type { RowScope } from "./row-scope.ts";

export function limitCard({ context }: RowScope, limit: LimitReached): TemplateResult {
  const { send } = context;
  return card({
    icon: "clock",
    tone: "warning",
    title: "Paused at a limit",
    text: `${reason(limit)} Nothing is lost.`,
    actions: [
      { label: goOn(limit), look: "primary", onClick: () => send({ type: "continueRun" }) },
      { label: "Stop", onClick: () => send({ type: "stop" }) },
      { label: "Change limits", onClick: () => send({ type: "openSettings", query: "reins.limits" }) },
    ],
  });
}

function reason({ limit, used, max }: LimitReached): string {
  if (limit === "repeats") return `The same call was repeated ${used} times without getting anywhere.`;
  return `This run has used ${amount(limit, used)}; its limit is ${amount(limit, max)}.`;
}

function goOn({ limit, raiseBy }: LimitReached): string {
  if (limit === "repeats") return "Continue";
  return `Continue for ${amount(limit, raiseBy)} more`;
}

function amount(limit: LimitReached["limit"], value: number): string {
  switch (limit) {
    case "turns":
      return plural(value, "turn");
    case "toolCalls":
      return plural(value, "tool call");
    case "tokens":
      return `${formatTokens(value)} tokens`;
    case "cost":
      return formatCost(value);
    case "minutes":
      return plural(Math.round(value), "minute");
    case "repeats":
      return plural(value, "repeat");
  }
}
