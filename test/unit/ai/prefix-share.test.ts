// How much of a request the next one begins with.
import assert from "node:assert/strict";
import fc from "fast-check";
import { sharedPrefix } from "../../../src/ai/prefix-share.ts";
import { toAnthropicRequest } from "../../../src/ai/providers/anthropic-messages-convert.ts";
import { toOpenAiChatRequest } from "../../../src/ai/providers/openai-chat-convert.ts";
import { toResponsesRequest } from "../../../src/ai/providers/openai-responses-convert.ts";
import type { Message } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { readTool, system, user } from "../../support/provider-models.ts";
import {
  anthropic,
  answerOf,
  asJson,
  chat,
  inOrder,
  randomHistory,
  responses,
} from "../../support/random-history.ts";

const converters = [
  (messages: readonly Message[]) =>
    asJson(toAnthropicRequest({ model: anthropic, request: { messages }, options: {} })),
  (messages: readonly Message[]) =>
    asJson(toOpenAiChatRequest({ model: chat, request: { messages }, options: {} })),
  (messages: readonly Message[]) =>
    asJson(toResponsesRequest({ model: responses, request: { messages }, options: {} })),
];

const first = [system("You are Reins.", [readTool]), user("Go")];
const second = [...first, answerOf(anthropic, [{ type: "text", text: "Yes." }]), user("On")];

describe("the shared prefix of two requests", () => {
  it("is all of the earlier one when messages were only added, wherever the cache is marked", () => {
    for (const convert of converters) {
      const share = sharedPrefix(convert(inOrder(first)), convert(inOrder(second)));
      assert.equal(share.shared, share.earlier);
      assert.ok(share.later > share.earlier && share.earlier > 200);
    }
  });

  it("ends where tools, prompt or a message differ, in that order", () => {
    const tool = { ...readTool, description: "Reads another file." };
    const changes: readonly (readonly Message[])[] = [
      [system("You are Reins.", [tool]), user("Go")],
      [system("You are Reins!", [readTool]), user("Go")],
      [system("You are Reins.", [readTool]), user("Gone")],
    ];
    for (const convert of converters) {
      const shares = changes.map((messages) => sharedPrefix(convert(first), convert(messages)).shared);
      assert.deepEqual(
        shares,
        shares.toSorted((a, b) => a - b),
      );
      assert.ok(new Set(shares).size === 3 && (shares[0] ?? 0) > 0);
      assert.ok((shares[2] ?? 0) < sharedPrefix(convert(first), convert(first)).earlier);
    }
  });

  it("is nothing for another model, whatever else is the same", () => {
    const [convert] = converters;
    assert.ok(convert);
    const share = sharedPrefix(convert(first), { ...convert(first), model: "other" });
    assert.equal(share.shared, 0);
    assert.equal(share.earlier, share.later);
  });

  it("counts bytes of UTF-8, and never half a character", () => {
    const body = (text: string): JsonObject => ({ messages: [{ role: "user", content: text }] });
    const bytes = (text: string) => Buffer.byteLength(text);
    assert.equal(
      sharedPrefix(body("é日🦊"), body("é日🦊!")).shared,
      bytes('messages {"role":"user","content":"é日🦊'),
    );
    assert.equal(sharedPrefix(body("🦊"), body("🦉")).shared, bytes('messages {"role":"user","content":"'));
    assert.equal(
      sharedPrefix(body("é日🦊"), body("é日🦊")).earlier,
      bytes('messages {"role":"user","content":"é日🦊"}\n'),
    );
    assert.deepEqual(sharedPrefix({}, {}), { shared: 0, earlier: 0, later: 0 });
  });

  it("leaves no property of a tool out because it is called like a mark", () => {
    const tool = (cache_control: JsonObject): JsonObject => ({ tools: [{ properties: { cache_control } }] });
    const share = sharedPrefix(tool({ type: "string" }), tool({ type: "number" }));
    assert.ok(share.shared < share.earlier);
  });

  it("is the same from both sides, and all of a request for itself", () => {
    fc.assert(
      fc.property(randomHistory, randomHistory, fc.constantFrom(...converters), (one, other, convert) => {
        const there = sharedPrefix(convert(one), convert(other));
        const back = sharedPrefix(convert(other), convert(one));
        assert.deepEqual(back, { shared: there.shared, earlier: there.later, later: there.earlier });
        assert.ok(there.shared <= Math.min(there.earlier, there.later));
        const same = sharedPrefix(convert(one), convert(one));
        assert.ok(same.shared === same.earlier && same.shared === same.later);
      }),
    );
  });
});
