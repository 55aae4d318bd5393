// Recorded responses: those of real services, which lie beside the repository or where REINS_RECORDINGS says, and our own
// in test/fixtures/recordings. Each is checked against an oracle; of some it is known what they say.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { runs } from "../../support/properties.ts";
import {
  readAnthropic,
  readingOf,
  readOpenAiChat,
  readOpenAiResponses,
  rawEvents,
} from "../../support/recording-oracle.ts";
import type { RawEvents, Reading } from "../../support/recording-oracle.ts";
import { repositoryRoot } from "../../support/repository-files.ts";
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

const folder = process.env["REINS_RECORDINGS"] || join(repositoryRoot, "../shared/recordings");
const folders = [folder, join(repositoryRoot, "test/fixtures/recordings")];
const nowhere = { url: "http://127.0.0.1:9", openAiUrl: "http://127.0.0.1:9/v1" };

const anthropic = anthropicModel(nowhere);
const openai = openAiModel(nowhere);
const responses: Model = { ...openai, api: "openai-responses" };

interface Wire {
  readonly model: Model;
  readonly oracle: (raw: RawEvents) => Reading;
}

const wires: { readonly [folder: string]: Wire } = {
  "anthropic-messages": { model: anthropic, oracle: readAnthropic },
  "openai-chat": { model: openai, oracle: readOpenAiChat },
  "openai-responses": { model: responses, oracle: readOpenAiResponses },
};

describe("recordings", function () {
  for (const [api, wire] of Object.entries(wires)) {
    for (const path of folders.flatMap((root) => filesIn(join(root, api)))) {
      it(`${path.slice(path.indexOf(api))} says what its raw events say, however its bytes are cut`, async () => {
        const lines = linesOf(path);
        const expected = wire.oracle(rawEvents(lines));
        const bytes = bytesOf(wire.model, lines);
        const whole = await receive(wire.model, [bytes]);
        const actual = readingOf(whole);
        assert.deepEqual({ ...actual, tokens: expected.tokens && actual.tokens }, expected);
        await fc.assert(
          fc.asyncProperty(cutsOf(bytes), async (chunks) => {
            assert.deepEqual(comparable(await receive(wire.model, chunks)), comparable(whole));
          }),
          { numRuns: runs(bytes.length > 50_000 ? 3 : 15) },
        );
      });
    }
  }
});

describe("recordings whose content is known", function () {
  before(function () {
    if (!existsSync(join(folder, "openai-chat/deepseek-reasoning.jsonl"))) this.skip();
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
});

function filesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.endsWith(".jsonl"));
  return names.sort().map((name) => join(path, name));
}

function linesOf(path: string): string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
}

/** As the services frame it. Lines that are no JSON are served as they are. */
function bytesOf(model: Model, lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const frames =
    model.api === "openai-chat"
      ? [...lines, "[DONE]"].map((line) => `data: ${line}\n\n`)
      : lines.map((line) => `event: ${/"type":\s*"([^"]*)"/.exec(line)?.[1]}\ndata: ${line}\n\n`);
  return new TextEncoder().encode(frames.join(""));
}

/** Chunks of random sizes, tiny ones among them; their number is bounded, for long recordings. */
function cutsOf(bytes: Uint8Array<ArrayBuffer>): fc.Arbitrary<Uint8Array<ArrayBuffer>[]> {
  const places = fc.array(fc.nat(bytes.length), { minLength: 1, maxLength: 300, size: "max" });
  const neighbours = (place: number) => [place, place + 1, place + 2];
  return places.map((random) => {
    const cuts = [0, ...random.flatMap(neighbours).sort((a, b) => a - b), bytes.length];
    return cuts.flatMap((from, n) => (from < (cuts[n + 1] ?? 0) ? [bytes.slice(from, cuts[n + 1])] : []));
  });
}

async function play(model: Model, name: string): Promise<AssistantMessage> {
  return receive(model, [bytesOf(model, linesOf(join(folder, name)))]);
}

async function receive(model: Model, chunks: readonly Uint8Array[]): Promise<AssistantMessage> {
  const deps = { fetch: fetchOf(chunks), now: () => 0 };
  return (await streamAll({ model, messages: [user("Hi")], deps })).message;
}

function callsOf(message: AssistantMessage): [string, JsonObject][] {
  return message.content
    .filter((block) => block.type === "toolCall")
    .map((block) => [block.name, block.arguments]);
}

/** Ids are made up where a service gives none. */
function comparable(message: AssistantMessage): AssistantMessage {
  const content = message.content.map((block) => (block.type === "toolCall" ? { ...block, id: "" } : block));
  return { ...message, content };
}
