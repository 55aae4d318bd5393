// For any history whatever: both converters build a request that the strict rules accept, the same bytes each time, and
// appending messages keeps what was sent before.
import assert from "node:assert/strict";
import fc from "fast-check";
import { toAnthropicRequest } from "../../../src/ai/providers/anthropic-messages-convert.ts";
import { toOpenAiChatRequest } from "../../../src/ai/providers/openai-chat-convert.ts";
import { toResponsesRequest } from "../../../src/ai/providers/openai-responses-convert.ts";
import type { AssistantBlock, Message, Model } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { checkAnthropicRequest } from "../../support/anthropic-rules.ts";
import { checkOpenAiRequest } from "../../support/openai-rules.ts";
import { anthropicModel, openAiModel, readTool } from "../../support/provider-models.ts";
import { redactedData, thinkingSignature } from "../../support/provider-wire.ts";

const anthropic = anthropicModel({ url: "http://127.0.0.1:9" });
const openai = openAiModel({ openAiUrl: "http://127.0.0.1:9/v1" });

const anyText = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("", " ", "\n", "\ud83d", "x\udc00y", "<|endoftext|>", "</tool_result>", "[INST]"),
);
const anyId = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "toolu_1",
    "",
    "call.x:y",
    `call|fc_${"z".repeat(90)}`,
    `call|fc_${"z".repeat(91)}`,
  ),
  fc.string({ maxLength: 8 }),
);
const image = fc.constant({ type: "image" as const, data: "AAAA", mimeType: "image/png" });
const textBlock = anyText.map((text) => ({ type: "text" as const, text }));
const content = fc.array(fc.oneof(textBlock, image), { maxLength: 3 });
const author = fc.constantFrom(anthropic, openai, { ...anthropic, id: "someone-else" });

function block(model: Model): fc.Arbitrary<AssistantBlock> {
  const thinking = anyText.map((text) => ({
    ...{ type: "thinking" as const, thinking: text },
    thinkingSignature: thinkingSignature(model.id, text),
  }));
  const redacted = fc.constant({
    ...{ type: "thinking" as const, thinking: "", redacted: true },
    thinkingSignature: redactedData(model.id),
  });
  const args = fc.dictionary(anyText, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 });
  const call = fc.record({ id: anyId, arguments: args }).map(({ id, arguments: value }): AssistantBlock => ({
    ...{ type: "toolCall", id, name: "read" },
    arguments: JSON.parse(JSON.stringify(value)) as JsonObject,
  }));
  return fc.oneof(textBlock, thinking, redacted, call, call);
}

const assistant = author.chain((model) =>
  fc
    .record({
      blocks: fc.array(block(model), { maxLength: 4 }),
      stopReason: fc.constantFrom("stop", "toolUse", "length", "error", "aborted"),
    })
    .map(({ blocks, stopReason }): Message => ({
      ...{ role: "assistant", content: blocks, api: model.api, provider: model.provider, model: model.id },
      usage: {
        ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
      stopReason,
      timestamp: 0,
    })),
);
const userMessage = fc
  .oneof(anyText, content)
  .map((value): Message => ({ role: "user", content: value, timestamp: 0 }));
const result = fc
  .record({ toolCallId: anyId, content, isError: fc.boolean() })
  .map((fields): Message => ({ role: "toolResult", toolName: "read", timestamp: 0, ...fields }));
const systemChange = fc
  .record({ content: anyText, text: fc.option(anyText) })
  .map(({ content: said, text }): Message => ({
    ...{ role: "system", content: said, sections: { part: text }, toolsAdded: [readTool], timestamp: 0 },
  }));

/** Turns as the runtime leaves them: calls mostly answered, in order, sometimes not. */
const turn = fc.oneof(
  { weight: 3, arbitrary: userMessage.map((message) => [message]) },
  {
    weight: 4,
    arbitrary: fc.tuple(assistant, content, fc.boolean()).map(([message, answer, isError]): Message[] => {
      if (message.role !== "assistant") return [message];
      const calls = message.content.filter(({ type }) => type === "toolCall");
      return [
        message,
        ...calls.map((call): Message => ({
          ...{ role: "toolResult", toolCallId: call.type === "toolCall" ? call.id : "", toolName: "read" },
          ...{ content: answer, isError, timestamp: 0 },
        })),
      ];
    }),
  },
  { weight: 1, arbitrary: assistant.map((message) => [message]) },
  { weight: 1, arbitrary: result.map((message) => [message]) },
  { weight: 1, arbitrary: systemChange.map((message) => [message]) },
);
const history = fc.array(turn, { maxLength: 8 }).map((turns) => turns.flat());

type Convert = (messages: readonly Message[], model?: Partial<Model>) => JsonObject;

const toAnthropic: Convert = (messages, change) =>
  asJson(
    toAnthropicRequest({
      model: { ...anthropic, ...change },
      request: { messages },
      options: { thinkingLevel: "high" },
    }),
  );
const toOpenAi: Convert = (messages, change) =>
  asJson(toOpenAiChatRequest({ model: { ...openai, ...change }, request: { messages }, options: {} }));
const toResponses: Convert = (messages, change) =>
  asJson(toResponsesRequest({ model: { ...openai, ...change }, request: { messages }, options: {} }));

describe("requests from any history", function () {
  this.timeout(20_000);

  it("are accepted by the strict Messages API", () => {
    fc.assert(
      fc.property(history, fc.boolean(), (messages, blind) => {
        checkAnthropicRequest(toAnthropic(messages, blind ? { input: ["text"] } : {}));
      }),
      { numRuns: 400 },
    );
  });

  it("are accepted by a strict Chat Completions server, whatever it wants of thinking", () => {
    fc.assert(
      fc.property(history, fc.boolean(), (messages, blind) => {
        checkOpenAiRequest(toOpenAi(messages, blind ? { input: ["text"] } : {}));
        const compat = { reasoningField: "reasoning_content" } as const;
        checkOpenAiRequest(toOpenAi(messages, { compat }), { reasoningContent: "required" });
      }),
      { numRuns: 400 },
    );
  });

  it("are the same bytes every time, and read the history only", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const before = JSON.stringify(messages);
        for (const convert of [toAnthropic, toOpenAi, toResponses]) {
          assert.equal(JSON.stringify(convert(messages)), JSON.stringify(convert(structuredClone(messages))));
        }
        assert.equal(JSON.stringify(messages), before);
      }),
      { numRuns: 200 },
    );
  });

  it("keep what was sent before when messages are appended", () => {
    const conversation = fc.tuple(history, userMessage, history);
    fc.assert(
      fc.property(conversation, ([earlier, asked, later]) => {
        // A request is made when the user or a tool has spoken, with nothing open, so with text to answer.
        const settled: Message[] = [...earlier, asked, { role: "user", content: "Go", timestamp: 0 }];
        const more = later.filter(({ role }) => role !== "system");
        for (const convert of [toAnthropic, toOpenAi, toResponses]) {
          const first = sentParts(convert(settled));
          const second = sentParts(
            convert([...settled, ...more, { role: "user", content: "On", timestamp: 0 }]),
          );
          assert.deepEqual(second.slice(0, first.length), first);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** System prompt, tools and each message, without the marks that move with the end. */
function sentParts(body: JsonObject): string[] {
  const messages = (body["messages"] ?? body["input"]) as readonly JsonObject[];
  const head = [body["system"] ?? body["instructions"] ?? null, body["tools"] ?? null];
  return [...head, ...messages].map((part) =>
    JSON.stringify(part, (key, value: unknown) => (key === "cache_control" ? undefined : value)),
  );
}

function asJson(body: unknown): JsonObject {
  return JSON.parse(JSON.stringify(body)) as JsonObject;
}
