// From transcript state to the list of rows that is shown. Pure but for its cache: a row that did not change stays the same object.
import type { TranscriptState, ActiveTool } from "../../src/agent/transcript.ts";
import type { AgentMessage, AppMessage, MessageEntry } from "../../src/agent/types.ts";
import type { AssistantMessage, ToolResultMessage, UserMessage } from "../../src/ai/types.ts";
import type { PanelState } from "../../src/protocol/to-webview.ts";
import { errorTitles } from "./error-titles.ts";
import { reviewText, waitingProposal } from "./later-reviews.ts";
import type { Reviewed } from "./later-reviews.ts";
import { ResultIndex, resultKey } from "./result-index.ts";
import type { Row, ToolRow } from "./row-types.ts";

/** Keeps what earlier calls computed; one per panel. */
export class RowBuilder {
  private cache = new Map<string, Row>();
  private settled = new WeakMap<MessageEntry, readonly Row[]>();
  private readonly results = new ResultIndex();
  private readonly thinkingClock = new ThinkingClock();

  build(transcript: TranscriptState, panel: PanelState): readonly Row[] {
    const results = this.results.of(transcript.messages);
    const next = new Map<string, Row>();
    const rows: Row[] = [];
    const add = (row: Row) => {
      const kept = reuse(this.cache.get(row.key), row);
      next.set(row.key, kept);
      rows.push(kept);
    };
    const lastIndex = transcript.messages.length - 1;
    transcript.messages.forEach((entry, index) => {
      const known = this.settled.get(entry);
      if (known) {
        for (const row of known) rows.push(row);
        return;
      }
      const next = nextTurn(transcript.messages, index);
      const { reviews } = this.results;
      const scope: EntryScope = {
        ...{ transcript, panel, results, reviews, next, entry },
        isLast: index === lastIndex,
      };
      const before = rows.length;
      for (const row of this.entryRows(scope)) add(row);
      if (isSettled(scope)) this.settled.set(entry, rows.slice(before));
    });
    for (const row of this.tailRows(transcript, panel, rows.at(-1))) add(row);
    this.cache = next;
    return rows;
  }

  private entryRows(scope: EntryScope): Row[] {
    const { message, id } = { message: scope.entry.message, id: scope.entry.id };
    switch (message.role) {
      case "user":
        return [userRow(id, message)];
      case "assistant":
        return this.assistantRows(scope, id, message);
      case "app":
        return message.text.trim() === "" ? [] : [noticeRow(id, message)];
      case "system":
      case "toolResult":
        return [];
    }
  }

  private assistantRows(scope: EntryScope, id: string, message: AssistantMessage): Row[] {
    const rows = message.content.flatMap((block, index): Row[] => {
      const key = `${id}:${index}`;
      switch (block.type) {
        case "text":
          return block.text.trim() === "" ? [] : [{ kind: "text", key, text: block.text, done: true }];
        case "thinking": {
          const { thinking: text, redacted = false } = block;
          if (text.trim() === "" && !redacted) return [];
          return [
            { kind: "thinking", key, text, done: true, redacted, durationMs: this.thinkingClock.end(key) },
          ];
        }
        case "toolCall":
          return [
            toolRow(scope, {
              key,
              call: block,
              partial: undefined,
              result: scope.results.get(resultKey(id, block.id)),
              settled:
                !message.content.some((other) => other.type === "toolCall") ||
                message.stopReason !== "toolUse",
            }),
          ];
      }
    });
    return [...rows, ...endingRows(scope, id, message)];
  }

  private tailRows(transcript: TranscriptState, panel: PanelState, last: Row | undefined): Row[] {
    const streaming = transcript.streaming ? this.streamingRows(transcript, panel) : [];
    if (streaming.length > 0) return streaming;
    if (panel.retry) return [{ kind: "retry", key: "retry", retry: panel.retry }];
    if (transcript.status === "running") {
      const busy = transcript.activeTools.some((tool) => tool.phase !== "ended");
      return busy ? [] : [{ kind: "working", key: "working" }];
    }
    if (panel.interrupted) return [{ kind: "interrupted", key: "interrupted" }];
    if (transcript.limit && last) return [{ kind: "limit", key: "limit", limit: transcript.limit }];
    return [];
  }

  private streamingRows(transcript: TranscriptState, panel: PanelState): Row[] {
    const streaming = transcript.streaming;
    if (!streaming) return [];
    const { id, message } = streaming;
    const scope = { transcript, panel, results: emptyResults, reviews: emptyReviews };
    return message.content.flatMap((block, index): Row[] => {
      const key = `${id}:${index}`;
      const done = index < message.content.length - 1;
      switch (block.type) {
        case "text":
          return block.text.trim() === "" ? [] : [{ kind: "text", key, text: block.text, done }];
        case "thinking": {
          const durationMs = done ? this.thinkingClock.end(key) : this.thinkingClock.start(key);
          const redacted = block.redacted ?? false;
          return [{ kind: "thinking", key, text: block.thinking, done, redacted, durationMs }];
        }
        case "toolCall": {
          const partial = streaming.partialArguments[index];
          return [toolRow(scope, { key, call: block, partial, result: undefined, settled: false })];
        }
      }
    });
  }
}

interface Scope {
  readonly transcript: TranscriptState;
  readonly panel: PanelState;
  readonly results: ReadonlyMap<string, ToolResultMessage>;
  readonly reviews: ReadonlyMap<string, Reviewed>;
}

interface EntryScope extends Scope {
  readonly entry: MessageEntry;
  readonly isLast: boolean;
  /** What the conversation went on with. */
  readonly next: AgentMessage | undefined;
}

const emptyResults: ReadonlyMap<string, ToolResultMessage> = new Map();
const emptyReviews: ReadonlyMap<string, Reviewed> = new Map();

/** Its rows can never change again: everything they show is in the entry, and nothing depends on being last. */
function isSettled(scope: EntryScope): boolean {
  const { message, id } = scope.entry;
  if (scope.isLast) return false;
  if (message.role !== "assistant") return true;
  if (message.stopReason === "error" && !scope.next) return false;
  return message.content.every((block) => {
    if (block.type !== "toolCall") return true;
    const result = scope.results.get(resultKey(id, block.id));
    const later = result && waitingProposal(result.details);
    return result !== undefined && (later === undefined || scope.reviews.has(later));
  });
}

function noticeRow(id: string, message: AppMessage): Row {
  const { kind, details } = message;
  const text = kind === "review" ? reviewText(message) : message.text;
  const restoreId = kind === "restore" ? details?.["restoreId"] : undefined;
  return {
    ...{ kind: "notice", key: id, text, tone: "info" },
    ...(typeof restoreId === "string" && { restoreId }),
  };
}

function userRow(id: string, message: UserMessage): Row {
  const { content } = message;
  if (typeof content === "string") return { kind: "user", key: id, text: content, images: 0 };
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  return { kind: "user", key: id, text, images: content.filter((block) => block.type === "image").length };
}

type ToolSource = Pick<ToolRow, "key" | "call" | "partial" | "result"> & { readonly settled: boolean };

function toolRow(scope: Scope, source: ToolSource): ToolRow {
  const { key, call, partial, result } = source;
  const base = { kind: "tool", key, call, partial, result } as const;
  if (result) {
    const later = waitingProposal(result.details);
    const ended = { ...base, active: undefined, live: false };
    if (later === undefined) return { ...ended, decision: undefined };
    const decision = scope.panel.decisions.find(
      (item) => item.type === "proposal" && item.proposal.id === later,
    );
    return { ...ended, decision, reviewed: scope.reviews.get(later) };
  }
  const active = scope.transcript.activeTools.find((tool: ActiveTool) => tool.toolCallId === call.id);
  const decision = scope.panel.decisions.find(
    (item) => (item.type === "approval" ? item.request.toolCallId : item.proposal.toolCallId) === call.id,
  );
  return { ...base, active, decision, live: scope.transcript.status === "running" && !source.settled };
}

/** How an assistant message ended, where that needs saying. */
function endingRows(scope: EntryScope, id: string, message: AssistantMessage): Row[] {
  const key = `${id}:end`;
  switch (message.stopReason) {
    case "stop":
    case "toolUse":
      return [];
    case "length":
      return [
        {
          kind: "notice",
          key,
          tone: "warning",
          text: "The answer was cut off: it reached the model's output limit",
        },
      ];
    case "aborted":
      return [{ kind: "notice", key, tone: "info", text: message.errorMessage ?? "Stopped." }];
    case "error": {
      const actions = !scope.next && !scope.panel.interrupted;
      if (!scope.next && scope.panel.retry) return [];
      if (wasTriedAgain(scope)) return triedAgain(scope, key, message);
      return [
        {
          kind: "error",
          key,
          text: message.errorMessage ?? "The model's answer failed",
          errorKind: message.errorKind ?? "unknown",
          provider: message.provider,
          actions,
        },
      ];
    }
  }
}

function wasTriedAgain({ next, transcript }: EntryScope): boolean {
  return next ? next.role === "assistant" : transcript.status === "running";
}

/** One line for as many tries in a row as there were, unless a try got far enough to show something. */
function triedAgain({ next }: EntryScope, key: string, message: AssistantMessage): Row[] {
  const failedAgain = next?.role === "assistant" && next.stopReason === "error";
  if (failedAgain && message.content.length === 0) return [];
  const text = `${errorTitles[message.errorKind ?? "unknown"]}; tried again`;
  return [{ kind: "notice", key, tone: "warning", text }];
}

function nextTurn(messages: readonly MessageEntry[], index: number): AgentMessage | undefined {
  for (let at = index + 1; at < messages.length; at += 1) {
    const message = messages[at]?.message;
    if (message?.role === "user" || message?.role === "assistant") return message;
  }
  return undefined;
}

function reuse(previous: Row | undefined, next: Row): Row {
  if (!previous || previous.kind !== next.kind) return next;
  const before = new Map<string, unknown>(Object.entries(previous));
  const entries = Object.entries(next);
  return entries.length === before.size && entries.every(([name, value]) => before.get(name) === value)
    ? previous
    : next;
}

/** How long thinking took, as far as this panel saw it; a reloaded panel does not know. */
class ThinkingClock {
  private readonly started = new Map<string, number>();
  private readonly ended = new Map<string, number>();

  start(key: string): undefined {
    if (!this.started.has(key)) this.started.set(key, performance.now());
    return undefined;
  }

  end(key: string): number | undefined {
    const start = this.started.get(key);
    if (start === undefined) return undefined;
    const known = this.ended.get(key) ?? performance.now() - start;
    this.ended.set(key, known);
    return known;
  }
}
