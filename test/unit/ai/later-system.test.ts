// What a model is told when its instructions or tools change in the middle of a conversation: the cheapest form that its
// API takes, so that what was sent before stays what it was.
import assert from "node:assert/strict";
import { sharedPrefix } from "../../../src/ai/prefix-share.ts";
import { toAnthropicRequest } from "../../../src/ai/providers/anthropic-messages-convert.ts";
import { toOpenAiChatRequest } from "../../../src/ai/providers/openai-chat-convert.ts";
import { toResponsesRequest } from "../../../src/ai/providers/openai-responses-convert.ts";
import type { Message, Model } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { checkAnthropicRequest } from "../../support/anthropic-rules.ts";
import { checkOpenAiRequest } from "../../support/openai-rules.ts";
import { readTool, system, toolResult, user } from "../../support/provider-models.ts";
import { anthropic, answerOf, asJson, chat, inOrder, responses } from "../../support/random-history.ts";

const options = {};
const anthropicBody = (messages: readonly Message[], change: Partial<Model> = {}, more = {}) =>
  asJson(toAnthropicRequest({ model: { ...anthropic, ...change }, request: { messages }, options, ...more }));
const chatBody = (messages: readonly Message[], change: Partial<Model> = {}) =>
  asJson(toOpenAiChatRequest({ model: { ...chat, ...change }, request: { messages }, options }));
const responsesBody = (messages: readonly Message[]) =>
  asJson(toResponsesRequest({ model: responses, request: { messages }, options }));

const change: Message = { role: "system", content: "", sections: { rules: "Be kind." }, timestamp: 0 };
const told = "From now on, the section <rules> is:\n<rules>\nBe kind.\n</rules>";
const start = [system("You are Reins.", [readTool]), user("Go")];
const calling = answerOf(chat, [{ type: "toolCall", id: "a", name: "read", arguments: {} }]);
const changed = inOrder([...start, calling, change, toolResult("a", "ok"), user("Next")]);

const roles = (body: JsonObject) =>
  ((body["messages"] ?? body["input"]) as readonly JsonObject[]).map((item) => item["role"] ?? item["type"]);

describe("a system message after the first turn", () => {
  it("waits for the results of open calls, and is told in a user message by default", () => {
    const body = chatBody(changed);
    checkOpenAiRequest(body);
    assert.deepEqual(roles(body), ["system", "user", "assistant", "tool", "user", "user"]);
    const messages = body["messages"] as readonly JsonObject[];
    assert.equal(messages[0]?.["content"], "You are Reins.");
    assert.equal(messages[4]?.["content"], `<system-update>\n${told}\n</system-update>`);
    const anthropicRequest = anthropicBody(changed);
    checkAnthropicRequest(anthropicRequest);
    assert.deepEqual(roles(anthropicRequest), ["user", "assistant", "user", "user", "user"]);
  });

  it("is a system message for a model that takes it there, behind the user's", () => {
    const body = anthropicBody(changed, { laterSystemMessages: true });
    checkAnthropicRequest(body, { laterSystem: true });
    assert.deepEqual(roles(body), ["user", "assistant", "user", "user", "system"]);
    const messages = body["messages"] as readonly JsonObject[];
    assert.deepEqual(messages.at(-1)?.["content"], [
      { type: "text", text: told, cache_control: { type: "ephemeral" } },
    ]);
    const more = [...changed, answerOf(anthropic, [{ type: "text", text: "Yes." }]), user("On")];
    const later = anthropicBody(inOrder(more), { laterSystemMessages: true });
    assert.deepEqual(roles(later), ["user", "assistant", "user", "user", "system", "assistant", "user"]);
    const { shared, earlier } = sharedPrefix(body, later);
    assert.equal(shared, earlier);
  });

  it("is told in a user message again when the model refused it as a system message", () => {
    const body = anthropicBody(changed, { laterSystemMessages: true }, { laterSystemAsUser: true });
    checkAnthropicRequest(body);
  });

  it("is a system message in its place for Chat Completions, and a developer message for Responses", () => {
    const body = chatBody(changed, { laterSystemMessages: true, compat: { systemRole: "developer" } });
    checkOpenAiRequest(body, { laterSystem: true, developerRole: true });
    assert.deepEqual(roles(body), ["developer", "user", "assistant", "tool", "developer", "user"]);
    const items = responsesBody(changed);
    assert.deepEqual(roles(items), ["user", "function_call", "function_call_output", "developer", "user"]);
    assert.equal(items["instructions"], "You are Reins.");
    const model = { ...responses, laterSystemMessages: false };
    const { input } = toResponsesRequest({ model, request: { messages: changed }, options });
    assert.match(JSON.stringify(input), /<system-update>/);
  });

  it("leaves all that was sent before as it was", () => {
    const before = inOrder([...start, calling, toolResult("a", "ok")]);
    const after = inOrder([...start, calling, toolResult("a", "ok"), change, user("Next")]);
    for (const convert of [anthropicBody, chatBody, responsesBody]) {
      const { shared, earlier } = sharedPrefix(convert(before), convert(after));
      assert.equal(shared, earlier);
    }
  });

  it("changes the tools of the request, from the first one that differs, and nothing else", () => {
    const list = { ...readTool, name: "list" };
    const tools: Message = { role: "system", content: "", toolsAdded: [list], timestamp: 0 };
    const after = [...start, tools, user("Next")];
    for (const convert of [anthropicBody, chatBody, responsesBody]) {
      const [before, later] = [convert(start), convert(after)];
      const names = (body: JsonObject) =>
        (body["tools"] as readonly JsonObject[]).map(
          (tool) => tool["name"] ?? (tool["function"] as JsonObject)["name"],
        );
      assert.deepEqual(names(later), ["read", "list"]);
      assert.ok(sharedPrefix(before, later).shared > 100);
      const withoutTools = ({ tools: _tools, ...rest }: JsonObject) => rest;
      const { shared, earlier } = sharedPrefix(withoutTools(before), withoutTools(later));
      assert.equal(shared, earlier);
    }
  });

  it("keeps calls to tools that are gone, and says that they are", () => {
    const gone: Message = { role: "system", content: "", toolsRemoved: [{ name: "read" }], timestamp: 0 };
    const messages = inOrder([...start, calling, toolResult("a", "ok"), gone, user("Next")]);
    for (const body of [anthropicBody(messages), chatBody(messages)]) {
      assert.equal(body["tools"], undefined);
      assert.match(JSON.stringify(body), /These tools are no longer available: read\./);
      assert.match(JSON.stringify(body), /"name":"read"/);
    }
    checkAnthropicRequest(anthropicBody(messages));
    checkOpenAiRequest(chatBody(messages));
  });
});
