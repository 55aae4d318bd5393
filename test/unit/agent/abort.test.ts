// Abort at every point of a run: pi.md §2.8, W1, Q01, Q10, P27, and the queue part of C4.
import assert from "node:assert/strict";
import { RunActiveError } from "../../../src/agent/errors.ts";
import { abortError } from "../../../src/shared/errors.ts";
import { answer, hanging, text, toolCalls } from "../../support/scripted-stream.ts";
import { settle, until } from "../../support/until.ts";
import { resultOf, said, setup, shown, tool, user } from "./setup.ts";

const never = new Promise<never>(() => undefined);
const closed = ["turn_end aborted", "agent_end aborted"];

describe("An abort", () => {
  it("while idle does nothing", async () => {
    const { agent, events } = setup([text("ok")]);
    agent.abort();
    await agent.waitForIdle();
    assert.deepEqual(events, []);
    assert.equal(await agent.prompt([user("Go")]), "done");
  });

  it("right after the prompt keeps the user's message and sends nothing", async () => {
    const { agent, stream, trace } = setup([text("never")]);
    const run = agent.prompt([user("Go")]);
    agent.abort();
    assert.equal(await run, "aborted");
    assert.equal(stream.requests.length, 0);
    assert.deepEqual(trace(), ["agent_start", "turn_start 1", "start user", "end user Go", ...closed]);
  });

  for (const hook of ["prepareRequest", "transformContext", "getApiKey"] as const) {
    it(`while ${hook} takes its time ends at once, as an abort and not as an error (8.2 row 17)`, async () => {
      let entered = false;
      const slow = () => {
        entered = true;
        return never;
      };
      const { agent, stream, trace } = setup(
        [text("never")],
        { [hook]: slow },
        {
          messages: [{ id: "old", message: user("Before") }],
        },
      );
      const run = agent.prompt([user("Go")]);
      await until(() => entered);
      agent.abort();
      assert.equal(await run, "aborted");
      assert.equal(stream.requests.length, 0);
      assert.deepEqual(trace(), ["agent_start", "turn_start 1", "start user", "end user Go", ...closed]);
    });
  }

  it("in the text keeps what had arrived", async () => {
    const { agent, trace } = setup([hanging(text("Half an ans"))]);
    const run = agent.prompt([user("Go")]);
    await until(() => agent.transcript.streaming?.message.content.length === 1);
    agent.abort();
    assert.equal(await run, "aborted");
    assert.deepEqual(trace().slice(4), ["start assistant", "update", "end assistant aborted", ...closed]);
    const last = agent.transcript.messages.at(-1)?.message;
    assert.deepEqual(last?.role === "assistant" && last.content, [{ type: "text", text: "Half an ans" }]);
  });

  it("in the text of a provider that ignores the signal keeps what had arrived, after the grace (P47)", async () => {
    const { agent } = setup([{ ...text("Half"), end: "ignoresAbort" }], { abortGraceMs: 1 });
    const run = agent.prompt([user("Go")]);
    await until(() => agent.transcript.streaming !== null);
    agent.abort();
    assert.equal(await run, "aborted");
    const last = agent.transcript.messages.at(-1)?.message;
    assert.deepEqual(last?.role === "assistant" && [last.stopReason, last.content], [
      "aborted",
      [{ type: "text", text: "Half" }],
    ]);
  });

  it("in the arguments of a call runs nothing", async () => {
    let ran = false;
    const a = tool("a", () => {
      ran = true;
      return Promise.resolve(said("no"));
    });
    const { agent, trace } = setup([hanging(toolCalls({ id: "1", name: "a" }))], { tools: [a] });
    const run = agent.prompt([user("Go")]);
    await until(() => agent.transcript.streaming !== null);
    agent.abort();
    await run;
    assert.equal(ran, false);
    assert.deepEqual(trace().slice(4), ["start assistant", "update", "end assistant aborted", ...closed]);
  });

  it("during thinking that said nothing yet records no empty message", async () => {
    const thinking = answer([{ type: "thinking", thinking: "" }], {});
    const { agent, trace, stream } = setup([hanging(thinking)]);
    const run = agent.prompt([user("Go")]);
    await until(() => stream.requests.length === 1);
    await settle();
    agent.abort();
    await run;
    assert.deepEqual(trace().slice(4), closed);
  });

  it("while a call waits for approval says that nothing was done, for every call (8.2 row 1)", async () => {
    let asked = 0;
    const { agent, trace, stream } = setup(
      [toolCalls({ id: "1", name: "a" }, { id: "2", name: "a" }), text("never")],
      {
        tools: [tool("a")],
        beforeToolCall: () => {
          asked++;
          return never;
        },
      },
    );
    const run = agent.prompt([user("Go")]);
    await until(() => asked === 1);
    agent.abort();
    assert.equal(await run, "aborted");
    assert.deepEqual(trace().slice(7), [
      "tool start 1",
      "tool end 1 error",
      "tool start 2",
      "tool end 2 error",
      "start toolResult",
      "end result 1 error",
      "start toolResult",
      "end result 2 error",
      "turn_end toolUse",
      "agent_end aborted",
    ]);
    assert.match(resultOf(agent, "2"), /had not started; nothing was done/);
    const last = agent.transcript.messages.at(-1)?.message;
    assert.deepEqual(last?.role === "toolResult" && last.details, { tool: "none", why: "aborted" });
    assert.equal(stream.requests.length, 1);
  });

  it("during execution keeps a tool's own result, says of another that it was cut off, and opens no turn (W1, P27)", async () => {
    let running = 0;
    const whenAborted = (signal: AbortSignal) => {
      running++;
      return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    };
    const own = tool("own", async (_, { signal }) => {
      await whenAborted(signal);
      return said("killed after 3 lines", { isError: true, details: { tool: "bash", end: "aborted" } });
    });
    const throwing = tool("throwing", async (_, { signal }) => {
      await whenAborted(signal);
      throw abortError();
    });
    const { agent, stream, trace } = setup(
      [toolCalls({ id: "1", name: "own" }, { id: "2", name: "throwing" }), text("never")],
      { tools: [own, throwing] },
    );
    const run = agent.prompt([user("Go")]);
    await until(() => running === 2);
    agent.abort();
    assert.equal(await run, "aborted");
    assert.equal(resultOf(agent, "1"), "killed after 3 lines");
    assert.match(resultOf(agent, "2"), /had started and was cut off/);
    assert.equal(stream.requests.length, 1);
    assert.deepEqual(trace().slice(-2), ["turn_end toolUse", "agent_end aborted"]);
  });

  it("leaves a tool that ignores the signal after the grace; its late result is dropped and logged (Q10)", async () => {
    const gate = Promise.withResolvers<void>();
    let progress = (): void => undefined;
    const deaf = tool("deaf", async (_, { onProgress }) => {
      progress = () => onProgress({ output: "late" });
      await gate.promise;
      throw new Error("late failure");
    });
    const { agent, log, events } = setup([toolCalls({ id: "1", name: "deaf" })], {
      tools: [deaf],
      abortGraceMs: 1,
    });
    const run = agent.prompt([user("Go")]);
    await until(() => agent.transcript.activeTools[0]?.phase === "running");
    agent.abort();
    assert.equal(await run, "aborted");
    assert.match(resultOf(agent, "1"), /did not stop within 1 ms/);
    const count = events.length;
    progress();
    gate.resolve();
    await until(() => log.length === 1);
    assert.match(log[0]!, /late result of "deaf"/);
    assert.equal(events.length, count);
  });

  it("leaves the lock of such a tool with it: no later run works on the same thing until it has settled", async () => {
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const deaf = tool(
      "deaf",
      async () => {
        runs += 1;
        await gate.promise;
        return said("late");
      },
      { lockKey: () => "a.ts" },
    );
    const steps = [1, 2, 3].flatMap((n) => [toolCalls({ id: `${n}`, name: "deaf" }), text("ok")]);
    // The first run is stopped and sends no second request.
    const { agent, log } = setup([steps[0]!, ...steps.slice(2)], { tools: [deaf], abortGraceMs: 1 });
    const run = agent.prompt([user("Go")]);
    await until(() => agent.transcript.activeTools[0]?.phase === "running");
    agent.abort();
    await run;
    await agent.prompt([user("Again")]);
    assert.match(resultOf(agent, "2"), /did not run: an earlier call that was stopped is still at work/);
    gate.resolve();
    await until(() => log.length === 1);
    await agent.prompt([user("And again")]);
    assert.equal(resultOf(agent, "3"), "late");
    assert.equal(runs, 2);
  });

  it("in a sequential batch gives the later calls their results too", async () => {
    const a = tool(
      "a",
      (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(said("stopped")))),
      { executionMode: "sequential" },
    );
    const { agent } = setup([toolCalls({ id: "1", name: "a" }, { id: "2", name: "a" })], { tools: [a] });
    const run = agent.prompt([user("Go")]);
    await until(() => agent.transcript.activeTools[0]?.phase === "running");
    agent.abort();
    await run;
    assert.equal(resultOf(agent, "1"), "stopped");
    assert.match(resultOf(agent, "2"), /had not started/);
  });

  it("between turns leaves steering and follow-ups in the queue, to be taken back (W1, Q01)", async () => {
    const a = tool("a", () => {
      agent.steer(user("and this"));
      agent.followUp(user("later"));
      agent.abort();
      return Promise.resolve(said("ok"));
    });
    const { agent, stream } = setup([toolCalls({ id: "1", name: "a" }), text("ok")], { tools: [a] });
    assert.equal(await agent.prompt([user("Go")]), "aborted");
    assert.equal(agent.status, "idle");
    assert.deepEqual(
      agent.transcript.queue.map((item) => item.kind),
      ["steering", "followUp"],
    );
    assert.deepEqual(
      agent.takeQueue().map((item) => item.message.content),
      ["and this", "later"],
    );
    assert.deepEqual(agent.transcript.queue, []);
    await agent.prompt([user("Again")]);
    assert.deepEqual(shown(stream.requests[1]!.request.messages), [
      "user: Go",
      "assistant: [toolCall]",
      "toolResult: ok",
      "user: Again",
    ]);
  });

  it("twice is the same as once, and prompt, continue and append are refused until it has settled", async () => {
    const { agent } = setup([hanging(), text("ok")]);
    const run = agent.prompt([user("Go")]);
    agent.abort();
    agent.abort();
    assert.equal(agent.status, "settling");
    await assert.rejects(agent.prompt([user("x")]), RunActiveError);
    await assert.rejects(agent.continue(), RunActiveError);
    await assert.rejects(agent.append(user("x")), RunActiveError);
    await run;
    assert.equal(agent.status, "idle");
  });
});
