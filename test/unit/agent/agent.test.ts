// The agent's entry points: prompt, continue, queue, settings. pi.md §2.9, §2.10, §8.2 rows 2 to 16; Q01 to Q04; C4.
import assert from "node:assert/strict";
import { RunActiveError } from "../../../src/agent/errors.ts";
import type { MessageEntry } from "../../../src/agent/types.ts";
import { testModel } from "../../support/scripted-stream.ts";
import { after, answer, error, hanging, text, toolCalls } from "../../support/scripted-stream.ts";
import { until } from "../../support/until.ts";
import { said, setup, shown, textOf, tool, user } from "./setup.ts";

const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;

function entries(...messages: MessageEntry["message"][]): MessageEntry[] {
  return messages.map((message, index) => ({ id: `old${index}`, message }));
}

describe("A prompt", () => {
  it("during a run is refused with an error that says what to call instead", async () => {
    const { agent } = setup([hanging()]);
    const run = agent.prompt([user("Go")]);
    await assert.rejects(agent.prompt([user("More")]), (thrown) => {
      assert.ok(thrown instanceof RunActiveError);
      return /steer\(\).*followUp\(\)/.test(thrown.message);
    });
    agent.abort();
    await run;
  });

  it("of nothing is refused", async () => {
    await assert.rejects(setup([]).agent.prompt([]), /Write a message first/);
  });

  it("resolves when barriers have seen the end, and waitForIdle with it (Q05)", async () => {
    const { agent } = setup([text("ok")]);
    const gate = Promise.withResolvers<void>();
    let atEnd = false;
    agent.subscribeBarrier(async (event) => {
      if (event.type !== "agent_end") return;
      atEnd = true;
      await gate.promise;
    });
    let settled = false;
    const run = agent.prompt([user("Go")]).then(() => (settled = true));
    await until(() => atEnd);
    assert.deepEqual([settled, agent.status, agent.transcript.status], [false, "settling", "idle"]);
    gate.resolve();
    await agent.waitForIdle();
    await run;
    assert.equal(agent.status, "idle");
  });

  it("carries several messages, each with its own id, in order", async () => {
    const { agent } = setup([text("ok")]);
    await agent.prompt([{ role: "system", content: "Be kind.", timestamp: 1 }, user("Go")]);
    assert.deepEqual(
      agent.transcript.messages.map((entry) => [entry.id, textOf(entry.message)]),
      [
        ["m1", "Be kind."],
        ["m2", "Go"],
        ["m3", "ok"],
      ],
    );
  });
});

describe("Steering", () => {
  it("enters after all tools of the turn, one at a time (Q04, 8.2 row 2)", async () => {
    const a = tool("a", (_, { toolCallId }) => {
      if (toolCallId === "1") for (const word of ["one", "two"]) agent.steer(user(word));
      return Promise.resolve(said(toolCallId));
    });
    const { agent, stream } = setup(
      [toolCalls({ id: "1", name: "a" }, { id: "2", name: "a" }), text("x"), text("y")],
      { tools: [a] },
    );
    await agent.prompt([user("Go")]);
    assert.deepEqual(shown(stream.requests[1]!.request.messages).slice(2), [
      "toolResult: 1",
      "toolResult: 2",
      "user: one",
    ]);
    assert.deepEqual(shown(stream.requests[2]!.request.messages).slice(-2), ["assistant: x", "user: two"]);
  });

  it("enters all at once in mode all", async () => {
    const { agent, stream } = setup([text("ok")], { steeringMode: "all" });
    agent.steer(user("one"));
    agent.steer(user("two"));
    await agent.prompt([user("Go")]);
    assert.deepEqual(shown(stream.requests[0]!.request.messages), ["user: Go", "user: one", "user: two"]);
  });

  it("that waits enters with the next prompt, behind it", async () => {
    const { agent, stream } = setup([text("ok")]);
    agent.steer(user("also"));
    await agent.prompt([user("Go")]);
    assert.deepEqual(shown(stream.requests[0]!.request.messages), ["user: Go", "user: also"]);
  });

  it("keeps the id it was queued with, and its images (Q03, 8.2 row 11)", async () => {
    const { agent, stream } = setup([text("ok")]);
    const id = agent.steer(user([image]));
    await agent.prompt([user("Go")]);
    assert.deepEqual(agent.transcript.queue, []);
    assert.equal(agent.transcript.messages[1]?.id, id);
    assert.deepEqual(stream.requests[0]!.request.messages[1]?.content, [image]);
  });
});

describe("A follow-up", () => {
  it("enters at the natural end, after steering and tools", async () => {
    const a = tool("a", () => {
      agent.followUp(user("later"));
      agent.steer(user("now"));
      return Promise.resolve(said("a"));
    });
    const { agent } = setup([toolCalls({ id: "1", name: "a" }), text("x"), text("y")], { tools: [a] });
    await agent.prompt([user("Go")]);
    assert.deepEqual(
      agent.transcript.messages.map((entry) => textOf(entry.message)),
      ["Go", "[toolCall]", "a", "now", "x", "later", "y"],
    );
  });

  it("queued while the run is ending is still answered (8.2 row 8)", async () => {
    const { agent, stream, trace } = setup([text("x"), text("y")]);
    let queued = false;
    agent.subscribe((event) => {
      if (event.type !== "agent_end" || queued) return;
      queued = true;
      agent.followUp(user("one more"));
    });
    assert.equal(await agent.prompt([user("Go")]), "done");
    assert.equal(stream.requests.length, 2);
    assert.deepEqual(trace().slice(7, 13), [
      "turn_end stop",
      "agent_end done",
      "queue 1",
      "queue 0",
      "agent_start",
      "turn_start 1",
    ]);
  });

  it("stays queued when the run fails", async () => {
    const { agent } = setup([after(Promise.resolve(), error("Overloaded"))]);
    const run = agent.prompt([user("Go")]);
    agent.followUp(user("later"));
    assert.equal(await run, "error");
    assert.equal(agent.transcript.queue.length, 1);
  });
});

describe("The queue", () => {
  it("can be edited, moved, switched between kinds and emptied; each change is announced", () => {
    const { agent, events } = setup([]);
    const first = agent.steer(user([{ type: "text", text: "one" }, image]));
    const second = agent.steer(user("two"));
    const third = agent.followUp(user("three"));
    agent.editQueued(first, { text: "uno" });
    agent.editQueued(second, { kind: "followUp" });
    agent.moveQueued(third, second);
    agent.moveQueued(first);
    assert.deepEqual(
      agent.transcript.queue.map((item) => [item.id, item.kind, item.message.content]),
      [
        [third, "followUp", "three"],
        [second, "followUp", "two"],
        [first, "steering", [{ type: "text", text: "uno" }, image]],
      ],
    );
    agent.removeQueued(second);
    const count = events.length;
    agent.removeQueued("gone");
    agent.editQueued("gone", { text: "x" });
    agent.moveQueued("gone");
    assert.equal(events.length, count);
    assert.deepEqual(
      agent.takeQueue().map((item) => item.id),
      [third, first],
    );
    assert.deepEqual(agent.transcript.queue, []);
  });

  it("survives in a new agent", async () => {
    const queue = [{ id: "q", kind: "steering", message: user("kept") }] as const;
    const { agent, stream } = setup([text("ok")], {}, { queue });
    assert.equal(agent.transcript.queue.length, 1);
    await agent.prompt([user("Go")]);
    assert.deepEqual(shown(stream.requests[0]!.request.messages), ["user: Go", "user: kept"]);
  });
});

describe("Continue", () => {
  it("is refused where nothing can be answered", async () => {
    await assert.rejects(setup([]).agent.continue(), /nothing to continue/);
    const system = { role: "system", content: "Be kind.", timestamp: 1 } as const;
    await assert.rejects(
      setup([], {}, { messages: entries(system) }).agent.continue(),
      /nothing to continue/,
    );
    const { agent } = setup([text("ok")]);
    await agent.prompt([user("Go")]);
    await assert.rejects(agent.continue(), /last answer is complete/);
  });

  it("answers an unanswered message without a new user event", async () => {
    const { agent, trace } = setup([text("ok")], {}, { messages: entries(user("Go")) });
    assert.equal(await agent.continue(), "done");
    assert.deepEqual(trace(), [
      "agent_start",
      "turn_start 1",
      "start assistant",
      "update",
      "end assistant stop",
      "turn_end stop",
      "agent_end done",
    ]);
  });

  it("goes on from what a failed answer left", async () => {
    const { agent, stream } = setup([error("Overloaded"), text("ok")]);
    await agent.prompt([user("Go")]);
    assert.equal(await agent.continue(), "done");
    assert.equal(stream.requests.length, 2);
  });

  it("after a complete answer takes one batch from the queue, steering first (8.2 row 12)", async () => {
    const { agent, stream } = setup([text("a"), text("b"), text("c")]);
    await agent.prompt([user("Go")]);
    agent.followUp(user("later"));
    agent.steer(user("one"));
    agent.steer(user("two"));
    await agent.continue();
    assert.deepEqual(shown(stream.requests[1]!.request.messages).slice(2), ["user: one"]);
    assert.deepEqual(shown(stream.requests[2]!.request.messages).slice(-1), ["user: two"]);
  });

  it("polls steering at its start where the tail is unanswered", async () => {
    const { agent, stream } = setup([text("ok")], {}, { messages: entries(user("Go")) });
    agent.steer(user("also"));
    await agent.continue();
    assert.deepEqual(shown(stream.requests[0]!.request.messages), ["user: Go", "user: also"]);
  });
});

describe("A turn", () => {
  it("takes its settings once, at its start; a change asked for meanwhile is announced and comes next turn", async () => {
    let model = testModel;
    const a = tool("a", () => {
      model = { ...testModel, id: "other" };
      agent.noteSettingsChange({ model: "test/other" });
      return Promise.resolve(said("a"));
    });
    const { agent, stream, events } = setup([toolCalls({ id: "1", name: "a" }), text("ok")], {
      getSettings: () => ({ model, thinkingLevel: "high", tools: [a] }),
    });
    await agent.prompt([user("Go")]);
    assert.deepEqual(
      stream.requests.map((request) => [request.model.id, request.options.thinkingLevel]),
      [
        ["scripted", "high"],
        ["other", "high"],
      ],
    );
    const changes = events.filter((event) => event.type === "settings_change");
    assert.deepEqual(
      changes.map(({ model, thinkingLevel, pending }) => [model, thinkingLevel, pending]),
      [
        ["test/other", undefined, true],
        ["test/other", undefined, false],
      ],
    );
    assert.equal(events[events.indexOf(changes[1]!) - 1]?.type, "turn_start");
  });

  it("starts with what prepareNextTurn gives, before steering; none is prepared for the first or after the last", async () => {
    const prepared: string[] = [];
    const { agent } = setup([toolCalls({ id: "1", name: "a" }), text("ok")], {
      tools: [tool("a")],
      prepareNextTurn: ({ message, toolResults }) => {
        prepared.push(`${message.stopReason} ${toolResults.length}`);
        // The preparation took so long that the user said something meanwhile.
        agent.steer(user("hurry"));
        return Promise.resolve([{ role: "app", kind: "notice", text: "prepared", timestamp: 1 }]);
      },
    });
    await agent.prompt([user("Go")]);
    assert.deepEqual(prepared, ["toolUse 1"]);
    assert.deepEqual(
      agent.transcript.messages.map((entry) => textOf(entry.message)),
      ["Go", "[toolCall]", "a done", "prepared", "hurry", "ok"],
    );
  });

  it("sends key, session and signal with its request", async () => {
    const { agent, stream } = setup([text("ok")], {
      getApiKey: () => Promise.resolve("secret"),
      sessionId: "s1",
    });
    await agent.prompt([user("Go")]);
    const { apiKey, sessionId, signal } = stream.requests[0]!.options;
    assert.deepEqual([apiKey, sessionId, signal?.aborted], ["secret", "s1", false]);
  });

  it("shows the model what transformContext and convertToLlm make of the transcript, which stays as it is", async () => {
    const notice = { role: "app", kind: "notice", text: "psst", timestamp: 1 } as const;
    const { agent, stream } = setup([text("ok")], {
      transformContext: (messages) => Promise.resolve(messages.slice(1)),
      convertToLlm: (messages) =>
        messages.map((message) => (message.role === "app" ? user(message.text) : message)),
    });
    await agent.append(user("old"));
    await agent.append(notice);
    await agent.prompt([user("Go")]);
    assert.deepEqual(shown(stream.requests[0]!.request.messages), ["user: psst", "user: Go"]);
    assert.equal(agent.transcript.messages.length, 4);
  });

  it("hides app messages from the model by default", async () => {
    const { agent, stream } = setup([text("ok")]);
    await agent.append({ role: "app", kind: "notice", text: "psst", timestamp: 1 });
    await agent.prompt([user("Go")]);
    assert.deepEqual(shown(stream.requests[0]!.request.messages), ["user: Go"]);
  });

  it("appends what prepareRequest gives: before a session's first message, after later ones", async () => {
    let count = 0;
    const { agent } = setup([text("a"), text("b")], {
      prepareRequest: () => Promise.resolve([{ role: "system", content: `s${++count}`, timestamp: 1 }]),
    });
    await agent.prompt([user("Go")]);
    await agent.prompt([user("More")]);
    assert.deepEqual(
      agent.transcript.messages.map((entry) => textOf(entry.message)),
      ["s1", "Go", "a", "More", "s2", "b"],
    );
  });

  it("can be the last one: finishTurn ends the run and leaves the queue", async () => {
    const { agent, stream } = setup([toolCalls({ id: "1", name: "a" })], {
      tools: [tool("a")],
      finishTurn: ({ toolResults }) => {
        agent.followUp(user("later"));
        return Promise.resolve(toolResults.length === 1 ? "end" : undefined);
      },
    });
    assert.equal(await agent.prompt([user("Go")]), "done");
    assert.equal(stream.requests.length, 1);
    assert.equal(agent.transcript.queue.length, 1);
  });

  it("can ask for one request more", async () => {
    let asked = 0;
    const { agent, stream } = setup([text("a"), text("b")], {
      finishTurn: () => Promise.resolve(asked++ === 0 ? "continue" : undefined),
    });
    await agent.prompt([user("Go")]);
    assert.equal(stream.requests.length, 2);
  });

  it("with an empty answer asks once more, and then says so without sending it again (P11)", async () => {
    const empty = answer([], { stopReason: "stop" });
    const once = setup([empty, text("ok")]);
    assert.equal(await once.agent.prompt([user("Go")]), "done");
    assert.equal(once.agent.transcript.messages.length, 2);
    const twice = setup([empty, empty, text("no")]);
    assert.equal(await twice.agent.prompt([user("Go")]), "error");
    assert.equal(twice.stream.requests.length, 2);
    const last = twice.agent.transcript.messages.at(-1)?.message;
    assert.ok(last?.role === "assistant" && last.stopReason === "error");
    assert.match(last.errorMessage ?? "", /empty answer/);
  });
});

describe("Append", () => {
  it("records a message through the same events, and resolves with its id", async () => {
    const { agent, trace } = setup([]);
    const id = await agent.append({ role: "app", kind: "notice", text: "hi", timestamp: 1 });
    assert.equal(agent.transcript.messages[0]?.id, id);
    assert.deepEqual(trace(), ["start app", "end app notice"]);
  });

  it("puts application facts into the same order", () => {
    const { agent, events } = setup([]);
    agent.emitApp("retry", { attempt: 1 });
    assert.deepEqual(events, [{ type: "app_event", name: "retry", data: { attempt: 1 }, seq: 1 }]);
  });
});
