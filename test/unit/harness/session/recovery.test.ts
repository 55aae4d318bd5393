import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { AgentEvent } from "../../../../src/agent/events.ts";
import type { AgentMessage } from "../../../../src/agent/types.ts";
import { recover } from "../../../../src/harness/session/recovery.ts";
import { SessionRecorder } from "../../../../src/harness/session/recorder.ts";
import { memoryPorts } from "../../../support/memory-ports.ts";
import { settle } from "../../../support/until.ts";
import {
  assistant,
  call,
  linesOf,
  openLog,
  storeOf,
  toolResult,
  user,
} from "../../../support/session-builders.ts";

/** A session that records events, and what is found of it after the host was killed at this point. */
function recording() {
  const ports = memoryPorts();
  const log = openLog(ports, storeOf(ports).create("s1"));
  const recorder = new SessionRecorder(log, ports.clock);
  let id = 0;
  const emit = async (...events: AgentEvent[]) => {
    for (const event of events) {
      recorder.observe(event);
      await recorder.record(event);
    }
  };
  const say = (message: AgentMessage) => emit({ type: "message_end", id: `m${++id}`, message });
  const killed = async () => recover((await storeOf(ports).load("s1")).file.tree.path(), 7);
  return { ports, log, recorder, emit, say, killed };
}

const started = (toolCallId: string): AgentEvent => ({ type: "tool_execution_running", toolCallId });
const printed = (toolCallId: string, output: string): AgentEvent => ({
  type: "tool_execution_update",
  toolCallId,
  progress: { output },
});
const streamed = (id: string, delta: string): AgentEvent => ({
  type: "message_update",
  id,
  delta: { type: "text_delta", index: 0, delta },
});

describe("A run that was cut off", () => {
  it("gives every call without a result one, saying what is known of it (P27)", async () => {
    const session = recording();
    await session.say(user("go"));
    const calls = [call("c1", "read"), call("c2", "bash", { command: "make" }), call("c3", "edit")];
    await session.say(assistant(calls));
    await session.emit(started("c1"), started("c2"));
    await session.say(toolResult("c1", "text"));
    await session.emit(printed("c2", "one\n"), printed("c2", "two\n"));
    await session.ports.clock.advance(100);
    const { messages, interrupted } = await session.killed();
    assert.equal(interrupted, true);
    const [bash, edit] = messages.map(({ message }) => message);
    assert.ok(bash?.role === "toolResult" && edit?.role === "toolResult" && messages.length === 2);
    assert.equal(bash.toolCallId, "c2");
    assert.equal(bash.isError, true);
    assert.match(JSON.stringify(bash.content), /had started.*one\\ntwo/);
    assert.deepEqual(bash.details, { tool: "bash", command: "make", cwd: "", tail: "one\ntwo\n" });
    assert.equal(edit.toolCallId, "c3");
    assert.match(JSON.stringify(edit.content), /Nothing was done/);
    assert.deepEqual(edit.details, { tool: "none", why: "interrupted" });
  });

  it("keeps the change the user was asked about, undecided, and says what of it is in the file", async () => {
    const session = recording();
    await session.say(user("go"));
    await session.say(assistant([call("c1", "edit")]));
    const hunks = [{ status: "accepted" }, { status: "pending" }];
    const details = { tool: "edit", proposal: { path: "a.ts", state: "pending", hunks } };
    await session.emit(started("c1"), {
      type: "tool_execution_update",
      toolCallId: "c1",
      progress: { details },
    });
    await session.ports.clock.advance(100);
    const { messages } = await session.killed();
    const [edit] = messages.map(({ message }) => message);
    assert.ok(edit?.role === "toolResult" && messages.length === 1);
    assert.match(JSON.stringify(edit.content), /1 of 2 changes are in a\.ts/);
    assert.deepEqual(edit.details, { tool: "edit", proposal: { ...details.proposal, state: "cancelled" } });
  });

  it("says of a call that had ended that only its result is missing", async () => {
    const session = recording();
    await session.say(user("go"));
    await session.say(assistant([call("c1", "bash", { command: "make" }), call("c2", "bash")]));
    await session.emit(started("c1"), started("c2"), printed("c1", "done"), {
      type: "tool_execution_end",
      toolCallId: "c1",
      toolName: "bash",
      isError: false,
      details: { tool: "bash", command: "make", cwd: "/work", exitCode: 0 },
      durationMs: 5,
    });
    await session.ports.clock.advance(100);
    const [first] = (await session.killed()).messages;
    assert.ok(first?.message.role === "toolResult");
    assert.match(JSON.stringify(first.message.content), /had ended/);
    assert.equal(first.message.details?.exitCode, 0);
    assert.equal(first.message.details?.tail, "done");
  });

  it("rebuilds a message that was being streamed (S07)", async () => {
    const session = recording();
    await session.say(user("go"));
    const start = assistant([], { model: "big" });
    await session.emit(
      { type: "message_start", id: "a1", message: start },
      { type: "message_update", id: "a1", delta: { type: "thinking_start", index: 0 } },
      { type: "message_update", id: "a1", delta: { type: "thinking_delta", index: 0, delta: "hm" } },
      { type: "message_update", id: "a1", delta: { type: "text_start", index: 1 } },
      { type: "message_update", id: "a1", delta: { type: "text_delta", index: 1, delta: "Hel" } },
    );
    await session.ports.clock.advance(100);
    await session.emit({
      type: "message_update",
      id: "a1",
      delta: { type: "text_delta", index: 1, delta: "lo" },
    });
    await session.ports.clock.advance(100);
    const { messages, interrupted } = await session.killed();
    assert.equal(interrupted, true);
    assert.equal(messages.length, 1);
    assert.equal(messages[0]?.id, "a1");
    const message = messages[0]?.message;
    assert.ok(message?.role === "assistant");
    assert.deepEqual(message.content, [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "Hello" },
    ]);
    assert.equal(message.stopReason, "aborted");
    assert.equal(message.model, "big");
    assert.match(message.errorMessage ?? "", /^Interrupted/);
  });

  it("is interrupted too when only the prompt was recorded", async () => {
    const session = recording();
    await session.say(user("go"));
    assert.deepEqual(await session.killed(), { messages: [], interrupted: true });
  });

  it("is not a run that ended: done, aborted, or with its last answer recorded", async () => {
    const session = recording();
    await session.say(user("go"));
    await session.emit({ type: "agent_end", end: "aborted", messageIds: [] });
    assert.equal((await session.killed()).interrupted, false);
    await session.say(user("again"));
    assert.equal((await session.killed()).interrupted, true);
    await session.say(assistant("done"));
    assert.deepEqual(await session.killed(), { messages: [], interrupted: false });
  });

  it("finds nothing to rebuild once the message itself is recorded", async () => {
    const session = recording();
    await session.say(user("go"));
    await session.emit({ type: "message_start", id: "m2", message: assistant([]) }, streamed("m2", "Hello"));
    await session.ports.clock.advance(100);
    await session.say(assistant("Hello"));
    assert.deepEqual(await session.killed(), { messages: [], interrupted: false });
  });

  it("survives facts that make no sense", async () => {
    const session = recording();
    await session.say(user("go"));
    const facts = [null, 7, {}, { messageId: 3 }, { messageId: "z", deltas: [null, { type: "text_delta" }] }];
    for (const data of facts) {
      await session.log.append({ type: "custom", customType: "reins.partial", data });
      await session.log.append({ type: "custom", customType: "reins.output", data });
    }
    assert.deepEqual(await session.killed(), { messages: [], interrupted: true });
  });
});

describe("The recorder", () => {
  it("writes what is streamed at most every 100 ms, joined, and not again as deltas after its end", async () => {
    const session = recording();
    await session.say(user("go"));
    await session.emit({ type: "message_start", id: "m2", message: assistant([]) });
    for (const character of "abcdef") await session.emit(streamed("m2", character));
    await session.ports.clock.advance(99);
    assert.equal(linesOf(session.ports, session.log.fileName).length, 1);
    await session.ports.clock.advance(1);
    const lines = linesOf(session.ports, session.log.fileName);
    assert.deepEqual((lines[1]?.data as { deltas: unknown }).deltas, [
      { type: "text_delta", index: 0, delta: "abcdef" },
    ]);
    await session.emit(streamed("m2", "g"));
    await session.say(assistant("abcdefg"));
    await session.ports.clock.advance(1000);
    assert.equal(linesOf(session.ports, session.log.fileName).length, 3);
  });

  it("does not let the run wait for batches", async () => {
    const session = recording();
    await session.say(user("go"));
    session.ports.storage.holdAppends = new Promise(() => undefined);
    await session.emit({ type: "message_start", id: "m2", message: assistant([]) }, streamed("m2", "x"));
    await session.ports.clock.advance(100);
    await session.emit(streamed("m2", "y"));
  });

  it("lets the run wait for the start of a tool", async () => {
    const session = recording();
    await session.say(user("go"));
    let release = () => undefined as void;
    session.ports.storage.holdAppends = new Promise((resolve) => (release = resolve));
    let durable = false;
    const done = session.emit(started("c1")).then(() => (durable = true));
    await settle();
    assert.equal(durable, false);
    release();
    await done;
  });

  it("flushes what waits, when asked and when disposed", async () => {
    const session = recording();
    await session.say(user("go"));
    await session.emit(printed("c1", "out"));
    await session.recorder.flush();
    assert.equal(linesOf(session.ports, session.log.fileName).length, 2);
    await session.emit(printed("c1", "more"));
    session.recorder.dispose();
    await session.log.flush();
    assert.equal(linesOf(session.ports, session.log.fileName).length, 3);
    assert.equal(session.ports.clock.pending, 0);
  });

  it("bounds what endless output costs", async () => {
    const session = recording();
    await session.say(user("go"));
    for (let second = 0; second < 60; second++) {
      for (let part = 0; part < 10; part++) {
        await session.emit(printed("c1", "z".repeat(100_000)));
        await session.ports.clock.advance(100);
      }
    }
    const size = session.ports.storage.bytes(session.log.fileName).length;
    assert.ok(size < 800_000, `${size} bytes`);
  });
});
