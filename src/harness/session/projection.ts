// From the active branch to messages: what a person is shown, and, of that, what a model is shown. Pure; the wire
// formats are the providers' business.
import type { AgentMessage, AppMessage, MessageEntry } from "../../agent/types.ts";
import type { Message, UserMessage } from "../../ai/types.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { Json } from "../../shared/json.ts";
import { factData } from "./entries.ts";
import type { SessionEntry } from "./entries.ts";

/** Everything that happened on this branch, in order; records without anything to show are left out. */
export function projectForDisplay(path: readonly SessionEntry[]): MessageEntry[] {
  const shown: MessageEntry[] = [];
  for (const entry of path) {
    const message = entry.type === "compaction" ? compactionMessage(entry, shown) : toMessage(entry);
    if (message) shown.push({ id: entry.id, message });
  }
  return shown;
}

/**
 * What of a transcript the next request shows. After a compaction: all system messages, the summary, what it kept,
 * and what came later. Turns that failed or were aborted, and their tools' results, are never shown again.
 */
export function projectForModel(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  return withoutFailedTurns(afterCompaction(messages));
}

/** App messages that mean something to a model as user messages; the others are for people only. */
export function convertForModel(messages: readonly AgentMessage[]): readonly Message[] {
  return messages.flatMap((message): readonly Message[] =>
    message.role === "app" ? appForModel(message) : [message],
  );
}

function toMessage(entry: SessionEntry): AgentMessage | undefined {
  const timestamp = Date.parse(entry.timestamp) || 0;
  switch (entry.type) {
    case "message":
      return entry.message;
    case "branch_summary":
      return { role: "app", kind: "branchSummary", text: entry.summary, timestamp };
    case "custom_message":
      return { role: "app", kind: "customMessage", text: contentText(entry.content), timestamp };
    case "unknown":
      return entry.problem
        ? { role: "app", kind: "notice", text: `Here was ${entry.problem}`, timestamp }
        : undefined;
    default:
      return noticeMessage(entry, timestamp);
  }
}

function noticeMessage(entry: SessionEntry, timestamp: number): AppMessage | undefined {
  const data = factData(entry, "reins.notice");
  if (typeof data?.kind !== "string" || typeof data.text !== "string") return undefined;
  const details = isJsonObject(data.details) ? { details: data.details } : {};
  return { role: "app", kind: data.kind, text: data.text, ...details, timestamp };
}

/** `kept` counts the shown messages before it that still stand for themselves. */
function compactionMessage(
  entry: SessionEntry & { readonly type: "compaction" },
  before: readonly MessageEntry[],
): AppMessage {
  const first = before.findIndex((shown) => shown.id === entry.firstKeptEntryId);
  return {
    role: "app",
    kind: "compaction",
    text: entry.summary,
    details: { kept: first < 0 ? 0 : before.length - first },
    timestamp: Date.parse(entry.timestamp) || 0,
  };
}

function afterCompaction(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const at = messages.findLastIndex((message) => message.role === "app" && message.kind === "compaction");
  const compaction = messages[at];
  if (compaction?.role !== "app") return messages;
  const kept = typeof compaction.details?.kept === "number" ? compaction.details.kept : 0;
  const before = messages.slice(0, at);
  return [
    ...before.filter((message) => message.role === "system"),
    compaction,
    ...before.slice(at - Math.min(kept, at)).filter((message) => message.role !== "system"),
    ...messages.slice(at + 1),
  ];
}

function withoutFailedTurns(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const dropped = new Set<string>();
  return messages.filter((message) => {
    if (message.role === "toolResult") return !dropped.has(message.toolCallId);
    if (message.role !== "assistant") return true;
    const failed = message.stopReason === "error" || message.stopReason === "aborted";
    for (const block of message.content) {
      if (block.type !== "toolCall") continue;
      // Ids may come back in a later turn, of which the results count.
      if (failed) dropped.add(block.id);
      else dropped.delete(block.id);
    }
    return !failed;
  });
}

function appForModel(message: AppMessage): readonly UserMessage[] {
  const user = (content: string): UserMessage[] => [{ role: "user", content, timestamp: message.timestamp }];
  switch (message.kind) {
    case "compaction":
      return user(`What happened before was summarized:\n<summary>\n${message.text}\n</summary>`);
    case "branchSummary":
      return user(
        `Another branch of this conversation was summarized:\n<summary>\n${message.text}\n</summary>`,
      );
    case "customMessage":
      return user(message.text);
    case "review":
      return user(`Of a change of yours that waited for the user's review:\n${message.text}`);
    case "restore":
      return user(
        `The user put files back. Read them again before you change them or speak about them.\n${message.text}`,
      );
    default:
      return [];
  }
}

function contentText(content: Json): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((block: unknown) => (isJsonObject(block) && typeof block.text === "string" ? block.text : ""))
    .join("\n");
}
