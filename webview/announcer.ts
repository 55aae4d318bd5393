// Says politely what someone who does not look at the screen has to know: that a run ended, and what waits. Never tokens.
import type { PanelView } from "./store.ts";
import type { PendingDecision } from "../src/harness/approvals/types.ts";
import type { RunEnd } from "../src/agent/events.ts";

/**
 * What is worth saying about the step from `before` to `after`; undefined leaves what was said last. A new run clears
 * it, so that its end is news even if it ends like the one before.
 */
export function announcement(before: PanelView | undefined, after: PanelView): string | undefined {
  if (before?.panel.sessionId !== after.panel.sessionId) return "";
  const known = new Set(before.panel.decisions.map(idOf));
  const fresh = after.panel.decisions.find((decision) => !known.has(idOf(decision)));
  if (fresh) return `Waiting for you: ${describe(fresh)}`;
  const { transcript } = after;
  if (before.transcript.status === "running" && transcript.status === "idle" && transcript.lastEnd) {
    return endings[transcript.lastEnd];
  }
  if (!before.panel.retry && after.panel.retry) return `Trying again shortly: ${after.panel.retry.error}`;
  if (before.transcript.status === "idle" && transcript.status === "running") return "";
  return transcript.turn > before.transcript.turn ? `Turn ${transcript.turn}` : undefined;
}

const endings: { readonly [end in RunEnd]: string } = {
  done: "Reins has finished",
  error: "The run ended with an error",
  aborted: "Stopped",
  limit: "The run is paused at a limit",
};

function describe(decision: PendingDecision): string {
  if (decision.type === "approval") return `${decision.request.title} ${decision.request.subject}`;
  const { path, added, removed } = decision.proposal;
  return `a change to ${path}, ${added} added, ${removed} removed`;
}

function idOf(decision: PendingDecision): string {
  return decision.type === "approval" ? decision.request.id : decision.proposal.id;
}
