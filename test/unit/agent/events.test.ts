// The exact order of events, as whole lists: pi.md §2.4 and C1, with `tool_execution_running` added.
import assert from "node:assert/strict";
import { Type } from "@sinclair/typebox";
import { after, cutToolCalls, error, hanging, text, toolCalls } from "../../support/scripted-stream.ts";
import { until } from "../../support/until.ts";
import { said, setup, tool, user } from "./setup.ts";

const answered = ["start assistant", "update", "end assistant stop", "turn_end stop"];

describe("The order of events", () => {
  it("of a simple prompt is user message, answer in deltas, end of turn, end of run", async () => {
    const { agent, trace, events } = setup([text("Hel", "lo")]);
    assert.equal(await agent.prompt([user("Hi")]), "done");
    assert.deepEqual(trace(), [
      "agent_start",
      "turn_start 1",
      "start user",
      "end user Hi",
      ...answered,
      "agent_end done",
    ]);
    assert.deepEqual(
      events.map((event) => event.seq),
      events.map((_, index) => index + 1),
    );
    assert.deepEqual(events.at(-1), { type: "agent_end", end: "done", messageIds: ["m1", "m2"], seq: 12 });
  });

  it("starts an answer without content and sends deltas, not the growing message", async () => {
    const { agent, events } = setup([text("Hel", "lo")]);
    await agent.prompt([user("Hi")]);
    const start = events.find(
      (event) => event.type === "message_start" && event.message.role === "assistant",
    );
    assert.ok(start?.type === "message_start");
    assert.deepEqual(start.message.role === "assistant" && start.message.content, []);
    assert.deepEqual(
      events.flatMap((event) => (event.type === "message_update" ? [event.delta] : [])),
      [
        { type: "text_start", index: 0 },
        { type: "text_delta", index: 0, delta: "Hel" },
        { type: "text_delta", index: 0, delta: "lo" },
        { type: "text_end", index: 0 },
      ],
    );
  });

  it("of a parallel batch: all start in source order, end as they complete, results in source order", async () => {
    const fastDone = Promise.withResolvers<void>();
    const slow = tool("slow", async (_, { onProgress }) => {
      onProgress({ output: "s" });
      await fastDone.promise;
      return said("slow");
    });
    const fast = tool("fast", (_, { onProgress }) => {
      onProgress({ output: "f" });
      return Promise.resolve(said("fast"));
    });
    const { agent, trace } = setup(
      [toolCalls({ id: "s", name: "slow" }, { id: "f", name: "fast" }), text("ok")],
      { tools: [slow, fast] },
    );
    agent.subscribe((event) => {
      if (event.type === "tool_execution_end" && event.toolCallId === "f") fastDone.resolve();
    });
    await agent.prompt([user("Go")]);
    assert.deepEqual(trace().slice(4), [
      "start assistant",
      "update",
      "end assistant toolUse",
      "tool start s",
      "tool start f",
      "tool running s",
      "tool running f",
      "tool update s",
      "tool update f",
      "tool end f",
      "tool end s",
      "start toolResult",
      "end result s",
      "start toolResult",
      "end result f",
      "turn_end toolUse",
      "turn_start 2",
      ...answered,
      "agent_end done",
    ]);
  });

  it("of a sequential batch: each call is done and recorded before the next one starts", async () => {
    const a = tool("a", undefined, { executionMode: "sequential" });
    const { agent, trace } = setup([toolCalls({ id: "1", name: "a" }, { id: "2", name: "b" }), text("ok")], {
      tools: [a, tool("b")],
    });
    await agent.prompt([user("Go")]);
    assert.deepEqual(trace().slice(7, -6), [
      "tool start 1",
      "tool running 1",
      "tool end 1",
      "start toolResult",
      "end result 1",
      "tool start 2",
      "tool running 2",
      "tool end 2",
      "start toolResult",
      "end result 2",
      "turn_end toolUse",
    ]);
  });

  it("of an answer cut at the output limit: an error result per call, then the next turn (P12)", async () => {
    const { agent, trace } = setup([cutToolCalls({ id: "1", name: "a" }), text("ok")], {
      tools: [tool("a")],
    });
    await agent.prompt([user("Go")]);
    assert.deepEqual(trace().slice(4), [
      "start assistant",
      "update",
      "end assistant length",
      "tool start 1",
      "tool end 1 error",
      "start toolResult",
      "end result 1 error",
      "turn_end length",
      "turn_start 2",
      ...answered,
      "agent_end done",
    ]);
  });

  it("of an unknown tool and bad arguments: an end at once, results later in source order", async () => {
    const strict = tool("strict", undefined, { parameters: Type.Object({ value: Type.String() }) });
    const { agent, trace } = setup(
      [
        toolCalls({ id: "1", name: "nope" }, { id: "2", name: "strict" }, { id: "3", name: "good" }),
        text("ok"),
      ],
      { tools: [strict, tool("good")] },
    );
    await agent.prompt([user("Go")]);
    assert.deepEqual(trace().slice(7, -6), [
      "tool start 1",
      "tool end 1 error",
      "tool start 2",
      "tool end 2 error",
      "tool start 3",
      "tool running 3",
      "tool end 3",
      "start toolResult",
      "end result 1 error",
      "start toolResult",
      "end result 2 error",
      "start toolResult",
      "end result 3",
      "turn_end toolUse",
    ]);
  });

  it("of queued input: a new turn in the same run, the queue shrinks before its message starts", async () => {
    const gate = Promise.withResolvers<void>();
    const { agent, trace, stream } = setup([after(gate.promise, text("one")), text("two"), text("three")]);
    const run = agent.prompt([user("Go")]);
    await until(() => stream.requests.length === 1);
    agent.followUp(user("later"));
    agent.steer(user("now"));
    gate.resolve();
    await run;
    assert.deepEqual(
      trace().filter((line) => line !== "update"),
      [
        "agent_start",
        "turn_start 1",
        "start user",
        "end user Go",
        "queue 1",
        "queue 2",
        "start assistant",
        "end assistant stop",
        "turn_end stop",
        "queue 1",
        "turn_start 2",
        "start user",
        "end user now",
        "start assistant",
        "end assistant stop",
        "turn_end stop",
        "queue 0",
        "turn_start 3",
        "start user",
        "end user later",
        "start assistant",
        "end assistant stop",
        "turn_end stop",
        "agent_end done",
      ],
    );
  });

  it("of a failing stream: its partial text, an error answer, end of turn and run", async () => {
    const { agent, trace } = setup([error("Overloaded", { after: "Hal" })]);
    assert.equal(await agent.prompt([user("Go")]), "error");
    assert.deepEqual(trace().slice(4), [
      "start assistant",
      "update",
      "end assistant error",
      "turn_end error",
      "agent_end error",
    ]);
  });

  it("of a request that failed before anything arrived: the answer starts right before it ends", async () => {
    const { agent, trace } = setup([error("No key")]);
    await agent.prompt([user("Go")]);
    assert.deepEqual(trace().slice(4), [
      "start assistant",
      "end assistant error",
      "turn_end error",
      "agent_end error",
    ]);
  });

  it("of an abort before the first byte: no assistant message at all", async () => {
    const { agent, trace, stream } = setup([hanging()]);
    agent.subscribe((event) => {
      if (event.type === "message_end") setImmediate(() => agent.abort());
    });
    assert.equal(await agent.prompt([user("Go")]), "aborted");
    assert.equal(stream.requests.length, 1);
    assert.deepEqual(trace(), [
      "agent_start",
      "turn_start 1",
      "start user",
      "end user Go",
      "turn_end aborted",
      "agent_end aborted",
    ]);
  });

  it("of a hook that throws: an error answer in the open turn, and all messages of the run in agent_end (W12)", async () => {
    const { agent, trace, events } = setup([text("never")], {
      transformContext: () => Promise.reject(new Error("No projection.")),
    });
    assert.equal(await agent.prompt([user("Go")]), "error");
    assert.deepEqual(trace(), [
      "agent_start",
      "turn_start 1",
      "start user",
      "end user Go",
      "start assistant",
      "end assistant error",
      "turn_end error",
      "agent_end error",
    ]);
    const end = events.at(-1);
    assert.deepEqual(end?.type === "agent_end" && end.messageIds, ["m1", "m2"]);
  });
});
