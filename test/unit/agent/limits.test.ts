// What a run may use: every limit pauses it at a boundary with everything kept, and continuing raises that limit.
import assert from "node:assert/strict";
import { Agent } from "../../../src/agent/agent.ts";
import type { SequencedEvent } from "../../../src/agent/events.ts";
import type { AgentConfig } from "../../../src/agent/types.ts";
import type { AssistantBlock } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import {
  answer,
  cutToolCalls,
  scriptedStream,
  testUsage,
  text,
  toolCalls,
} from "../../support/scripted-stream.ts";
import { said, setup, testConfig, tool, trace, user } from "./setup.ts";

describe("A limit", () => {
  it("of turns pauses the run at a boundary with everything kept; continuing raises it by as much again (W9)", async () => {
    let calls = 0;
    const stream = scriptedStream(() =>
      toolCalls({ id: `c${++calls}`, name: "a", args: { value: `${calls}` } }),
    );
    const { agent, events } = setupWith(stream, { getLimits: () => ({ turns: 2 }) });
    assert.equal(await agent.prompt([user("Go")]), "limit");
    assert.deepEqual(trace(events).slice(-3), ["turn_end toolUse", "limit turns 2/2", "agent_end limit"]);
    assert.equal(await agent.continue(), "limit");
    assert.deepEqual(trace(events).slice(-3), ["turn_end toolUse", "limit turns 4/4", "agent_end limit"]);
    assert.equal(await agent.continue({ raiseBy: 1 }), "limit");
    assert.equal(stream.requests.length, 5);
    assert.equal(await agent.prompt([user("Something else")]), "limit");
    assert.equal(stream.requests.length, 7);
  });

  it("of tool calls counts every call of a batch", async () => {
    const stream = scriptedStream((_, index) =>
      toolCalls(call(`a${index}`), call(`b${index}`), call(`c${index}`)),
    );
    const { agent, events } = setupWith(stream, { getLimits: () => ({ toolCalls: 4 }) });
    assert.equal(await agent.prompt([user("Go")]), "limit");
    assert.deepEqual(trace(events).slice(-2), ["limit toolCalls 6/4", "agent_end limit"]);
    // 6 are used: one more turn must be possible all the same.
    assert.equal(await agent.continue({ raiseBy: 1 }), "limit");
    assert.equal(trace(events).at(-2), "limit toolCalls 9/7");
  });

  it("of tokens counts what was new to the provider, failed answers too", async () => {
    const usage = { ...testUsage, input: 100, output: 20, cacheWrite: 30, cacheRead: 5_000 };
    const steps = [
      answer([], { stopReason: "error", errorMessage: "Overloaded", usage }),
      answer([toBlock("1")], { stopReason: "toolUse", usage }),
      answer([toBlock("2")], { stopReason: "toolUse", usage }),
    ];
    const { agent, events } = setupWith(scriptedStream(steps), { getLimits: () => ({ tokens: 300 }) });
    assert.equal(await agent.prompt([user("Go")]), "error");
    assert.equal(await agent.continue(), "limit");
    assert.equal(trace(events).at(-2), "limit tokens 300/300");
  });

  it("of cost is in dollars", async () => {
    const usage = { ...testUsage, cost: { ...testUsage.cost, total: 0.5 } };
    const stream = scriptedStream((_, index) =>
      answer([toBlock(`${index}`)], { stopReason: "toolUse", usage }),
    );
    const { agent, events } = setupWith(stream, { getLimits: () => ({ cost: 1.2 }) });
    assert.equal(await agent.prompt([user("Go")]), "limit");
    assert.equal(trace(events).at(-2), "limit cost 1.5/1.2");
  });

  it("of minutes counts work, and no time that a person takes", async () => {
    const time = { ms: 0 };
    const pass = async (minutes: number) => {
      await Promise.resolve();
      time.ms += minutes * 60_000;
    };
    const asks = tool("a", async (_, { whileAsking }) => {
      await whileAsking(pass(60));
      await pass(1);
      return said(`${time.ms}`);
    });
    const stream = scriptedStream((_, index) => toolCalls(call(`c${index}`)));
    const { agent, events } = setupWith(stream, {
      tools: [asks],
      now: () => time.ms,
      beforeToolCall: async () => {
        await pass(60);
        return { type: "allow" };
      },
      getLimits: () => ({ minutes: 3 }),
    });
    assert.equal(await agent.prompt([user("Go")]), "limit");
    assert.equal(trace(events).at(-2), "limit minutes 3/3");
    await pass(600);
    assert.equal(await agent.continue({ raiseBy: 2 }), "limit");
    assert.equal(trace(events).at(-2), "limit minutes 5/5");
  });

  it("can be changed during the run, and taken away", async () => {
    let limit = 2;
    const stream = scriptedStream((_, index) => {
      if (index === 1) limit = 3;
      return toolCalls(call(`c${index}`, { value: `${index}` }));
    });
    const { agent } = setupWith(stream, { getLimits: () => ({ turns: limit }) });
    assert.equal(await agent.prompt([user("Go")]), "limit");
    assert.equal(stream.requests.length, 3);
    limit = Infinity;
    const run = agent.continue();
    agent.subscribe((event) => {
      if (event.type === "turn_start" && event.turn === 250) agent.abort();
    });
    assert.equal(await run, "aborted");
  });

  it("is in the state until the run goes on, or is dismissed by an abort; going on works all the same", async () => {
    const stream = scriptedStream((_, index) => toolCalls(call(`c${index}`)));
    const { agent, events } = setupWith(stream, { getLimits: () => ({ turns: 1 }) });
    await agent.prompt([user("Go")]);
    assert.deepEqual(agent.transcript.limit, { limit: "turns", used: 1, max: 1, raiseBy: 1 });
    agent.abort();
    assert.equal(agent.transcript.limit, null);
    assert.equal(events.at(-1)?.type, "limit_dismissed");
    const run = agent.continue({ raiseBy: 2 });
    assert.equal(agent.status, "running");
    assert.equal(await run, "limit");
    assert.deepEqual(agent.transcript.limit, { limit: "turns", used: 3, max: 3, raiseBy: 1 });
  });

  it("is not asked about when the work is done", async () => {
    const { agent } = setup([text("ok")], { getLimits: () => ({ turns: 1 }) });
    assert.equal(await agent.prompt([user("Go")]), "done");
  });

  it("leaves the queue as it is", async () => {
    const { agent } = setup([text("ok")], { getLimits: () => ({ turns: 1 }) });
    const run = agent.prompt([user("Go")]);
    agent.followUp(user("later"));
    assert.equal(await run, "limit");
    assert.equal(agent.transcript.queue.length, 1);
  });

  it("of repeats stops the same failing call after five in a row, whatever the error says (Q08)", async () => {
    let failures = 0;
    const a = tool("a", () => Promise.reject(new Error(`no match ${++failures}`)));
    const stream = scriptedStream((_, index) => toolCalls({ id: `c${index}`, name: "a" }));
    const { agent, events } = setupWith(stream, { tools: [a] });
    assert.equal(await agent.prompt([user("Go")]), "limit");
    assert.equal(failures, 5);
    assert.deepEqual(trace(events).slice(-2), ["limit repeats 5/5", "agent_end limit"]);
  });

  it("of repeats counts the same call with the same result, and starts again after a different one", async () => {
    const stream = scriptedStream((_, index) =>
      index === 3
        ? toolCalls({ id: "other", name: "a", args: { value: "other" } })
        : toolCalls({ id: `c${index}`, name: "a" }),
    );
    const { agent } = setupWith(stream, { getLimits: () => ({ repeats: 4 }) });
    assert.equal(await agent.prompt([user("Go")]), "limit");
    assert.equal(stream.requests.length, 8);
  });

  it("of repeats does not count a call whose result changes, as when waiting for something", async () => {
    let count = 0;
    const a = tool("a", () => Promise.resolve(said(`${++count} %`)));
    const stream = scriptedStream((_, index) =>
      index < 10 ? toolCalls({ id: `c${index}`, name: "a" }) : text("ok"),
    );
    const { agent } = setupWith(stream, { tools: [a] });
    assert.equal(await agent.prompt([user("Go")]), "done");
  });

  it("of repeats stops answers that are cut at the output limit again and again (P12)", async () => {
    const stream = scriptedStream((_, index) =>
      cutToolCalls({ id: `c${index}`, name: "a", args: { value: "x".repeat(index) } }),
    );
    const { agent } = setupWith(stream, {});
    assert.equal(await agent.prompt([user("Go")]), "limit");
    assert.equal(stream.requests.length, 5);
  });

  it("of repeats starts again when the user says something", async () => {
    const stream = scriptedStream((_, index) => {
      if (index === 2) agent.steer(user("try b"));
      return index < 5 ? toolCalls({ id: `c${index}`, name: "a" }) : text("ok");
    });
    const { agent } = setupWith(stream, { getLimits: () => ({ repeats: 3 }) });
    assert.equal(await agent.prompt([user("Go")]), "done");
  });

  function setupWith(stream: AgentConfig["stream"], config: Parameters<typeof testConfig>[1]) {
    const agent = new Agent(testConfig(stream, { tools: [tool("a")], ...config }));
    const events: SequencedEvent[] = [];
    agent.subscribe((event) => events.push(event));
    return { agent, events };
  }
});

function call(id: string, args: JsonObject = { value: id }) {
  return { id, name: "a", args };
}

function toBlock(id: string): AssistantBlock {
  return { type: "toolCall", id, name: "a", arguments: { value: id } };
}
