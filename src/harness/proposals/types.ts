// A proposal as everyone sees it: the review in the editor, the card in the panel, the result for the model.
// Types, not interfaces, so that they are assignable to JsonObject.

export type HunkStatus = "pending" | "accepted" | "rejected" | "conflict";

export type HunkView = {
  readonly id: string;
  readonly status: HunkStatus;
  /** 1-based line in the document as it is now (pending), or as it was at the decision. */
  readonly line: number;
  /** 1-based line in the proposed text; only meaningful while pending. */
  readonly proposedLine: number;
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** Up to three lines around it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The user's, with a rejection. */
  readonly reason?: string;
  /** The user changed the proposed text of this hunk before accepting it. */
  readonly userEdited?: boolean;
};

export type ProposalView = {
  readonly id: string;
  readonly toolCallId: string;
  readonly uri: string;
  /** For people: relative to the workspace folder. */
  readonly path: string;
  readonly kind: "edit" | "create";
  readonly added: number;
  readonly removed: number;
  /** Decided ones first stay in place; in document order. */
  readonly hunks: readonly HunkView[];
  /** `done`: every hunk is decided. `cancelled`: the run was stopped first. */
  readonly state: "pending" | "done" | "cancelled";
};

export type ProposalDecision =
  | { readonly type: "acceptHunk"; readonly hunkId: string }
  | { readonly type: "rejectHunk"; readonly hunkId: string; readonly reason?: string }
  | { readonly type: "acceptAll" }
  | { readonly type: "rejectAll"; readonly reason?: string };
