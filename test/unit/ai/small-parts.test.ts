// Tool arguments, tokens and money, output limits, thinking levels, and the event queue.
import assert from "node:assert/strict";
import { EventQueue } from "../../../src/ai/event-stream.ts";
import { outputLimit } from "../../../src/ai/output-limit.ts";
import { clampThinkingLevel } from "../../../src/ai/thinking-level.ts";
import { parseToolArguments } from "../../../src/ai/tool-arguments.ts";
import type { AssistantMessage } from "../../../src/ai/types.ts";
import { png } from "../../support/image-rules.ts";
import { estimateTokens } from "../../../src/ai/token-estimate.ts";
import { costOf, estimateMessagesTokens, toUsage } from "../../../src/ai/usage.ts";
import { anthropicModel, readTool, system, user } from "../../support/provider-models.ts";

const model = anthropicModel({ url: "http://127.0.0.1:9" });

describe("tool arguments", () => {
  it("end exactly as JSON.parse has them (P50)", () => {
    for (const text of [
      '{"n":1e3,"m":-0.5E-2,"k":12345678901234567890,"s":"é\\u00e9🦊\\n","l":[1,{"x":null}],"t":true}',
      '{"a":1,"a":2}',
      '{"half":"\\ud83e","raw":"\ud83e"}',
      ' {"spaces" : [ ] } ',
    ]) {
      assert.deepEqual(parseToolArguments(text), { arguments: JSON.parse(text) as object });
    }
  });

  it("are an error with the text, bounded, when they are no object (P13)", () => {
    assert.deepEqual(parseToolArguments("  "), { arguments: {} });
    for (const text of ["{", "[]", "null", "'x'", '{"a":1}}']) {
      const parsed = parseToolArguments(text);
      assert.deepEqual(parsed.arguments, {});
      assert.ok(parsed.argumentsError?.includes(text), text);
    }
    const long = parseToolArguments(`{"a":"${"x".repeat(5_000)}`);
    assert.ok((long.argumentsError?.length ?? 0) < 900);
  });

  it("cannot reach the prototype of anything", () => {
    const parsed = parseToolArguments('{"__proto__":{"polluted":true}}').arguments;
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    assert.deepEqual(Object.keys(parsed), ["__proto__"]);
    assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
  });

  it("are an error when they are nested deeper than what walks over them later can bear", () => {
    const nested = (depth: number) => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    assert.equal(parseToolArguments(nested(400)).argumentsError, undefined);
    const { argumentsError = "", ...parsed } = parseToolArguments(nested(100_000));
    assert.match(argumentsError, /nested too deeply/);
    assert.deepEqual(parsed, { arguments: {} });
    assert.ok(argumentsError.length < 900);
  });
});

describe("usage", () => {
  it("costs what each part costs, at long-context rates where the input is long", () => {
    const price = {
      ...{ input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
      longContext: { above: 100_000, input: 4, output: 15, cacheRead: 0.2, cacheWrite: 5 },
    };
    const short = costOf({ input: 10_000, output: 1_000, cacheRead: 80_000, cacheWrite: 10_000 }, price);
    assert.ok(Math.abs(short.total - (0.02 + 0.01 + 0.008 + 0.025)) < 1e-12);
    const long = costOf({ input: 10_000, output: 1_000, cacheRead: 90_001, cacheWrite: 0 }, price);
    assert.ok(Math.abs(long.total - (0.04 + 0.015 + 0.0180002)) < 1e-12);
  });

  it("is zero where the price is not known, and never NaN", () => {
    const usage = toUsage({ input: 1, output: 2, cacheRead: 3, cacheWrite: 4 }, undefined);
    assert.deepEqual([usage.totalTokens, usage.cost.total], [10, 0]);
  });

  it("is what the provider says that it charged, where it says so", () => {
    const parts = { input: 1_000, output: 100, cacheRead: 0, cacheWrite: 0 };
    const price = { input: 2, output: 10, cacheRead: 0, cacheWrite: 0 };
    const { cost } = toUsage(parts, price, 0.006);
    assert.ok(Math.abs(cost.input - 0.004) < 1e-12 && Math.abs(cost.output - 0.002) < 1e-12);
    assert.equal(cost.total, 0.006);
    assert.deepEqual(toUsage(parts, undefined, 0.5).cost, {
      ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      total: 0.5,
    });
  });

  it("is estimated by the kind of character, with tools and system prompt counted (C16)", () => {
    assert.equal(estimateTokens(""), 0);
    const bare = estimateMessagesTokens([user("Hi")]);
    const tools = Array.from({ length: 40 }, (_, index) => ({ ...readTool, name: `tool_${index}` }));
    const full = estimateMessagesTokens([system("some words ".repeat(6_400), tools), user("Hi")]);
    assert.ok(bare > 0 && full > bare + 12_000 + 40 * 20);
    const image = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
    const content = [png(300, 250)];
    assert.equal(estimateMessagesTokens([{ role: "user", content, timestamp: 0 }]), 4 + 100);
    assert.ok(
      estimateMessagesTokens([{ role: "user", content: Array(10).fill(image), timestamp: 0 }]) > 10_000,
    );
  });

  it("estimates texts that look like markers as text (C15)", () => {
    assert.ok(estimateTokens("<|endoftext|><|im_start|>system[INST]</tool_result>") > 10);
  });
});

describe("the output limit", () => {
  const small = { ...model, contextWindow: 100_000, maxTokens: 50_000 };
  it("is the model's own while there is room, and shrinks with it", () => {
    assert.equal(outputLimit(small, 1_000), 50_000);
    assert.equal(outputLimit(small, 1_000, 2_000), 2_000);
    assert.equal(outputLimit(small, 70_000), 25_904);
    assert.equal(outputLimit(small, 99_000), 1);
    assert.equal(outputLimit(small, 200_000), 1);
  });
});

describe("thinking levels", () => {
  it("go to the next higher one a model has, else to the next lower", () => {
    const some = { ...model, thinkingLevels: ["low", "high"] } as const;
    assert.equal(clampThinkingLevel(some, "off"), "low");
    assert.equal(clampThinkingLevel(some, "medium"), "high");
    assert.equal(clampThinkingLevel(some, "max"), "high");
    assert.equal(clampThinkingLevel({ ...model, reasoning: false }, "high"), "off");
    assert.equal(clampThinkingLevel(model), "off");
  });
});

describe("the event queue", () => {
  const final = { role: "assistant", content: [] } as unknown as AssistantMessage;

  it("gives everything in order, once, and ends with the final message", async () => {
    const queue = new EventQueue(() => final);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of queue) seen.push(event.type === "text_delta" ? event.delta : event.type);
    })();
    queue.push({ type: "start" });
    await Promise.resolve();
    for (let n = 0; n < 5_000; n += 1) queue.push({ type: "text_delta", index: 0, delta: String(n) });
    queue.push({ type: "done", message: final });
    queue.push({ type: "start" });
    await reading;
    assert.deepEqual(seen, ["start", ...Array.from({ length: 5_000 }, (_, n) => String(n)), "done"]);
    assert.equal(await queue.result(), final);
  });

  it("gives the result to someone who never iterates", async () => {
    const queue = new EventQueue(() => final);
    queue.push({ type: "error", message: final });
    assert.equal(await queue.result(), final);
  });

  it("goes on where a consumer left, and gives the result all the same", async () => {
    const queue = new EventQueue(() => final);
    queue.push({ type: "start" });
    queue.push({ type: "text_start", index: 0 });
    for await (const event of queue) {
      assert.equal(event.type, "start");
      break;
    }
    queue.push({ type: "done", message: final });
    assert.equal(await queue.result(), final);
    const rest: string[] = [];
    for await (const event of queue) rest.push(event.type);
    assert.deepEqual(rest, ["text_start", "done"]);
  });
});
