// What APIs keep that can say it at all: thinking, usage, outcomes, failures and images, as `contract-apis.ts` tells.
import assert from "node:assert/strict";
import type { Message } from "../../../src/ai/types.ts";
import { contractApis } from "../../support/contract-apis.ts";
import type { ContractHost } from "../../support/contract-apis.ts";
import { ask, broken, callsOf, hello, kindsOf } from "../../support/contract-run.ts";
import { png } from "../../support/image-rules.ts";
import { testTime, textOf, toolResult } from "../../support/provider-models.ts";
import { httpError, reply } from "../../support/provider-replies.ts";

for (const api of contractApis) {
  const { can } = api;

  describe(`provider abilities: ${api.name}`, () => {
    let host: ContractHost;
    before(async () => (host = await api.start()));
    after(() => host.close());

    if (can.thinking) {
      it("keeps thinking in its own block, before the text", async () => {
        host.play(reply({ thinking: "Let me see.\n\nI see.", text: "Done." }));
        const { message } = await ask(host);
        assert.deepEqual(kindsOf(message), ["thinking", "text"]);
        const [thinking] = message.content;
        assert.ok(thinking?.type === "thinking" && thinking.thinking === "Let me see.\n\nI see.");
      });
    }

    if (can.thinkingBack) {
      it("sends own thinking back byte for byte, hidden thinking too (P33)", async () => {
        const calls = [{ name: "read", arguments: { path: "a" } }];
        host.play(reply({ thinking: "Let me see — 🦊", calls }), reply({ redacted: true, calls }));
        const messages: Message[] = [...hello];
        for (let turn = 0; turn < 2; turn += 1) {
          const { message } = await ask(host, { messages });
          messages.push(message, toolResult(callsOf(message)[0]?.id ?? "", "ok"));
        }
        host.play(reply({ text: "Done" }));
        const { message } = await ask(host, { messages });
        assert.equal(message.errorMessage, undefined);
        assert.equal(host.refused(), undefined);
        for (const block of messages.flatMap((sent) => (sent.role === "assistant" ? sent.content : []))) {
          if (block.type !== "thinking") continue;
          const secret = /(sig|redacted)_[^"]+|gAAAAAB[^"]+/.exec(block.thinkingSignature ?? "")?.[0];
          assert.ok(secret && host.sent().includes(secret), "the proof came back");
        }
      });
    }

    if (can.rawArguments) {
      it("keeps arguments that are no object as an error with the raw text (P13)", async () => {
        for (const raw of [
          '{"path":"a"}}',
          '{"path":"a"}{"path":"b"}',
          "{'path':'a'}",
          "[1]",
          '"a"',
          "null",
        ]) {
          host.play(reply({ calls: [{ name: "read", arguments: raw }] }));
          const { message } = await ask(host);
          const [call] = callsOf(message);
          assert.ok(call && call.argumentsError?.includes(raw) === true, raw);
          assert.deepEqual([call.arguments, message.stopReason], [{}, "toolUse"]);
        }
      });
    }

    if (can.usage) {
      it("reports usage that adds up to the context, caches included (P22)", async () => {
        const usage = { input: 200, cacheRead: 800, cacheWrite: 100, output: 50 };
        host.play(reply({ text: "Hi", usage }));
        const price = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 };
        const { message } = await ask(host, { change: { price } });
        const { cost, ...tokens } = message.usage;
        assert.deepEqual(tokens, { ...usage, totalTokens: 1_150 });
        assert.ok(Math.abs(cost.total - (200 + 100 + 80 + 125) / 1e6) < 1e-12);
      });
    }

    if (can.outcomes) {
      it("marks calls that were cut at the output limit (P12)", async () => {
        const calls = [
          { name: "read", arguments: { path: "whole" } },
          { name: "write", arguments: ['{"path":"a.txt","content":"abc'] },
        ];
        host.play(reply({ text: "Both.", calls, outcome: "length" }));
        const { message } = await ask(host);
        assert.equal(message.stopReason, "length");
        assert.ok(callsOf(message)[1]?.argumentsError);
      });

      it("keeps text that was cut at the output limit", async () => {
        host.play(reply({ text: "Half a", outcome: "length" }));
        const { message } = await ask(host);
        assert.deepEqual([message.stopReason, textOf(message)], ["length", "Half a"]);
      });

      it("says that the model declined, with what it had said so far", async () => {
        host.play(reply({ text: "I would", outcome: "refused" }), reply({ outcome: "refused" }));
        for (const said of ["I would", ""]) {
          const { message } = await ask(host);
          assert.deepEqual([message.errorKind, textOf(message)], ["content_filter", said]);
          assert.match(message.errorMessage ?? "", /another model/);
        }
      });
    }

    if (can.fails) {
      it("turns a refused request into one error with its kind and no key (A26)", async () => {
        const error = { type: "rate_limit_error", message: "Slow down, test-key" };
        host.play(httpError(429, { error }), reply({ text: "Not asked for" }));
        const before = host.count;
        const { events, message } = await ask(host);
        assert.deepEqual([events.length, message.errorKind], [1, "rate_limit"]);
        assert.match(message.errorMessage ?? "", /Slow down/);
        assert.doesNotMatch(message.errorMessage ?? "", /test-key/);
        assert.equal(host.count, before + 1, "it was tried once");
      });

      it("keeps the text before an error in the middle (P09)", async () => {
        host.play(reply({ text: ["Half of this ", broken()] }));
        const { message } = await ask(host);
        assert.deepEqual([message.stopReason, textOf(message)], ["error", "Half of this "]);
      });
    }

    if (can.images) {
      it("shows images of the user and of tools to the model", async () => {
        const [own, found] = [png(7, 5), png(9, 3)];
        host.play(
          reply({ calls: [{ name: "read", arguments: { path: "a.png" } }] }),
          reply({ text: "Two." }),
        );
        const asked: Message[] = [
          ...hello,
          { role: "user", content: [{ type: "text", text: "This?" }, own], timestamp: testTime },
        ];
        const first = (await ask(host, { messages: asked })).message;
        assert.ok(host.sent().includes(own.data));
        const result: Message = {
          ...{ role: "toolResult", toolCallId: callsOf(first)[0]?.id ?? "", toolName: "read" },
          ...{ content: [{ type: "text", text: "It is:" }, found], isError: false, timestamp: testTime },
        };
        const imageOnly: Message = { ...result, content: [found] };
        for (const answer of [result, imageOnly]) {
          host.play(reply({ text: "Two." }));
          const { message } = await ask(host, { messages: [...asked, first, answer] });
          assert.deepEqual([host.refused(), textOf(message)], [undefined, "Two."]);
          assert.ok(host.sent().includes(found.data) && host.sent().includes(own.data));
        }
      });

      it("tells a model without eyes that there was an image", async () => {
        host.play(reply({ text: "Ah." }));
        const messages: Message[] = [...hello, { role: "user", content: [png(7, 5)], timestamp: testTime }];
        const { message } = await ask(host, { messages, change: { input: ["text"] } });
        assert.deepEqual([host.refused(), textOf(message)], [undefined, "Ah."]);
        assert.ok(!host.sent().includes(png(7, 5).data));
        assert.match(host.sent(), /image/i);
      });

      it("makes a repeated call id unique in the conversation (P29)", async () => {
        const call = { id: "toolu_1", name: "read", arguments: {} };
        host.play(reply({ calls: [call, call] }), reply({ calls: [call] }));
        const first = (await ask(host)).message;
        const ids = callsOf(first).map(({ id }) => id);
        const messages = [...hello, first, ...ids.map((id) => toolResult(id, "ok"))];
        const second = (await ask(host, { messages })).message;
        assert.equal(new Set([...ids, ...callsOf(second).map(({ id }) => id)]).size, 3);
      });
    }
  });
}
