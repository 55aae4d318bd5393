// What the panel asks of the extension host. One type per message, JSON only, all fields required unless said.
import type { QueueKind } from "../agent/types.ts";
import type { ThinkingLevel } from "../ai/types.ts";
import type { ApprovalAnswer } from "../harness/approvals/types.ts";
import type { ProposalDecision } from "../harness/proposals/types.ts";

export type FromWebview =
  /** The panel is (again) able to show things, or found a gap: it wants a snapshot. */
  | { readonly type: "ready" }
  /** Enter: starts a run, or steers the one that is on. */
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "followUp"; readonly text: string }
  | { readonly type: "stop" }
  /** `raiseBy`: of the limit that paused the run, in its unit. */
  | { readonly type: "continueRun"; readonly raiseBy?: number }
  | { readonly type: "retryNow" }
  | { readonly type: "editQueued"; readonly id: string; readonly text?: string; readonly kind?: QueueKind }
  | { readonly type: "moveQueued"; readonly id: string; readonly before?: string }
  | { readonly type: "removeQueued"; readonly id: string }
  | { readonly type: "answerApproval"; readonly id: string; readonly answer: ApprovalAnswer }
  /** The decision above the composer is another one now; it takes answers after `guardMs`. */
  | { readonly type: "decisionShown"; readonly id?: string; readonly guardMs: number }
  | { readonly type: "decideProposal"; readonly id: string; readonly decision: ProposalDecision }
  | { readonly type: "openProposal"; readonly id: string; readonly hunkId?: string }
  /** All proposals that wait, in one editor. */
  | { readonly type: "reviewAll" }
  /** What was accepted unseen, all of it. */
  | { readonly type: "unseenChanges"; readonly action: "review" | "keep" | "undo" }
  | { readonly type: "openFile"; readonly uri: string; readonly line?: number }
  | { readonly type: "openLink"; readonly url: string }
  /** Files to what they were before this message. */
  | { readonly type: "restoreFiles"; readonly messageId: string }
  | { readonly type: "undoRestore"; readonly restoreId: string }
  | { readonly type: "showTerminal"; readonly toolCallId: string }
  | { readonly type: "newSession" }
  | { readonly type: "openHistory" }
  | { readonly type: "renameSession"; readonly title: string }
  | { readonly type: "selectModel" }
  | { readonly type: "setThinkingLevel"; readonly level: ThinkingLevel }
  | { readonly type: "setApprovalMode"; readonly what: "edits"; readonly mode: "ask" | "later" | "auto" }
  | { readonly type: "setApprovalMode"; readonly what: "commands"; readonly mode: "ask" | "auto" }
  | { readonly type: "setApiKey"; readonly provider?: string }
  | { readonly type: "startTour" }
  | { readonly type: "openSettings"; readonly query?: string }
  /** Opens settings.json at one of our settings. */
  | { readonly type: "editSetting"; readonly setting: string }
  | { readonly type: "showLog" }
  | { readonly type: "copy"; readonly text: string }
  | { readonly type: "insertAtCursor"; readonly text: string }
  /** The composer's text, debounced; kept per session across reloads. */
  | { readonly type: "draft"; readonly sessionId: string; readonly text: string }
  /** The keyboard focus came into the panel, wherever in it, or left it. For when-clauses of keybindings. */
  | { readonly type: "panelFocus"; readonly focused: boolean }
  /** For when-clauses of keybindings. */
  | {
      readonly type: "composerState";
      readonly empty: boolean;
      readonly composing: boolean;
      readonly focused: boolean;
    };
