import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { AgentMessage, MessageEntry } from "../../../src/agent/types.ts";
import { SessionMeter } from "../../../src/harness/meter.ts";
import { assistant, noUsage, toolResult, user } from "../../support/session-builders.ts";
import { testModel } from "../../support/scripted-stream.ts";

const entries = (...messages: AgentMessage[]): MessageEntry[] =>
  messages.map((message, index) => ({ id: String(index), message }));
const counted = (totalTokens: number, cost = 0) => ({
  usage: { ...noUsage, input: totalTokens, totalTokens, cost: { ...noUsage.cost, total: cost } },
});
const price = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };

describe("The meter", () => {
  it("takes the provider's count and estimates only what came after it", () => {
    const meter = new SessionMeter();
    const all = entries(
      user("x".repeat(90_000)),
      assistant("ok", counted(500)),
      user("some words ".repeat(50)),
    );
    const whole = meter.measure(all, testModel);
    assert.equal(whole.estimated, true);
    assert.ok(whole.contextTokens > 590 && whole.contextTokens < 615, `${whole.contextTokens}`);
    assert.deepEqual(meter.measure(all.slice(0, 2), testModel), {
      contextTokens: 500,
      estimated: false,
      contextWindow: testModel.contextWindow,
      cost: undefined,
      cacheHitRate: 0,
    });
  });

  it("counts a message once, however it is asked, and the same as at once", () => {
    const messages = entries(
      user("a"),
      assistant("b", counted(10, 1)),
      user("c"),
      assistant("failed", { ...counted(99, 2), stopReason: "error" }),
      assistant("d", counted(30, 4)),
      toolResult("c1", "e".repeat(100)),
    );
    const model = { ...testModel, price };
    const meter = new SessionMeter();
    for (let length = 0; length <= messages.length; length++) meter.measure(messages.slice(0, length), model);
    assert.deepEqual(meter.measure(messages, model), new SessionMeter().measure(messages, model));
    assert.equal(meter.measure(messages, model).cost, 7);
  });

  it("estimates what a compaction left", () => {
    const compaction: AgentMessage = { role: "app", kind: "compaction", text: "s".repeat(32), timestamp: 1 };
    const messages = entries(user("x".repeat(90_000)), assistant("ok", counted(30_000)), compaction);
    const { contextTokens, estimated } = new SessionMeter().measure(messages, testModel);
    assert.ok(estimated && contextTokens < 100, `${contextTokens}`);
  });
});
