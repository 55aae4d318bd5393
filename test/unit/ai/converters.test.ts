// For any history whatever: every converter builds a request that the strict rules accept, the same bytes each time, and
// appending messages keeps what was sent before.
import assert from "node:assert/strict";
import fc from "fast-check";
import { toAnthropicRequest } from "../../../src/ai/providers/anthropic-messages-convert.ts";
import { toOpenAiChatRequest } from "../../../src/ai/providers/openai-chat-convert.ts";
import { toResponsesRequest } from "../../../src/ai/providers/openai-responses-convert.ts";
import { sharedPrefix } from "../../../src/ai/prefix-share.ts";
import { changesTools } from "../../../src/ai/system.ts";
import type { Message, Model } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { checkAnthropicRequest } from "../../support/anthropic-rules.ts";
import { checkOpenAiRequest } from "../../support/openai-rules.ts";
import type { OpenAiServerRules } from "../../support/openai-rules.ts";
import { runs } from "../../support/properties.ts";
import { user } from "../../support/provider-models.ts";
import { checkResponsesRequest } from "../../support/responses-rules.ts";
import {
  anthropic,
  answerOf,
  asJson,
  chat,
  inOrder,
  randomHistory,
  responses,
} from "../../support/random-history.ts";

interface Target {
  readonly name: string;
  readonly model: Model;
  readonly convert: (messages: readonly Message[], model: Model) => JsonObject;
  readonly check: (body: JsonObject) => void;
}

const options = { thinkingLevel: "high", sessionId: "s" } as const;

function messagesTarget(name: string, change: Partial<Model>): Target {
  return {
    name,
    model: { ...anthropic, ...change },
    convert: (messages, model) => asJson(toAnthropicRequest({ model, request: { messages }, options })),
    check: (body) => checkAnthropicRequest(body, { laterSystem: change.laterSystemMessages === true }),
  };
}

function chatTarget(name: string, change: Partial<Model>, rules: OpenAiServerRules): Target {
  return {
    name,
    model: { ...chat, ...change },
    convert: (messages, model) => asJson(toOpenAiChatRequest({ model, request: { messages }, options })),
    check: (body) => checkOpenAiRequest(body, rules),
  };
}

const targets: readonly Target[] = [
  messagesTarget("Messages", {}),
  messagesTarget("Messages with later system messages", { thinking: "adaptive", laterSystemMessages: true }),
  chatTarget("a minimal Chat Completions server", {}, {}),
  chatTarget(
    "a Chat Completions server that wants thinking back",
    { compat: { reasoningField: "reasoning_content" } },
    { reasoningContent: "required" },
  ),
  chatTarget(
    "a Chat Completions server with a strict template",
    { compat: { alternatingRoles: true, shortToolCallIds: true } },
    { alternatingRoles: true, shortToolCallIds: true },
  ),
  chatTarget(
    "a Chat Completions server with later system messages",
    { laterSystemMessages: true },
    { laterSystem: true },
  ),
  {
    name: "Responses",
    model: responses,
    convert: (messages, model) => asJson(toResponsesRequest({ model, request: { messages }, options })),
    check: (body) => checkResponsesRequest(body),
  },
];

const blind = fc.boolean().map((isBlind): Partial<Model> => (isBlind ? { input: ["text"] } : {}));

describe("requests from any history", () => {
  for (const { name, model, convert, check } of targets) {
    describe(`to ${name}`, () => {
      it("are accepted", () => {
        fc.assert(
          fc.property(randomHistory, blind, (messages, change) => {
            check(convert(messages, { ...model, ...change }));
          }),
          { numRuns: runs(100) },
        );
      });

      it("are the same bytes every time, and only read the history", () => {
        fc.assert(
          fc.property(randomHistory, (messages) => {
            const before = JSON.stringify(messages);
            const once = JSON.stringify(convert(messages, model));
            assert.equal(JSON.stringify(convert(structuredClone(messages) as Message[], model)), once);
            assert.equal(JSON.stringify(messages), before);
          }),
          { numRuns: runs(60) },
        );
      });

      it("keep what was sent before when messages are appended, unless tools change", () => {
        fc.assert(
          fc.property(randomHistory, randomHistory, (earlier, later) => {
            // A request is made when the user or a tool has spoken, and is followed by its answer.
            const asked: Message[] = inOrder([...earlier, user("Go")]);
            const more = later.filter((message) => message.role !== "system" || !changesTools(message));
            const answered = answerOf(model, [{ type: "text", text: "Yes." }]);
            const all = inOrder([...asked, answered, ...more, user("On")]);
            assertKept(convert(asked, model), convert(all, model));
          }),
          { numRuns: runs(80) },
        );
      });
    });
  }
});

/** Whatever the marks for the cache are, which move with the end. */
function assertKept(first: JsonObject, second: JsonObject): void {
  const sent = sentParts(first);
  assert.deepEqual(sentParts(second).slice(0, sent.length), sent);
  const { shared, earlier } = sharedPrefix(first, second);
  assert.equal(shared, earlier);
}

/** Tools, prompt and each message. */
function sentParts(body: JsonObject): string[] {
  const messages = (body["messages"] ?? body["input"]) as readonly JsonObject[];
  return [body["tools"] ?? null, body["system"] ?? body["instructions"] ?? null, ...messages].map((part) =>
    JSON.stringify(part, (key, value: unknown) => (key === "cache_control" ? undefined : value)),
  );
}
