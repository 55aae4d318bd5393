// Recorded answers of each API, damaged at random: whatever arrives, a response ends once, in a well-formed message, and
// never with a call that the wire did not complete.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { isJsonObject } from "../../../src/shared/json.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import type { AssistantMessage, Model } from "../../../src/ai/types.ts";
import { assertWellFormed } from "../../support/contract-run.ts";
import { runs } from "../../support/properties.ts";
import {
  anthropicModel,
  fetchOf,
  openAiModel,
  responsesModel,
  streamAll,
  user,
} from "../../support/provider-models.ts";
import { repositoryRoot } from "../../support/repository-files.ts";
import { chunksOf, damageOf } from "../../support/stream-damage.ts";
import type { Line } from "../../support/stream-damage.ts";

const folders = [
  process.env["REINS_RECORDINGS"] || join(repositoryRoot, "../shared/recordings"),
  join(repositoryRoot, "test/fixtures/recordings"),
];
const nowhere = { url: "http://127.0.0.1:9", openAiUrl: "http://127.0.0.1:9/v1" };

/** What is looked for in the lines that arrived, without following them: the least that a good end needs. */
interface Wire {
  readonly model: Model;
  readonly end: RegExp;
  /** How many calls can have been completed, at most; without it nothing on the wire says it. */
  readonly completed?: (events: readonly JsonObject[]) => number;
}

const wires: { readonly [folder: string]: Wire } = {
  "anthropic-messages": {
    model: anthropicModel(nowhere),
    end: /"message_stop"/,
    completed: (events) => {
      const calls = events
        .filter((event) => JSON.stringify(event).includes('"tool_use"'))
        .map(({ index }) => index);
      const stops = events.filter(({ type }) => type === "content_block_stop");
      const placed = calls.every((index) => typeof index === "number");
      return stops.filter(({ index }) => !placed || typeof index !== "number" || calls.includes(index))
        .length;
    },
  },
  "openai-chat": { model: openAiModel(nowhere), end: /"finish_reason":"[^"]|\[DONE\]/ },
  "openai-responses": {
    model: responsesModel(nowhere),
    end: /"response\.(completed|incomplete)"|"status":"incomplete"/,
    completed: (events) => {
      const items = events.flatMap(({ type, item, response }) =>
        type === "response.output_item.done" ? [item] : isJsonObject(response) ? [response["output"]] : [],
      );
      const said = JSON.stringify(items).match(/"function_call"/g)?.length ?? 0;
      const implied = events.filter((event) => endsCallWithoutType(event, events)).length;
      const done = events.filter(({ type }) => type === "response.function_call_arguments.done").length;
      return said + implied + done;
    },
  },
};

const lineEnd = 10;

describe("a damaged stream", () => {
  for (const [api, wire] of Object.entries(wires)) {
    const recordings = folders.flatMap((folder) => linesIn(join(folder, api)));

    it(`of ${api} ends once, well-formed, and without a call that was not completed`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...recordings).chain(damageOf),
          fc.array(fc.nat(20_000), { maxLength: 12 }),
          async (lines, cuts) => {
            const bytes = bytesOf(wire.model, lines);
            const response = await streamAll({
              model: wire.model,
              messages: [user("Hi")],
              deps: { fetch: fetchOf(chunksOf(bytes, cuts)) },
            });
            assertWellFormed(response);
            assertCompleted(response.message, wire, new TextDecoder().decode(bytes));
          },
        ),
        { numRuns: runs(150) },
      );
    });

    it(`of ${api} that ends anywhere is whole or an error`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...recordings),
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.boolean(),
          async (lines, part, betweenEvents) => {
            const whole = bytesOf(wire.model, lines);
            const place = Math.floor(whole.length * part);
            const end = betweenEvents ? whole.indexOf(lineEnd, place) + 2 : place;
            const bytes = whole.slice(0, end);
            const deps = { fetch: fetchOf([bytes]) };
            const response = await streamAll({ model: wire.model, messages: [user("Hi")], deps });
            assertWellFormed(response);
            assertCompleted(response.message, wire, new TextDecoder().decode(bytes));
          },
        ),
        { numRuns: runs(60) },
      );
    });

    it(`of ${api} that falls silent anywhere is over when its time is`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...recordings).chain(damageOf),
          fc.nat(20_000),
          async (lines, cut) => {
            const whole = bytesOf(wire.model, lines);
            const response = await streamAll({
              model: wire.model,
              messages: [user("Hi")],
              options: { idleTimeoutMs: 5 },
              deps: { fetch: silentAfter(whole.slice(0, cut % (whole.length + 1))) },
            });
            assertWellFormed(response);
          },
        ),
        { numRuns: runs(15) },
      );
    });
  }
});

function assertCompleted(
  { stopReason, content, errorMessage = "" }: AssistantMessage,
  { end, completed }: Wire,
  arrived: string,
): void {
  assert.doesNotMatch(errorMessage, /Cannot read|is not (a function|iterable)|undefined/);
  if (stopReason !== "stop" && stopReason !== "toolUse") return;
  assert.match(arrived.replace(/": /g, '":'), end);
  const calls = content.filter((block) => block.type === "toolCall" && block.argumentsError === undefined);
  if (completed) assert.ok(calls.length <= completed(eventsIn(arrived)), "each call was completed");
}

/** An item that ends without its type is what it began as; its place says which it is. */
function endsCallWithoutType(
  { type, item, output_index }: JsonObject,
  events: readonly JsonObject[],
): boolean {
  if (type !== "response.output_item.done" || !isJsonObject(item)) return false;
  if (typeof item["type"] === "string" && item["type"] !== "") return false;
  return events.some(
    (began) =>
      began["type"] === "response.output_item.added" &&
      isJsonObject(began["item"]) &&
      began["item"]["type"] === "function_call" &&
      (began["output_index"] === output_index ||
        typeof output_index !== "number" ||
        typeof began["output_index"] !== "number"),
  );
}

function eventsIn(arrived: string): JsonObject[] {
  return arrived.split("\n").flatMap((line) => {
    try {
      const event: unknown = JSON.parse(line.replace(/^data: /, ""));
      return isJsonObject(event) ? [event] : [];
    } catch {
      return [];
    }
  });
}

function linesIn(folder: string): Line[][] {
  if (!existsSync(folder)) return [];
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  return texts
    .filter((text) => text.length < 20_000)
    .map((text) => text.split("\n").filter((line) => line !== ""));
}

function bytesOf(model: Model, lines: readonly Line[]): Uint8Array<ArrayBuffer> {
  const frames =
    model.api === "openai-chat"
      ? [...lines, "[DONE]"].map((line) => `data: ${line}\n\n`)
      : lines.map((line) => `event: ${/"type":\s*"([^"]*)"/.exec(line)?.[1] ?? "x"}\ndata: ${line}\n\n`);
  return new TextEncoder().encode(frames.join(""));
}

/** The body stays open. */
function silentAfter(bytes: Uint8Array): typeof fetch {
  return (_input, init) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes);
        init?.signal?.addEventListener("abort", () =>
          controller.error(new DOMException("stopped", "AbortError")),
        );
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  };
}
