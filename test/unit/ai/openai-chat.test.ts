// What compatible servers do to the Chat Completions format, and what is sent to the strict ones.
import assert from "node:assert/strict";
import type { AssistantMessage, Message, Model, StreamOptions } from "../../../src/ai/types.ts";
import type { Json, JsonObject } from "../../../src/shared/json.ts";
import { startProviderServer } from "../../support/provider-server.ts";
import type { ProviderServer, ProviderServerOptions } from "../../support/provider-server.ts";
import {
  fetchOf,
  openAiModel,
  readTool,
  streamAll,
  system,
  textOf,
  toolResult,
  user,
} from "../../support/provider-models.ts";
import { openAiFrame, reply } from "../../support/provider-replies.ts";

const model = openAiModel({ openAiUrl: "http://127.0.0.1:9/v1" });

async function read(chunks: readonly JsonObject[], done = true): Promise<AssistantMessage> {
  const body = chunks.map(openAiFrame).join("") + (done ? "data: [DONE]\n\n" : "");
  const deps = { fetch: fetchOf([new TextEncoder().encode(body)]) };
  return (await streamAll({ model, messages: [user("Hi")], deps })).message;
}

const delta = (fields: JsonObject, finish: string | null = null): JsonObject => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
const call = (fields: JsonObject): JsonObject => delta({ tool_calls: [fields] });
const calls = (message: AssistantMessage) => message.content.filter((block) => block.type === "toolCall");

describe("chat completions: reading", () => {
  it("keeps calls without an index apart by their ids (P15)", async () => {
    const message = await read([
      call({ id: "c1", type: "function", function: { name: "read", arguments: '{"path":' } }),
      call({ function: { arguments: '"a"}' } }),
      call({ id: "c2", type: "function", function: { name: "read", arguments: '{"path":"' } }),
      call({ id: "c2", function: { arguments: 'b"}' } }),
      delta({}, "tool_calls"),
    ]);
    assert.deepEqual(
      calls(message).map(({ id, arguments: args }) => [id, args]),
      [
        ["c1", { path: "a" }],
        ["c2", { path: "b" }],
      ],
    );
  });

  it("makes an id where there is none, and keeps the first name and id (P17)", async () => {
    for (const [first, later] of [
      [{}, {}],
      [{ id: "c1" }, { id: "" }],
      [{ id: null }, { id: null }],
    ] as const) {
      const message = await read([
        call({ index: 0, ...first, function: { name: "read", arguments: '{"path"' } }),
        call({ index: 0, ...later, function: { name: "", arguments: ':"a"}' } }),
        delta({}, "tool_calls"),
      ]);
      const [only, ...others] = calls(message);
      assert.deepEqual([only?.name, only?.arguments, others], ["read", { path: "a" }, []]);
      assert.match(only?.id ?? "", "id" in first && first.id ? /^c1$/ : /^call_[0-9a-f]{32}$/);
    }
  });

  it("runs a complete call whatever the finish reason says (P18)", async () => {
    const whole = call({ index: 0, id: "c1", function: { name: "read", arguments: '{"path":"a"}' } });
    for (const reason of ["stop", "function_call", "eos", "tool_calls"]) {
      const message = await read([whole, delta({}, reason)]);
      assert.deepEqual([message.stopReason, calls(message).length], ["toolUse", 1], reason);
    }
    assert.equal((await read([whole, delta({})])).stopReason, "toolUse", "null and [DONE]");
    assert.equal((await read([whole])).stopReason, "toolUse", "absent and [DONE]");
    assert.equal((await read([whole], false)).errorKind, "malformed_stream", "absent without [DONE]");
  });

  it("does not take half a call and [DONE] for a call (P04)", async () => {
    const half = call({ index: 0, id: "c1", function: { name: "read", arguments: '{"path":"a' } });
    assert.equal((await read([half])).errorKind, "malformed_stream");
  });

  it("takes any index as a mere key (P19)", async () => {
    const message = await read([
      call({ index: 999_999_999, id: "c1", function: { name: "read", arguments: "{" } }),
      call({ index: 3, id: "c2", function: { name: "list", arguments: '{"x":1' } }),
      call({ index: 999_999_999, function: { arguments: "}" } }),
      call({ index: 3, function: { arguments: "}" } }),
      call({ index: "__proto__", id: "c3", function: { name: "read", arguments: "{}" } }),
      delta({}, "tool_calls"),
    ]);
    assert.deepEqual(
      calls(message).map(({ name, arguments: args }) => [name, args]),
      [
        ["read", {}],
        ["list", { x: 1 }],
        ["read", {}],
      ],
    );
    assert.equal(({} as Record<string, unknown>)["c3"], undefined);
  });

  it("keeps calls apart that all come under index 0", async () => {
    const message = await read([
      call({ index: 0, id: "c1", function: { name: "read", arguments: '{"path":"a"}' } }),
      call({ index: 0, id: "c2", function: { name: "read", arguments: '{"path":"b"}' } }),
      delta({}, "tool_calls"),
    ]);
    assert.deepEqual(
      calls(message).map(({ arguments: args }) => args),
      [{ path: "a" }, { path: "b" }],
    );
  });

  it("ignores chunks without choices, and uses their usage (P20, P21)", async () => {
    const odd: JsonObject[] = [
      { choices: null, usage: { prompt_tokens: 3, completion_tokens: 4 } },
      { usage: null },
      { choices: [] },
      { choices: [{ index: 0 }] },
    ];
    const message = await read([...odd, delta({ content: "Hi" }), delta({}, "stop")]);
    assert.deepEqual([textOf(message), message.usage.totalTokens], ["Hi", 7]);
  });

  it("takes over what the provider says that it charged, if that is an amount", async () => {
    const cost = async (said: Json) => {
      const usage = { prompt_tokens: 3, completion_tokens: 4, cost: said };
      return (await read([delta({ content: "x" }, "stop"), { choices: [], usage }])).usage.cost.total;
    };
    assert.deepEqual(
      [await cost(0.0123), await cost(0), await cost("0.5"), await cost(-1), await cost(null)],
      [0.0123, 0, 0, 0, 0],
    );
  });

  it("finds usage in odd places and never makes NaN of it (P21)", async () => {
    const counted = {
      prompt_tokens: "1000",
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 800 },
    };
    const inChoice = {
      choices: [{ index: 0, delta: { content: "x" }, finish_reason: "stop", usage: counted }],
    };
    assert.equal((await read([inChoice])).usage.totalTokens, 1050);
    const broken = { prompt_tokens: "many", completion_tokens: null, prompt_tokens_details: null };
    const message = await read([delta({ content: "x" }, "stop"), { choices: [], usage: broken }]);
    assert.equal(message.usage.totalTokens, 0);
  });

  it("treats broken arguments as an error of that call, raw text included (P13)", async () => {
    for (const raw of [
      '{"path":"a"}}',
      '{"path":"a"}{"path":"b"}',
      "{'path':'a'}",
      '{"path":"a\u0001"}',
      "[1]",
    ]) {
      const message = await read([
        call({ index: 0, id: "c1", function: { name: "read", arguments: raw } }),
        delta({}, "tool_calls"),
      ]);
      const [only] = calls(message);
      assert.deepEqual(only?.arguments, {}, raw);
      assert.ok(only?.argumentsError?.includes(raw), raw);
      assert.equal(message.stopReason, "toolUse");
    }
    const message = await read([
      call({ index: 0, id: "c1", function: { name: "read", arguments: "" } }),
      delta({}, "tool_calls"),
    ]);
    assert.deepEqual([calls(message)[0]?.arguments, calls(message)[0]?.argumentsError], [{}, undefined]);
  });

  it("reports errors inside the stream, with what was written before (P06)", async () => {
    const message = await read([
      delta({ content: "Hello wor" }),
      { error: { message: "Overloaded", type: "overloaded_error" } },
    ]);
    assert.deepEqual([message.errorKind, textOf(message)], ["overloaded", "Hello wor"]);
    const full = await read([delta({ content: "x" }, "model_context_window_exceeded")]);
    assert.equal(full.errorKind, "context_overflow");
    assert.equal((await read([delta({ content: "x" }, "content_filter")])).errorKind, "content_filter");
    assert.equal((await read([{ choices: "nonsense" }])).errorKind, "malformed_stream");
  });

  it("reads thinking from each of the fields in use, and content in parts", async () => {
    for (const field of ["reasoning_content", "reasoning", "reasoning_text"]) {
      const message = await read([delta({ [field]: "Hm." }), delta({ content: "Hi" }), delta({}, "stop")]);
      assert.deepEqual(
        message.content.map((block) => block.type),
        ["thinking", "text"],
        field,
      );
    }
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "text", text: "Hi" },
    ];
    assert.equal(textOf(await read([delta({ content: parts }), delta({}, "stop")])), "Hi");
  });
});

describe("chat completions: asking", () => {
  let server: ProviderServer;
  const servers: ProviderServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((each) => each.close())));

  async function ask(
    rules: ProviderServerOptions["openai"],
    change: Partial<Model>,
    messages: readonly Message[] = [system("Be brief.", [readTool]), user("Hi")],
    options: StreamOptions = {},
  ): Promise<AssistantMessage> {
    server = await startProviderServer(rules ? { openai: rules } : {});
    servers.push(server);
    server.enqueue(reply({ text: "Hello" }));
    return (await streamAll({ model: openAiModel(server, change), messages, options })).message;
  }

  it("sends the minimal body to a server nothing is known about (P36, P37)", async () => {
    const message = await ask({}, { reasoning: true }, undefined, { thinkingLevel: "high", sessionId: "s" });
    assert.equal(message.errorMessage, undefined);
    assert.deepEqual(Object.keys(server.requests[0]?.body ?? {}), [
      ...["model", "messages", "stream", "stream_options", "max_tokens", "tools"],
    ]);
  });

  it("leaves the stream options out for a server that refuses them (P37)", async () => {
    const message = await ask({ rejectStreamOptions: true }, {});
    assert.equal(textOf(message), "Hello");
    assert.equal(server.requests.length, 2);
    const told = await ask({ rejectStreamOptions: true }, { compat: { streamUsage: false } });
    assert.equal(textOf(told), "Hello");
    assert.equal(server.requests.length, 1);
  });

  it("sends each further field when its flag says so (P36, P37)", async () => {
    const extraFields = ["reasoning_effort", "max_completion_tokens", "prompt_cache_key"];
    const compat = {
      reasoningEffort: true,
      promptCacheKey: true,
      maxTokensField: "max_completion_tokens",
      systemRole: "developer",
    } as const;
    const options = { thinkingLevel: "xhigh", sessionId: "session-1" } as const;
    await ask({ extraFields, developerRole: true }, { reasoning: true, compat }, undefined, options);
    const body = server.requests[0]?.body ?? {};
    assert.equal(body["reasoning_effort"], "high");
    assert.equal(body["prompt_cache_key"], "session-1");
    assert.equal(body["max_completion_tokens"], 4_096);
    assert.equal(body["max_tokens"], undefined);
  });

  it("names the session in the header that the server routes by", async () => {
    const compat = { sessionHeader: "x-grok-conv-id" };
    await ask({}, { compat }, undefined, { sessionId: "session-1" });
    assert.equal(server.requests[0]?.headers["x-grok-conv-id"], "session-1");
    await ask({}, { compat });
    assert.equal(server.requests[0]?.headers["x-grok-conv-id"], undefined);
  });

  it("names the setting when the role is refused (P36)", async () => {
    const message = await ask({}, { compat: { systemRole: "developer" } });
    assert.equal(message.errorKind, "bad_request");
    assert.match(message.errorMessage ?? "", /`systemRole` in `reins\.providers\.local\.compat`/);
  });

  it("sends thinking back to those that want it, and to no one else (P34)", async () => {
    const own = openAiModel({ openAiUrl: "" });
    const turn: AssistantMessage = {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "toolCall", id: "c1", name: "read", arguments: {} },
      ],
      ...{ api: own.api, provider: own.provider, model: own.id, stopReason: "toolUse", timestamp: 0 },
      usage: {
        ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
    };
    const messages = [user("Hi"), turn, toolResult("c1", "ok")];
    const wants = await ask(
      { reasoningContent: "required" },
      { compat: { reasoningField: "reasoning_content" } },
      messages,
    );
    assert.equal(wants.errorMessage, undefined);
    assert.match(server.requests[0]?.rawBody ?? "", /"reasoning_content":"Hm\."/);
    const other = { ...turn, model: "someone-else" };
    const foreign = await ask(
      { reasoningContent: "required" },
      { compat: { reasoningField: "reasoning_content" } },
      [user("Hi"), other, toolResult("c1", "ok")],
    );
    assert.equal(foreign.errorMessage, undefined);
    assert.doesNotMatch(server.requests[0]?.rawBody ?? "", /Hm\./);
    assert.equal((await ask({}, {}, messages)).errorMessage, undefined);
  });

  it("replaces images for a model without eyes by a note", async () => {
    const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    await ask({}, { input: ["text"] }, [{ role: "user", content: [image, image], timestamp: 0 }]);
    const sent = server.requests[0]?.rawBody ?? "";
    assert.equal(sent.match(/image was left out/g)?.length, 1);
    assert.doesNotMatch(sent, /AAAA/);
  });
});
