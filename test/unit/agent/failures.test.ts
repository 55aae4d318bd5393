// Listeners, barriers, failing hooks and limits: pi.md §2.4 E1 to E7, §2.11; W9, W12, W18, W19; Q06, Q08; C5.
import assert from "node:assert/strict";
import { Agent } from "../../../src/agent/agent.ts";
import type { SequencedEvent } from "../../../src/agent/events.ts";
import { runLoop } from "../../../src/agent/loop.ts";
import type { AgentConfig } from "../../../src/agent/types.ts";
import { error, hanging, scriptedStream, text, toolCalls } from "../../support/scripted-stream.ts";
import type { Step } from "../../support/scripted-stream.ts";
import { until } from "../../support/until.ts";
import { resultOf, said, setup, testConfig, textOf, tool, trace, user } from "./setup.ts";

const twice = (name: string) => toolCalls({ id: "1", name }, { id: "2", name });

describe("A listener", () => {
  it("that throws, rejects or never answers changes nothing (W19)", async () => {
    const { agent, log, trace: lines } = setup([text("ok")]);
    const plain = setup([text("ok")]);
    agent.subscribe(() => {
      throw new Error("broken panel");
    });
    agent.subscribe((): unknown => Promise.reject(new Error("broken later")));
    agent.subscribe((): unknown => new Promise(() => undefined));
    assert.equal(await agent.prompt([user("Go")]), "done");
    await plain.agent.prompt([user("Go")]);
    assert.deepEqual(lines(), plain.trace());
    assert.ok(log.includes("An event listener failed: broken panel"));
  });

  it("sees the state with the event folded in, also when another listener queues meanwhile (E1)", async () => {
    const { agent } = setup([text("ok")]);
    agent.subscribe((event) => {
      if (event.type === "agent_start") agent.steer(user("now"));
    });
    const seen: number[] = [];
    agent.subscribe((event) => {
      assert.equal(agent.transcript.seq, event.seq);
      seen.push(event.seq);
    });
    await agent.prompt([user("Go")]);
    assert.deepEqual(
      seen,
      seen.map((_, index) => index + 1),
    );
  });

  it("is told nothing more once disposed", async () => {
    const { agent } = setup([text("ok")]);
    let count = 0;
    agent.subscribe(() => count++).dispose();
    await agent.prompt([user("Go")]);
    assert.equal(count, 0);
  });
});

describe("A barrier", () => {
  it("has the assistant message before its first tool starts, and that a tool runs before its code does (C5)", async () => {
    const durable: string[] = [];
    const a = tool("a", () => {
      durable.push("code");
      return Promise.resolve(said("ok"));
    });
    const { agent } = setup([toolCalls({ id: "1", name: "a" }), text("ok")], { tools: [a] });
    agent.subscribeBarrier(async (event) => {
      await new Promise((resolve) => setImmediate(resolve));
      durable.push(...trace([event]));
    });
    await agent.prompt([user("Go")]);
    assert.deepEqual(durable.slice(5, 12), [
      "end assistant toolUse",
      "tool start 1",
      "tool running 1",
      "code",
      "tool end 1",
      "start toolResult",
      "end result 1",
    ]);
    assert.ok(!durable.includes("update"));
  });

  it("gets events one at a time and in order, those of parallel tools too", async () => {
    const { agent } = setup([twice("a"), text("ok")], { tools: [tool("a")] });
    let inside = 0;
    const seen: number[] = [];
    agent.subscribeBarrier(async (event) => {
      assert.equal(++inside, 1);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(event.seq);
      inside--;
    });
    await agent.prompt([user("Go")]);
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => a - b),
    );
  });

  for (const failing of [
    "agent_start",
    "turn_start",
    "message_start",
    "message_end",
    "tool_execution_start",
    "tool_execution_running",
    "tool_execution_end",
    "turn_end",
  ] as const) {
    it(`that fails at ${failing} ends the run with an error, everything closed, and a new prompt works`, async () => {
      const { agent, events, stream } = setup([toolCalls({ id: "1", name: "a" }), text("later")], {
        tools: [tool("a")],
      });
      let failed = false;
      agent.subscribeBarrier((event) => {
        const isNow = event.type === failing && !failed;
        failed ||= isNow;
        return isNow ? Promise.reject(new Error("Disk full.")) : Promise.resolve();
      });
      assert.equal(await agent.prompt([user("Go")]), "error");
      assertClosed(events);
      const last = agent.transcript.messages.at(-1)?.message;
      assert.ok(last?.role === "assistant");
      assert.equal(last.errorMessage, "The run stopped: Disk full. Send a message or continue to try again.");
      const texts = agent.transcript.messages.map((entry) => textOf(entry.message));
      assert.equal(texts[0], "Go");
      const end = events.at(-1);
      assert.deepEqual(
        end?.type === "agent_end" && end.messageIds,
        agent.transcript.messages.map((entry) => entry.id),
      );
      if (stream.requests.length === 0) return;
      assert.equal(await agent.prompt([user("More")]), "done");
    });
  }

  it("that fails while tools run stops them, and their results say so", async () => {
    const a = tool("a", (_, { signal }) => {
      return new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new Error("killed"))),
      );
    });
    const { agent } = setup([twice("a")], { tools: [a] });
    agent.subscribeBarrier((event) => {
      const second = event.type === "tool_execution_running" && event.toolCallId === "2";
      return second ? Promise.reject(new Error("Disk full.")) : Promise.resolve();
    });
    assert.equal(await agent.prompt([user("Go")]), "error");
    assert.match(resultOf(agent, "1"), /ended with an error.*was cut off.*killed/);
    assert.match(resultOf(agent, "2"), /ended with an error.*had not started/);
  });

  it("that fails for an event nobody awaited ends the run at its next step", async () => {
    const { agent } = setup([text("ok")]);
    agent.subscribeBarrier((event) =>
      event.type === "app_event" ? Promise.reject(new Error("Disk full.")) : Promise.resolve(),
    );
    agent.subscribe((event) => {
      if (event.type === "turn_start" && event.turn === 1 && event.seq === 2) agent.emitApp("note", null);
    });
    assert.equal(await agent.prompt([user("Go")]), "error");
  });

  it("that never settles does not hold a stopped run longer than the grace; what was said is kept", async () => {
    const { agent, events } = setup([hanging(text("half"))], { barrierGraceMs: 5 });
    const barrier = agent.subscribeBarrier((event) =>
      event.type === "message_end" && event.message.role === "assistant"
        ? new Promise(() => undefined)
        : Promise.resolve(),
    );
    const run = agent.prompt([user("Go")]);
    await until(() => agent.transcript.streaming !== null);
    agent.abort();
    assert.equal(await run, "error");
    assertClosed(events);
    assert.deepEqual(
      agent.transcript.messages.slice(0, 2).map((entry) => textOf(entry.message)),
      ["Go", "half"],
    );
    const last = agent.transcript.messages.at(-1)?.message;
    assert.match((last?.role === "assistant" && last.errorMessage) || "", /did not finish within 5 ms/);
    barrier.dispose();
  });

  it("makes append reject when it fails", async () => {
    const { agent } = setup([]);
    agent.subscribeBarrier(() => Promise.reject(new Error("Disk full.")));
    await assert.rejects(agent.append(user("x")), /Disk full/);
  });
});

describe("A hook that throws", () => {
  const broken = () => {
    throw new Error("Broken hook");
  };
  const hooks: (keyof AgentConfig)[] = [
    "getSettings",
    "prepareRequest",
    "prepareNextTurn",
    "transformContext",
    "convertToLlm",
    "getApiKey",
    "finishTurn",
    "stream",
  ];
  for (const hook of hooks) {
    it(`(${hook}) ends the run with an error, loses no message, and the next run works`, async () => {
      const stream = scriptedStream((_, index) =>
        index === 0 && hook === "prepareNextTurn" ? toolCalls({ id: "1", name: "a" }) : text("ok"),
      );
      const config = { ...testConfig(stream, { tools: [tool("a")] }) };
      const agent = new Agent({ ...config, ...once(config, hook, broken) });
      const events: SequencedEvent[] = [];
      agent.subscribe((event) => events.push(event));
      assert.equal(await agent.prompt([user("Go")]), "error");
      assertClosed(events);
      assert.equal(textOf(agent.transcript.messages[0]!.message), "Go");
      const last = agent.transcript.messages.at(-1)?.message;
      assert.match((last?.role === "assistant" && last.errorMessage) || "", /Broken hook/);
      assert.equal(await agent.prompt([user("More")]), "done");
    });
  }

  function once(config: AgentConfig, hook: keyof AgentConfig, thrower: () => never): Partial<AgentConfig> {
    let thrown = false;
    const original = config[hook] as ((...args: unknown[]) => unknown) | undefined;
    const replaced = (...args: unknown[]) => {
      if (!thrown) {
        thrown = true;
        thrower();
      }
      if (hook === "prepareRequest" || hook === "prepareNextTurn") return Promise.resolve([]);
      if (hook === "transformContext" || hook === "convertToLlm") {
        return hook === "convertToLlm" ? args[0] : Promise.resolve(args[0]);
      }
      return original?.(...args) ?? Promise.resolve(undefined);
    };
    return { [hook]: replaced };
  }
});

describe("A stream", () => {
  it("that ends without a terminal event keeps its text as an error and runs no tool", async () => {
    const call = toolCalls({ id: "1", name: "a" });
    const { agent } = setup([{ ...call, end: "unterminated" }], { tools: [tool("a", () => assert.fail())] });
    assert.equal(await agent.prompt([user("Go")]), "error");
    const last = agent.transcript.messages.at(-1)?.message;
    assert.ok(last?.role === "assistant");
    assert.deepEqual([last.errorKind, last.content.length], ["malformed_stream", 1]);
  });

  it("that fails with a call in it runs nothing (C3)", async () => {
    const call = { type: "toolCall", id: "1", name: "a", arguments: {} } as const;
    const step: Step = { ...error("Overloaded"), content: [call] };
    const { agent } = setup([step], { tools: [tool("a", () => assert.fail())] });
    assert.equal(await agent.prompt([user("Go")]), "error");
  });
});

describe("The loop without an agent", () => {
  it("runs over any queue and any receiver", async () => {
    const lines: string[] = [];
    const waiting = [{ id: "q", message: user("more") }];
    const end = await runLoop({
      config: testConfig(scriptedStream([text("one"), text("two")])),
      messages: [],
      prompts: [{ id: "p", message: user("Go") }],
      queue: {
        has: (kind) => kind === "followUp" && waiting.length > 0,
        take: (kind) => (kind === "followUp" ? waiting.splice(0, 1) : []),
      },
      emit: (event) => Promise.resolve(void lines.push(...trace([event]))),
      signal: new AbortController().signal,
    });
    assert.equal(end, "done");
    assert.equal(lines.filter((line) => line.startsWith("end user")).length, 2);
    await until(() => lines.at(-1) === "agent_end done");
  });
});

/** Every start has its end, and the run is over. */
function assertClosed(events: readonly SequencedEvent[]): void {
  const count = (type: SequencedEvent["type"]) => events.filter((event) => event.type === type).length;
  assert.equal(count("message_start"), count("message_end"));
  assert.equal(count("tool_execution_start"), count("tool_execution_end"));
  assert.equal(count("turn_start"), count("turn_end"));
  assert.equal(count("agent_start"), 1);
  assert.equal(events.at(-1)?.type, "agent_end");
}
