// Builders for what the host would send: messages, events, proposals and snapshots, with sensible defaults.
import type { AgentEvent } from "../../src/agent/events.ts";
import { initialTranscript } from "../../src/agent/transcript.ts";
import type { TranscriptState } from "../../src/agent/transcript.ts";
import type { MessageEntry } from "../../src/agent/types.ts";
import type { AssistantBlock, AssistantMessage, ToolResultMessage } from "../../src/ai/types.ts";
import type { PendingDecision } from "../../src/harness/approvals/types.ts";
import type { HunkView, ProposalView } from "../../src/harness/proposals/types.ts";
import type { PanelState, ToWebview } from "../../src/protocol/to-webview.ts";

const time = Date.now() - 38_000;

export function user(id: string, text: string): MessageEntry {
  return { id, message: { role: "user", content: text, timestamp: time } };
}

export function assistantMessage(
  content: readonly AssistantBlock[],
  changes: Partial<AssistantMessage> = {},
): AssistantMessage {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return {
    role: "assistant",
    content,
    api: "scripted",
    provider: "test",
    model: "model",
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost },
    stopReason: content.some((block) => block.type === "toolCall") ? "toolUse" : "stop",
    timestamp: time,
    ...changes,
  };
}

export function assistant(
  id: string,
  content: string | readonly AssistantBlock[],
  changes: Partial<AssistantMessage> = {},
): MessageEntry {
  const blocks: readonly AssistantBlock[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  return { id, message: assistantMessage(blocks, changes) };
}

export function toolCall(id: string, name: string, args: Record<string, string>): AssistantBlock {
  return { type: "toolCall", id, name, arguments: args };
}

export function result(
  toolCallId: string,
  toolName: string,
  changes: Partial<ToolResultMessage> = {},
): MessageEntry {
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId,
    toolName,
    content: [{ type: "text", text: "ok" }],
    isError: false,
    timestamp: time,
    ...changes,
  };
  return { id: `result-${toolCallId}`, message };
}

export function hunk(id: string, changes: Partial<HunkView> = {}): HunkView {
  return {
    id,
    status: "pending",
    line: 41,
    proposedLine: 41,
    before: ["  if (token.exp < now) {"],
    oldLines: ["    return refresh(token);"],
    newLines: ["    const fresh = await refresh(token);", "    return { ...fresh, reason: 'expired' };"],
    after: ["  }"],
    ...changes,
  };
}

export function proposal(changes: Partial<ProposalView> = {}): ProposalView {
  return {
    id: "proposal-1",
    toolCallId: "call-edit",
    uri: "file:///work/src/auth/refresh.js",
    path: "src/auth/refresh.js",
    kind: "edit",
    added: 3,
    removed: 2,
    hunks: [hunk("h1")],
    state: "pending",
    ...changes,
  };
}

export function approval(
  changes: Partial<Extract<PendingDecision, { type: "approval" }>["request"]> = {},
): PendingDecision {
  return {
    type: "approval",
    request: {
      id: "approval-1",
      toolCallId: "call-bash",
      kind: "command",
      title: "Run this command?",
      subject: "npm test -- --reporter=dot && git push origin main",
      why: "Commands ask first: reins.approval.commands is “ask”",
      ...changes,
    },
  };
}

export function panelState(changes: Partial<PanelState> = {}): PanelState {
  return {
    sessionId: "session-1",
    title: "Fix the refresh-token test",
    model: {
      ref: "anthropic/sonnet",
      name: "Sonnet 4.5",
      provider: "anthropic",
      isTour: false,
      reasoning: true,
    },
    thinkingLevel: "medium",
    thinking: { levels: ["off", "low", "medium", "high"], used: "medium" },
    approvalEdits: "ask",
    approvalCommands: "ask",
    decisions: [],
    unseenFiles: 0,
    retry: undefined,
    meter: {
      contextTokens: 61_800,
      estimated: false,
      contextWindow: 200_000,
      cost: 0.14,
      cacheHitRate: 0.97,
    },
    interrupted: false,
    hasFolder: true,
    trusted: true,
    commandsUnavailable: undefined,
    problems: [],
    platform: "other",
    ...changes,
  };
}

export function transcript(changes: Partial<TranscriptState> = {}): TranscriptState {
  return { ...initialTranscript(), ...changes };
}

export interface SnapshotParts {
  readonly transcript?: Partial<TranscriptState>;
  readonly panel?: Partial<PanelState>;
  readonly draft?: string;
}

export function snapshot(parts: SnapshotParts = {}): Extract<ToWebview, { type: "snapshot" }> {
  return {
    type: "snapshot",
    transcript: transcript(parts.transcript),
    panel: panelState(parts.panel),
    draft: parts.draft ?? "",
  };
}

/** Numbers events from `first` on, as the host does. */
export function events(
  first: number,
  ...list: readonly AgentEvent[]
): Extract<ToWebview, { type: "events" }> {
  // A spread of a union is not seen as the union with one field more.
  return {
    type: "events",
    events: list.map((event, index) => ({ ...event, seq: first + index })),
  };
}

/** A text that streams in as message `id`, in pieces of `size` characters. */
export function streamed(id: string, text: string, size: number): AgentEvent[] {
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
  return [
    { type: "message_start", id, message: assistantMessage([]) },
    { type: "message_update", id, delta: { type: "text_start", index: 0 } },
    ...pieces.map((delta): AgentEvent => ({
      type: "message_update",
      id,
      delta: { type: "text_delta", index: 0, delta },
    })),
  ];
}
