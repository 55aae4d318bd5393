// What servers and networks do to a response of any HTTP API: run for each of them.
import assert from "node:assert/strict";
import type { AssistantMessage, ErrorKind } from "../../../src/ai/types.ts";
import { httpApis } from "../../support/contract-apis.ts";
import type { HttpHost } from "../../support/contract-apis.ts";
import { ask } from "../../support/contract-run.ts";
import { OpenBody, whileTimePasses } from "../../support/passing-time.ts";
import { fetchOf, textOf } from "../../support/provider-models.ts";
import {
  endAfter,
  gate,
  httpError,
  raw,
  reply,
  resetAfter,
  silence,
} from "../../support/provider-replies.ts";
import type { MessageReply, Reply } from "../../support/provider-replies.ts";
import { startProviderServer } from "../../support/provider-server.ts";
import { overloadFrames } from "../../support/server-answers.ts";
import { carelessStyles, legalStyles } from "../../support/sse-styles.ts";

const pieceSize = 32;
const path = "é—語🦊👩‍👩‍👧‍👦";
const mixed = reply({
  thinking: "ß 語 🏳️‍🌈",
  text: `a — b 🦊 ü ${path}`,
  calls: [
    { name: "read", arguments: { path } },
    { name: "list", arguments: "" },
  ],
});

for (const api of httpApis) {
  describe(`provider transport: ${api.name}`, () => {
    let host: HttpHost;
    before(async () => (host = await api.start()));
    after(() => host.close());

    const bodyOf = (content: MessageReply) =>
      host
        .frames(content)
        .filter((frame) => typeof frame === "string")
        .join("");
    const framesOf = (content: Omit<MessageReply, "type">) =>
      host.frames(reply(content)).filter((frame) => typeof frame === "string");
    const fails = async (played: Reply): Promise<AssistantMessage> => {
      host.play(played, reply({ text: "Not asked for" }));
      const before = host.count;
      const { message } = await ask(host);
      assert.equal(host.count, before + 1, "nothing is tried twice here");
      assert.equal(message.stopReason, "error");
      return message;
    };

    describe("a stream", () => {
      it("is the same however its bytes are cut, in the middle of characters too (P01)", async () => {
        const bytes = new TextEncoder().encode(bodyOf({ ...mixed, deltaSize: 60 }));
        for (let first = 1; first <= pieceSize; first += 1) {
          const fetch = fetchOf(piecesOf(bytes, first));
          assertMixed((await ask(host, { fetch })).message, `cut at ${first} and behind it`);
        }
        const single = [...bytes].map((byte) => Uint8Array.of(byte));
        assertMixed((await ask(host, { fetch: fetchOf(single) })).message, "byte by byte");
      });

      for (const [name, style] of Object.entries({ ...legalStyles, ...carelessStyles })) {
        it(`is read with ${name}`, async () => {
          const bytes = new TextEncoder().encode(style(bodyOf(mixed)));
          assertMixed((await ask(host, { fetch: fetchOf([bytes]) })).message, "whole");
          const single = [...bytes].map((byte) => Uint8Array.of(byte));
          assertMixed((await ask(host, { fetch: fetchOf(single) })).message, "byte by byte");
        });
      }

      it("is read when a proxy has compressed it", async () => {
        host.play(raw(framesOf(mixed), { gzip: true }));
        assertMixed((await ask(host)).message, "gzip");
      });

      it("is read when its content type is missing (P46)", async () => {
        host.play(raw(framesOf({ text: "Fine" }), { contentType: "" }));
        assert.equal(textOf((await ask(host)).message), "Fine");
      });

      it("ends with its own end, even if the socket stays open (P03)", async () => {
        host.play(raw(framesOf({ text: "All of it" }), { hold: true }));
        const started = performance.now();
        const { message } = await ask(host);
        assert.deepEqual([message.stopReason, textOf(message)], ["stop", "All of it"]);
        assert.ok(performance.now() - started < 1_800);
        await host.closed();
      });

      it("waits through keep-alives that are longer than the idle limit in sum (P10)", async () => {
        const ping =
          api.name === "anthropic-messages" ? 'event: ping\ndata: {"type":"ping"}\n\n' : ": ping\n\n";
        const body = new OpenBody();
        let pings = 0;
        const { message } = await whileTimePasses(
          () => ask(host, { fetch: body.fetch, options: { idleTimeoutMs: 15 } }),
          () => body.write((pings += 1) < 8 ? ping : framesOf({ text: "Late" }).join("")),
        );
        assert.equal(textOf(message), "Late");
      });

      it("may be one event of five megabytes (P49)", async () => {
        const text = "x".repeat(5_000_000);
        const bytes = new TextEncoder().encode(bodyOf(reply({ text: [text] })));
        const chunks = [];
        for (let at = 0; at < bytes.length; at += 1_024) chunks.push(bytes.subarray(at, at + 1_024));
        assert.equal(textOf((await ask(host, { fetch: fetchOf(chunks) })).message).length, text.length);
      });
    });

    describe("a stream that breaks off", () => {
      it("is broken wherever it ends too early, and its calls are for nobody to run (P04)", async () => {
        const calls = [{ name: "write", arguments: ['{"path":"a.txt","content":"abc'] }];
        const whole = framesOf({ calls });
        const last = whole.findLastIndex((frame) =>
          /"(finish_reason":"tool_calls|type":"(message_stop|response\.completed))"/.test(frame),
        );
        for (let events = 0; events < last; events += 1) {
          const message = await fails(endAfter(events, { calls }));
          assert.equal(message.errorKind, "malformed_stream", `after ${events} events`);
          for (const block of message.content) {
            assert.ok(block.type === "toolCall" && block.argumentsError !== undefined);
            assert.deepEqual(block.arguments, {});
          }
        }
      });

      it("by a reset in the middle is a network error, partial text kept (P09)", async () => {
        const message = await fails(
          resetAfter(5, { text: "This will be cut off in the middle of it", deltaSize: 5 }),
        );
        assert.equal(message.errorKind, "network");
        assert.ok(textOf(message).startsWith("This"));
      });

      it("by a reset before the first byte is a network error", async () => {
        assert.equal((await fails(raw([], { reset: true }))).errorKind, "network");
        assert.equal((await fails(raw([": hello\n\n"], { reset: true }))).errorKind, "network");
      });

      it("within compressed bytes is a failure", async () => {
        const message = await fails(
          raw(framesOf({ text: "Half of it" }).slice(0, 6), { gzip: true, reset: true }),
        );
        assert.ok(message.errorKind === "network" || message.errorKind === "malformed_stream");
      });

      it("by silence is a timeout, before and after the first byte (P10)", async () => {
        host.play(silence());
        const silent = await ask(host, { options: { connectTimeoutMs: 60 } });
        assert.deepEqual([silent.message.errorKind, textOf(silent.message)], ["timeout", ""]);
        const body = new OpenBody();
        const frames = framesOf({ text: "Some text and then nothing more", deltaSize: 4 });
        body.write(frames.slice(0, 6).join(""));
        const options = { connectTimeoutMs: 60_000, idleTimeoutMs: 60 };
        const { message } = await whileTimePasses(() => ask(host, { fetch: body.fetch, options }));
        assert.equal(message.errorKind, "timeout");
        assert.ok(textOf(message).startsWith("Some"));
      });

      it("by an event that is no JSON is malformed, text before it kept", async () => {
        const frames = framesOf({ text: "Fine so far, until here", deltaSize: 6 });
        const name = api.name === "anthropic-messages" ? "event: content_block_delta\n" : "";
        const message = await fails(
          raw([...frames.slice(0, 6), `${name}data: {"type":"oops\n\n`, ...frames.slice(6)]),
        );
        assert.equal(message.errorKind, "malformed_stream");
        assert.ok(textOf(message).startsWith("Fine"));
      });

      it("by an error that is told in it keeps what came, and the error is never text (P06)", async () => {
        const overload = overloadFrames(api.name);
        const first = await fails(raw(overload));
        assert.deepEqual([first.errorKind, first.content], ["overloaded", []]);
        const frames = framesOf({ text: "Hello wor", deltaSize: 9 });
        const at = frames.findIndex((frame) => frame.includes("Hello wor"));
        const message = await fails(raw([...frames.slice(0, at + 1), ...overload]));
        assert.deepEqual([message.errorKind, textOf(message)], ["overloaded", "Hello wor"]);
        assert.match(message.errorMessage ?? "", /overloaded/i);
        const nameless = overload.map((frame) => frame.replace(/^event: .*\n/gm, ""));
        assert.equal((await fails(raw(nameless))).errorKind, "overloaded");
      });
    });

    describe("an answer that is no stream", () => {
      const answers: readonly (readonly [string, Reply, ErrorKind])[] = [
        [
          "JSON that says it failed",
          raw(['{"error":{"message":"bad key"}}'], { contentType: "application/json" }),
          "auth",
        ],
        [
          "a sign-in page",
          raw(["<html><h1>Sign in</h1></html>"], { contentType: "text/html" }),
          "bad_request",
        ],
        ["a page said to be a stream", raw(["<!doctype html>\n<h1>Sign in</h1>\n"]), "bad_request"],
        ["an error page", httpError(502, "<html><body>Bad gateway</body></html>"), "overloaded"],
        ["nothing", raw([]), "malformed_stream"],
        ["nothing without a type", raw([], { contentType: "" }), "bad_request"],
        ["JSON without a type", raw(['{"error":{"message":"bad key"}}'], { contentType: "" }), "auth"],
        ["an empty 402", httpError(402, ""), "quota"],
        ["an empty 413", httpError(413, ""), "context_overflow"],
      ];
      for (const [name, played, kind] of answers) {
        it(`as ${name} is ${kind} (P46)`, async () => {
          const message = await fails(played);
          assert.equal(message.errorKind, kind, message.errorMessage);
          assert.match(message.errorMessage ?? "", /127\.0\.0\.1|HTTP 4\d\d/);
          assert.doesNotMatch(message.errorMessage ?? "", /<\w/);
        });
      }

      it("is what it says when a proxy has compressed it", async () => {
        const page = raw(['{"error":{"message":"bad key"}}'], {
          contentType: "application/json",
          gzip: true,
        });
        assert.equal((await fails(page)).errorKind, "auth");
      });
    });

    describe("a refused request", () => {
      it("tells how long to wait, in milliseconds, seconds or a date", async () => {
        const inAMinute = new Date(Date.now() + 60_000).toUTCString();
        for (const [headers, least, most] of [
          [{ "retry-after-ms": "1500" }, 1_500, 1_500],
          [{ "retry-after": "7" }, 7_000, 7_000],
          [{ "retry-after": "0" }, 0, 0],
          [{ "retry-after": inAMinute }, 50_000, 60_000],
          [{ "retry-after": "soon" }, undefined, undefined],
        ] as const) {
          const error = { type: "rate_limit_error", message: "Slow down" };
          const { errorKind, retryAfterMs } = await fails(httpError(429, { error }, headers));
          assert.equal(errorKind, "rate_limit");
          if (least === undefined) assert.equal(retryAfterMs, undefined);
          else assert.ok(retryAfterMs !== undefined && retryAfterMs >= least && retryAfterMs <= most);
        }
      });

      it("says that the key was refused", async () => {
        const server = await startProviderServer({ apiKey: "another-key" });
        const change = { baseUrl: api.name === "anthropic-messages" ? server.url : server.openAiUrl };
        const { message } = await ask(host, { change });
        await server.close();
        assert.equal(message.errorKind, "auth");
        assert.doesNotMatch(message.errorMessage ?? "", /test-key/);
      });

      it("says that nobody is there", async () => {
        const gone = await startProviderServer();
        await gone.close();
        const change = { baseUrl: api.name === "anthropic-messages" ? gone.url : gone.openAiUrl };
        const { message } = await ask(host, { change });
        assert.equal(message.errorKind, "network");
        assert.match(message.errorMessage ?? "", /ECONNREFUSED/);
      });
    });

    it("lets the connection go when stopped in mid-arguments (P47)", async () => {
      const held = gate();
      host.play(reply({ calls: [{ name: "write", arguments: ['{"a":', held.promise, "1}"] }] }));
      const controller = new AbortController();
      const { message } = await ask(host, {
        options: { signal: controller.signal },
        onEvent: ({ type }) => type === "toolcall_delta" && controller.abort(),
      });
      assert.equal(message.stopReason, "aborted");
      await host.closed();
      held.open();
    });
  });
}

function assertMixed(message: AssistantMessage, how: string): void {
  assert.equal(message.errorMessage, undefined, how);
  const thinking = message.content.map((block) => (block.type === "thinking" ? block.thinking : "")).join("");
  assert.equal(thinking, "ß 語 🏳️‍🌈", how);
  assert.equal(textOf(message), `a — b 🦊 ü ${path}`, how);
  const calls = message.content.filter((block) => block.type === "toolCall");
  assert.deepEqual(
    calls.map((call) => call.arguments),
    [{ path }, {}],
    how,
  );
  assert.ok(calls.every(({ argumentsError }) => argumentsError === undefined));
  assert.equal(message.stopReason, "toolUse", how);
}

/** Cut every 32 bytes from a place on: all first places together cut everywhere. */
function piecesOf(bytes: Uint8Array, first: number): Uint8Array[] {
  const pieces = [bytes.subarray(0, first)];
  for (let at = first; at < bytes.length; at += pieceSize) pieces.push(bytes.subarray(at, at + pieceSize));
  return pieces;
}
