// What holds for every list of events of an agent and for its transcript, whatever was done.
import assert from "node:assert/strict";
import type { Agent } from "../../../src/agent/agent.ts";
import type { SequencedEvent } from "../../../src/agent/events.ts";
import { initialTranscript, reduceTranscript } from "../../../src/agent/transcript.ts";
import type { Message } from "../../../src/ai/types.ts";

/** Pairs close, ends tell the truth, every call has its one result, and the events fold into the state, as JSON. */
export function assertInvariants(events: readonly SequencedEvent[], agent: Agent): void {
  assertPairs(events);
  assertEnds(events);
  assertAnswered(agent.transcript.messages.map((entry) => entry.message) as Message[]);
  assert.deepEqual(events.reduce(reduceTranscript, initialTranscript()), agent.transcript);
  assert.deepEqual(JSON.parse(JSON.stringify(events)), events);
}

export function assertPairs(events: readonly SequencedEvent[]): void {
  const open: string[] = [];
  const opens = (name: string) => assert.equal(open.push(name), new Set(open).size, `${name} opened twice`);
  const closes = (name: string) => {
    assert.ok(open.includes(name), `${name} closed without a start`);
    open.splice(open.indexOf(name), 1);
  };
  events.forEach((event, index) => {
    assert.equal(event.seq, index + 1);
    if (event.type === "agent_start") opens("run");
    if (event.type === "turn_start") opens("turn");
    if (event.type === "message_start") opens(`message ${event.id}`);
    if (event.type === "message_end") closes(`message ${event.id}`);
    if (event.type === "message_update") assert.ok(open.includes(`message ${event.id}`));
    if (event.type === "tool_execution_start") opens(`tool ${event.toolCallId}`);
    if (event.type === "tool_execution_update") assert.ok(open.includes(`tool ${event.toolCallId}`));
    if (event.type === "tool_execution_end") closes(`tool ${event.toolCallId}`);
    if (event.type === "turn_end") closes("turn");
    if (event.type === "agent_end") {
      closes("run");
      assert.deepEqual(open, []);
    }
  });
  assert.deepEqual(open, []);
}

/** A run ends as its last answer did, and what failed is not called done. */
export function assertEnds(events: readonly SequencedEvent[]): void {
  let failed = false;
  for (const event of events) {
    if (event.type === "agent_start") failed = false;
    if (event.type === "message_end" && event.message.role === "assistant") {
      const fails = event.message.stopReason === "error";
      assert.ok(!failed || fails, "only a failure of the run itself may follow a failed answer");
      failed = fails;
    }
    if (event.type === "agent_end") assert.equal(event.end === "error", failed);
  }
}

/** Each call of a message that may be sent has exactly one result, in source order, right behind it. */
export function assertAnswered(messages: readonly Message[]): void {
  const results = messages.filter((message) => message.role === "toolResult");
  const expected = messages.flatMap((message) => {
    if (message.role !== "assistant" || ["error", "aborted"].includes(message.stopReason)) return [];
    return message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
  });
  assert.deepEqual(
    results.map((result) => result.toolCallId),
    expected,
  );
  messages.forEach((message, index) => {
    if (message.role === "toolResult")
      assert.ok(["assistant", "toolResult"].includes(messages[index - 1]?.role ?? ""));
    if (message.role === "assistant" && message.stopReason !== "error")
      assert.notDeepEqual(message.content, []);
  });
}
