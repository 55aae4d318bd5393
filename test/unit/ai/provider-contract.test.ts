// What every API keeps, whatever it speaks: run for each entry of `contract-apis.ts`. What only HTTP can do to a response
// is in `provider-transport.test.ts`, histories of other APIs in `provider-handoff.test.ts`.
import assert from "node:assert/strict";
import type { AssistantMessage, Message } from "../../../src/ai/types.ts";
import { contractApis } from "../../support/contract-apis.ts";
import type { ContractHost } from "../../support/contract-apis.ts";
import { ask, broken, hello } from "../../support/contract-run.ts";
import { png } from "../../support/image-rules.ts";
import { testTime, textOf, toolResult } from "../../support/provider-models.ts";
import { gate, httpError, reply, silence } from "../../support/provider-replies.ts";

/** Characters of two, three and four bytes, and emoji that are joined of several. */
const unicode = "é ß — 語 🦊 👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301";

for (const api of contractApis) {
  const { can } = api;

  describe(`provider contract: ${api.name}`, function () {
    this.timeout(20_000);
    let host: ContractHost;
    before(async () => (host = await api.start()));
    after(() => host.close());

    it("streams text as deltas and ends with the whole message", async () => {
      const text = "The quick brown fox jumps over the lazy dog.";
      host.play(reply({ text }));
      const { events, message } = await ask(host);
      assert.deepEqual([textOf(message), message.stopReason], [text, "stop"]);
      const types = events.map(({ type }) => type);
      assert.deepEqual(types.slice(0, 3), ["start", "text_start", "text_delta"]);
      assert.deepEqual(types.slice(-2), ["text_end", "done"]);
      assert.ok(types.filter((type) => type === "text_delta").length > 1);
      const { model } = host;
      assert.deepEqual([message.api, message.provider, message.model], [model.api, model.provider, model.id]);
    });

    it("gives a call with exact arguments, beside the text before it", async () => {
      const args = { path: 'a "quoted" \\ ünïcode 🦊.txt', n: 1e21, nested: [{ deep: [null, true] }] };
      host.play(reply({ text: "Reading.", calls: [{ name: "read", arguments: args }] }));
      const { events, message } = await ask(host);
      assert.equal(message.stopReason, "toolUse");
      assert.deepEqual(kinds(message), ["text", "toolCall"]);
      assert.deepEqual(callsOf(message)[0]?.arguments, args);
      const ends = events.flatMap((event) => (event.type === "toolcall_end" ? [event.toolCall] : []));
      assert.deepEqual(ends, callsOf(message));
    });

    it("gives many calls of one message in order, each with an id of its own", async () => {
      const calls = Array.from({ length: 12 }, (_, n) => ({
        name: n % 2 ? "read" : "grep",
        arguments: { path: `file-${n}.ts`, text: "x".repeat(n * 5) },
      }));
      host.play(reply({ calls }));
      const { message } = await ask(host);
      const got = callsOf(message);
      assert.deepEqual(
        got.map(({ name, arguments: args }) => ({ name, arguments: args })),
        calls,
      );
      assert.equal(new Set(got.map(({ id }) => id)).size, 12);
      assert.ok(got.every(({ id, argumentsError }) => id !== "" && argumentsError === undefined));
    });

    it("gives a call without arguments an empty object (P13)", async () => {
      host.play(reply({ calls: ["", "{}"].map((args) => ({ name: "list", arguments: args })) }));
      const { message } = await ask(host);
      assert.deepEqual(
        callsOf(message).map((call) => [call.arguments, call.argumentsError]),
        [
          [{}, undefined],
          [{}, undefined],
        ],
      );
      assert.equal(message.stopReason, "toolUse");
    });

    it("puts characters together that were cut in the middle", async () => {
      const halves = unicode.split("");
      const args = ['{"path":"', ...halves, '"}'];
      host.play(reply({ text: halves, calls: [{ name: "read", arguments: args }] }));
      const { message } = await ask(host);
      assert.equal(textOf(message), unicode);
      assert.deepEqual(callsOf(message)[0]?.arguments, { path: unicode });
    });

    it("ends at once when stopped in mid-text, with the partial text kept (P47)", async () => {
      const held = gate();
      host.play(reply({ text: ["Half of this ", held.promise, "is nothing at all"] }));
      const message = await stoppedAt(host, "text_delta");
      assert.ok(textOf(message).startsWith("Half of this"));
      assert.ok(!textOf(message).endsWith("at all"));
      await host.closed();
      held.open();
    });

    it("ends at once when stopped before the first byte, and lets the server go (P47)", async () => {
      host.play(silence());
      const controller = new AbortController();
      const arrival = host.arrival();
      const response = ask(host, { options: { signal: controller.signal } });
      await arrival;
      const stopped = performance.now();
      controller.abort();
      const { message } = await response;
      assert.ok(performance.now() - stopped < 500);
      assert.deepEqual([message.stopReason, textOf(message)], ["aborted", ""]);
      await host.closed();
    });

    it("asks for nothing when it is stopped before it began", async () => {
      host.play(reply({ text: "Never" }));
      const before = host.count;
      const { message } = await ask(host, { options: { signal: AbortSignal.abort() } });
      assert.deepEqual([message.stopReason, message.content.length], ["aborted", 0]);
      assert.equal(host.count, before);
    });

    it("takes an answer without content for an error worth a retry (P11)", async () => {
      host.play(reply({}));
      const { message } = await ask(host);
      assert.deepEqual([message.errorKind, message.content], ["malformed_stream", []]);
    });

    it("never makes NaN of usage that is missing (P21)", async () => {
      host.play(reply({ text: "Hi", usage: null }));
      const { message } = await ask(host);
      const { input, output, totalTokens, cost } = message.usage;
      for (const count of [input, output, totalTokens, cost.input, cost.total])
        assert.ok(Number.isFinite(count));
    });

    it("stays linear with five megabytes of arguments in small deltas (P49)", async () => {
      const pieces = Array.from({ length: 100_000 }, () => "x".repeat(50));
      host.play(reply({ calls: [{ name: "write", arguments: ['{"content":"', ...pieces, '"}'] }] }));
      const { message } = await ask(host);
      const [call] = callsOf(message);
      const content = call?.arguments["content"];
      assert.ok(typeof content === "string" && content.length === 5_000_000);
    });

    if (can.thinking) {
      it("keeps thinking in its own block, before the text", async () => {
        host.play(reply({ thinking: "Let me see.\n\nI see.", text: "Done." }));
        const { message } = await ask(host);
        assert.deepEqual(kinds(message), ["thinking", "text"]);
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

    if (can.streamsArguments) {
      it("ends at once when stopped in mid-arguments, with a call that nobody can run (P47)", async () => {
        const held = gate();
        const args = ['{"path":"a.txt",', held.promise, '"content":"abc"}'];
        host.play(reply({ text: "So.", calls: [{ name: "write", arguments: args }] }));
        const message = await stoppedAt(host, "toolcall_delta");
        assert.deepEqual(kinds(message), ["text", "toolCall"]);
        assertUnusable(message);
        await host.closed();
        held.open();
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

async function stoppedAt(host: ContractHost, at: "text_delta" | "toolcall_delta"): Promise<AssistantMessage> {
  const controller = new AbortController();
  let stopped = 0;
  const { message } = await ask(host, {
    options: { signal: controller.signal },
    onEvent: ({ type }) => {
      if (type !== at) return;
      stopped ||= performance.now();
      controller.abort();
    },
  });
  assert.ok(performance.now() - stopped < 500);
  assert.equal(message.stopReason, "aborted");
  return message;
}

function assertUnusable(message: AssistantMessage): void {
  for (const call of callsOf(message)) {
    assert.ok(call.argumentsError);
    assert.deepEqual(call.arguments, {});
  }
}

function callsOf(message: AssistantMessage) {
  return message.content.filter((block) => block.type === "toolCall");
}

function kinds(message: AssistantMessage): string[] {
  return message.content.map(({ type }) => type);
}
