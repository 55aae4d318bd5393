// What gateways and servers that imitate the Messages API are known to do to its stream, one kind of oddity a test.
import assert from "node:assert/strict";
import type { Json, JsonObject } from "../../../src/shared/json.ts";
import { textOf } from "../../support/provider-models.ts";
import { callsOf, readMessages, thinkingOf } from "../../support/read-events.ts";

const start = (message: JsonObject = {}): JsonObject => ({
  type: "message_start",
  message: { id: "msg_1", type: "message", role: "assistant", content: [], ...message },
});
const stop = (reason: Json = "end_turn", usage: Json = {}): JsonObject[] => [
  { type: "message_delta", delta: { stop_reason: reason }, usage },
  { type: "message_stop" },
];
const begin = (block: Json, index: Json = 0): JsonObject => ({
  type: "content_block_start",
  index,
  content_block: block,
});
const grow = (delta: Json, index: Json = 0): JsonObject => ({ type: "content_block_delta", index, delta });
const close = (index: Json = 0): JsonObject => ({ type: "content_block_stop", index });
const block = (first: JsonObject, deltas: readonly JsonObject[], index = 0): JsonObject[] => [
  begin(first, index),
  ...deltas.map((delta) => grow(delta, index)),
  close(index),
];
const words = (text: string): JsonObject => ({ type: "text_delta", text });
const args = (json: string): JsonObject => ({ type: "input_json_delta", partial_json: json });
const text = (content: string, index = 0) => block({ type: "text", text: "" }, [words(content)], index);
const call = (input: Json, deltas: readonly JsonObject[], index = 0) =>
  block({ type: "tool_use", id: `toolu_${index}`, name: "read", input }, deltas, index);

describe("messages: tool calls of odd servers", () => {
  const a = { path: "a" };

  const table: readonly (readonly [string, readonly JsonObject[], JsonObject])[] = [
    ["arguments in the start event", call(a, []), a],
    ["arguments in the start event, as text", call('{"path":"a"}', []), a],
    ["arguments in the start event and as deltas", call(a, [args('{"path"'), args(':"a"}')]), a],
    ["empty deltas only (P13)", call({}, [args(""), args("")]), {}],
    ["an input of null (P13)", call(null, []), {}],
    [
      "deltas of null",
      [
        begin({ type: "tool_use", id: "t", name: "read", input: {} }),
        grow(null),
        grow({}),
        grow(args("{}")),
        close(),
      ],
      {},
    ],
    ["no id (P17)", block({ type: "tool_use", name: "read", input: {} }, [args('{"path":"a"}')]), a],
    [
      "an id that is no text (P17)",
      block({ type: "tool_use", id: 7, name: "read", input: {} }, [args('{"path":"a"}')]),
      a,
    ],
    [
      "no places at all",
      [
        begin({ type: "tool_use", id: "t", name: "read", input: {} }, null),
        grow(args('{"path":"a"}'), null),
        close(null),
      ],
      a,
    ],
    [
      "places that begin late and have gaps (P19)",
      [...text("So", 4), ...call({}, [args('{"path":"a"}')], 9)],
      a,
    ],
  ];
  for (const [name, events, expected] of table) {
    it(`are read with ${name}`, async () => {
      const message = await readMessages([start(), ...events, ...stop("tool_use")]);
      assert.equal(message.errorMessage, undefined);
      assert.deepEqual([callsOf(message), message.stopReason], [[["read", expected]], "toolUse"]);
      assert.ok(
        message.content.every(
          (found) => found.type !== "toolCall" || (typeof found.id === "string" && found.id !== ""),
        ),
      );
    });
  }

  it("are run whatever the reason to stop says (P18)", async () => {
    for (const reason of ["tool_use", "end_turn", "stop_sequence", "pause_turn", "tool_calls"]) {
      assert.equal(
        (await readMessages([start(), ...call(a, []), ...stop(reason)])).stopReason,
        "toolUse",
        reason,
      );
    }
  });

  it("are not run when they were not completed, even if what arrived is whole (P04)", async () => {
    for (const missing of [[], [args("{}")], [args('{"path":"a')]]) {
      const open = call({}, missing).slice(0, -1);
      const message = await readMessages([start(), ...text("So", 1), ...open, ...stop("tool_use")]);
      assert.deepEqual(
        [message.errorKind, callsOf(message), textOf(message)],
        ["malformed_stream", [], "So"],
      );
    }
  });

  it("are left alone where somebody else runs them", async () => {
    const search = block(
      { type: "server_tool_use", id: "s", name: "web_search", input: {} },
      [args('{"q":"x"}')],
      0,
    );
    const found = block({ type: "web_search_tool_result", tool_use_id: "s", content: [] }, [], 1);
    const message = await readMessages([start(), ...search, ...found, ...text("Found.", 2), ...stop()]);
    assert.deepEqual([message.content.length, textOf(message), message.stopReason], [1, "Found.", "stop"]);
  });
});

describe("messages: text and thinking of odd servers", () => {
  it("are not lost in nulls and kinds that nobody knows", async () => {
    const odd: JsonObject[] = [
      { type: "ping" },
      { type: "new_event", index: 0, delta: null },
      { type: "message_delta", delta: null, usage: null },
      { type: "content_block_stop", index: 77 },
      begin(null, 5),
      grow({ type: "new_delta", x: 1 }, 5),
      close(5),
      begin({ type: "new_block", text: "no" }, 6),
      grow(words("no"), 6),
      close(6),
    ];
    const message = await readMessages([
      { type: "message_start", message: null },
      ...odd,
      ...text("Hi"),
      ...odd.slice(0, 4),
      ...stop(),
    ]);
    assert.deepEqual([textOf(message), message.stopReason, message.content.length], ["Hi", "stop", 1]);
  });

  it("may be in the start event, and only there", async () => {
    const thinking = { type: "thinking", thinking: "Hm", signature: "sig" };
    const message = await readMessages([
      start(),
      ...block(thinking, []),
      ...block({ type: "text", text: "Hi" }, [], 1),
      ...stop(),
    ]);
    assert.deepEqual([thinkingOf(message), textOf(message)], ["Hm", "Hi"]);
    assert.ok(message.content[0]?.type === "thinking" && message.content[0].thinkingSignature === "sig");
  });

  it("have a signature that comes twice only once, and one without thinking (P31)", async () => {
    const signed = (signature: string): JsonObject => ({ type: "signature_delta", signature });
    const deltas: readonly (readonly [readonly JsonObject[], string])[] = [
      [[signed("sigsig")], "sigsig"],
      [[signed("sig"), signed("sig")], "sig"],
      [[signed("one"), signed("two")], "onetwo"],
    ];
    for (const [list, expected] of deltas) {
      const thinking = block({ type: "thinking", thinking: "", signature: "" }, list);
      const message = await readMessages([start(), ...thinking, ...text("Hi", 1), ...stop()]);
      assert.ok(message.content[0]?.type === "thinking");
      assert.equal(message.content[0].thinkingSignature, expected);
    }
  });

  it("are a broken stream where a delta does not belong to its block (P45)", async () => {
    const signature: JsonObject = { type: "signature_delta", signature: "s" };
    for (const wrong of [args("{}"), signature, { type: "thinking_delta", thinking: "?" }]) {
      const mixed = block({ type: "text", text: "" }, [words("Hi"), wrong]);
      const message = await readMessages([start(), ...mixed, ...stop()]);
      assert.deepEqual([message.errorKind, textOf(message)], ["malformed_stream", "Hi"]);
    }
    const late = await readMessages([start(), ...text("Hi"), grow(words(" you")), ...stop()]);
    assert.deepEqual([late.errorKind, textOf(late)], ["malformed_stream", "Hi"]);
  });
});

describe("messages: ends of odd servers", () => {
  it("mean what the reason says, and are errors where nobody knows it", async () => {
    const table: readonly (readonly [Json, string])[] = [
      ["end_turn", "stop"],
      ["stop_sequence", "stop"],
      ["pause_turn", "stop"],
      ["stop", "stop"],
      ["max_tokens", "length"],
      ["refusal", "content_filter"],
      ["sensitive", "content_filter"],
      ["model_context_window_exceeded", "context_overflow"],
      ["because", "unknown"],
      ["", "malformed_stream"],
      [null, "malformed_stream"],
      [7, "malformed_stream"],
    ];
    for (const [reason, expected] of table) {
      const message = await readMessages([start(), ...text("Hi"), ...stop(reason)]);
      assert.equal(message.errorKind ?? message.stopReason, expected, JSON.stringify(reason));
      assert.equal(textOf(message), "Hi");
    }
  });

  it("are missed where the stream just ends, reason or not (P04)", async () => {
    const [reason = {}, end = {}] = stop();
    for (const rest of [[], [reason], [end]]) {
      assert.equal((await readMessages([start(), ...text("Hi"), ...rest])).errorKind, "malformed_stream");
    }
  });

  it("with an error are errors, whatever its shape (P06)", async () => {
    const errors: readonly (readonly [JsonObject, string])[] = [
      [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "overloaded"],
      [{ type: "error", error: { type: "rate_limit_error", message: "Slow" } }, "rate_limit"],
      [{ type: "error", error: "Overloaded" }, "overloaded"],
      [{ type: "error", message: "prompt is too long: 9 tokens > 8 maximum" }, "context_overflow"],
      [{ type: "message", error: { code: 529, message: "No" } }, "overloaded"],
      [{ type: "error" }, "unknown"],
    ];
    for (const [event, kind] of errors) {
      const message = await readMessages([start(), ...text("Hi"), event]);
      assert.deepEqual([message.errorKind, textOf(message)], [kind, "Hi"], JSON.stringify(event));
    }
  });

  it("have the tokens that were told last, and never NaN (P21, P23)", async () => {
    const table: readonly (readonly [Json, Json, readonly number[]])[] = [
      [{ input_tokens: 1_000, output_tokens: 1 }, { output_tokens: 5 }, [1_000, 0, 5]],
      [{ input_tokens: 1_000 }, { input_tokens: 0, output_tokens: 5 }, [1_000, 0, 5]],
      [{ input_tokens: 1_000 }, null, [1_000, 0, 0]],
      [null, { input_tokens: 900, cache_read_input_tokens: 50, output_tokens: 5 }, [900, 50, 5]],
      [{ input_tokens: "200", cache_read_input_tokens: "800" }, { output_tokens: "50" }, [200, 800, 50]],
      [{ input_tokens: -1, output_tokens: {} }, { output_tokens: "many" }, [0, 0, 0]],
      ["none", [], [0, 0, 0]],
    ];
    for (const [first, last, expected] of table) {
      const { usage } = await readMessages([
        start({ usage: first }),
        ...text("Hi"),
        ...stop("end_turn", last),
      ]);
      assert.deepEqual([usage.input, usage.cacheRead, usage.output], expected);
      assert.equal(usage.totalTokens, usage.input + usage.cacheRead + usage.output);
    }
  });
});
