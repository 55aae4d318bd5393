// In which words providers say that a request failed, and what kind of failure that is: what costs money or patience is
// never taken for a conversation that is too long, and what will fail again is never tried again (P07, P08, P40).
import assert from "node:assert/strict";
import { describeFailure, HttpFailure } from "../../../src/ai/errors.ts";
import { isTruncated } from "../../../src/ai/overflow.ts";
import { isRetryable } from "../../../src/ai/retry.ts";
import type { AssistantMessage, ErrorKind } from "../../../src/ai/types.ts";
import { waitInWords } from "../../../src/ai/wait-in-words.ts";

const target = { provider: "acme", host: "api.acme.test", secrets: [] };
const now = Date.parse("2026-11-30T12:00:00Z");

function failed(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return describeFailure(new HttpFailure(status, text, new Headers(headers)), target, now);
}

type Said = readonly [status: number, message: string, code?: string];

const overflows: readonly Said[] = [
  // Anthropic
  [400, "prompt is too long: 213462 tokens > 200000 maximum", "invalid_request_error"],
  [
    400,
    "input length and `max_tokens` exceed context limit: 195000 + 8192 > 200000, decrease input length or `max_tokens` and try again",
  ],
  [413, "Request exceeds the maximum size", "request_too_large"],
  // OpenAI, Azure
  [
    400,
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "context_length_exceeded",
  ],
  [
    400,
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
  ],
  // Google
  [
    400,
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "INVALID_ARGUMENT",
  ],
  // DeepSeek, xAI, Mistral, Groq, OpenRouter
  [400, "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens"],
  [400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  [
    400,
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  ],
  [400, "Please reduce the length of the messages or completion.", "context_length_exceeded"],
  [
    400,
    "This endpoint's maximum context length is 128000 tokens. However, you requested about 200000 tokens",
  ],
  // GitHub
  [413, "Request body too large for gpt-4o model. Max size: 8000 tokens.", "tokens_limit_reached"],
  [400, "prompt token count of 130000 exceeds the limit of 128000", "model_max_prompt_tokens_exceeded"],
  // Local servers
  [
    400,
    "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
    "exceed_context_size_error",
  ],
  [
    400,
    "the request exceeds the available context size. try increasing the context size or enable context shift",
  ],
  [400, "The number of tokens to keep from the initial prompt is greater than the context length."],
  [
    400,
    "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
  ],
  [400, "prompt too long; exceeded max context length by 100 tokens"],
  [400, "The decoder prompt (length 5000) is longer than the maximum model length of 4096."],
  [400, "The input (5000 tokens) is longer than the model's context length (4096 tokens)."],
  [500, "Context size has been exceeded."],
  // Others
  [400, "Input is too long for requested model."],
  [400, "too many tokens: total number of tokens in the prompt cannot exceed 4081"],
  [400, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097"],
  [400, "invalid params, context window exceeds limit"],
  [400, "Invalid request: Your request exceeded model token limit: 8192"],
  [400, "Prompt exceeds max length", "1261"],
  [400, "Range of input length should be [1, 30720]"],
];

const others: readonly (readonly [ErrorKind, ...Said])[] = [
  // Not the conversation's length
  ["rate_limit", 429, "Rate limit: too many tokens per minute, token limit exceeded"],
  [
    "rate_limit",
    429,
    "This request would exceed your organization's rate limit of 30,000 input tokens per minute",
    "rate_limit_error",
  ],
  [
    "rate_limit",
    413,
    "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size",
  ],
  ["rate_limit", 429, "Too many tokens, please wait before trying again.", "ThrottlingException"],
  [
    "rate_limit",
    429,
    "Requests to the model have exceeded token rate limit of your current pricing tier. Please retry after 5 seconds",
  ],
  [
    "rate_limit",
    429,
    "Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 3600 seconds before retrying.",
    "RateLimitReached",
  ],
  [
    "rate_limit",
    429,
    "Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day",
  ],
  [
    "rate_limit",
    429,
    "You exceeded your current quota, please check your plan and billing details.\n* Quota exceeded for metric: free_tier_requests, limit: 10\nPlease retry in 37.5s.",
    "RESOURCE_EXHAUSTED",
  ],
  [
    "rate_limit",
    429,
    "Quota exceeded for generate_content_requests_per_minute_per_project",
    "RESOURCE_EXHAUSTED",
  ],
  ["rate_limit", 429, "Resource has been exhausted (e.g. check quota).", "RESOURCE_EXHAUSTED"],
  ["bad_request", 400, "max_tokens is too large: 500000. This model supports at most 8192 completion tokens"],
  ["bad_request", 400, "max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens"],
  [
    "bad_request",
    400,
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ],
  ["bad_request", 400, "messages.2: `tool_use` ids were found without `tool_result` blocks"],
  ["bad_request", 404, "The model `x` does not exist or you do not have access to it.", "model_not_found"],
  ["bad_request", 404, "No endpoints found that support tool use"],
  ["bad_request", 403, "Country, region, or territory not supported", "unsupported_country_region_territory"],
  // Money
  [
    "quota",
    429,
    "You exceeded your current quota, please check your plan and billing details.",
    "insufficient_quota",
  ],
  ["quota", 429, "You have exceeded your current quota", "exceeded_current_quota_error"],
  ["quota", 429, "Billing hard limit has been reached", "billing_hard_limit_reached"],
  [
    "quota",
    429,
    "Your account is not active, please check your billing details on our website.",
    "billing_not_active",
  ],
  ["quota", 400, "Your credit balance is too low to access the Anthropic API.", "invalid_request_error"],
  [
    "quota",
    400,
    "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
  ],
  ["quota", 429, "Extra usage is required for long context requests."],
  ["quota", 402, "Insufficient Balance"],
  ["quota", 400, "Insufficient Balance"],
  [
    "quota",
    403,
    "Your team has either used all available credits or reached its monthly spending limit. To continue, please purchase more credits or raise your spending limit.",
  ],
  [
    "quota",
    402,
    "This request requires more credits, or fewer max_tokens. You requested up to 8192 tokens, but can only afford 1234.",
  ],
  ["quota", 403, "Key limit exceeded (total limit)."],
  ["quota", 429, "Usage limit reached for 5 hour. Your limit will reset at 14:00", "1308"],
  ["quota", 400, "Access denied, please make sure your account is in good standing.", "Arrearage"],
  // The key
  ["auth", 401, "invalid x-api-key", "authentication_error"],
  ["auth", 400, "API key not valid. Please pass a valid API key.", "INVALID_ARGUMENT"],
  ["auth", 400, "Incorrect API key provided: xa***. You can obtain an API key from https://console.x.ai."],
  ["auth", 401, "Access denied due to invalid subscription key or wrong API endpoint.", "401"],
  ["auth", 403, "Your API key does not have permission to use the specified resource.", "permission_error"],
  // Rules
  [
    "content_filter",
    400,
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    "content_filter",
  ],
  ["content_filter", 403, 'Your chosen model requires moderation and your input was flagged for "violence"'],
  ["content_filter", 400, "Input data may contain inappropriate content.", "data_inspection_failed"],
  // What passes
  ["overloaded", 529, "Overloaded", "overloaded_error"],
  ["overloaded", 503, "The model is overloaded. Please try again later.", "UNAVAILABLE"],
  ["overloaded", 498, "Flex tier capacity exceeded", "capacity_exceeded"],
  ["overloaded", 502, "Provider returned error"],
  ["overloaded", 503, "Loading model", "unavailable_error"],
  [
    "overloaded",
    500,
    "The server had an error while processing your request. Sorry about that!",
    "server_error",
  ],
  ["overloaded", 200, "Overloaded", "overloaded_error"],
  ["timeout", 504, ""],
  ["timeout", 408, "Request timed out"],
];

describe("the words of providers", () => {
  for (const [status, message, code] of overflows) {
    it(`an overflow is: ${status} ${message.slice(0, 90)} (P40)`, () => {
      const failure = failed(status, { error: { message, ...(code && { code }) } });
      assert.equal(failure.kind, "context_overflow");
      assert.match(failure.message, /Compact it/);
    });
  }

  for (const [kind, status, message, code] of others) {
    it(`${kind} is: ${status} ${message.slice(0, 90).replace(/\s+/g, " ")} (P07)`, () => {
      const failure = failed(status, { error: { message, ...(code && { code }) } });
      assert.equal(failure.kind, kind);
      assert.equal(isRetryable(failure.kind), ["rate_limit", "overloaded", "timeout"].includes(kind));
    });
  }

  it("are found wherever a body has them (P46)", () => {
    const message = "prompt is too long: 9 tokens > 8 maximum";
    for (const body of [
      message,
      { message },
      { error: message },
      { error: { message } },
      [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }],
      { detail: message },
      { detail: [{ msg: message }] },
      { errors: [{ message }] },
      { type: "error", error: { type: "invalid_request_error", message } },
      { error: { message: "Provider returned error", code: 400, metadata: { raw: message } } },
      { error: { message: { text: message } } },
    ]) {
      assert.equal(failed(400, body).kind, "context_overflow", JSON.stringify(body));
    }
  });

  it("count with the status in the body, where a proxy answers with a success (P46)", () => {
    for (const [code, kind] of [
      [401, "auth"],
      ["429", "rate_limit"],
      [503, "overloaded"],
      [404, "bad_request"],
    ] as const) {
      assert.equal(failed(200, { error: { code, message: "No" } }).kind, kind);
    }
  });
});

describe("a wait that is asked for in words", () => {
  it("is understood in every form", () => {
    for (const [text, ms] of [
      ["Please retry in 37.5s.", 37_500],
      ["Please try again in 6ms. Visit …", 6],
      ["Please try again in 20s", 20_000],
      ["Please try again in 7m12.5s", 432_500],
      ["Please try again in 1h2m3s.", 3_723_000],
      ["Please wait 3600 seconds before retrying.", 3_600_000],
      ["Please retry after 5 seconds", 5_000],
      ["Try again in 2 minutes.", 120_000],
      ["retry in 1 minute 30 seconds", 90_000],
      ["Please try again in a moment", undefined],
      ["wait 1.2.3s", undefined],
      ["", undefined],
    ] as const) {
      assert.equal(waitInWords(text), ms, text);
    }
  });

  it("counts where no header says it, and only for rates", () => {
    const body = { error: { message: "Rate limit reached. Please try again in 20s" } };
    assert.equal(failed(429, body).retryAfterMs, 20_000);
    assert.equal(failed(429, body, { "retry-after": "7" }).retryAfterMs, 7_000);
    const day = { error: { message: "Rate limit reached. Please wait 86400 seconds before retrying." } };
    assert.match(failed(429, day).message, /It asks to wait for 24 hours, until 2026-12-01 12:00 UTC\.$/);
    assert.equal(failed(400, { error: { message: "Bad. Wait 5 s" } }).retryAfterMs, undefined);
    const streamed = Object.assign(new Error("x"), { error: body });
    assert.equal(describeFailure(streamed, target, now).retryAfterMs, 20_000);
  });
});

describe("a conversation that was cut without a word", () => {
  it("is seen by the count of the server, where the estimate is good enough (P41)", () => {
    const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
    const answer = (input: number, cacheRead = 0): AssistantMessage => ({
      ...{ role: "assistant", content: [], api: "openai-chat", provider: "p", model: "m", timestamp: 0 },
      usage: { input, cacheRead, output: 5, cacheWrite: 0, totalTokens: input + cacheRead + 5, cost: none },
      stopReason: "stop",
    });
    assert.ok(isTruncated(answer(4_096), 30_000));
    assert.ok(!isTruncated(answer(4_096, 24_000), 30_000));
    assert.ok(!isTruncated(answer(25_000), 30_000));
    assert.ok(!isTruncated(answer(0), 30_000), "nothing was counted");
    assert.ok(!isTruncated(answer(900), 2_500));
    assert.ok(!isTruncated({ ...answer(4_096), stopReason: "error" }, 30_000));
  });
});
