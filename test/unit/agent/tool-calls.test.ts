// The pipeline of tool calls: pi.md §2.6, §2.7, §2.10; contracts C2 and C3.
import assert from "node:assert/strict";
import { Type } from "@sinclair/typebox";
import type { AgentTool } from "../../../src/agent/types.ts";
import { answer, cutToolCalls, text, toolCalls } from "../../support/scripted-stream.ts";
import { settle, until } from "../../support/until.ts";
import { resultOf, said, setup, shown, tool, trace, user } from "./setup.ts";

/** A tool whose calls wait until they are let go, and that knows how many ran at once. */
function gated(name: string, more: Partial<AgentTool> = {}) {
  const gates = new Map<string, () => void>();
  const started: string[] = [];
  const state = { running: 0, most: 0 };
  const gatedTool = tool(
    name,
    async (_, { toolCallId }) => {
      started.push(toolCallId);
      state.most = Math.max(state.most, ++state.running);
      await new Promise<void>((resolve) => gates.set(toolCallId, resolve));
      state.running--;
      return said(toolCallId);
    },
    more,
  );
  return { tool: gatedTool, started, state, release: (id: string) => gates.get(id)?.() };
}

describe("A tool call", () => {
  it("runs with its validated arguments, and its result is in the next request (C6)", async () => {
    const received: unknown[] = [];
    const echo = tool("echo", (args) => {
      received.push(args);
      return Promise.resolve(said("heard"));
    });
    const { agent, stream } = setup(
      [toolCalls({ id: "1", name: "echo", args: { value: "x" } }), text("ok")],
      {
        tools: [echo],
      },
    );
    await agent.prompt([user("Go")]);
    assert.deepEqual(received, [{ value: "x" }]);
    assert.deepEqual(shown(stream.requests[1]!.request.messages), [
      "user: Go",
      "assistant: [toolCall]",
      "toolResult: heard",
    ]);
  });

  it("runs whatever the stop reason says, if the answer ended well: content decides", async () => {
    const call = { type: "toolCall", id: "1", name: "a", arguments: {} } as const;
    const { agent } = setup([answer([call], { stopReason: "stop" }), text("ok")], { tools: [tool("a")] });
    await agent.prompt([user("Go")]);
    assert.equal(resultOf(agent, "1"), "a done");
  });

  it("of an unknown name is told which tools there are", async () => {
    const { agent } = setup([toolCalls({ id: "1", name: "raed" }), text("ok")], {
      tools: [tool("read"), tool("edit")],
    });
    await agent.prompt([user("Go")]);
    assert.equal(resultOf(agent, "1"), 'There is no tool "raed". Use one of: read, edit.');
  });

  it("of a tool that was there earlier is told that it is gone", async () => {
    const { agent } = setup([toolCalls({ id: "1", name: "edit" }), text("ok")], { tools: [tool("read")] });
    const parameters = { type: "object" };
    const toolsAdded = [{ name: "edit", description: "", parameters }];
    await agent.append({ role: "system", content: "", toolsAdded, timestamp: 1 });
    await agent.append({ role: "system", content: "", toolsRemoved: [{ name: "edit" }], timestamp: 1 });
    await agent.prompt([user("Go")]);
    assert.equal(resultOf(agent, "1"), 'The tool "edit" is not available any more. Use one of: read.');
  });

  it("whose arguments were no JSON does not run and shows the raw text, bounded (P13)", async () => {
    let ran = false;
    const a = tool("a", () => {
      ran = true;
      return Promise.resolve(said("no"));
    });
    const raw = `Unexpected token: {'path':'${"a".repeat(10_000)}'}`;
    const { agent } = setup([toolCalls({ id: "1", name: "a", argumentsError: raw }), text("ok")], {
      tools: [a],
    });
    await agent.prompt([user("Go")]);
    assert.equal(ran, false);
    assert.match(resultOf(agent, "1"), /not a JSON object.*\{'path':'aaa/);
    assert.ok(resultOf(agent, "1").length < 5_000);
  });

  it("is prepared before it is validated; a preparation that throws is its error", async () => {
    const fixed = tool("fixed", (args) => Promise.resolve(said(JSON.stringify(args))), {
      prepareArguments: (args) => ({ value: args["old"] ?? "" }),
    });
    const broken = tool("broken", undefined, {
      prepareArguments: () => {
        throw new Error("Give edits as a list.");
      },
    });
    const { agent } = setup(
      [toolCalls({ id: "1", name: "fixed", args: { old: "x" } }, { id: "2", name: "broken" }), text("ok")],
      { tools: [fixed, broken] },
    );
    await agent.prompt([user("Go")]);
    assert.equal(resultOf(agent, "1"), '{"value":"x"}');
    assert.equal(resultOf(agent, "2"), "Give edits as a list.");
  });

  it("that throws, rejects or answers nonsense becomes an error result, and the loop goes on", async () => {
    const { agent } = setup(
      [toolCalls({ id: "1", name: "a" }, { id: "2", name: "b" }, { id: "3", name: "c" }), text("ok")],
      {
        tools: [
          tool("a", () => {
            throw new Error("a broke");
          }),
          tool("b", () => Promise.reject(new Error("b broke"))),
          tool("c", () => Promise.resolve(undefined as never)),
        ],
      },
    );
    assert.equal(await agent.prompt([user("Go")]), "done");
    assert.equal(resultOf(agent, "1"), "a broke");
    assert.equal(resultOf(agent, "2"), "b broke");
    assert.match(resultOf(agent, "3"), /undefined/);
  });

  it("that the hook blocks has the reason and the details in its one result; the others run (A29)", async () => {
    const ran: string[] = [];
    const a = tool("a", (_, { toolCallId }) => {
      ran.push(toolCallId);
      return Promise.resolve(said("ok"));
    });
    const { agent, events } = setup(
      [toolCalls({ id: "1", name: "a" }, { id: "2", name: "a" }, { id: "3", name: "a" }), text("ok")],
      {
        tools: [a],
        beforeToolCall: ({ toolCall }) =>
          Promise.resolve(
            toolCall.id === "2"
              ? { type: "block", reason: "use tabs", details: { tool: "none", why: "rejected" } }
              : { type: "allow" },
          ),
      },
    );
    await agent.prompt([user("Go")]);
    assert.deepEqual(ran, ["1", "3"]);
    assert.equal(resultOf(agent, "2"), "use tabs");
    const end = events.find((event) => event.type === "tool_execution_end" && event.toolCallId === "2");
    assert.deepEqual(end?.type === "tool_execution_end" && [end.isError, end.details, end.durationMs], [
      true,
      { tool: "none", why: "rejected" },
      undefined,
    ]);
  });

  it("is blocked when the hook throws, with what it threw", async () => {
    const { agent } = setup([toolCalls({ id: "1", name: "a" }), text("ok")], {
      tools: [tool("a")],
      beforeToolCall: () => Promise.reject(new Error("Rules unreadable.")),
    });
    assert.equal(await agent.prompt([user("Go")]), "done");
    assert.equal(resultOf(agent, "1"), "Rules unreadable.");
  });

  it("has fields of its outcome overridden afterwards; a hook that throws fails only that call", async () => {
    const { agent } = setup([toolCalls({ id: "1", name: "a" }, { id: "2", name: "b" }), text("ok")], {
      tools: [tool("a", () => Promise.resolve(said("long", { details: { kept: 1 } }))), tool("b")],
      afterToolCall: ({ toolCall }) =>
        toolCall.id === "2"
          ? Promise.reject(new Error("after broke"))
          : Promise.resolve({ content: [{ type: "text", text: "short" }] }),
    });
    await agent.prompt([user("Go")]);
    assert.equal(resultOf(agent, "1"), "short");
    assert.equal(resultOf(agent, "2"), "after broke");
    const result = agent.transcript.messages[2]?.message;
    assert.deepEqual(result?.role === "toolResult" && result.details, { kept: 1 });
  });

  it("reports no progress after it has settled", async () => {
    const kept: (() => void)[] = [];
    const a = tool("a", (_, { onProgress }) => {
      kept.push(() => onProgress({ output: "late" }));
      return Promise.resolve(said("ok"));
    });
    const { agent, events } = setup([toolCalls({ id: "1", name: "a" }), text("ok")], { tools: [a] });
    await agent.prompt([user("Go")]);
    for (const late of kept) late();
    assert.equal(events.filter((event) => event.type === "tool_execution_update").length, 0);
  });

  it("cut at the output limit does not run, even if its arguments parse, and is told to make smaller steps (P12, C3)", async () => {
    let ran = false;
    const a = tool("a", () => {
      ran = true;
      return Promise.resolve(said("no"));
    });
    const { agent } = setup([cutToolCalls({ id: "1", name: "a", args: { value: "abc" } }), text("ok")], {
      tools: [a],
    });
    await agent.prompt([user("Go")]);
    assert.equal(ran, false);
    assert.match(resultOf(agent, "1"), /output limit.*smaller steps/);
  });
});

describe("A batch of tool calls", () => {
  it("runs side by side up to the limit, results in source order (C2)", async () => {
    const { tool: a, state, started, release } = gated("a");
    const ids = ["1", "2", "3", "4", "5"];
    const { agent } = setup([toolCalls(...ids.map((id) => ({ id, name: "a" }))), text("ok")], {
      tools: [a],
      maxParallel: 2,
    });
    const run = agent.prompt([user("Go")]);
    for (const id of ["2", "1", "3", "4", "5"]) {
      await until(() => started.includes(id));
      release(id);
    }
    await run;
    assert.equal(state.most, 2);
    const results = agent.transcript.messages.flatMap(({ message }) =>
      message.role === "toolResult" ? [message.toolCallId] : [],
    );
    assert.deepEqual(results, ids);
  });

  it("asks for every call in source order before the first one runs", async () => {
    const { agent, trace: lines } = setup(
      [toolCalls({ id: "1", name: "a" }, { id: "2", name: "a" }), text("ok")],
      { tools: [tool("a")], beforeToolCall: () => Promise.resolve({ type: "allow" }) },
    );
    await agent.prompt([user("Go")]);
    const tools = lines().filter((line) => line.startsWith("tool"));
    assert.deepEqual(tools.slice(0, 3), ["tool start 1", "tool start 2", "tool running 1"]);
  });

  it("never overlaps calls with the same lock, in call order; others pass them (E47)", async () => {
    const { tool: edit, started, release } = gated("edit", { lockKey: (args) => JSON.stringify(args) });
    const { agent } = setup(
      [
        toolCalls(
          { id: "1", name: "edit", args: { value: "f.txt" } },
          { id: "2", name: "edit", args: { value: "f.txt" } },
          { id: "3", name: "edit", args: { value: "g.txt" } },
        ),
        text("ok"),
      ],
      { tools: [edit] },
    );
    const run = agent.prompt([user("Go")]);
    await until(() => started.length === 2);
    await settle();
    assert.deepEqual(started, ["1", "3"]);
    release("1");
    await until(() => started.length === 3);
    release("2");
    release("3");
    await run;
    assert.deepEqual(started, ["1", "3", "2"]);
  });

  it("skips the automatic next request only if every result says terminate", async () => {
    const stop = tool("stop", () => Promise.resolve(said("end", { terminate: true })));
    const unanimous = setup([toolCalls({ id: "1", name: "stop" })], { tools: [stop] });
    assert.equal(await unanimous.agent.prompt([user("Go")]), "done");
    assert.equal(unanimous.stream.requests.length, 1);
    const mixed = setup([toolCalls({ id: "1", name: "stop" }, { id: "2", name: "a" }), text("ok")], {
      tools: [stop, tool("a")],
    });
    await mixed.agent.prompt([user("Go")]);
    assert.equal(mixed.stream.requests.length, 2);
  });

  it("that terminates is still followed by queued steering", async () => {
    const stop = tool("stop", () => {
      agent.steer(user("wait"));
      return Promise.resolve(said("end", { terminate: true }));
    });
    const { agent, stream } = setup([toolCalls({ id: "1", name: "stop" }), text("ok")], { tools: [stop] });
    await agent.prompt([user("Go")]);
    assert.equal(shown(stream.requests[1]!.request.messages).at(-1), "user: wait");
  });

  it("closes every pair when one call fails in each way", async () => {
    const { agent, events } = setup(
      [toolCalls({ id: "1", name: "none" }, { id: "2", name: "bad", args: { value: 7 } }), text("ok")],
      { tools: [tool("bad", undefined, { parameters: Type.Object({ value: Type.String() }) })] },
    );
    await agent.prompt([user("Go")]);
    assert.match(resultOf(agent, "2"), /- value: .*received 7/);
    const lines = trace(events);
    assert.equal(lines.filter((line) => line.startsWith("tool start")).length, 2);
    assert.equal(lines.filter((line) => line.startsWith("tool end")).length, 2);
  });
});
