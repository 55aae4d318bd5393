// What is particular to the Messages API: cache breakpoints, thinking, signatures, odd event orders.
import assert from "node:assert/strict";
import type { AssistantMessage, Message, Model, StreamOptions } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { png } from "../../support/image-rules.ts";
import { startProviderServer } from "../../support/provider-server.ts";
import type { ProviderServer } from "../../support/provider-server.ts";
import {
  anthropicModel,
  fetchOf,
  readTool,
  streamAll,
  system,
  textOf,
  toolResult,
  user,
} from "../../support/provider-models.ts";
import { namedFrame, httpError, reply } from "../../support/provider-replies.ts";

const nowhere = anthropicModel({ url: "http://127.0.0.1:9" });

async function read(events: readonly JsonObject[]): Promise<AssistantMessage> {
  const body = new TextEncoder().encode(events.map(namedFrame).join(""));
  const deps = { fetch: fetchOf([body]) };
  return (await streamAll({ model: nowhere, messages: [user("Hi")], deps })).message;
}

const start = (usage: JsonObject = {}, id = "msg_1"): JsonObject => ({
  type: "message_start",
  message: { id, type: "message", role: "assistant", content: [], usage },
});
const stop = (usage: JsonObject = {}): JsonObject[] => [
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
  { type: "message_stop" },
];
const text = (words: string, index = 0): JsonObject[] => [
  { type: "content_block_start", index, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index, delta: { type: "text_delta", text: words } },
  { type: "content_block_stop", index },
];

describe("anthropic messages: reading", () => {
  it("keeps the input count when a later report leaves it out or says zero (P23)", async () => {
    for (const later of [
      { output_tokens: 5 },
      { input_tokens: 0, output_tokens: 5 },
      { input_tokens: null },
    ]) {
      const message = await read([
        start({ input_tokens: 1000, output_tokens: 5 }),
        ...text("x"),
        ...stop(later),
      ]);
      assert.deepEqual([message.usage.input, message.usage.output], [1000, 5]);
    }
  });

  it("counts cached input once (P22)", async () => {
    const usage = { input_tokens: 200, cache_read_input_tokens: 800, cache_creation_input_tokens: 0 };
    const message = await read([start(usage), ...text("x"), ...stop({ output_tokens: 50 })]);
    assert.equal(message.usage.totalTokens, 1050);
  });

  it("takes deltas of a block that never began for a broken stream (P45)", async () => {
    const stray = { type: "content_block_delta", index: 5, delta: { type: "text_delta", text: "?" } };
    for (const events of [
      [start(), stray, ...stop()],
      [start(), ...text("a"), start({}, "msg_2"), ...text("b", 1), ...stop()],
      [start(), ...text("a"), ...text("b"), ...stop()],
    ]) {
      assert.equal((await read(events)).errorKind, "malformed_stream");
    }
    const late = await read([start(), ...text("a"), ...stop(), stray]);
    assert.deepEqual([late.stopReason, textOf(late)], ["stop", "a"]);
  });

  it("reports an overload inside the stream, before and after the first text (P06)", async () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    assert.equal((await read([error])).errorKind, "overloaded");
    const message = await read([start(), ...text("Hello wor"), error]);
    assert.deepEqual([message.errorKind, textOf(message)], ["overloaded", "Hello wor"]);
  });

  it("survives events that are not JSON", async () => {
    const body = new TextEncoder().encode("event: message_start\ndata: {broken\n\n");
    const deps = { fetch: fetchOf([body]) };
    const { message } = await streamAll({ model: nowhere, messages: [user("Hi")], deps });
    assert.equal(message.errorKind, "malformed_stream");
  });

  it("takes arguments that came whole in the start event", async () => {
    const block = { type: "tool_use", id: "t1", name: "read", input: { path: "a" } };
    const message = await read([
      start(),
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_stop", index: 0 },
      ...stop(),
    ]);
    assert.ok(message.content[0]?.type === "toolCall");
    assert.deepEqual(message.content[0].arguments, { path: "a" });
    assert.equal(message.stopReason, "toolUse");
  });
});

describe("anthropic messages: asking", () => {
  let server: ProviderServer;
  before(async () => (server = await startProviderServer()));
  after(() => server.close());
  afterEach(() => server.replies.splice(0));

  const ask = async (
    messages: readonly Message[],
    change: Partial<Model> = {},
    options: StreamOptions = {},
  ) => (await streamAll({ model: anthropicModel(server, change), messages, options })).message;
  const lastBody = (): JsonObject => server.requests.at(-1)?.body ?? {};

  it("marks system prompt, last tool and last user block for the cache", async () => {
    server.enqueue(reply({ text: "Hi" }));
    await ask([system("Be brief.", [{ ...readTool, name: "list" }, readTool]), user("One"), user("Two")]);
    const mark = { type: "ephemeral" };
    const body = lastBody();
    assert.deepEqual(body["system"], [{ type: "text", text: "Be brief.", cache_control: mark }]);
    const tools = body["tools"] as unknown as { name: string; cache_control?: unknown }[];
    assert.deepEqual(
      tools.map(({ name, cache_control }) => [name, cache_control]),
      [
        ["list", undefined],
        ["read", mark],
      ],
    );
    const [, , third] = JSON.stringify(body).split('"cache_control"');
    assert.ok(third !== undefined);
    assert.match(JSON.stringify(body["messages"]), /"Two","cache_control"/);
  });

  it("sends no tools, no system and no thinking where there are none", async () => {
    server.enqueue(reply({ text: "Hi" }));
    await ask([user("Hi")]);
    assert.deepEqual(Object.keys(lastBody()).sort(), ["max_tokens", "messages", "model", "stream"]);
  });

  it("sends own thinking back byte for byte, redacted blocks in their place (P31, P33)", async () => {
    server.enqueue(
      reply({ thinking: "  Odd \n spacing ", redacted: true, calls: [{ name: "read", arguments: {} }] }),
      reply({ text: "Done" }),
    );
    const history: Message[] = [system("S", [readTool]), user("Go")];
    const first = await ask(history, {}, { thinkingLevel: "low" });
    assert.deepEqual(
      first.content.map((block) => block.type),
      ["thinking", "thinking", "toolCall"],
    );
    const call = first.content[2];
    assert.ok(call?.type === "toolCall");
    const kept = JSON.parse(JSON.stringify([...history, first, toolResult(call.id, "ok")])) as Message[];
    const second = await ask(kept, {}, { thinkingLevel: "low" });
    assert.equal(second.errorMessage, undefined);
    assert.match(JSON.stringify(lastBody()), /"redacted_thinking"/);

    server.enqueue(reply({ text: "Done" }));
    const other = await ask(kept, { id: "claude-other" }, { thinkingLevel: "low" });
    assert.equal(other.errorMessage, undefined);
    assert.doesNotMatch(JSON.stringify(lastBody()), /Odd/);
  });

  it("sends a conversation whose thinking is refused once more without it (P31)", async () => {
    server.enqueue(
      reply({ thinking: "Hm", calls: [{ name: "read", arguments: {} }] }),
      reply({ text: "Done" }),
    );
    const history: Message[] = [user("Go")];
    const first = await ask(history);
    const broken = {
      ...first,
      content: first.content.map((block) =>
        block.type === "thinking" ? { ...block, thinkingSignature: "from another account" } : block,
      ),
    };
    const call = first.content[1];
    assert.ok(call?.type === "toolCall");
    const before = server.requests.length;
    const second = await ask([...history, broken, toolResult(call.id, "ok")], {}, { thinkingLevel: "high" });
    assert.equal(textOf(second), "Done");
    assert.equal(server.requests.length, before + 2);
  });

  it("leaves room for the answer beside the thinking budget (P42)", async () => {
    for (const level of ["minimal", "low", "medium", "high", "xhigh", "max"] as const) {
      for (const maxTokens of [1_024, 1_500, 2_048, 4_096, 32_000]) {
        server.enqueue(reply({ text: "Hi" }));
        const message = await ask([user("Hi")], { maxTokens }, { thinkingLevel: level });
        assert.equal(message.errorMessage, undefined, `${level} ${maxTokens}`);
        assert.equal(lastBody()["temperature"], undefined);
      }
    }
  });

  it("asks newer models by effort, and turns thinking off the way each wants it", async () => {
    const cases = [
      [{ thinking: "adaptive" }, "high", { type: "adaptive", display: "summarized" }, "high"],
      [{ thinking: "adaptive" }, "off", { type: "disabled" }, undefined],
      [{ thinking: "between_tools" }, "off", { type: "between_tools" }, undefined],
      [
        { thinking: "adaptive", thinkingLevels: ["low", "high"] },
        "off",
        { type: "adaptive", display: "summarized" },
        "low",
      ],
    ] as const;
    for (const [change, thinkingLevel, thinking, effort] of cases) {
      server.enqueue(reply({ text: "Hi" }));
      await ask([user("Hi")], change, { thinkingLevel });
      assert.deepEqual(lastBody()["thinking"], thinking);
      assert.deepEqual(lastBody()["output_config"], effort && { effort });
    }
  });

  it("tells later instructions in a user message to a model that refuses them as a system message", async () => {
    server.enqueue(reply({ text: "Hello" }));
    const sent = server.requests.length;
    const change: Message = { role: "system", content: "Be kind.", timestamp: 0 };
    const message = await ask([user("Go"), change], { laterSystemMessages: true });
    assert.equal(message.errorMessage, undefined);
    assert.equal(server.requests.length, sent + 2);
    assert.match(JSON.stringify(lastBody()["messages"]), /<system-update>\\nBe kind\./);
  });

  it("moves images out of error results", async () => {
    server.enqueue(reply({ calls: [{ name: "read", arguments: {} }] }), reply({ text: "Seen" }));
    const first = await ask([user("Go")]);
    const [call] = first.content;
    assert.ok(call?.type === "toolCall");
    const result: Message = {
      ...{ role: "toolResult", toolCallId: call.id, toolName: "read", isError: true, timestamp: 0 },
      content: [png(1, 1)],
    };
    const message = await ask([user("Go"), first, result]);
    assert.equal(message.errorMessage, undefined);
    assert.match(
      JSON.stringify(lastBody()["messages"]),
      /Images of the failed call.*"media_type":"image\/png"/,
    );
  });

  it("says what is missing when there is no key", async () => {
    const { baseUrl: _none, ...official } = anthropicModel(server);
    const { message } = await streamAll({ model: official, messages: [user("Hi")], options: { apiKey: "" } });
    assert.equal(message.errorKind, "auth");
    assert.match(message.errorMessage ?? "", /Set one/);
  });

  it("never shows a key that the server echoes (A26)", async () => {
    server.enqueue(
      httpError(401, {
        error: { type: "authentication_error", message: "bad key test-key sk-ant-abcdef123" },
      }),
    );
    const message = await ask([user("Hi")]);
    assert.equal(message.errorKind, "auth");
    assert.doesNotMatch(JSON.stringify(message), /test-key|abcdef123/);
  });
});
