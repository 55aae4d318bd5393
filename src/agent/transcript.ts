// The state that events fold into: the same reducer in the agent, in tests and in the panel. Pure.
// Every change shares what it did not touch; a delta costs O(delta). Types only are imported, so the panel can bundle it.
import type { AssistantBlock, AssistantMessage } from "../ai/types.ts";
import type { JsonObject } from "../shared/json.ts";
import type { LimitReached, MessageDelta, RunEnd, SequencedEvent } from "./events.ts";
import type { AgentMessage, MessageEntry, QueuedMessage, ToolProgress } from "./types.ts";

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
  /** The limit that paused the last run, until it goes on or the person says that it does not. */
  readonly limit: LimitReached | null;
  readonly queue: readonly QueuedMessage[];
}

/** Characters of live output that are kept per tool. */
const OUTPUT_LIMIT = 16_384;

/** The state before the first event. */
export function initialTranscript(): TranscriptState {
  return {
    seq: 0,
    messages: [],
    streaming: null,
    activeTools: [],
    status: "idle",
    turn: 0,
    lastEnd: null,
    limit: null,
    queue: [],
  };
}

/** The state after `event`. Pure and total: events about unknown ids change nothing but `seq`. */
export function reduceTranscript(state: TranscriptState, event: SequencedEvent): TranscriptState {
  const { seq } = event;
  // The most frequent event by far.
  if (event.type !== "message_update") return { ...state, ...changes(state, event), seq };
  const { streaming } = state;
  if (streaming?.id !== event.id) return { ...state, seq };
  return { ...state, streaming: applyDelta(streaming, event.delta), seq };
}

function changes(
  state: TranscriptState,
  event: Exclude<SequencedEvent, { type: "message_update" }>,
): Partial<TranscriptState> {
  switch (event.type) {
    case "agent_start":
      return { status: "running", lastEnd: null, limit: null };
    case "turn_start":
      return { turn: event.turn };
    case "message_start":
      return startMessage(event.id, event.message);
    case "message_end":
      return endMessage(state, event.id, event.message);
    case "tool_execution_start":
      return { activeTools: [...state.activeTools, startedTool(event)] };
    case "tool_execution_running":
      return changeTool(state, event.toolCallId, () => ({ phase: "running" }));
    case "tool_execution_update":
      return changeTool(state, event.toolCallId, (tool) => progressed(tool, event.progress));
    case "tool_execution_end":
      return changeTool(state, event.toolCallId, () => endedTool(event));
    case "queue_update":
      return { queue: event.queue };
    case "agent_end":
      return { status: "idle", lastEnd: event.end, streaming: null, activeTools: [] };
    case "limit_reached":
      return { limit: { limit: event.limit, used: event.used, max: event.max, raiseBy: event.raiseBy } };
    case "limit_dismissed":
      return { limit: null };
    case "turn_end":
    case "settings_change":
    case "app_event":
      return {};
  }
}

function startMessage(id: string, message: AgentMessage): Partial<TranscriptState> {
  return message.role === "assistant" ? { streaming: { id, message, partialArguments: {} } } : {};
}

function endMessage(state: TranscriptState, id: string, message: AgentMessage): Partial<TranscriptState> {
  const change: Partial<TranscriptState> = { messages: withEntry(state.messages, { id, message }) };
  if (message.role === "toolResult") {
    const { toolCallId } = message;
    return { ...change, activeTools: state.activeTools.filter((tool) => tool.toolCallId !== toolCallId) };
  }
  return state.streaming?.id === id ? { ...change, streaming: null } : change;
}

/** Ids in a list of messages, perhaps more: kept from list to list, so that adding one does not look at all of them. */
const knownIds = new WeakMap<readonly MessageEntry[], Set<string>>();

function withEntry(messages: readonly MessageEntry[], entry: MessageEntry): readonly MessageEntry[] {
  const ids = knownIds.get(messages) ?? new Set(messages.map(({ id }) => id));
  const index = ids.has(entry.id) ? messages.findLastIndex(({ id }) => id === entry.id) : -1;
  const changed = index < 0 ? [...messages, entry] : messages.with(index, entry);
  knownIds.set(changed, ids.add(entry.id));
  return changed;
}

/** The message with one delta more. Deltas that fit no block change nothing; missing blocks appear. */
export function applyDelta(streaming: StreamingMessage, delta: MessageDelta): StreamingMessage {
  switch (delta.type) {
    case "text_start":
      return withBlock(streaming, delta.index, { type: "text", text: "" });
    case "thinking_start":
      return withBlock(streaming, delta.index, { type: "thinking", thinking: "" });
    case "toolcall_start": {
      const { id, name } = delta;
      const started = withBlock(streaming, delta.index, { type: "toolCall", id, name, arguments: {} });
      return { ...started, partialArguments: { ...streaming.partialArguments, [delta.index]: "" } };
    }
    case "text_delta":
    case "thinking_delta":
      return appendText(streaming, delta);
    case "toolcall_delta": {
      const text = (streaming.partialArguments[delta.index] ?? "") + delta.delta;
      return { ...streaming, partialArguments: { ...streaming.partialArguments, [delta.index]: text } };
    }
    case "toolcall_end": {
      const { [delta.index]: _, ...partialArguments } = streaming.partialArguments;
      return { ...withBlock(streaming, delta.index, delta.toolCall), partialArguments };
    }
    case "text_end":
    case "thinking_end":
      return streaming;
  }
}

function appendText(
  streaming: StreamingMessage,
  delta: Extract<MessageDelta, { type: "text_delta" | "thinking_delta" }>,
): StreamingMessage {
  const block = streaming.message.content[delta.index];
  if (delta.type === "text_delta") {
    if (block !== undefined && block.type !== "text") return streaming;
    const appended = block ? { ...block, text: block.text + delta.delta } : textBlock(delta.delta);
    return withBlock(streaming, delta.index, appended);
  }
  if (block !== undefined && block.type !== "thinking") return streaming;
  const thinking = (block?.thinking ?? "") + delta.delta;
  return withBlock(streaming, delta.index, { type: "thinking", ...block, thinking });
}

function textBlock(text: string): AssistantBlock {
  return { type: "text", text };
}

function withBlock(streaming: StreamingMessage, index: number, block: AssistantBlock): StreamingMessage {
  const content = [...streaming.message.content];
  while (content.length < index) content.push({ type: "text", text: "" });
  content[index] = block;
  return { ...streaming, message: { ...streaming.message, content } };
}

function startedTool(event: Extract<SequencedEvent, { type: "tool_execution_start" }>): ActiveTool {
  const { toolCallId, toolName, args } = event;
  return { toolCallId, toolName, args, phase: "waiting", isError: false, output: "" };
}

function endedTool(event: Extract<SequencedEvent, { type: "tool_execution_end" }>): Partial<ActiveTool> {
  const { isError, details } = event;
  return { phase: "ended", isError, ...(details !== undefined && { details }) };
}

function progressed(tool: ActiveTool, progress: ToolProgress): Partial<ActiveTool> {
  const { details, output } = progress;
  return {
    ...(details !== undefined && { details }),
    ...(output !== undefined && { output: lastCharacters(tool.output + output) }),
  };
}

function changeTool(
  state: TranscriptState,
  toolCallId: string,
  change: (tool: ActiveTool) => Partial<ActiveTool>,
): Partial<TranscriptState> {
  const index = state.activeTools.findLastIndex((tool) => tool.toolCallId === toolCallId);
  const tool = state.activeTools[index];
  return tool === undefined
    ? {}
    : { activeTools: state.activeTools.with(index, { ...tool, ...change(tool) }) };
}

function lastCharacters(text: string): string {
  if (text.length <= OUTPUT_LIMIT) return text;
  const cut = text.slice(-OUTPUT_LIMIT);
  const first = cut.charCodeAt(0);
  // Half of a pair at the cut is not a character.
  return first >= 0xdc00 && first <= 0xdfff ? cut.slice(1) : cut;
}
