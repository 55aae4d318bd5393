// Reads the events of one answer with the product's code for each API, and checks what holds for every answer: for tests of
// odd servers.
import type { AssistantMessage, Model } from "../../src/ai/types.ts";
import type { JsonObject } from "../../src/shared/json.ts";
import { assertWellFormed } from "./contract-run.ts";
import { anthropicModel, fetchOf, openAiModel, responsesModel, streamAll, user } from "./provider-models.ts";
import { namedFrame, openAiFrame } from "./provider-replies.ts";

const nowhere = { url: "http://127.0.0.1:9", openAiUrl: "http://127.0.0.1:9/v1" };

/** Of the Messages API. */
export function readMessages(events: readonly JsonObject[]): Promise<AssistantMessage> {
  return readBody(anthropicModel(nowhere), events.map(namedFrame).join(""));
}

/** Of Chat Completions; `done`: with `[DONE]` at the end. */
export function readChunks(chunks: readonly JsonObject[], done = true): Promise<AssistantMessage> {
  return readBody(openAiModel(nowhere), chunks.map(openAiFrame).join("") + (done ? "data: [DONE]\n\n" : ""));
}

/** Of the Responses API. */
export function readResponses(events: readonly JsonObject[]): Promise<AssistantMessage> {
  return readBody(responsesModel(nowhere), events.map(namedFrame).join(""));
}

async function readBody(model: Model, body: string): Promise<AssistantMessage> {
  const deps = { fetch: fetchOf([new TextEncoder().encode(body)]) };
  const response = await streamAll({ model, messages: [user("Hi")], deps });
  assertWellFormed(response);
  return response.message;
}

/** Name and arguments of the calls that can be run. */
export function callsOf(message: AssistantMessage): (readonly [string, JsonObject])[] {
  return message.content
    .filter((block) => block.type === "toolCall" && block.argumentsError === undefined)
    .map((block) => (block.type === "toolCall" ? [block.name, block.arguments] : ["", {}]));
}

export function thinkingOf(message: AssistantMessage): string {
  return message.content.map((block) => (block.type === "thinking" ? block.thinking : "")).join("");
}
