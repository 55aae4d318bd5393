// What is particular to the Responses API: items, encrypted reasoning, effort, and how a response can end.
import assert from "node:assert/strict";
import type { AssistantMessage, Message, Model, StreamOptions } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import {
  openAiModel,
  readTool,
  responsesModel,
  streamAll,
  system,
  textOf,
  toolResult,
  user,
} from "../../support/provider-models.ts";
import type { StreamCall } from "../../support/provider-models.ts";
import { namedFrame, reply } from "../../support/provider-replies.ts";
import { startProviderServer } from "../../support/provider-server.ts";
import type { ProviderServer } from "../../support/provider-server.ts";

const model: Model = {
  ...openAiModel({ openAiUrl: "http://127.0.0.1:9/v1" }),
  api: "openai-responses",
  reasoning: true,
};

const hello: readonly Message[] = [system("Be brief.", [readTool]), user("Hi")];

interface Asked {
  readonly message: AssistantMessage;
  readonly bodies: readonly JsonObject[];
}

/** Answers each request with the next list of events, or with an error status. */
async function ask(
  answers: readonly (readonly JsonObject[] | { readonly refusal: string })[],
  messages = hello,
  change: { readonly model?: Partial<Model>; readonly options?: StreamOptions } = {},
): Promise<Asked> {
  const bodies: JsonObject[] = [];
  const fake: typeof fetch = (_input, init) => {
    assert.ok(typeof init?.body === "string");
    const answer = answers[bodies.push(JSON.parse(init.body) as JsonObject) - 1];
    if (answer && "refusal" in answer) {
      const error = { message: answer.refusal, type: "invalid_request_error" };
      return Promise.resolve(Response.json({ error }, { status: 400 }));
    }
    // Named events, as the API sends them.
    const body = (answer ?? []).map(namedFrame).join("");
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  };
  const { message } = await streamAll({
    model: { ...model, ...change.model },
    messages,
    deps: { fetch: fake },
    ...(change.options && { options: change.options }),
  });
  return { message, bodies };
}

const reasoning = {
  type: "reasoning",
  id: "rs_1",
  encrypted_content: "gAAA",
  summary: [],
  status: "completed",
};
const created = { type: "response.created", response: { id: "resp_1" } };
const completed = {
  type: "response.completed",
  response: {
    id: "resp_1",
    usage: { input_tokens: 1_000, output_tokens: 50, input_tokens_details: { cached_tokens: 800 } },
  },
};
const words = (text: string, place = 0): JsonObject[] => [
  {
    type: "response.output_item.added",
    output_index: place,
    item: { type: "message", id: "msg_1", content: [] },
  },
  { type: "response.output_text.delta", output_index: place, delta: text },
  {
    type: "response.output_item.done",
    output_index: place,
    item: { type: "message", id: "msg_1", phase: "final_answer", content: [{ type: "output_text", text }] },
  },
];
const calling: JsonObject[] = [
  created,
  { type: "response.output_item.added", output_index: 0, item: reasoning },
  { type: "response.reasoning_summary_part.added", output_index: 0, summary_index: 0 },
  { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: "First." },
  { type: "response.reasoning_summary_part.added", output_index: 0, summary_index: 1 },
  { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 1, delta: "Then." },
  { type: "response.output_item.done", output_index: 0, item: reasoning },
  {
    type: "response.output_item.added",
    output_index: 1,
    item: { type: "function_call", call_id: "call_1", name: "read" },
  },
  { type: "response.function_call_arguments.delta", output_index: 1, delta: '{"path":' },
  { type: "response.function_call_arguments.delta", output_index: 1, delta: '"a"}' },
  {
    type: "response.output_item.done",
    output_index: 1,
    item: { type: "function_call", arguments: '{"path":"a"}' },
  },
  completed,
];

describe("openai responses", () => {
  it("reads reasoning, calls and usage", async () => {
    const { message } = await ask([calling]);
    const [thinking, call] = message.content;
    assert.ok(thinking?.type === "thinking" && call?.type === "toolCall");
    assert.equal(thinking.thinking, "First.\n\nThen.");
    assert.deepEqual([call.id, call.name, call.arguments], ["call_1", "read", { path: "a" }]);
    assert.equal(message.stopReason, "toolUse");
    assert.deepEqual(
      [message.usage.input, message.usage.cacheRead, message.usage.totalTokens],
      [200, 800, 1_050],
    );
  });

  it("sends own reasoning back as it came, and results beside their calls", async () => {
    const { message } = await ask([calling]);
    const { message: answer, bodies } = await ask(
      [[created, ...words("Done"), completed]],
      [...hello, message, toolResult("call_1", "content")],
    );
    assert.equal(textOf(answer), "Done");
    const { status: _status, ...item } = reasoning;
    assert.deepEqual(bodies[0]?.["input"], [
      { role: "user", content: [{ type: "input_text", text: "Hi" }] },
      item,
      { type: "function_call", call_id: "call_1", name: "read", arguments: '{"path":"a"}' },
      { type: "function_call_output", call_id: "call_1", output: "content" },
    ]);
    const { bodies: others } = await ask(
      [[]],
      [...hello, { ...message, model: "x" }, toolResult("call_1", "c")],
    );
    assert.doesNotMatch(JSON.stringify(others[0]), /gAAA/);
  });

  it("keeps the phase of a text, and asks statelessly", async () => {
    const { message } = await ask([[created, ...words("Hello"), completed]]);
    const options = { sessionId: "s1", thinkingLevel: "xhigh" } as const;
    const { bodies } = await ask([[]], [...hello, message, user("Go on")], { options });
    const [body] = bodies;
    assert.deepEqual((body?.["input"] as readonly JsonObject[])[1], {
      ...{ role: "assistant", content: "Hello", phase: "final_answer" },
    });
    assert.deepEqual(
      [body?.["store"], body?.["instructions"], body?.["prompt_cache_key"], body?.["reasoning"]],
      [false, "Be brief.", "s1", { effort: "xhigh", summary: "auto" }],
    );
  });

  it("asks for no effort only where a model has that", async () => {
    const { bodies: off } = await ask([[]]);
    assert.equal((off[0]?.["reasoning"] as JsonObject)["effort"], "none");
    const { bodies: low } = await ask([[]], hello, { model: { thinkingLevels: ["low", "high"] } });
    assert.equal((low[0]?.["reasoning"] as JsonObject)["effort"], "low");
    const { bodies: never } = await ask([[]], hello, { model: { reasoning: false } });
    assert.equal(never[0]?.["reasoning"], undefined);
  });

  it("sends once more without reasoning that the API no longer accepts", async () => {
    const { message } = await ask([calling]);
    const { message: answer, bodies } = await ask(
      [{ refusal: "The encrypted content could not be verified" }, [created, ...words("Done"), completed]],
      [...hello, message, toolResult("call_1", "content")],
    );
    assert.equal(textOf(answer), "Done");
    assert.equal(bodies.length, 2);
    assert.doesNotMatch(JSON.stringify(bodies[1]), /gAAA/);
  });

  it("ends as the response says", async () => {
    const end = (type: string, response: JsonObject): JsonObject[] => [
      created,
      ...words("Half"),
      { type, response },
    ];
    const cut = await ask([
      end("response.incomplete", { incomplete_details: { reason: "max_output_tokens" } }),
    ]);
    assert.equal(cut.message.stopReason, "length");
    const filtered = await ask([
      end("response.incomplete", { incomplete_details: { reason: "content_filter" } }),
    ]);
    assert.equal(filtered.message.errorKind, "content_filter");
    const failed = await ask([end("response.failed", { error: { code: "server_error", message: "Oops" } })]);
    assert.deepEqual([failed.message.errorKind, textOf(failed.message)], ["overloaded", "Half"]);
    const error = await ask([
      [created, { type: "error", code: "rate_limit_exceeded", message: "Slow down" }],
    ]);
    assert.equal(error.message.errorKind, "rate_limit");
    const open = await ask([[created, ...words("Half")]]);
    assert.equal(open.message.errorKind, "malformed_stream");
    const stray = await ask([[created, { type: "response.output_text.delta", output_index: 9, delta: "?" }]]);
    assert.equal(stray.message.errorKind, "malformed_stream");
  });

  it("takes a whole item that came without deltas", async () => {
    const { message } = await ask([[created, words("Whole")[2] ?? {}, completed]]);
    assert.equal(textOf(message), "Whole");
  });
});

describe("openai responses with the strict server", () => {
  let server: ProviderServer;
  before(async () => (server = await startProviderServer({ responses: { efforts: ["low", "high"] } })));
  after(() => server.close());

  const answerTo = async (call: Pick<StreamCall, "options"> & { readonly change?: Partial<Model> }) => {
    server.enqueue(reply({ text: "Fine." }));
    const { message } = await streamAll({
      model: responsesModel(server, call.change),
      messages: hello,
      ...call,
    });
    server.replies.splice(0);
    return message;
  };

  it("asks for no fewer tokens than the API takes", async () => {
    const levels = { thinkingLevels: ["low", "high"] } as const;
    assert.equal(textOf(await answerTo({ options: { maxTokens: 1 }, change: levels })), "Fine.");
    assert.equal(server.requests.at(-1)?.body["max_output_tokens"], 16);
  });

  it("asks a model that does not reason for no reasoning", async () => {
    const plain = await startProviderServer({
      responses: { reasoning: false },
      fallback: reply({ text: "Fine." }),
    });
    const { message } = await streamAll({
      model: responsesModel(plain, { reasoning: false }),
      messages: hello,
    });
    await plain.close();
    assert.deepEqual([message.errorMessage, textOf(message)], [undefined, "Fine."]);
  });

  it("says what the API refused", async () => {
    const message = await answerTo({ options: { thinkingLevel: "max" } });
    assert.equal(message.errorKind, "bad_request");
    assert.match(message.errorMessage ?? "", /'max' is not supported with the 'gpt-responses' model/);
  });

  it("shows a refusal in words as the answer", async () => {
    server.enqueue(reply({ refusal: "I cannot help with that." }));
    const change = { thinkingLevels: ["low", "high"] } as const;
    const { message } = await streamAll({ model: responsesModel(server, change), messages: hello });
    assert.deepEqual([message.stopReason, textOf(message)], ["stop", "I cannot help with that."]);
  });
});
