// Recorded responses of real services. The recordings lie beside the repository; without them this suite is skipped.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AssistantMessage, Model } from "../../../src/ai/types.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import {
  anthropicModel,
  fetchOf,
  openAiModel,
  streamAll,
  textOf,
  user,
} from "../../support/provider-models.ts";

const folder = fileURLToPath(new URL("../../../../shared/recordings/", import.meta.url));
const nowhere = { url: "http://127.0.0.1:9", openAiUrl: "http://127.0.0.1:9/v1" };

const anthropic = anthropicModel(nowhere);
const openai = openAiModel(nowhere);
const responses: Model = { ...openai, api: "openai-responses" };

describe("recorded responses", function () {
  this.timeout(10_000);
  before(function () {
    if (!existsSync(folder)) this.skip();
  });

  it("anthropic: text", async () => {
    const message = await play(anthropic, "anthropic-messages/anthropic-text.jsonl");
    assert.equal(
      textOf(message),
      "Hello! I'm doing well, thank you for asking. How are you doing today? Is there anything I can help you with?",
    );
    assert.deepEqual([message.stopReason, message.usage.input, message.usage.output], ["stop", 12, 30]);
    assert.equal(message.responseId, "msg_01QC4g3HwBThD4BaNtBckFDJ");
  });

  it("anthropic: thinking with its signature", async () => {
    const message = await play(anthropic, "anthropic-messages/anthropic-clear-thinking.1.jsonl");
    const [thinking] = message.content;
    assert.ok(thinking?.type === "thinking");
    assert.match(thinking.thinking, /^The previous result was 925\. .*= 185$/s);
    assert.match(thinking.thinkingSignature ?? "", /^EvQBCk.*BgB$/);
    assert.equal(textOf(message), "925 ÷ 5 = 185");
  });

  it("anthropic: tool calls, with and without arguments", async () => {
    const other = await play(anthropic, "anthropic-messages/anthropic-json-other-tool.1.jsonl");
    assert.deepEqual(callsOf(other), [["weather", { location: "San Francisco" }]]);
    assert.equal(other.stopReason, "toolUse");
    const none = await play(anthropic, "anthropic-messages/anthropic-tool-no-args.jsonl");
    assert.deepEqual(callsOf(none), [["updateIssueList", {}]]);
    assert.deepEqual(
      none.content.map((block) => block.type),
      ["text", "toolCall"],
    );
    const nested = await play(anthropic, "anthropic-messages/anthropic-json-tool.1.jsonl");
    assert.deepEqual(callsOf(nested), [
      ["json", { elements: [{ location: "San Francisco", temperature: 58, condition: "sunny" }] }],
    ]);
  });

  it("anthropic: a refusal, usage that grows (P23), a start that comes twice", async () => {
    const refusal = await play(anthropic, "anthropic-messages/anthropic-refusal.jsonl");
    assert.equal(refusal.errorKind, "content_filter");
    assert.match(refusal.errorMessage ?? "", /violative cyber content/);
    const late = await play(anthropic, "anthropic-messages/anthropic-message-delta-input-tokens.jsonl");
    assert.deepEqual([textOf(late), late.usage.input, late.usage.output], ["pong", 61, 2]);
    const twice = await play(anthropic, "anthropic-messages/duplicate-message-start.jsonl");
    assert.deepEqual([textOf(twice), twice.usage.input], ["Hello, World!", 17]);
  });

  it("chat: text of OpenAI, Azure and xAI, with usage as each reports it", async () => {
    const text = await play(openai, "openai-chat/openai-text.jsonl");
    assert.ok(textOf(text).startsWith("**Holiday"));
    assert.deepEqual([text.usage.input, text.usage.output], [16, 300]);
    const azure = await play(openai, "openai-chat/azure-model-router.1.jsonl");
    assert.equal(textOf(azure), "Capital of Denmark.");
    assert.deepEqual([azure.usage.input, azure.usage.output], [15, 78]);
    const xai = await play(openai, "openai-chat/xai-text.jsonl");
    assert.equal(textOf(xai), "Hello");
    // xAI counts reasoning beside the completion.
    assert.deepEqual([xai.usage.input, xai.usage.cacheRead, xai.usage.output], [1, 11, 291]);
  });

  it("chat: reasoning of DeepSeek and Groq is thinking", async () => {
    for (const name of ["deepseek-reasoning", "groq-reasoning"]) {
      const message = await play(openai, `openai-chat/${name}.jsonl`);
      assert.deepEqual(
        message.content.map((block) => block.type),
        ["thinking", "text"],
        name,
      );
      assert.equal(message.stopReason, "stop", name);
      assert.ok(message.usage.output > 0, name);
    }
  });

  it("chat: tool calls, in one piece, in many, and without an index (P15)", async () => {
    const location = { location: "San Francisco" };
    for (const [name, args] of [
      ["deepseek-tool-call", location],
      ["groq-tool-call", {}],
      ["mistral-tool-call", location],
      ["xai-tool-call", location],
    ] as const) {
      const message = await play(openai, `openai-chat/${name}.jsonl`);
      assert.deepEqual(callsOf(message), [["weather", args]], name);
      assert.equal(message.stopReason, "toolUse", name);
    }
  });

  it("responses: text with its phase, an error", async () => {
    const phase = await play(responses, "openai-responses/openai-phase.1.jsonl");
    const signatures = phase.content.map((block) => block.type === "text" && (block.textSignature ?? ""));
    assert.match(String(signatures[0]), /"phase":"commentary"/);
    assert.match(String(signatures[1]), /"phase":"final_answer"/);
    const error = await play(responses, "openai-responses/openai-error.1.jsonl");
    assert.equal(error.errorKind, "quota");
  });

  it("responses: encrypted reasoning is kept for the next request", async () => {
    const message = await play(responses, "openai-responses/openai-reasoning-encrypted-content.1.jsonl");
    const [thinking] = message.content;
    assert.ok(thinking?.type === "thinking");
    assert.match(thinking.thinking, /^\*\*Calculating step-by-step/);
    assert.match(thinking.thinkingSignature ?? "", /"encrypted_content":"gAAAA/);
    assert.equal(message.stopReason, "toolUse");
  });

  it("responses: an event that is not JSON is an error, not a crash", async () => {
    const message = await play(responses, "openai-responses/parallel-tool-call-wrapper.1.jsonl");
    assert.equal(message.errorKind, "malformed_stream");
  });

  it("every recording reads the same when its bytes come in small odd pieces", async () => {
    for (const [model, name] of [
      [anthropic, "anthropic-messages/anthropic-clear-thinking.1.jsonl"],
      [openai, "openai-chat/deepseek-tool-call.jsonl"],
      [responses, "openai-responses/openai-phase.1.jsonl"],
    ] as const) {
      const whole = await play(model, name);
      for (const size of [1, 7, 61]) {
        const cut = await play(model, name, size);
        assert.deepEqual(cut.content.map(withoutId), whole.content.map(withoutId), `${name} by ${size}`);
      }
    }
  });
});

async function play(model: Model, name: string, size = 1 << 20): Promise<AssistantMessage> {
  const lines = readFileSync(`${folder}${name}`, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  // One recording holds lines that are not JSON; they are served as they are.
  const frames = lines.map((line) => `event: ${/"type":"([^"]*)"/.exec(line)?.[1]}\ndata: ${line}\n\n`);
  if (model.api === "openai-chat") {
    frames.splice(0, frames.length, ...lines.map((line) => `data: ${line}\n\n`), "data: [DONE]\n\n");
  }
  const bytes = new TextEncoder().encode(frames.join(""));
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  const deps = { fetch: fetchOf(chunks), now: () => 0 };
  return (await streamAll({ model, messages: [user("Hi")], deps })).message;
}

function callsOf(message: AssistantMessage): [string, JsonObject][] {
  return message.content
    .filter((block) => block.type === "toolCall")
    .map((block) => [block.name, block.arguments]);
}

function withoutId(block: AssistantMessage["content"][number]) {
  return block.type === "toolCall" ? { ...block, id: "" } : block;
}
