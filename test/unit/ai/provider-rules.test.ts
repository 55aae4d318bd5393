// The loopback provider is worth what it refuses: each thing that the Responses API answers with a 400, in its words, and
// the keys and addresses that the APIs ask for.
import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/shared/json.ts";
import { reply } from "../../support/provider-replies.ts";
import { startProviderServer } from "../../support/provider-server.ts";
import type { ProviderServer, ProviderServerOptions } from "../../support/provider-server.ts";
import { encryptedReasoning } from "../../support/reply-parts.ts";
import { RuleViolation } from "../../support/request-rules.ts";
import { checkResponsesRequest } from "../../support/responses-rules.ts";
import type { ResponsesServerRules } from "../../support/responses-rules.ts";

const hi = { role: "user", content: [{ type: "input_text", text: "Hi" }] };
const call = { type: "function_call", call_id: "call_1", name: "read", arguments: "{}" };
const output = { type: "function_call_output", call_id: "call_1", output: "done" };
const said = { role: "assistant", content: "Hello" };
const thought = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "Hm." }],
  encrypted_content: encryptedReasoning("gpt", ["Hm."]),
};
const tool = { type: "function", name: "read", parameters: { type: "object" }, strict: false };

const body = (change: JsonObject = {}): JsonObject => ({
  model: "gpt",
  stream: true,
  store: false,
  input: [hi, thought, call, output, said, hi],
  tools: [tool],
  max_output_tokens: 16,
  reasoning: { effort: "high", summary: "auto" },
  include: ["reasoning.encrypted_content"],
  prompt_cache_key: "k",
  ...change,
});

const content = (part: JsonObject) => ({ input: [{ role: "user", content: [part] }] });

const refused: readonly (readonly [RegExp, JsonObject, ResponsesServerRules?])[] = [
  [/Unknown parameter: 'max_tokens'/, { max_tokens: 5 }],
  [/Unknown parameter: 'reasoning.max_tokens'/, { reasoning: { max_tokens: 5 } }],
  [
    /'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1/,
    { max_output_tokens: 1 },
  ],
  [/'prompt_cache_key': string too long/, { prompt_cache_key: "k".repeat(65) }],
  [/Set 'store' to false/, { store: true }],
  [/Invalid value: 'huge'/, { reasoning: { effort: "huge" } }],
  [/'xhigh' is not supported with the 'gpt' model/, { reasoning: { effort: "xhigh" } }, { efforts: ["low"] }],
  [
    /Encrypted content is not supported with this model/,
    { reasoning: undefined as never },
    { reasoning: false },
  ],
  [/'reasoning.effort' is not supported with this model/, { include: [] }, { reasoning: false }],
  [/Invalid schema for function 'read'/, { tools: [{ ...tool, parameters: { type: "string" } }] }],
  [/'additionalProperties' is required/, { tools: [{ ...tool, strict: true }] }],
  [/'tools\[0\].name': string does not match pattern/, { tools: [{ ...tool, name: "a.b" }] }],
  [/Duplicate tool name/, { tools: [tool, tool] }],
  [/Missing required parameter: 'input'/, { input: [] }],
  [/Unknown parameter: 'input\[1\].status'/, { input: [hi, { ...said, status: "completed" }] }],
  [/Unknown parameter: 'input\[1\].status'/, { input: [hi, { ...thought, status: "completed" }, said] }],
  [/Invalid value: 'tool'/, { input: [hi, { role: "tool", content: "x" }] }],
  [/Invalid value: 'text'. Supported values are: 'input_text'/, content({ type: "text", text: "x" })],
  [/Invalid value: 'output_text'/, content({ type: "output_text", text: "x" })],
  [/Invalid value: 'input_text'/, { input: [hi, { ...said, content: [{ type: "input_text", text: "x" }] }] }],
  [/'input\[0\].content\[0\].text': empty string/, content({ type: "input_text", text: "" })],
  [/'input\[0\].content': empty array/, { input: [{ role: "user", content: [] }] }],
  [/expected an image URL/, content({ type: "input_image", image_url: { url: "data:" } })],
  [/Expected a valid URL/, content({ type: "input_image", image_url: "iVBORw0KGgo" })],
  [/Could not process image/, content({ type: "input_image", image_url: "data:image/png;base64,AAAA" })],
  [/No tool output found for function call call_1/, { input: [hi, call] }],
  [/No tool output found for function call call_1/, { input: [hi, call, hi, output] }],
  [/No tool call found for function call output with call_id call_1/, { input: [hi, output] }],
  [/No tool call found/, { input: [hi, call, output, output] }],
  [/Duplicate function call/, { input: [hi, call, output, call, output] }],
  [/'input\[1\].call_id': empty string/, { input: [hi, { ...call, call_id: "" }, output] }],
  [/'input\[1\].call_id': string too long/, { input: [hi, { ...call, call_id: "c".repeat(65) }, output] }],
  [
    /'input\[1\].id': 'msg_1'. Expected an ID that begins with 'fc'/,
    { input: [hi, { ...call, id: "msg_1" }, output] },
  ],
  [
    /'input\[1\].id': 'item_1'. Expected an ID that begins with 'msg'/,
    { input: [hi, { ...said, id: "item_1" }] },
  ],
  [/'input\[2\].output': empty string/, { input: [hi, call, { ...output, output: "" }] }],
  [/input\[1\].arguments/, { input: [hi, { ...call, arguments: '{"a":' }, output] }],
  [
    /'rs_1' of type 'reasoning' was provided without its required following item/,
    { input: [hi, thought, hi] },
  ],
  [/without its required following item/, { input: [hi, thought] }],
  [/The encrypted content gAAA.* could not be verified/, { model: "other" }],
  [/Item with id 'rs_1' not found/, { input: [hi, { ...thought, encrypted_content: null }, said] }],
  [/Missing required parameter: 'input\[1\].summary'/, { input: [hi, { ...thought, summary: null }, said] }],
  [/no low surrogate/, { input: [{ role: "user", content: "\ud83d" }] }],
  [
    /only allowed at the beginning/,
    { input: [hi, { role: "developer", content: "x" }] },
    { systemFirst: true },
  ],
];

async function withServer(
  options: ProviderServerOptions,
  run: (server: ProviderServer) => Promise<void>,
): Promise<void> {
  const server = await startProviderServer({ ...options, fallback: reply({ text: "Hi" }) });
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

interface Posted {
  readonly status: number;
  readonly json: JsonObject;
}

async function post(url: string, sent: unknown, headers: Record<string, string> = {}): Promise<Posted> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(sent), headers });
  const text = await response.text();
  return { status: response.status, json: text.startsWith("{") ? (JSON.parse(text) as JsonObject) : {} };
}

describe("the loopback provider", () => {
  it("accepts what the Responses API accepts", () => {
    checkResponsesRequest(body());
    checkResponsesRequest(body({ input: "Hi" }));
  });

  for (const [index, [message, change, rules]] of refused.entries()) {
    it(`refuses as the Responses API does: ${message.source} (${index + 1})`, () => {
      assert.throws(
        () => checkResponsesRequest(JSON.parse(JSON.stringify(body(change))) as JsonObject, rules),
        (error) => error instanceof RuleViolation && message.test(error.message),
      );
    });
  }

  it("answers a refusal with the API's own body", async () => {
    await withServer({}, async ({ url }) => {
      const { status, json } = await post(`${url}/v1/responses`, body({ max_output_tokens: 1 }));
      assert.equal(status, 400);
      assert.deepEqual(json["error"], {
        message:
          "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1 instead.",
        type: "invalid_request_error",
        param: "max_output_tokens",
        code: "integer_below_min_value",
      });
    });
  });

  it("lets nobody in without the key in its header, and Azure's version in the address", async () => {
    await withServer({ apiKey: "k1" }, async ({ url }) => {
      const bearer = { authorization: "Bearer k1" };
      assert.equal((await post(`${url}/v1/responses`, body(), bearer)).status, 200);
      assert.equal((await post(`${url}/v1/responses`, body(), { authorization: "Bearer k2" })).status, 401);
      assert.equal((await post(`${url}/v1/responses`, body(), { "api-key": "k1" })).status, 401);
    });
    const azure = { apiKey: "k1", keyHeader: "api-key", query: { "api-version": "v1" } } as const;
    await withServer(azure, async ({ url, requests }) => {
      const address = `${url}/openai/v1/responses?api-version=v1`;
      assert.equal((await post(address, body(), { "api-key": "k1" })).status, 200);
      assert.equal((await post(address, body(), { authorization: "Bearer k1" })).status, 401);
      assert.equal(
        (await post(address, body(), { "api-key": "k1", authorization: "Bearer k1" })).status,
        401,
      );
      assert.equal((await post(`${url}/openai/v1/responses`, body(), { "api-key": "k1" })).status, 404);
      assert.equal(requests[0]?.path, "/openai/v1/responses?api-version=v1");
    });
  });
});
