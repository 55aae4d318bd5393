// The hook between a validated tool call and its tool: asks the policy, waits at the gate, and turns the answer into
// what the model and the panel are told.
import type { BeforeToolCall, ToolDecision } from "../../agent/types.ts";
import { isAbortError } from "../../shared/errors.ts";
import type { NotRunDetails } from "../tools/details.ts";
import type { ApprovalGate } from "./gate.ts";
import type { PolicyContext } from "./policy.ts";
import { approvalNeed } from "./policy.ts";

/** For `AgentConfig.beforeToolCall`. Throws what the policy throws. */
export function createBeforeToolCall(
  gate: ApprovalGate,
  context: PolicyContext,
): (call: BeforeToolCall) => Promise<ToolDecision> {
  return async ({ toolCall, args, signal }) => {
    const need = await approvalNeed(toolCall.name, args, context);
    if (need === undefined) return { type: "allow" };
    try {
      const answer = await gate.request({ toolCallId: toolCall.id, ...need }, signal);
      return answer.type === "allowOnce" ? { type: "allow" } : rejected(answer.reason);
    } catch (error) {
      if (!isAbortError(error)) throw error;
      const details: NotRunDetails = { tool: "none", why: "aborted" };
      return {
        type: "block",
        reason: "The run was stopped before the user decided. Nothing was run.",
        details,
      };
    }
  };
}

function rejected(reason: string | undefined): ToolDecision {
  const given = reason?.trim();
  const details: NotRunDetails = { tool: "none", why: "rejected", ...(given && { reason: given }) };
  return { type: "block", reason: rejectionText(given), details };
}

/** What the model is told about something the user rejected. */
export function rejectionText(reason: string | undefined): string {
  return reason
    ? `The user rejected this: ${reason}`
    : "The user rejected this and gave no reason. Do not try it again; ask, or go on another way.";
}
