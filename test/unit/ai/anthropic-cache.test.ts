// Every request finds in the Messages API's cache all that the request before it wrote there.
import assert from "node:assert/strict";
import fc from "fast-check";
import { toAnthropicRequest } from "../../../src/ai/providers/anthropic-messages-convert.ts";
import type { AssistantBlock, Message, Model } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { SimulatedCache } from "../../support/anthropic-cache.ts";
import { checkAnthropicRequest } from "../../support/anthropic-rules.ts";
import { runs } from "../../support/properties.ts";
import { readTool, system, toolResult, user } from "../../support/provider-models.ts";
import { thinkingSignature } from "../../support/reply-parts.ts";
import { anthropic, answerOf, asJson, inOrder, randomHistory } from "../../support/random-history.ts";

const adaptive: Model = { ...anthropic, thinking: "adaptive", laterSystemMessages: true };

function request(messages: readonly Message[], model: Model = anthropic): JsonObject {
  const body = asJson(toAnthropicRequest({ model, request: { messages: inOrder(messages) }, options: {} }));
  checkAnthropicRequest(body, { laterSystem: model.laterSystemMessages === true });
  return body;
}

/** One turn of a tool loop: texts, thinking, and so many calls at once with their results. */
function toolTurn(turn: number, calls: number, texts: number): Message[] {
  const ids = Array.from({ length: calls }, (_value, index) => `c${turn}_${index}`);
  const thinking = `Hm ${turn}`;
  const blocks: AssistantBlock[] = [
    { type: "thinking", thinking, thinkingSignature: thinkingSignature(anthropic.id, thinking) },
    ...Array.from({ length: texts }, (_value, index): AssistantBlock => ({
      type: "text",
      text: `${turn}.${index}`,
    })),
    ...ids.map((id): AssistantBlock => ({ type: "toolCall", id, name: "read", arguments: { turn } })),
  ];
  return [
    answerOf(anthropic, blocks, { stopReason: "toolUse" }),
    ...ids.map((id) => toolResult(id, `of ${id}`)),
  ];
}

const start = [system("You are Reins.", [readTool]), user("Go")];

describe("the cache of the Messages API", () => {
  it("gives every request of a tool loop all of the one before, however many calls a turn has", () => {
    const turns = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(25)), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(turns, fc.constantFrom(anthropic, adaptive), (shape, model) => {
        const cache = new SimulatedCache();
        const messages: Message[] = [...start];
        let before = cache.send(request(messages, model)).blocks;
        shape.forEach(([calls, texts], turn) => {
          messages.push(...toolTurn(turn, calls, texts));
          const { hit, blocks } = cache.send(request(messages, model));
          assert.equal(hit, before);
          before = blocks;
        });
      }),
      { numRuns: runs(40) },
    );
  });

  it("gives it across prompts, stopped answers and changed sections too", () => {
    const cache = new SimulatedCache();
    const stopped = answerOf(anthropic, [{ type: "text", text: "Half" }], { stopReason: "aborted" });
    const change: Message = { role: "system", content: "", sections: { rules: "New." }, timestamp: 0 };
    const steps: readonly (readonly Message[])[] = [
      start,
      toolTurn(1, 30, 0),
      [answerOf(anthropic, [{ type: "text", text: "Done." }]), user("More")],
      [stopped, user("No, this")],
      [...toolTurn(2, 3, 30), change],
      [answerOf(anthropic, [{ type: "text", text: "Done." }]), change, user("Last")],
    ];
    let messages: Message[] = [];
    let before = 0;
    for (const step of steps) {
      messages = [...messages, ...step];
      const { hit, blocks } = cache.send(request(messages));
      assert.equal(hit, before);
      before = blocks;
    }
  });

  it("is asked for at no more than four places, the ends of tools and prompt among them, for any history", () => {
    fc.assert(
      fc.property(randomHistory, (messages) => {
        const tools = [readTool, { ...readTool, name: "list" }];
        const body = request([system("You are Reins.", tools), user("Go"), ...messages]);
        const marks = JSON.stringify(body).match(/"cache_control":/g)?.length ?? 0;
        assert.ok(marks >= 3 && marks <= 4);
        assert.match(JSON.stringify(body["tools"]), /"cache_control":\{"type":"ephemeral"\}\}\]$/);
        assert.match(JSON.stringify(body["system"]), /"cache_control":\{"type":"ephemeral"\}\}\]$/);
        assert.match(JSON.stringify(body["messages"]), /"cache_control":\{"type":"ephemeral"\}\}\]\}\]$/);
      }),
    );
  });

  it("keeps tools and prompt for another conversation", () => {
    const cache = new SimulatedCache();
    cache.send(request(start));
    assert.equal(cache.send(request([system("You are Reins.", [readTool]), user("Other")])).hit, 2);
  });
});
