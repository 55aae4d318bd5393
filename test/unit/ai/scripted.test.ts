// The model that plays a scenario.
import assert from "node:assert/strict";
import { parseScenario } from "../../../src/ai/providers/scripted.ts";
import { tourModel } from "../../../src/ai/tour-model.ts";
import type { Message } from "../../../src/ai/types.ts";
import { UserError } from "../../../src/shared/errors.ts";
import { streamAll, textOf, toolResult, user } from "../../support/provider-models.ts";

const scenario = parseScenario({
  title: "Tour",
  steps: [
    {
      thinking: "First I look.",
      text: "Let me read a file.",
      calls: [{ name: "read", arguments: { path: "a.ts" } }],
    },
    { text: "Good, it worked.", when: "ok" },
    { text: "You said no; fine.", when: "rejected" },
    { text: "And that is all." },
  ],
});

async function play(messages: readonly Message[], delayMs = 0, signal?: AbortSignal) {
  const deps = { scripted: { scenario, delayMs } };
  return (await streamAll({ model: tourModel, messages, deps, options: signal ? { signal } : {} })).message;
}

describe("the scripted model", () => {
  it("plays thinking, text and calls as any model would", async () => {
    const message = await play([user("Show me")]);
    assert.deepEqual(
      message.content.map((block) => block.type),
      ["thinking", "text", "toolCall"],
    );
    assert.deepEqual([message.stopReason, textOf(message)], ["toolUse", "Let me read a file."]);
    assert.ok(message.usage.input > 0 && message.usage.output > 0);
  });

  it("goes on from what the conversation shows, whichever way it went", async () => {
    for (const [isError, expected] of [
      [false, "Good, it worked."],
      [true, "You said no; fine."],
    ] as const) {
      const messages: Message[] = [user("Show me")];
      const first = await play(messages);
      const call = first.content[2];
      assert.ok(call?.type === "toolCall");
      messages.push(first, toolResult(call.id, "x", isError));
      // A reload in between is a new conversation read from JSON.
      const second = await play(JSON.parse(JSON.stringify(messages)) as Message[]);
      assert.equal(textOf(second), expected);
      messages.push(second, user("Next"));
      const third = await play(messages);
      assert.equal(textOf(third), "And that is all.");
      messages.push(third, user("More"));
      assert.match(textOf(await play(messages)), /tour.*model picker/);
    }
  });

  it("plays a step again that was stopped, and stops at once", async () => {
    const controller = new AbortController();
    const playing = play([user("Show me")], 50, controller.signal);
    setTimeout(() => controller.abort(), 60);
    const stopped = await playing;
    assert.equal(stopped.stopReason, "aborted");
    const again = await play([user("Show me"), stopped, user("Again")]);
    assert.equal(textOf(again), "Let me read a file.");
  });

  it("fails like a provider where there is no scenario", async () => {
    const { message } = await streamAll({ model: tourModel, messages: [user("Hi")] });
    assert.equal(message.errorKind, "bad_request");
  });

  it("names the place of what is wrong in a scenario", () => {
    for (const [json, place] of [
      [5, "the scenario"],
      [{ title: "x" }, "steps"],
      [{ title: "x", steps: [{}] }, "steps[0]"],
      [{ title: "x", steps: [{ text: "a", when: "maybe" }] }, "steps[0].when"],
      [{ title: "x", steps: [{ calls: [{ name: "read" }] }] }, "steps[0].calls[0].arguments"],
    ] as const) {
      assert.throws(
        () => parseScenario(json),
        (error) => error instanceof UserError && error.message.includes(place),
      );
    }
  });
});
