// What compatible servers are known to do to a Chat Completions stream, one kind of oddity a test. Calls are in `cases-chat-calls.test.ts`.
import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../../src/shared/json.ts";
import { textOf } from "../../support/provider-models.ts";
import { readChunks, thinkingOf } from "../../support/read-events.ts";

const delta = (fields: JsonObject | null, finish: Json = null): JsonObject => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
const call = (fields: JsonObject): JsonObject => delta({ tool_calls: [fields] });
const fn = (name: Json, args: Json): JsonObject => ({ function: { name, arguments: args } });
const a = { path: "a" };
const json = JSON.stringify;

describe("chat completions: text and thinking of odd servers", () => {
  it("are found wherever they are put", async () => {
    const texts: readonly Json[] = [
      "Hi",
      ["Hi"],
      [{ type: "text", text: "Hi" }],
      { text: "Hi" },
      [null, { text: [{ text: "Hi" }] }],
    ];
    for (const content of texts)
      assert.equal(textOf(await readChunks([delta({ content }, "stop")])), "Hi", json(content));
    const thoughts: readonly JsonObject[] = [
      { reasoning_content: "Hm" },
      { reasoning: "Hm" },
      { reasoning_text: "Hm" },
      { reasoning: { content: "Hm" } },
      { reasoning: null, reasoning_content: "Hm" },
      { reasoning: "Hm", reasoning_content: "Hm" },
      { reasoning_details: [{ type: "reasoning.summary", summary: "Hm" }] },
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }] }] },
      { content: [{ type: "thinking", thinking: "Hm" }] },
    ];
    for (const fields of thoughts) {
      const message = await readChunks([delta(fields), delta({ content: "Hi" }, "stop")]);
      assert.deepEqual([thinkingOf(message), textOf(message)], ["Hm", "Hi"], json(fields));
    }
  });

  it("may come after the finish reason", async () => {
    const message = await readChunks([
      delta({ content: "One " }),
      delta({}, "stop"),
      delta({ content: "two" }),
    ]);
    assert.deepEqual([textOf(message), message.stopReason], ["One two", "stop"]);
  });

  it("may alternate, each in a block of its own", async () => {
    const chunks = ["Hm", "So", "Hm again"].map((words, n) =>
      delta({ [n % 2 ? "content" : "reasoning"]: words }),
    );
    const message = await readChunks([...chunks, delta({}, "stop")]);
    assert.deepEqual(
      message.content.map(({ type }) => type),
      ["thinking", "text", "thinking"],
    );
  });

  it("are not missed in deltas and choices of null (P20)", async () => {
    const odd: JsonObject[] = [
      delta(null),
      { choices: [null] },
      { choices: {} },
      { choices: [[]] },
      { error: null },
    ];
    const message = await readChunks([
      ...odd,
      delta({ content: "Hi", role: null, refusal: null }),
      delta(null, "stop"),
    ]);
    assert.equal(textOf(message), "Hi");
  });
});

describe("chat completions: ends of odd servers", () => {
  const hi = delta({ content: "Hi" });
  const whole = call({ index: 0, id: "c", ...fn("read", json(a)) });

  it("are told by many words (P18)", async () => {
    const table: readonly (readonly [string, string | undefined])[] = [
      ...["stop", "STOP", "eos", "eos_token", "end_turn", "COMPLETE", "stop_sequence"].map(
        (reason) => [reason, "stop"] as const,
      ),
      ...["length", "max_tokens", "MAX_TOKENS", "max_output_tokens"].map(
        (reason) => [reason, "length"] as const,
      ),
      ...["content_filter", "SAFETY", "sensitive", "refusal", "content_filter: PROHIBITED_CONTENT"].map(
        (reason) => [reason, "content_filter"] as const,
      ),
      ...["error", "network_error", "insufficient_system_resource", "abort"].map(
        (reason) => [reason, "overloaded"] as const,
      ),
      ["model_context_window_exceeded", "context_overflow"],
      ["function_call_filter: MALFORMED_FUNCTION_CALL", "malformed_stream"],
      ["because", "unknown"],
    ];
    for (const [reason, expected] of table) {
      const message = await readChunks([hi, delta({}, reason)]);
      assert.equal(message.errorKind ?? message.stopReason, expected, reason);
      if (message.stopReason === "error") assert.match(message.errorMessage ?? "", /127\.0\.0\.1:9|context/);
    }
    assert.match((await readChunks([hi, delta({}, "because")])).errorMessage ?? "", /\(because\)/);
  });

  it("are told by the graver of two reasons, whichever comes last", async () => {
    for (const reasons of [
      ["length", "stop"],
      ["stop", "length"],
      ["stop", "length", "stop"],
    ]) {
      const message = await readChunks([hi, ...reasons.map((reason) => delta({}, reason))]);
      assert.equal(message.stopReason, "length");
    }
    assert.equal(
      (await readChunks([whole, delta({}, "tool_calls"), delta({}, "stop")])).stopReason,
      "toolUse",
    );
  });

  it("are no ends where reasons are no text", async () => {
    for (const reason of [0, true, {}, [], ""]) {
      assert.equal((await readChunks([hi, delta({}, reason)])).stopReason, "stop", "[DONE]");
      assert.equal((await readChunks([hi, delta({}, reason)], false)).errorKind, "malformed_stream");
    }
  });

  it("with an error are errors, whatever its shape (P06)", async () => {
    const errors: readonly (readonly [Json, string])[] = [
      [{ message: "Overloaded", type: "overloaded_error" }, "overloaded"],
      ["Overloaded", "overloaded"],
      [{ code: 429, message: "Slow down" }, "rate_limit"],
      [{ code: "503", message: "No" }, "overloaded"],
      [{ code: 401, message: "No" }, "auth"],
      [{ message: "This endpoint's maximum context length is 128000 tokens", code: 400 }, "context_overflow"],
      [
        {
          code: 400,
          message: "Provider returned error",
          metadata: { raw: '{"error":"prompt is too long"}' },
        },
        "context_overflow",
      ],
      [{}, "unknown"],
    ];
    for (const [error, kind] of errors) {
      const message = await readChunks([hi, { error }]);
      assert.deepEqual([message.errorKind, textOf(message)], [kind, "Hi"], json(error));
      const inChoice = await readChunks([
        hi,
        { choices: [{ index: 0, delta: {}, error, finish_reason: "error" }] },
      ]);
      assert.equal(inChoice.errorKind, kind);
    }
  });
});

describe("chat completions: usage of odd servers", () => {
  const read = async (...reports: readonly Json[]) => {
    const chunks = reports.map((usage): JsonObject => ({ choices: [], usage }));
    return (await readChunks([delta({ content: "x" }, "stop"), ...chunks])).usage;
  };

  it("adds up to the context, however it is told (P21, P22)", async () => {
    const table: readonly (readonly [JsonObject, readonly number[]])[] = [
      [
        { prompt_tokens: 1_000, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 800 } },
        [200, 800, 0, 50],
      ],
      [{ prompt_tokens: 1_000, completion_tokens: 50, prompt_cache_hit_tokens: 800 }, [200, 800, 0, 50]],
      [{ prompt_tokens: 1_000, completion_tokens: 50, cached_tokens: 800 }, [200, 800, 0, 50]],
      [
        {
          prompt_tokens: 1_000,
          completion_tokens: 50,
          cache_read_input_tokens: 700,
          cache_creation_input_tokens: 100,
        },
        [200, 700, 100, 50],
      ],
      [{ input_tokens: 1_000, output_tokens: 50 }, [1_000, 0, 0, 50]],
      [{ prompt_tokens: 1_000, total_tokens: 1_050 }, [1_000, 0, 0, 50]],
      [{ prompt_tokens: "1000", completion_tokens: "50", prompt_tokens_details: null }, [1_000, 0, 0, 50]],
      [
        { prompt_tokens: 100, completion_tokens: 50, prompt_tokens_details: { cached_tokens: 800 } },
        [0, 800, 0, 50],
      ],
    ];
    for (const [usage, [input, cacheRead, cacheWrite, output]] of table) {
      const found = await read(usage);
      assert.deepEqual(
        [found.input, found.cacheRead, found.cacheWrite, found.output],
        [input, cacheRead, cacheWrite, output],
      );
    }
  });

  it("is that of the last report, where each has everything", async () => {
    const cached = {
      prompt_tokens: 1_000,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 1_000 },
    };
    const found = await read(
      { prompt_tokens: 1_000, completion_tokens: 1 },
      cached,
      null,
      {},
      { prompt_tokens: 0 },
    );
    assert.deepEqual([found.input, found.cacheRead, found.output], [0, 1_000, 50]);
  });

  it("is never NaN and never negative (P21)", async () => {
    for (const odd of [null, "many", -5, {}, [], true, "1e999"]) {
      const usage = {
        prompt_tokens: odd,
        completion_tokens: odd,
        total_tokens: odd,
        prompt_tokens_details: { cached_tokens: odd },
      };
      const { cost, ...tokens } = await read(usage);
      for (const count of [...Object.values(tokens), cost.total])
        assert.ok(Number.isFinite(count) && count >= 0);
    }
  });

  it("has the cost that was charged, in dollars or in xAI's ticks", async () => {
    const costOf = async (usage: JsonObject) => (await read({ prompt_tokens: 3, ...usage })).cost.total;
    assert.equal(await costOf({ cost: 0.0123 }), 0.0123);
    assert.equal(await costOf({ cost_in_usd_ticks: 37_756_000 }), 0.0037756);
    assert.equal(await costOf({ estimated_cost: 0.5 }), 0.5);
    for (const cost of [null, "0.5", -1, { total: 1 }]) assert.equal(await costOf({ cost }), 0);
  });
});
