// Kinds and texts of failures, the overflow table, and when to try again.
import assert from "node:assert/strict";
import { describeFailure, HttpFailure, retryAfter } from "../../../src/ai/errors.ts";
import { isOverflow, isOverflowText } from "../../../src/ai/overflow.ts";
import { isRetryable, maxRetries, retryDelay } from "../../../src/ai/retry.ts";
import type { AssistantMessage, ErrorKind } from "../../../src/ai/types.ts";

const target = { provider: "acme", host: "api.acme.test", secrets: ["hunter2-secret", "abc"] };
const now = Date.parse("2026-11-30T12:00:00Z");

const http = (status: number, body: unknown, headers = {}) =>
  describeFailure(
    new HttpFailure(status, typeof body === "string" ? body : JSON.stringify(body), new Headers(headers)),
    target,
    now,
  );

describe("failures of a request", () => {
  const error = (message: string, more = {}) => ({ error: { message, ...more } });
  const table: readonly (readonly [ErrorKind, number, unknown])[] = [
    ["auth", 401, error("Incorrect API key provided")],
    ["auth", 403, ""],
    ["auth", 400, error("API key not valid", { code: "invalid_api_key" })],
    ["quota", 402, ""],
    ["quota", 429, error("You exceeded your current quota", { code: "insufficient_quota" })],
    ["quota", 400, error("Your credit balance is too low to access the API")],
    ["rate_limit", 429, ""],
    ["rate_limit", 429, error("Rate limit: too many tokens per minute, token limit exceeded")],
    ["rate_limit", 429, error("Quota exceeded for metric requests per minute")],
    ["rate_limit", 413, error("Request too large on tokens per minute (TPM)")],
    ["context_overflow", 400, error("prompt is too long: 213462 tokens > 200000 maximum")],
    ["context_overflow", 413, ""],
    ["context_overflow", 400, ""],
    ["bad_request", 400, error("max_tokens is too large: 500000")],
    ["bad_request", 400, error("Unknown parameter: 'store'")],
    ["bad_request", 404, error("model not found")],
    ["bad_request", 422, { detail: [{ msg: "Field required" }] }],
    ["overloaded", 529, error("Overloaded", { type: "overloaded_error" })],
    ["overloaded", 500, "Internal error"],
    ["overloaded", 502, "<html><body>nginx</body></html>"],
    ["overloaded", 503, ""],
    ["timeout", 408, ""],
    ["content_filter", 400, error("The response was filtered due to the content management policy")],
  ];
  for (const [kind, status, body] of table) {
    it(`${status} ${JSON.stringify(body).slice(0, 60)} is ${kind}`, () => {
      const failure = http(status, body);
      assert.equal(failure.kind, kind, failure.message);
      assert.match(failure.message, /\.$/);
    });
  }

  it("names host, status and next step, and shows no markup (P46)", () => {
    const failure = http(502, "<html><h1>Bad gateway</h1></html>");
    assert.match(failure.message, /api\.acme\.test.*502/);
    assert.doesNotMatch(failure.message, /<|Bad gateway/);
    assert.match(http(401, "").message, /Set a valid key for acme/);
  });

  it("hides keys, bearer tokens and passwords, whoever wrote them (A26)", () => {
    const said = "hunter2-secret Bearer eyJhbGciOi sk-live_1234567890 https://user:pw@proxy.test/ failed";
    for (const failure of [
      http(400, said),
      describeFailure(new Error(said, { cause: new Error(said) }), target, now),
    ]) {
      assert.doesNotMatch(failure.message, /hunter2|eyJ|1234567890|user:pw/);
      assert.match(failure.message, /proxy\.test/);
    }
  });

  it("bounds what a body says", () => {
    assert.ok(http(400, "x".repeat(10_000)).message.length < 700);
  });

  it("tells a broken connection by its deepest cause", () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:9"), { code: "ECONNREFUSED" });
    const refused = describeFailure(new TypeError("fetch failed", { cause }), target, now);
    assert.equal(refused.kind, "network");
    assert.match(refused.message, /fetch failed: connect ECONNREFUSED/);
    for (const text of [
      "terminated",
      "socket hang up",
      "self-signed certificate",
      "getaddrinfo ENOTFOUND x",
    ]) {
      assert.equal(describeFailure(new Error(text), target, now).kind, "network", text);
    }
    assert.equal(describeFailure("what?", target, now).kind, "unknown");
    assert.equal(describeFailure(undefined, target, now).kind, "unknown");
  });

  it("understands every form of Retry-After, and ignores the rest", () => {
    const wait = (headers: Record<string, string>) => retryAfter(new Headers(headers), now);
    assert.equal(wait({ "retry-after": "7" }), 7_000);
    assert.equal(wait({ "retry-after": "0.5" }), 500);
    assert.equal(wait({ "retry-after-ms": "250", "retry-after": "7" }), 250);
    assert.equal(wait({ "retry-after": "Mon, 30 Nov 2026 12:00:30 GMT" }), 30_000);
    assert.equal(wait({ "retry-after": "soon" }), undefined);
    assert.equal(wait({ "retry-after": "-1" }), undefined);
    assert.equal(wait({}), undefined);
  });
});

describe("overflow", () => {
  it("is recognised in the words of each provider (P40)", () => {
    for (const text of [
      "prompt is too long: 213462 tokens > 200000 maximum",
      "Your input exceeds the context window of this model",
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)",
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
      "Please reduce the length of the messages or completion",
      "This model's maximum context length is 8192 tokens. However, you requested 9000",
      "the request exceeds the available context size. try increasing the context size",
      "tokens to keep from the initial prompt is greater than the context length",
      "model_context_window_exceeded",
      "request_too_large: Request exceeds the maximum size",
      "Input is too long for requested model.",
      "context_length_exceeded",
    ]) {
      assert.ok(isOverflowText(text), text);
    }
  });

  it("is not what is said about rates or about the requested output (P07, P40)", () => {
    for (const text of [
      "Rate limit: too many tokens per minute, token limit exceeded",
      "429 Too many requests, please reduce the length of the messages",
      "max_tokens is too large: 100000. This model supports at most 8192 completion tokens",
      "ThrottlingException: Too many tokens, please wait before trying again.",
      "hello",
    ]) {
      assert.ok(!isOverflowText(text), text);
    }
  });

  it("is seen in the numbers when nobody says it (P41)", () => {
    const message = (
      stopReason: AssistantMessage["stopReason"],
      input: number,
      output: number,
    ): AssistantMessage => ({
      ...{ role: "assistant", content: [], api: "openai-chat", provider: "p", model: "m", timestamp: 0 },
      usage: {
        ...{ input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output },
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
      stopReason,
    });
    assert.ok(isOverflow(message("stop", 1_001, 5), 1_000));
    assert.ok(isOverflow(message("length", 995, 0), 1_000));
    assert.ok(!isOverflow(message("length", 500, 0), 1_000));
    assert.ok(!isOverflow(message("stop", 900, 50), 1_000));
    assert.ok(isOverflow({ ...message("error", 0, 0), errorKind: "context_overflow" }, 1_000));
  });
});

describe("retry", () => {
  it("waits about 2, 4 and 8 seconds, and then no more", () => {
    const waits = (random: number) =>
      [1, 2, 3, 4].map((attempt) => retryDelay("overloaded", attempt, { random: () => random }));
    assert.deepEqual(waits(0.5), [2_000, 4_000, 8_000, undefined]);
    assert.deepEqual(waits(0), [1_500, 3_000, 6_000, undefined]);
    assert.deepEqual(waits(1), [2_500, 5_000, 10_000, undefined]);
    assert.equal(maxRetries, 3);
  });

  it("says until when, where the provider asks for a wait that nobody sits through", () => {
    const now = Date.UTC(2026, 10, 30, 13, 45);
    const said = (seconds: string) => {
      const failure = new HttpFailure(429, "{}", new Headers({ "retry-after": seconds }));
      return describeFailure(failure, { provider: "Test", host: "test", secrets: [] }, now).message;
    };
    assert.match(said("1200"), /It asks to wait for 20 minutes, until 2026-11-30 14:05 UTC\.$/);
    assert.match(said("36000"), /for 10 hours, until 2026-11-30 23:45 UTC\.$/);
    assert.doesNotMatch(said("30"), /until/);
    assert.match(said("1e300"), /very long/);
  });

  it("waits as long as the provider asks, unless that is too long", () => {
    assert.equal(retryDelay("rate_limit", 1, { retryAfterMs: 7_000 }), 7_000);
    assert.equal(retryDelay("rate_limit", 1, { retryAfterMs: 0 }), 0);
    assert.equal(retryDelay("rate_limit", 1, { retryAfterMs: 3_600_000 }), undefined);
  });

  it("is only for what may pass by itself", () => {
    const kinds: ErrorKind[] = ["rate_limit", "overloaded", "network", "timeout", "malformed_stream"];
    assert.ok(kinds.every(isRetryable));
    const final: ErrorKind[] = [
      "auth",
      "quota",
      "context_overflow",
      "bad_request",
      "content_filter",
      "unknown",
    ];
    assert.ok(!final.some(isRetryable));
    assert.equal(retryDelay("quota", 1, { retryAfterMs: 1_000 }), undefined);
    assert.equal(retryDelay(undefined, 1), undefined);
  });
});
