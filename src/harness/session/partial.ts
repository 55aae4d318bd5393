// A streamed message in pieces: batches of deltas made small for the disk, and the message put together from them
// again after a crash. It trusts nothing that it reads back.
import type { MessageDelta } from "../../agent/events.ts";
import type { AgentMessage } from "../../agent/types.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { JsonObject } from "../../shared/json.ts";
import { checkMessage } from "./message-check.ts";

/** Appends a delta, joined with the last one where both continue the same block. Arguments in progress are left out. */
export function addDelta(deltas: MessageDelta[], delta: MessageDelta): void {
  if (delta.type === "toolcall_delta") return;
  const last = deltas.at(-1);
  if (
    last !== undefined &&
    (last.type === "text_delta" || last.type === "thinking_delta") &&
    last.type === delta.type &&
    last.index === delta.index
  ) {
    deltas[deltas.length - 1] = { ...last, delta: last.delta + delta.delta };
  } else {
    deltas.push(delta);
  }
}

/** The message that these `reins.partial` batches tell of, as an aborted one. Undefined when nothing was streamed. */
export function messageFromPartials(
  batches: readonly JsonObject[],
  reason: string,
): AgentMessage | undefined {
  const start = batches.map((batch) => batch.start).find(isJsonObject);
  const blocks: JsonObject[] = [];
  for (const batch of batches) {
    if (!Array.isArray(batch.deltas)) continue;
    // Nothing is assumed of the elements of an array that came from a file.
    for (const delta of batch.deltas as readonly unknown[])
      if (isJsonObject(delta)) applyDelta(blocks, delta);
  }
  const content = blocks.filter(isWorthKeeping);
  if (content.length === 0) return undefined;
  const end = { role: "assistant", content, stopReason: "aborted", errorMessage: reason };
  return checkMessage({ ...start, ...end }, 0);
}

function applyDelta(blocks: JsonObject[], delta: JsonObject): void {
  const { type, index } = delta;
  if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index > 10_000) return;
  while (blocks.length <= index) blocks.push({ type: "text", text: "" });
  const block = blocks[index] ?? {};
  const added = typeof delta.delta === "string" ? delta.delta : "";
  if (type === "text_delta") blocks[index] = { type: "text", text: textOf(block.text) + added };
  if (type === "thinking_start") blocks[index] = { type: "thinking", thinking: "" };
  if (type === "thinking_delta") {
    blocks[index] = { type: "thinking", thinking: textOf(block.thinking) + added };
  }
  if (type === "toolcall_end" && isJsonObject(delta.toolCall)) blocks[index] = delta.toolCall;
}

function isWorthKeeping(block: JsonObject): boolean {
  return block.type === "toolCall" || Boolean(block.text) || Boolean(block.thinking);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
