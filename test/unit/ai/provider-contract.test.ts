// What every provider keeps, whatever its wire format: run against the loopback provider for each of them.
import assert from "node:assert/strict";
import type { AssistantMessage, Message, Model, StreamEvent } from "../../../src/ai/types.ts";
import { anthropicFrames, openAiFrames } from "../../support/provider-wire.ts";
import { responsesFrames } from "../../support/responses-wire.ts";
import { startProviderServer } from "../../support/provider-server.ts";
import type { ProviderServer } from "../../support/provider-server.ts";
import {
  anthropicModel,
  fetchOf,
  openAiModel,
  responsesModel,
  readTool,
  streamAll,
  system,
  testTime,
  textOf,
  toolResult,
  user,
} from "../../support/provider-models.ts";
import {
  endAfter,
  gate,
  holdAfter,
  httpError,
  raw,
  reply,
  resetAfter,
  silence,
} from "../../support/provider-replies.ts";
import type { ProviderRequest } from "../../support/provider-replies.ts";

interface Wire {
  readonly name: string;
  readonly model: (server: ProviderServer, change?: Partial<Model>) => Model;
  readonly frames: typeof anthropicFrames;
}

const wires: readonly Wire[] = [
  { name: "anthropic-messages", model: anthropicModel, frames: anthropicFrames },
  { name: "openai-chat", model: openAiModel, frames: openAiFrames },
  { name: "openai-responses", model: responsesModel, frames: responsesFrames },
];

const hello: readonly Message[] = [system("Be brief.", [readTool]), user("Hello")];

for (const wire of wires) {
  describe(`provider contract: ${wire.name}`, function () {
    this.timeout(10_000);
    let server: ProviderServer;
    before(async () => (server = await startProviderServer()));
    after(() => server.close());
    afterEach(() => server.replies.splice(0));

    const run = (messages: readonly Message[] = hello, change?: Partial<Model>) =>
      streamAll({ model: wire.model(server, change), messages });

    it("streams text as deltas and ends with the whole message", async () => {
      server.enqueue(reply({ text: "The quick brown fox jumps over the lazy dog." }));
      const { events, message } = await run();
      assert.equal(textOf(message), "The quick brown fox jumps over the lazy dog.");
      assert.equal(message.stopReason, "stop");
      const types = events.map(({ type }) => type);
      assert.deepEqual(types.slice(0, 3), ["start", "text_start", "text_delta"]);
      assert.deepEqual(types.slice(-2), ["text_end", "done"]);
      assert.equal(deltas(events), "The quick brown fox jumps over the lazy dog.");
    });

    it("keeps thinking in its own block, before the text", async () => {
      server.enqueue(reply({ thinking: "Let me see.", text: "Done." }));
      const { message } = await run();
      assert.deepEqual(
        message.content.map((block) => block.type),
        ["thinking", "text"],
      );
      assert.equal(message.content[0]?.type === "thinking" && message.content[0].thinking, "Let me see.");
    });

    it("gives tool calls with exact arguments and their ids", async () => {
      const args = { path: 'a "quoted" ünïcode 🦊.txt', n: 1e21 };
      server.enqueue(
        reply({
          text: "Reading.",
          calls: [
            { name: "read", arguments: args },
            { name: "read", arguments: {} },
          ],
        }),
      );
      const { events, message } = await run();
      assert.equal(message.stopReason, "toolUse");
      const calls = message.content.filter((block) => block.type === "toolCall");
      assert.deepEqual(
        calls.map((call) => call.arguments),
        [args, {}],
      );
      assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
      const ends = events.filter((event) => event.type === "toolcall_end");
      assert.deepEqual(
        ends.map((event) => event.toolCall),
        calls,
      );
    });

    it("reports usage that adds up to the context (P22)", async () => {
      server.enqueue(reply({ text: "Hi", usage: { input: 200, cacheRead: 800, output: 50 } }));
      const { message } = await run(hello, { price: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 } });
      assert.deepEqual(
        { ...message.usage, cost: undefined },
        { input: 200, output: 50, cacheRead: 800, cacheWrite: 0, totalTokens: 1050, cost: undefined },
      );
      assert.ok(Math.abs(message.usage.cost.total - (200 + 100 + 80) / 1e6) < 1e-12);
    });

    it("never makes NaN of usage that is missing (P21)", async () => {
      server.enqueue(reply({ text: "Hi", usage: null }));
      const { message } = await run();
      assert.equal(message.usage.totalTokens, 0);
      assert.equal(message.usage.cost.total, 0);
    });

    it("ends at once when stopped in the middle, with the partial text kept (P47)", async () => {
      const held = gate();
      server.enqueue(reply({ text: ["Half of ", held.promise, "nothing"] }));
      const controller = new AbortController();
      let stoppedAt = 0;
      const { message } = await streamAll({
        model: wire.model(server),
        messages: hello,
        options: { signal: controller.signal },
        onEvent: (event) => {
          if (event.type !== "text_delta") return;
          stoppedAt = performance.now();
          controller.abort();
        },
      });
      assert.ok(performance.now() - stoppedAt < 500);
      assert.equal(message.stopReason, "aborted");
      assert.equal(textOf(message), "Half of ");
      await server.requests.at(-1)?.closed;
      held.open();
    });

    it("ends at once when stopped while the server is silent, and lets the socket go (P47)", async () => {
      server.enqueue(silence());
      const controller = new AbortController();
      const started = server.requests.length;
      const result = streamAll({
        model: wire.model(server),
        messages: hello,
        options: { signal: controller.signal },
      });
      const request = await server.request(started + 1);
      const stoppedAt = performance.now();
      controller.abort();
      assert.equal((await result).message.stopReason, "aborted");
      assert.ok(performance.now() - stoppedAt < 500);
      await request.closed;
    });

    it("sends nothing when it is stopped before it began", async () => {
      const before = server.requests.length;
      const { message } = await streamAll({
        model: wire.model(server),
        messages: hello,
        options: { signal: AbortSignal.abort() },
      });
      assert.equal(message.stopReason, "aborted");
      assert.equal(server.requests.length, before);
    });

    it("turns an error status into one error message with kind, host and wait", async () => {
      server.enqueue(
        httpError(
          429,
          { error: { type: "rate_limit_error", message: "Slow down, test-key" } },
          { "retry-after": "7" },
        ),
      );
      const { events, message } = await run();
      assert.equal(events.length, 1);
      assert.equal(message.errorKind, "rate_limit");
      assert.equal(message.retryAfterMs, 7_000);
      assert.match(message.errorMessage ?? "", /127\.0\.0\.1.*Slow down/);
      assert.doesNotMatch(message.errorMessage ?? "", /test-key/, "A26");
      assert.equal(server.replies.length, 0, "it was tried once");
    });

    it("reports a reset in the middle as a network error, partial text kept (P09)", async () => {
      server.enqueue(resetAfter(5, { text: "This will be cut off in the middle of it", deltaSize: 5 }));
      const { message } = await run();
      assert.equal(message.stopReason, "error");
      assert.equal(message.errorKind, "network");
      assert.ok(textOf(message).startsWith("This"));
    });

    it("reports a server that cannot be reached", async () => {
      const gone = await startProviderServer();
      await gone.close();
      const { message } = await streamAll({ model: wire.model(gone), messages: hello });
      assert.equal(message.errorKind, "network");
      assert.match(message.errorMessage ?? "", /ECONNREFUSED/);
    });

    it("takes a stream without its end for broken, and its calls for unusable (P04)", async () => {
      const calls = [{ name: "write", arguments: ['{"path":"a.txt","content":"abc'] }];
      const whole = wire.frames(reply({ calls }), request()).length;
      for (let events = 1; events < whole - 2; events += 1) {
        server.enqueue(endAfter(events, { calls }));
        const { message } = await run();
        assert.equal(message.stopReason, "error", `after ${events} events`);
        assert.equal(message.errorKind, "malformed_stream", `after ${events} events`);
        for (const block of message.content) {
          assert.ok(block.type === "toolCall" && block.argumentsError !== undefined);
          assert.deepEqual(block.arguments, {});
        }
      }
    });

    it("marks calls that were cut at the output limit (P12)", async () => {
      server.enqueue(reply({ calls: [{ name: "write", arguments: ['{"path":"a'] }], outcome: "length" }));
      const { message } = await run();
      assert.equal(message.stopReason, "length");
      assert.ok(message.content[0]?.type === "toolCall" && message.content[0].argumentsError);
    });

    it("takes an answer without content for an error worth a retry (P11)", async () => {
      server.enqueue(reply({}));
      const { message } = await run();
      assert.equal(message.errorKind, "malformed_stream");
      assert.deepEqual(message.content, []);
    });

    it("times out when the server falls silent, before and after the first byte (P10)", async () => {
      server.enqueue(silence(), holdAfter(6, { text: "Some text and then nothing more", deltaSize: 4 }));
      for (const expected of ["", "Some"]) {
        const options = { connectTimeoutMs: 60, idleTimeoutMs: 60 };
        const { message } = await streamAll({ model: wire.model(server), messages: hello, options });
        assert.equal(message.errorKind, "timeout");
        assert.ok(textOf(message).startsWith(expected));
      }
    });

    it("waits through pings that are longer than the idle limit in sum (P10)", async () => {
      const ping =
        wire.name !== "anthropic-messages" ? ": ping\n\n" : 'event: ping\ndata: {"type":"ping"}\n\n';
      const pings = Array.from({ length: 8 }, () => [ping, pause(25)]).flat();
      server.enqueue((request) => raw([...pings, ...wire.frames(reply({ text: "Late" }), request)]));
      const options = { idleTimeoutMs: 150 };
      const { message } = await streamAll({ model: wire.model(server), messages: hello, options });
      assert.equal(textOf(message), "Late");
    });

    it("ends with the stream's own end, even if the socket stays open (P03)", async () => {
      server.enqueue((request) => raw(wire.frames(reply({ text: "All of it" }), request), { hold: true }));
      const { message } = await run();
      assert.equal(message.stopReason, "stop");
      await server.requests.at(-1)?.closed;
    });

    it("reads the same text and arguments however the bytes are cut (P01)", async () => {
      const content = { text: "a — b 🦊 ü", calls: [{ name: "read", arguments: { path: "é—🦊" } }] };
      const bytes = new TextEncoder().encode(bodyOf(wire.frames(reply(content), request())));
      const model = wire.model(server);
      for (let at = 1; at < bytes.length; at += 1) {
        const fetch = fetchOf([bytes.subarray(0, at), bytes.subarray(at)]);
        const { message } = await streamAll({ model, messages: hello, deps: { fetch } });
        assert.equal(textOf(message), content.text, `cut at ${at}`);
        const call = message.content.find((block) => block.type === "toolCall");
        assert.deepEqual(call?.arguments, { path: "é—🦊" }, `cut at ${at}`);
      }
      const single = [...bytes].map((byte) => Uint8Array.of(byte));
      const { message } = await streamAll({ model, messages: hello, deps: { fetch: fetchOf(single) } });
      assert.equal(textOf(message), content.text);
    }).timeout(20_000);

    it("explains an answer that is no stream (P46)", async () => {
      const cases = [
        [raw(['{"error":{"message":"bad key"}}'], { contentType: "application/json" }), "auth"],
        [raw(["<html><h1>Sign in</h1></html>"], { contentType: "text/html" }), "bad_request"],
        [httpError(502, "<html><body>Bad gateway</body></html>"), "overloaded"],
        [raw([]), "malformed_stream"],
        [raw([], { contentType: "" }), "bad_request"],
        [raw(['{"error":{"message":"bad key"}}'], { contentType: "" }), "auth"],
      ] as const;
      for (const [scripted, kind] of cases) {
        server.enqueue(scripted);
        const { message } = await run();
        assert.equal(message.errorKind, kind, message.errorMessage);
        assert.match(message.errorMessage ?? "", /127\.0\.0\.1/);
        assert.doesNotMatch(message.errorMessage ?? "", /<\w/);
      }
    });

    it("reads a stream whose content type is missing (P46)", async () => {
      server.enqueue((request) => raw(wire.frames(reply({ text: "Fine" }), request), { contentType: "" }));
      assert.equal(textOf((await run()).message), "Fine");
    });

    it("continues a conversation that another provider began (P30)", async () => {
      server.enqueue(reply({ text: "Continued." }));
      const { message } = await run([
        ...hello,
        foreign(`call_abc|fc_${"x".repeat(100)}`, "call.with:odd characters"),
        toolResult(`call_abc|fc_${"x".repeat(100)}`, "first"),
        toolResult("call.with:odd characters", ""),
        user("Go on"),
      ]);
      assert.equal(message.errorMessage, undefined);
      assert.equal(textOf(message), "Continued.");
      assert.doesNotMatch(server.requests.at(-1)?.rawBody ?? "", /secret thoughts/);
    });

    it("makes a repeated tool call id unique in the conversation (P29)", async () => {
      const call = { id: "toolu_1", name: "read", arguments: {} };
      server.enqueue(reply({ calls: [call, call] }), reply({ calls: [call] }));
      const first = (await run()).message;
      const ids = first.content.map((block) => (block.type === "toolCall" ? block.id : ""));
      const messages = [...hello, first, ...ids.map((id) => toolResult(id, "ok"))];
      const second = (await run(messages)).message;
      const all = [...ids, ...second.content.map((block) => (block.type === "toolCall" ? block.id : ""))];
      assert.equal(new Set(all).size, 3);
    });

    it("stays linear with two megabytes of arguments in small deltas (P49)", async () => {
      const pieces = Array.from({ length: 100_000 }, () => "xxxxxxxxxxxxxxxxxxxx");
      const args = ['{"content":"', ...pieces, '"}'];
      const body = bodyOf(wire.frames(reply({ calls: [{ name: "write", arguments: args }] }), request()));
      const bytes = new TextEncoder().encode(body);
      const chunks = [];
      for (let at = 0; at < bytes.length; at += 65_536) chunks.push(bytes.subarray(at, at + 65_536));
      const { message } = await streamAll({
        model: wire.model(server),
        messages: hello,
        deps: { fetch: fetchOf(chunks) },
      });
      const call = message.content[0];
      assert.ok(call?.type === "toolCall");
      assert.equal(JSON.stringify(call.arguments).length, 2_000_000 + '{"content":""}'.length);
    }).timeout(20_000);
  });
}

function deltas(events: readonly StreamEvent[]): string {
  return events.map((event) => (event.type === "text_delta" ? event.delta : "")).join("");
}

function bodyOf(frames: ReturnType<typeof anthropicFrames>): string {
  return frames.filter((frame) => typeof frame === "string").join("");
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function request(): ProviderRequest {
  return {
    api: "anthropic-messages",
    number: 1,
    path: "/v1/messages",
    headers: {},
    body: { model: "m" },
    rawBody: "{}",
    refused: undefined,
    closed: Promise.resolve(),
  };
}

function foreign(...ids: string[]): AssistantMessage {
  return {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "secret thoughts", thinkingSignature: "sigA" },
      { type: "text", text: "  " },
      ...ids.map((id) => ({ type: "toolCall" as const, id, name: "read", arguments: { path: "\ud83d" } })),
    ],
    api: "openai-chat",
    provider: "elsewhere",
    model: "other",
    usage: {
      ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "toolUse",
    timestamp: testTime,
  };
}
