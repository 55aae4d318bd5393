// The rows of the transcript: what one line, card or paragraph group needs to be drawn. Plain data, compared field by field.
import type { LimitReached } from "../../src/agent/events.ts";
import type { ActiveTool } from "../../src/agent/transcript.ts";
import type { ErrorKind, ToolCallBlock, ToolResultMessage } from "../../src/ai/types.ts";
import type { PendingDecision } from "../../src/harness/approvals/types.ts";
import type { ProposalView } from "../../src/harness/proposals/types.ts";
import type { RetryInfo } from "../../src/harness/types.ts";

export interface UserRow {
  readonly kind: "user";
  readonly key: string;
  readonly text: string;
  readonly images: number;
}

export interface TextRow {
  readonly kind: "text";
  readonly key: string;
  readonly text: string;
  readonly done: boolean;
}

export interface ThinkingRow {
  readonly kind: "thinking";
  readonly key: string;
  readonly text: string;
  readonly done: boolean;
  readonly redacted: boolean;
  readonly durationMs: number | undefined;
}

export interface ToolRow {
  readonly kind: "tool";
  readonly key: string;
  readonly call: ToolCallBlock;
  /** Raw argument text while the call is still streaming. */
  readonly partial: string | undefined;
  readonly result: ToolResultMessage | undefined;
  readonly active: ActiveTool | undefined;
  readonly decision: PendingDecision | undefined;
  /** What became of a change that was reviewed after its call had ended; `lost` if it never could be. */
  readonly reviewed?: ProposalView | "lost" | undefined;
  /** A run is on that will still settle this call. */
  readonly live: boolean;
}

export interface NoticeRow {
  readonly kind: "notice";
  readonly key: string;
  readonly tone: "info" | "warning";
  readonly text: string;
  /** It tells of files that were put back, which can be undone. */
  readonly restoreId?: string;
}

export interface ErrorRow {
  readonly kind: "error";
  readonly key: string;
  readonly text: string;
  readonly errorKind: ErrorKind;
  readonly provider: string;
  /** It is the last thing that happened, so offer what fixes it. */
  readonly actions: boolean;
}

export interface RetryRow {
  readonly kind: "retry";
  readonly key: string;
  readonly retry: RetryInfo;
}

export interface LimitRow {
  readonly kind: "limit";
  readonly key: string;
  readonly limit: LimitReached;
}

/** A run is on and nothing else shows it, or it was cut off. */
export interface StatusRow {
  readonly kind: "working" | "interrupted";
  readonly key: string;
}

export type Row =
  UserRow | TextRow | ThinkingRow | ToolRow | NoticeRow | ErrorRow | RetryRow | LimitRow | StatusRow;
