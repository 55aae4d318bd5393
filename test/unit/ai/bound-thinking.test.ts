// Newer models of the Messages API accept thinking only behind exactly what it was made behind. Whatever happens in a
// conversation, no request carries thinking that such a model would refuse, and none is lost without need.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { toAnthropicRequest } from "../../../src/ai/providers/anthropic-messages-convert.ts";
import type { AssistantBlock, Message, Model, StopReason } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { png } from "../../support/image-rules.ts";
import { runs } from "../../support/properties.ts";
import { readTool, system, toolResult } from "../../support/provider-models.ts";
import { anthropic, answerOf, asJson } from "../../support/random-history.ts";

const model: Model = { ...anthropic, thinking: "adaptive", laterSystemMessages: true };

/** The model: makes thinking that is signed for all that was sent, and finds thinking whose signature is another one. */
function signatureOf(body: JsonObject, messages: readonly unknown[]): string {
  const prefix = JSON.stringify([body["tools"], body["system"], messages], (key, value: unknown) =>
    key === "cache_control" ? undefined : value,
  );
  return createHash("sha256").update(prefix).digest("hex");
}

function thoughtsIn(body: JsonObject): { readonly valid: number; readonly invalid: number } {
  const messages = body["messages"] as readonly JsonObject[];
  let valid = 0;
  let invalid = 0;
  for (const [index, message] of messages.entries()) {
    for (const block of message["content"] as readonly JsonObject[]) {
      if (block["type"] !== "thinking") continue;
      if (block["signature"] === signatureOf(body, messages.slice(0, index))) valid += 1;
      else invalid += 1;
    }
  }
  return { valid, invalid };
}

class Conversation {
  readonly messages: Message[] = [];
  private time = 1_000;
  private calls = 0;

  add(...messages: readonly Message[]): void {
    for (const message of messages) this.messages.push({ ...message, timestamp: (this.time += 1) });
  }

  request(): JsonObject {
    return asJson(toAnthropicRequest({ model, request: { messages: this.messages }, options: {} }));
  }

  /** Asks, checks what was asked, and adds the answer. */
  ask(calls: number, stopReason: StopReason): void {
    const body = this.request();
    assert.equal(thoughtsIn(body).invalid, 0);
    const thinkingSignature = signatureOf(body, body["messages"] as readonly unknown[]);
    const ids = Array.from({ length: calls }, () => `c${(this.calls += 1)}`);
    const blocks: AssistantBlock[] = [
      { type: "thinking", thinking: "Hm", thinkingSignature },
      { type: "text", text: "Yes." },
      ...ids.map((id): AssistantBlock => ({ type: "toolCall", id, name: "read", arguments: {} })),
    ];
    this.add(answerOf(model, blocks, { stopReason }));
    this.add(...ids.map((id) => toolResult(id, "ok")));
  }

  /** As the harness projects it: all system messages, the summary, and what came after a prompt that is kept. */
  compact(kept: number): void {
    const users = this.messages.flatMap(({ role }, index) => (role === "user" ? [index] : []));
    const from = users.at(-1 - (kept % Math.max(1, users.length))) ?? this.messages.length;
    const systems = this.messages.slice(0, from).filter(({ role }) => role === "system");
    const tail = this.messages.slice(from);
    this.messages.splice(0);
    this.messages.push(
      ...systems,
      { role: "user", content: "Summary", timestamp: (this.time += 1) },
      ...tail,
    );
  }
}

type Step = (conversation: Conversation) => void;

const prompt = (content: Extract<Message, { role: "user" }>["content"]): Step => {
  return (conversation) => conversation.add({ role: "user", content, timestamp: 0 });
};
const asks = fc.tuple(fc.nat(3), fc.constantFrom<StopReason>("stop", "length", "error", "aborted")).map(
  ([calls, stopReason]): Step =>
    (conversation) =>
      conversation.ask(calls, calls > 0 ? "toolUse" : stopReason),
);
const change = (message: Partial<Message>): Step => {
  return (conversation) => conversation.add({ ...system(""), ...message } as Message);
};
const steps = fc.oneof(
  { weight: 6, arbitrary: asks },
  { weight: 3, arbitrary: fc.constant(prompt("Go on")) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 1, max: 12 }).map((count) => prompt(Array(count).fill(png(9, 9)))),
  },
  { weight: 1, arbitrary: fc.constant(prompt([png(2_500, 9)])) },
  { weight: 1, arbitrary: fc.constant(change({ content: "Be kind." })) },
  { weight: 1, arbitrary: fc.nat(5).map((n) => change({ toolsAdded: [{ ...readTool, name: `tool${n}` }] })) },
  {
    weight: 1,
    arbitrary: fc.nat(4).map(
      (kept): Step =>
        (conversation) =>
          conversation.compact(kept),
    ),
  },
);

describe("thinking that is bound to what came before it, in any conversation", function () {
  it("is never sent where it is no longer valid", () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 5, maxLength: 40 }), (list) => {
        const conversation = new Conversation();
        conversation.add(system("You are Reins.", [readTool]));
        for (const step of list) step(conversation);
        assert.equal(thoughtsIn(conversation.request()).invalid, 0);
      }),
      { numRuns: runs(80) },
    );
  });

  it("is all sent while messages are only added", () => {
    const only = fc.oneof(fc.nat(3), fc.constantFrom("prompt", "section"));
    fc.assert(
      fc.property(fc.array(only, { maxLength: 20 }), (list) => {
        const conversation = new Conversation();
        conversation.add(system("You are Reins.", [readTool]));
        prompt("Go")(conversation);
        for (const step of list) {
          if (step === "prompt") prompt("More")(conversation);
          else if (step === "section") change({ content: "Be kind." })(conversation);
          else if (typeof step === "number") conversation.ask(step, step > 0 ? "toolUse" : "length");
        }
        const answers = conversation.messages.filter(({ role }) => role === "assistant").length;
        assert.deepEqual(thoughtsIn(conversation.request()), { valid: answers, invalid: 0 });
      }),
      { numRuns: runs(100) },
    );
  });
});
