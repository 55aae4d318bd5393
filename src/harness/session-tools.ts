// The tools of one session together with what they wait for: approvals and proposals.
import type { AgentTool, AppMessage, BeforeToolCall, MessageEntry, ToolDecision } from "../agent/types.ts";
import type { Disposable } from "../shared/disposable.ts";
import type { Event } from "../shared/event.ts";
import type { ApprovalAnswer, PendingDecision } from "./approvals/types.ts";
import type { ToolHint } from "./context/system-prompt.ts";
import type { EntryData, SessionEntry } from "./session/entries.ts";
import type { ProposalBook } from "./types.ts";

/** What a session does with what happens between its runs. */
export interface SessionWriter {
  /** Into the session's file, in order. */
  write(entry: EntryData): void;
  /** Into the transcript, as soon as it may stand there. */
  tell(message: AppMessage): void;
}

/** Decisions end by themselves when the signal of their call is aborted. */
export interface SessionTools extends Disposable {
  readonly tools: readonly AgentTool[];
  readonly hints: readonly ToolHint[];
  readonly proposals: ProposalBook;
  /** In the order in which they began to wait. */
  readonly decisions: readonly PendingDecision[];
  /** `decisions` changed. */
  readonly onDidChange: Event<void>;
  /**
   * What the session's tools did in an earlier window, and the changes that wait since then (in `path`). Resolves when
   * those wait again; never rejects.
   */
  restore(messages: readonly MessageEntry[], path: readonly SessionEntry[]): Promise<void>;
  beforeToolCall(call: BeforeToolCall): Promise<ToolDecision>;
  answer(id: string, answer: ApprovalAnswer): void;
}
