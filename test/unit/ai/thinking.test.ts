// How much a model is told to think, in the words of each API, and how its thinking goes back.
import assert from "node:assert/strict";
import fc from "fast-check";
import { thinkingParams } from "../../../src/ai/providers/anthropic-thinking.ts";
import { toAnthropicRequest } from "../../../src/ai/providers/anthropic-messages-convert.ts";
import { toOpenAiChatRequest } from "../../../src/ai/providers/openai-chat-convert.ts";
import { toResponsesRequest } from "../../../src/ai/providers/openai-responses-convert.ts";
import { clampThinkingLevel, thinkingLevelsOf } from "../../../src/ai/thinking-level.ts";
import type { AssistantBlock, Message, Model, ThinkingLevel } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { checkAnthropicRequest } from "../../support/anthropic-rules.ts";
import { fetchOf, readTool, streamAll, system, toolResult, user } from "../../support/provider-models.ts";
import { anthropic, answerOf, asJson, chat, inOrder, responses } from "../../support/random-history.ts";

const levels: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];
const messages = [user("Go")];

const chatFields = (change: Partial<Model>, thinkingLevel: ThinkingLevel) => {
  const model = { ...chat, reasoning: true, ...change };
  const body = asJson(toOpenAiChatRequest({ model, request: { messages }, options: { thinkingLevel } }));
  return [body["reasoning_effort"], body["reasoning"], body["thinking"]].filter(
    (field) => field !== undefined,
  );
};

describe("thinking levels", () => {
  it("are those that the model has a word for", () => {
    const model: Model = {
      ...chat,
      reasoning: true,
      thinkingEfforts: { off: null, max: null, high: "hard" },
    };
    assert.deepEqual(thinkingLevelsOf(model), ["minimal", "low", "medium", "high", "xhigh"]);
    assert.equal(clampThinkingLevel(model, "off"), "minimal");
    assert.equal(clampThinkingLevel(model, "max"), "xhigh");
    assert.deepEqual(thinkingLevelsOf({ ...model, thinkingLevels: ["off", "low"] }), ["low"]);
    assert.deepEqual(thinkingLevelsOf({ ...model, reasoning: false }), ["off"]);
  });

  it("are three words for a compatible server, and no field for off", () => {
    const compat = { reasoningEffort: true };
    assert.deepEqual(
      levels.map((level) => chatFields({ compat }, level)),
      [[], ["low"], ["low"], ["medium"], ["high"], ["high"], ["high"]],
    );
    assert.deepEqual(chatFields({ compat, reasoning: false }, "high"), []);
    assert.deepEqual(chatFields({}, "high"), []);
  });

  it("are the model's own words where it has some", () => {
    const change: Partial<Model> = {
      compat: { reasoningEffort: true },
      thinkingEfforts: { off: "none", minimal: "minimal", max: "ultra" },
    };
    assert.deepEqual(
      (["off", "minimal", "low", "max"] as const).map((level) => chatFields(change, level)),
      [["none"], ["minimal"], ["low"], ["ultra"]],
    );
    const request = { messages };
    const model: Model = { ...responses, thinkingEfforts: { off: "minimal" } };
    const body = toResponsesRequest({ model, request, options: {} });
    assert.deepEqual(body.reasoning, { effort: "minimal", summary: "auto" });
  });

  it("are an object for OpenRouter", () => {
    const compat = { thinkingFormat: "openrouter" } as const;
    assert.deepEqual(
      levels.map((level) => chatFields({ compat }, level)),
      ["none", "minimal", "low", "medium", "high", "xhigh", "xhigh"].map((effort) => [{ effort }]),
    );
  });

  it("are a switch and a word for DeepSeek", () => {
    const compat = { thinkingFormat: "deepseek" } as const;
    const on = { type: "enabled" };
    assert.deepEqual(
      levels.map((level) => chatFields({ compat }, level)),
      [
        [{ type: "disabled" }],
        ...["low", "low", "high", "high", "high", "max"].map((effort) => [effort, on]),
      ],
    );
  });
});

describe("thinking budgets", () => {
  const params = (level: ThinkingLevel, limit: number) =>
    thinkingParams({ model: { ...anthropic, thinking: "budget" }, level, limit, turns: [] });

  it("always leave 1,024 tokens for the answer, or there is none (P42)", () => {
    fc.assert(
      fc.property(fc.constantFrom(...levels), fc.integer({ min: 1, max: 200_000 }), (level, limit) => {
        const { max_tokens, thinking } = params(level, limit);
        assert.equal(max_tokens, limit);
        const budget = thinking?.type === "enabled" ? thinking.budget_tokens : undefined;
        if (budget !== undefined) assert.ok(budget >= 1_024 && limit - budget >= 1_024);
        assert.equal(budget === undefined, level === "off" || limit < 2_048);
      }),
    );
  });

  it("stay within the model's own maximum, and no temperature is sent (P42)", () => {
    const model: Model = { ...anthropic, maxTokens: 32_000 };
    const body = asJson(
      toAnthropicRequest({ model, request: { messages }, options: { thinkingLevel: "xhigh" } }),
    );
    checkAnthropicRequest(body);
    assert.deepEqual(body["thinking"], { type: "enabled", budget_tokens: 16_384 });
    assert.equal(body["max_tokens"], 32_000);
    assert.equal(body["temperature"], undefined);
  });

  it("change in a few steps only while a context window fills, since each change costs the cache", () => {
    const seen = new Set<unknown>();
    for (let limit = 128_000; limit > 0; limit -= 500)
      seen.add(JSON.stringify(params("max", limit).thinking));
    assert.equal(seen.size, 7);
  });
});

describe("thinking between calls", () => {
  it("is asked for where a budget is given, from Anthropic itself", async () => {
    const { baseUrl: _none, ...official } = anthropic;
    const asked: (string | null)[] = [];
    const answer = fetchOf([]);
    const fetch: typeof globalThis.fetch = (input, init) => {
      asked.push(new Headers(init?.headers).get("anthropic-beta"));
      return answer(input, init);
    };
    const withTools = [system("", [readTool]), user("Go")];
    const ask = (model: Model, thinkingLevel: ThinkingLevel, list: readonly Message[]) =>
      streamAll({ model, messages: list, options: { thinkingLevel }, deps: { fetch } });
    await ask(official, "high", withTools);
    await ask(official, "off", withTools);
    await ask(official, "high", messages);
    await ask({ ...official, thinking: "adaptive" }, "high", withTools);
    await ask(anthropic, "high", withTools);
    assert.deepEqual(asked, ["interleaved-thinking-2025-05-14", null, null, null, null]);
  });
});

describe("thinking that goes back", () => {
  const calls = (model: Model, blocks: readonly AssistantBlock[]): Message[] =>
    inOrder([
      user("Go"),
      answerOf(model, [...blocks, { type: "toolCall", id: "a", name: "read", arguments: {} }]),
      toolResult("a", "ok"),
    ]);

  it("needs a signature for the Messages API, and stands before the calls it led to", () => {
    const signed = { type: "thinking", thinking: " x ", thinkingSignature: "s" } as const;
    const blocks: AssistantBlock[] = [{ type: "thinking", thinking: "unsigned" }, signed];
    const body = toAnthropicRequest({
      model: anthropic,
      request: { messages: calls(anthropic, blocks) },
      options: {},
    });
    assert.deepEqual(body.messages[1]?.content, [
      { type: "thinking", thinking: " x ", signature: "s" },
      { type: "tool_use", id: "a", name: "read", input: {} },
    ]);
  });

  it("keeps a block without text, which is whole by its signature", () => {
    const blocks: AssistantBlock[] = [{ type: "thinking", thinking: "", thinkingSignature: "s" }];
    const body = JSON.stringify(
      toAnthropicRequest({ model: anthropic, request: { messages: calls(anthropic, blocks) }, options: {} }),
    );
    assert.match(body, /"type":"thinking","thinking":"","signature":"s"/);
  });

  it("is left out when it holds broken Unicode, inside an encrypted item too (P44)", () => {
    const item = { type: "reasoning", encrypted_content: "x", summary: [{ text: "\ud83d" }] };
    const blocks: AssistantBlock[] = [
      { type: "thinking", thinking: "", thinkingSignature: JSON.stringify(item) },
    ];
    const body = toResponsesRequest({
      model: responses,
      request: { messages: calls(responses, blocks) },
      options: {},
    });
    assert.doesNotMatch(JSON.stringify(body), /"type":"reasoning"/);
  });

  it("is the list of details as it came, in pieces and with a part nobody can read (OpenRouter)", async () => {
    const model: Model = { ...chat, compat: { reasoningDetails: true } };
    const details = (index: number, fields: JsonObject) => ({
      reasoning_details: [{ type: "reasoning.text", index, format: "f", ...fields }],
    });
    const deltas: JsonObject[] = [
      { reasoning: "Let ", ...details(0, { text: "Let " }) },
      { reasoning: "me.", ...details(0, { text: "me.", signature: null }) },
      details(0, { signature: "sig" }),
      { reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "xyz" }] },
      { content: "Yes." },
      { reasoning_details: [{ type: "reasoning.encrypted", index: 2, data: "late" }] },
      { tool_calls: [{ index: 0, id: "a", function: { name: "read", arguments: "{}" } }] },
    ];
    const frames = deltas.map((delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`);
    const end = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "tool_calls" }] })}\n\ndata: [DONE]\n\n`;
    const fetch = fetchOf([new TextEncoder().encode(frames.join("") + end)]);
    const { message } = await streamAll({ model, messages, deps: { fetch } });
    assert.deepEqual(
      message.content.map((block) =>
        block.type === "thinking" ? [block.thinking, block.redacted] : block.type,
      ),
      [["Let me.", undefined], "text", ["", true], "toolCall"],
    );
    const request = { messages: inOrder([user("Go"), message, toolResult("a", "ok")]) };
    const sent = asJson(toOpenAiChatRequest({ model, request, options: {} }))[
      "messages"
    ] as readonly JsonObject[];
    assert.deepEqual(sent[1]?.["reasoning_details"], [
      { type: "reasoning.text", index: 0, format: "f", text: "Let me.", signature: "sig" },
      { type: "reasoning.encrypted", index: 1, data: "xyz" },
      { type: "reasoning.encrypted", index: 2, data: "late" },
    ]);
    const other = toOpenAiChatRequest({ model: { ...model, id: "other" }, request, options: {} });
    assert.doesNotMatch(JSON.stringify(other), /reasoning_details/);
  });
});
