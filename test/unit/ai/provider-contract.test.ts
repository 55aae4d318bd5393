// What every API keeps, whatever it speaks: run for each entry of `contract-apis.ts`. What only some can say is in
// `provider-abilities.test.ts`, what only HTTP can do to a response in `provider-transport.test.ts`, histories of other
// APIs in `provider-handoff.test.ts`.
import assert from "node:assert/strict";
import type { AssistantMessage } from "../../../src/ai/types.ts";
import { contractApis } from "../../support/contract-apis.ts";
import type { ContractHost } from "../../support/contract-apis.ts";
import { ask, callsOf, kindsOf } from "../../support/contract-run.ts";
import { textOf } from "../../support/provider-models.ts";
import { gate, reply, silence } from "../../support/provider-replies.ts";

/** Characters of two, three and four bytes, and emoji that are joined of several. */
const unicode = "é ß — 語 🦊 👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301";

for (const api of contractApis) {
  const { can } = api;

  describe(`provider contract: ${api.name}`, () => {
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
      assert.deepEqual(kindsOf(message), ["text", "toolCall"]);
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
      assert.ok(performance.now() - stopped < 5_000);
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

    if (can.streamsArguments) {
      it("ends at once when stopped in mid-arguments, with a call that nobody can run (P47)", async () => {
        const held = gate();
        const args = ['{"path":"a.txt",', held.promise, '"content":"abc"}'];
        host.play(reply({ text: "So.", calls: [{ name: "write", arguments: args }] }));
        const message = await stoppedAt(host, "toolcall_delta");
        assert.deepEqual(kindsOf(message), ["text", "toolCall"]);
        assertUnusable(message);
        await host.closed();
        held.open();
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
  assert.ok(performance.now() - stopped < 5_000);
  assert.equal(message.stopReason, "aborted");
  return message;
}

function assertUnusable(message: AssistantMessage): void {
  for (const call of callsOf(message)) {
    assert.ok(call.argumentsError);
    assert.deepEqual(call.arguments, {});
  }
}
