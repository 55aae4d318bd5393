// What a Responses API, OpenAI's or one that imitates it, can do to its stream, one kind of oddity a test.
import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../../src/shared/json.ts";
import { textOf } from "../../support/provider-models.ts";
import { callsOf, readResponses, thinkingOf } from "../../support/read-events.ts";

const created: JsonObject = { type: "response.created", response: { id: "resp_1" } };
const end = (response: JsonObject = {}, type = "response.completed"): JsonObject => ({
  type,
  response: { id: "resp_1", ...response },
});
const added = (item: Json, place: Json = 0): JsonObject => ({
  type: "response.output_item.added",
  output_index: place,
  item,
});
const done = (item: Json, place: Json = 0): JsonObject => ({
  type: "response.output_item.done",
  output_index: place,
  item,
});
const args = (delta: string, place: Json = 0): JsonObject => ({
  type: "response.function_call_arguments.delta",
  output_index: place,
  delta,
});
const words = (delta: string, place: Json = 0): JsonObject => ({
  type: "response.output_text.delta",
  output_index: place,
  delta,
});
const call = (args: Json): JsonObject => ({
  id: "fc_1",
  type: "function_call",
  call_id: "call_1",
  name: "read",
  arguments: args,
});
const said = (text: string): JsonObject => ({
  id: "msg_1",
  type: "message",
  content: [{ type: "output_text", text }],
});
const a = { path: "a" };
const whole = JSON.stringify(a);

describe("responses: tool calls of odd servers", () => {
  const table: readonly (readonly [string, readonly JsonObject[]])[] = [
    ["arguments in the finished item only", [added(call("")), done(call(whole))]],
    ["an end without a beginning", [done(call(whole))]],
    [
      "deltas that come twice",
      [added(call("")), args('{"pa'), args('{"pa'), args('th":"a"}'), done(call(whole))],
    ],
    ["deltas that are lost", [added(call("")), args('th":"a"}'), done(call(whole))]],
    ["deltas after the end", [added(call("")), done(call(whole)), args("}")]],
    ["arguments as an object", [added(call("")), done(call(a))]],
    [
      "an end that does not say what ends",
      [added(call("")), args('{"path":'), done({ ...call(whole), type: "" })],
    ],
    ["an end without arguments", [added(call("")), args(whole), done({ type: "function_call" })]],
    [
      "arguments in an event of their own, and no end",
      [added(call("")), { type: "response.function_call_arguments.done", output_index: 0, arguments: whole }],
    ],
    [
      "ids instead of places",
      [
        added(said(""), null),
        added(call(""), null),
        { type: "response.output_text.delta", item_id: "msg_1", delta: "So" },
        { type: "response.function_call_arguments.delta", item_id: "fc_1", delta: whole },
        { type: "response.output_item.done", item: said("So") },
        { type: "response.output_item.done", item: call(whole) },
      ],
    ],
  ];
  for (const [name, events] of table) {
    it(`are read with ${name}`, async () => {
      const message = await readResponses([created, ...events, end()]);
      assert.equal(message.errorMessage, undefined);
      assert.deepEqual([callsOf(message), message.stopReason], [[["read", a]], "toolUse"]);
    });
  }

  it("are taken from the end of the response, where nothing came before", async () => {
    const message = await readResponses([created, end({ output: [said("So"), call(whole), null, 7] })]);
    assert.deepEqual([callsOf(message), textOf(message)], [[["read", a]], "So"]);
  });

  it("are not run when they were not completed, even if what arrived is whole (P04)", async () => {
    const message = await readResponses([created, added(call("")), args(whole), end()]);
    assert.deepEqual([message.errorKind, callsOf(message)], ["malformed_stream", []]);
    const empty = await readResponses([created, added(call("")), args(whole), done(null), end()]);
    assert.deepEqual([empty.errorKind, callsOf(empty)], ["malformed_stream", []]);
    const cut = await readResponses([
      created,
      added(call("")),
      args('{"path":"a'),
      end({ incomplete_details: { reason: "max_output_tokens" } }, "response.incomplete"),
    ]);
    assert.deepEqual([cut.stopReason, callsOf(cut)], ["length", []]);
  });

  it("have an id of their own, made up where there is none (P17)", async () => {
    const { call_id: _id, id: _other, ...nameless } = call(whole);
    const message = await readResponses([
      created,
      done(nameless),
      done({ ...call(whole), call_id: 7, id: null }, 1),
      end(),
    ]);
    const ids = message.content.map((block) => (block.type === "toolCall" ? block.id : ""));
    assert.ok(ids.length === 2 && ids.every((id) => id !== "") && ids[0] !== ids[1]);
  });
});

describe("responses: text and thinking of odd servers", () => {
  it("are not lost in nulls and kinds that nobody knows", async () => {
    const odd: JsonObject[] = [
      { type: "response.new_event", output_index: 0, delta: "no" },
      { type: "response.created", response: null },
      { type: "response.output_text.annotation.added", output_index: 1, annotation: {} },
      added(null, 8),
      done(null, 8),
      added({ type: "web_search_call", id: "ws_1" }, 9),
      words("no", 9),
      done({ type: "web_search_call", id: "ws_1" }, 9),
    ];
    const message = await readResponses([
      created,
      ...odd,
      added(said("")),
      words("Hi"),
      done(null),
      end({ usage: null }),
    ]);
    assert.deepEqual([textOf(message), message.stopReason, message.content.length], ["Hi", "stop", 1]);
  });

  it("may be a refusal, which is what the model says", async () => {
    const refusal = { id: "msg_1", type: "message", content: [{ type: "refusal", refusal: "I will not." }] };
    const delta = { type: "response.refusal.delta", output_index: 0, delta: "I will" };
    assert.equal(
      textOf(await readResponses([created, added(said("")), delta, done(refusal), end()])),
      "I will not.",
    );
    assert.equal(textOf(await readResponses([created, done(refusal), end()])), "I will not.");
  });

  it("may be thinking in the raw, in summaries, or hidden", async () => {
    const reasoning = (fields: JsonObject): JsonObject => ({ id: "rs_1", type: "reasoning", ...fields });
    const raw = { type: "response.reasoning_text.delta", output_index: 0, delta: "Hm" };
    for (const [events, expected] of [
      [
        [added(reasoning({})), raw, done(reasoning({ content: [{ type: "reasoning_text", text: "Hm" }] }))],
        "Hm",
      ],
      [[done(reasoning({ summary: [{ text: "One" }, { text: "Two" }] }))], "One\n\nTwo"],
      [[done(reasoning({ summary: null, encrypted_content: "gAAA" }))], ""],
    ] as const) {
      const message = await readResponses([created, ...events, done(said("Hi"), 1), end()]);
      assert.deepEqual([thinkingOf(message), textOf(message)], [expected, "Hi"]);
      assert.ok(
        message.content[0]?.type === "thinking" && message.content[0].thinkingSignature?.includes("rs_1"),
      );
    }
  });

  it("are a broken stream where a delta does not belong to its item (P45)", async () => {
    for (const events of [
      [words("Hi")],
      [added(call("")), words("Hi")],
      [added(said("")), args("{}")],
      [added(said("")), words("Hi"), done(call(whole))],
      [added(said("")), added(said(""))],
    ]) {
      assert.equal((await readResponses([created, ...events, end()])).errorKind, "malformed_stream");
    }
  });
});

describe("responses: ends of odd servers", () => {
  const hi = [created, added(said("")), words("Hi"), done(said("Hi"))];

  it("mean what the response says, in the event or in its status", async () => {
    const incomplete = (reason: Json): JsonObject => ({
      status: "incomplete",
      incomplete_details: { reason },
    });
    const failed = (error: Json): JsonObject => ({ status: "failed", error });
    const table: readonly (readonly [JsonObject, string, string])[] = [
      [{}, "response.completed", "stop"],
      [incomplete("max_output_tokens"), "response.incomplete", "length"],
      [incomplete("max_output_tokens"), "response.completed", "length"],
      [incomplete("content_filter"), "response.incomplete", "content_filter"],
      [incomplete("max_tool_calls"), "response.incomplete", "unknown"],
      [incomplete(null), "response.incomplete", "unknown"],
      [{ incomplete_details: null }, "response.incomplete", "unknown"],
      [failed({ code: "server_error", message: "Oops" }), "response.failed", "overloaded"],
      [failed({ code: "rate_limit_exceeded", message: "Oops" }), "response.failed", "rate_limit"],
      [failed({ code: "insufficient_quota", message: "Oops" }), "response.completed", "quota"],
      [failed({ code: "context_length_exceeded", message: "Oops" }), "response.failed", "context_overflow"],
      [failed({ code: "invalid_prompt", message: "flagged" }), "response.failed", "content_filter"],
      [failed(null), "response.failed", "overloaded"],
      [{ status: "cancelled" }, "response.cancelled", "overloaded"],
    ];
    for (const [response, type, expected] of table) {
      const message = await readResponses([...hi, end(response, type)]);
      assert.equal(message.errorKind ?? message.stopReason, expected, JSON.stringify([type, response]));
      assert.equal(textOf(message), "Hi");
    }
  });

  it("with an error are errors, whatever its shape (P06)", async () => {
    for (const [event, kind] of [
      [{ type: "error", code: "rate_limit_exceeded", message: "Slow down" }, "rate_limit"],
      [{ type: "error", error: { type: "server_error", message: "Oops" } }, "overloaded"],
      [{ type: "error", error: "The engine is currently overloaded" }, "overloaded"],
      [
        { type: "error", code: null, message: "Your input exceeds the context window of this model" },
        "context_overflow",
      ],
    ] as const) {
      const message = await readResponses([...hi, event]);
      assert.deepEqual([message.errorKind, textOf(message)], [kind, "Hi"]);
    }
  });

  it("have usage that is never NaN, and the cost that was charged (P21, P22)", async () => {
    const usage = async (told: Json) => (await readResponses([...hi, end({ usage: told })])).usage;
    const found = await usage({
      input_tokens: "1000",
      output_tokens: 50,
      input_tokens_details: { cached_tokens: 800 },
    });
    assert.deepEqual([found.input, found.cacheRead, found.output, found.totalTokens], [200, 800, 50, 1_050]);
    for (const odd of [null, [], "x", { input_tokens: null, output_tokens: {}, input_tokens_details: 7 }]) {
      assert.equal((await usage(odd)).totalTokens, 0);
    }
    assert.equal((await usage({ input_tokens: 1, cost_in_usd_ticks: 1e9 })).cost.total, 0.1);
  });
});
