// What a stopped run must leave behind: no process, and a session in which every call has its result.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import type { Reins } from "./reins.ts";

/** The command lines of living processes that sleep for one of these times. */
export function sleeping(seconds: readonly number[]): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandLine(pid))
    .filter((line) => seconds.some((each) => line === `sleep ${each}`));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return ""; // It has just ended.
  }
}

/** In the files of all sessions of this profile. */
export function assertEveryCallHasItsResult(reins: Reins): void {
  const messages = reins
    .sessionEntries()
    .flatMap((entry) => (entry["type"] === "message" ? [entry["message"]] : [])) as SessionMessage[];
  const calls = messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((block) => (block.type === "toolCall" ? [block.id ?? ""] : []))
      : [],
  );
  const results = messages.flatMap((message) =>
    message.role === "toolResult" ? [message.toolCallId ?? ""] : [],
  );
  assert.ok(calls.length > 0);
  assert.deepEqual(results.sort(), calls.sort());
}

interface SessionMessage {
  readonly role: string;
  readonly content: readonly { readonly type: string; readonly id?: string }[];
  readonly toolCallId?: string;
}
