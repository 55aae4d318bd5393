// Decisions that wait for the user, whatever their kind.
import type { ProposalView } from "../proposals/types.ts";

/** A call that may not run before the user allows it. */
export interface ApprovalRequest {
  readonly id: string;
  readonly toolCallId: string;
  readonly kind: "command" | "read" | "delete" | "move";
  /** A question, for example "Run this command?". */
  readonly title: string;
  /** The command, or the place; of a move both, a line each. */
  readonly subject: string;
  /** Why it needs approval, one sentence. */
  readonly why: string;
}

export type ApprovalAnswer =
  { readonly type: "allowOnce" } | { readonly type: "reject"; readonly reason?: string };

/** In the order in which they began to wait. */
export type PendingDecision =
  | { readonly type: "approval"; readonly request: ApprovalRequest }
  | { readonly type: "proposal"; readonly proposal: ProposalView };
