// Messages and session files for tests, with neutral values where a test does not care.
import { SessionLog } from "../../src/harness/session/log.ts";
import type { SessionFile } from "../../src/harness/session/log.ts";
import { SessionStore } from "../../src/harness/session/store.ts";
import type {
  AssistantBlock,
  AssistantMessage,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "../../src/ai/types.ts";
import type { JsonObject } from "../../src/shared/json.ts";
import type { MemoryPorts } from "./memory-ports.ts";

export const noUsage: Usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

export function user(content: string): UserMessage {
  return { role: "user", content, timestamp: 1 };
}

export function assistant(
  content: string | readonly AssistantBlock[],
  fields: Partial<AssistantMessage> = {},
): AssistantMessage {
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const stopReason = blocks.some((block) => block.type === "toolCall") ? "toolUse" : "stop";
  return {
    role: "assistant",
    content: blocks,
    api: "scripted",
    provider: "test",
    model: "test",
    usage: noUsage,
    stopReason,
    timestamp: 2,
    ...fields,
  };
}

export function call(id: string, name: string, args: JsonObject = {}): AssistantBlock {
  return { type: "toolCall", id, name, arguments: args };
}

export function toolResult(toolCallId: string, text: string, toolName = "read"): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName,
    content: [{ type: "text", text }],
    isError: false,
    timestamp: 3,
  };
}

/** Ids 00000001, 00000002, … */
export function countingIds(start = 1): () => string {
  let next = start;
  return () => String(next++).padStart(8, "0");
}

export function storeOf(ports: MemoryPorts): SessionStore {
  return new SessionStore(ports);
}

export function openLog(ports: MemoryPorts, file: SessionFile, createId = countingIds()): SessionLog {
  let copies = 0;
  return new SessionLog(
    {
      storage: ports.storage,
      log: ports.log,
      now: () => ports.clock.now(),
      createId,
      createSessionId: () => `copy-${++copies}`,
    },
    file,
  );
}

/** What a session file holds after its header, parsed line by line. */
export function linesOf(ports: MemoryPorts, name: string): JsonObject[] {
  const lines = ports.storage.text(name).split("\n").slice(1, -1);
  // Every line of a session is an object.
  return lines.map((line) => JSON.parse(line) as JsonObject);
}
