// Everything that happens in a run, as plain JSON. Order and pairs follow Pi's contract; updates are deltas only.
import type { StreamEvent, ThinkingLevel, ToolResultMessage, AssistantMessage } from "../ai/types.ts";
import type { Json, JsonObject } from "../shared/json.ts";
import type { AgentMessage, QueuedMessage, ToolProgress } from "./types.ts";

/** Deltas of one response; its start and end are `message_start` and `message_end`. */
export type MessageDelta = Exclude<StreamEvent, { type: "start" } | { type: "done" } | { type: "error" }>;

export type RunEnd = "done" | "error" | "aborted" | "limit";

/** What `LoopLimits` limits, by the same names. */
export type LimitKind = "turns" | "toolCalls" | "tokens" | "cost" | "minutes" | "repeats";

/** In the unit of `LoopLimits`. */
export interface LimitReached {
  readonly limit: LimitKind;
  readonly used: number;
  readonly max: number;
  /** By how much going on raises it unless told otherwise. */
  readonly raiseBy: number;
}

export type AgentEvent =
  | { readonly type: "agent_start" }
  | { readonly type: "turn_start"; readonly turn: number }
  /** An assistant message starts with empty content. */
  | { readonly type: "message_start"; readonly id: string; readonly message: AgentMessage }
  | { readonly type: "message_update"; readonly id: string; readonly delta: MessageDelta }
  | { readonly type: "message_end"; readonly id: string; readonly message: AgentMessage }
  | {
      readonly type: "tool_execution_start";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: JsonObject;
    }
  /** The tool's own code runs now: validated and allowed. */
  | { readonly type: "tool_execution_running"; readonly toolCallId: string }
  | { readonly type: "tool_execution_update"; readonly toolCallId: string; readonly progress: ToolProgress }
  | {
      readonly type: "tool_execution_end";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly isError: boolean;
      readonly details?: JsonObject;
      /** Absent if the tool's own code never ran. */
      readonly durationMs?: number;
    }
  /** `message` was recorded, except when the run was stopped before anything arrived: then it is empty and aborted. */
  | {
      readonly type: "turn_end";
      readonly message: AssistantMessage;
      readonly toolResults: readonly ToolResultMessage[];
    }
  | { readonly type: "agent_end"; readonly end: RunEnd; readonly messageIds: readonly string[] }
  | { readonly type: "queue_update"; readonly queue: readonly QueuedMessage[] }
  /** The run pauses at this boundary with everything kept. */
  | ({ readonly type: "limit_reached" } & LimitReached)
  /** The person does not go on after a limit. */
  | { readonly type: "limit_dismissed" }
  /** A change asked for during a run: takes effect at the next turn. */
  | {
      readonly type: "settings_change";
      readonly model?: string;
      readonly thinkingLevel?: ThinkingLevel;
      readonly pending: boolean;
    }
  /** A fact of the layer above that belongs into the same order (retry countdown, interruption, notice). */
  | { readonly type: "app_event"; readonly name: string; readonly data: Json };

/** `seq` counts from 1 per agent, without gaps. */
export type SequencedEvent = AgentEvent & { readonly seq: number };
