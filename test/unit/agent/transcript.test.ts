// The reducer that agent, tests and panel share. U18, W18, C15.
import assert from "node:assert/strict";
import type { AgentEvent, MessageDelta } from "../../../src/agent/events.ts";
import { initialTranscript, reduceTranscript } from "../../../src/agent/transcript.ts";
import type { TranscriptState } from "../../../src/agent/transcript.ts";
import { emptyAnswer } from "../../../src/agent/synthetic.ts";
import { testModel } from "../../support/scripted-stream.ts";
import { user } from "./setup.ts";

function fold(events: readonly AgentEvent[], from = initialTranscript()): TranscriptState {
  return events.reduce((state, event) => reduceTranscript(state, { ...event, seq: state.seq + 1 }), from);
}

const answer = emptyAnswer(testModel, 1);
const start: AgentEvent = { type: "message_start", id: "a", message: answer };
const update = (delta: MessageDelta): AgentEvent => ({ type: "message_update", id: "a", delta });
const toolStart: AgentEvent = { type: "tool_execution_start", toolCallId: "1", toolName: "bash", args: {} };
const output = (text: string): AgentEvent => ({
  type: "tool_execution_update",
  toolCallId: "1",
  progress: { output: text },
});

describe("The transcript", () => {
  it("builds interleaved blocks from their deltas", () => {
    const state = fold([
      start,
      update({ type: "thinking_start", index: 0 }),
      update({ type: "thinking_delta", index: 0, delta: "Hm" }),
      update({ type: "text_start", index: 1 }),
      update({ type: "text_delta", index: 1, delta: "He" }),
      update({ type: "thinking_delta", index: 0, delta: "m" }),
      update({ type: "text_delta", index: 1, delta: "y" }),
      update({ type: "toolcall_start", index: 2, id: "1", name: "bash" }),
      update({ type: "toolcall_delta", index: 2, delta: '{"com' }),
    ]);
    assert.deepEqual(state.streaming?.message.content, [
      { type: "thinking", thinking: "Hmm" },
      { type: "text", text: "Hey" },
      { type: "toolCall", id: "1", name: "bash", arguments: {} },
    ]);
    assert.deepEqual(state.streaming.partialArguments, { 2: '{"com' });
  });

  it("has the arguments of a finished call, and no raw text of it any more", () => {
    const toolCall = { type: "toolCall", id: "1", name: "bash", arguments: { command: "ls" } } as const;
    const state = fold([
      start,
      update({ type: "toolcall_start", index: 0, id: "1", name: "bash" }),
      update({ type: "toolcall_delta", index: 0, delta: '{"command":"ls"}' }),
      update({ type: "toolcall_end", index: 0, toolCall }),
    ]);
    assert.deepEqual([state.streaming?.message.content, state.streaming?.partialArguments], [[toolCall], {}]);
  });

  it("shows the text of a block that never started, and ignores deltas of another message or kind (P45)", () => {
    const state = fold([
      start,
      update({ type: "text_delta", index: 0, delta: "Hi" }),
      update({ type: "thinking_delta", index: 0, delta: "no" }),
      { type: "message_update", id: "other", delta: { type: "text_delta", index: 0, delta: "no" } },
    ]);
    assert.deepEqual(state.streaming?.message.content, [{ type: "text", text: "Hi" }]);
  });

  it("replaces a message whose end comes again", () => {
    const state = fold([
      { type: "message_end", id: "u", message: user("one") },
      { type: "message_end", id: "v", message: user("two") },
      { type: "message_end", id: "u", message: user("uno") },
    ]);
    assert.deepEqual(state.messages, [
      { id: "u", message: user("uno") },
      { id: "v", message: user("two") },
    ]);
  });

  it("follows a tool through waiting, running and ended until its result is there", () => {
    const ended: AgentEvent = {
      type: "tool_execution_end",
      toolCallId: "1",
      toolName: "bash",
      isError: true,
      details: { exit: 1 },
    };
    const phases = [toolStart, { type: "tool_execution_running", toolCallId: "1" } as const, ended].map(
      (_, index, all) => fold(all.slice(0, index + 1)).activeTools[0],
    );
    assert.deepEqual(
      phases.map((tool) => tool?.phase),
      ["waiting", "running", "ended"],
    );
    assert.deepEqual([phases[2]?.isError, phases[2]?.details], [true, { exit: 1 }]);
    const result = {
      role: "toolResult",
      toolCallId: "1",
      toolName: "bash",
      content: [],
      isError: true,
      timestamp: 1,
    } as const;
    assert.deepEqual(
      fold([toolStart, ended, { type: "message_end", id: "r", message: result }]).activeTools,
      [],
    );
  });

  it("keeps the last 16,384 characters of live output, never half a character", () => {
    const long = fold([toolStart, output("a".repeat(20_000)), output("b")]).activeTools[0]?.output;
    assert.equal(long, `${"a".repeat(16_383)}b`);
    const pairs = fold([toolStart, output("😀".repeat(9_000)), output("b")]).activeTools[0]?.output;
    assert.equal(pairs, `${"😀".repeat(8_191)}b`);
  });

  it("keeps every earlier state as it was, and shares what did not change (W18)", () => {
    const before = fold([{ type: "message_end", id: "u", message: user("one") }, toolStart, start]);
    const copy = structuredClone(before);
    const next = fold([update({ type: "text_delta", index: 0, delta: "x" }), output("y")], before);
    assert.deepEqual(before, copy);
    assert.equal(next.messages, before.messages);
    assert.equal(next.queue, before.queue);
  });

  it("is idle with its end after a run, and nothing of the run is left open", () => {
    const end: AgentEvent = { type: "agent_end", end: "aborted", messageIds: [] };
    const state = fold([{ type: "agent_start" }, { type: "turn_start", turn: 3 }, start, toolStart, end]);
    assert.deepEqual(state, { ...initialTranscript(), seq: 5, turn: 3, lastEnd: "aborted" });
    assert.equal(fold([{ type: "agent_start" }], state).lastEnd, null);
  });

  it("crosses to the panel as JSON and goes on from there (U15)", () => {
    const before = fold([
      { type: "agent_start" },
      start,
      update({ type: "text_delta", index: 0, delta: "x" }),
    ]);
    // A snapshot is posted as JSON.
    const posted = JSON.parse(JSON.stringify(before)) as TranscriptState;
    const rest = [update({ type: "text_delta", index: 0, delta: "y" })];
    assert.deepEqual(fold(rest, posted), fold(rest, before));
  });
});
