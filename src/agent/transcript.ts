// The state that events fold into: the same reducer in the agent, in tests and in the panel. Pure.
import type { AssistantMessage } from "../ai/types.ts";
import type { JsonObject } from "../shared/json.ts";
import type { RunEnd } from "./events.ts";
import type { MessageEntry, QueuedMessage } from "./types.ts";

export interface ActiveTool {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: JsonObject;
  /** `waiting`: for approval or its turn; `running`; `ended`: its result message is still to come. */
  readonly phase: "waiting" | "running" | "ended";
  readonly isError: boolean;
  readonly details?: JsonObject;
  /** The last 16,384 characters of live output. */
  readonly output: string;
}

export interface StreamingMessage {
  readonly id: string;
  /** Content so far; arguments of an unfinished tool call are `{}`. */
  readonly message: AssistantMessage;
  /** Raw argument text of unfinished tool calls by block index, for display. */
  readonly partialArguments: { readonly [index: number]: string };
}

/** JSON: it crosses to the panel as it is. */
export interface TranscriptState {
  /** Of the last event folded in; 0 before the first. */
  readonly seq: number;
  readonly messages: readonly MessageEntry[];
  readonly streaming: StreamingMessage | null;
  /** In the order in which they started; gone when their result message is in `messages`. */
  readonly activeTools: readonly ActiveTool[];
  readonly status: "idle" | "running";
  /** Of the current or last run, from 1. */
  readonly turn: number;
  readonly lastEnd: RunEnd | null;
  readonly queue: readonly QueuedMessage[];
}
