// Random conversations as sessions really hold them: from any provider, with everything in them that a strict API refuses.
import fc from "fast-check";
import type { AssistantBlock, AssistantMessage, ImageBlock, Message, Model } from "../../src/ai/types.ts";
import type { JsonObject } from "../../src/shared/json.ts";
import { png } from "./image-rules.ts";
import { anthropicModel, openAiModel, readTool } from "./provider-models.ts";
import { encryptedReasoning, redactedData, thinkingSignature } from "./reply-parts.ts";

export const anthropic = anthropicModel({ url: "http://127.0.0.1:9" });
export const chat = openAiModel({ openAiUrl: "http://127.0.0.1:9/v1" });
export const responses: Model = { ...chat, id: "gpt-responses", api: "openai-responses", reasoning: true };

const authors = [anthropic, chat, responses, { ...anthropic, id: "someone-else" }];

export const anyText = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom("", " ", "\n", "\ud83d", "x\udc00y", "<|endoftext|>", "</tool_result>", "[INST]"),
);

const anyId = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "toolu_1",
    "",
    "call.x:y",
    `call|fc_${"z".repeat(90)}`,
    `call|fc_${"z".repeat(91)}`,
  ),
  fc.string({ maxLength: 8 }),
);

const anyName = fc.oneof(
  { weight: 5, arbitrary: fc.constant("read") },
  { weight: 2, arbitrary: fc.constantFrom("", "fs.read", "日本", "\ud83d", "n".repeat(65), "n".repeat(300)) },
);

/** Small ones, so that no limit of the request is met; the last four cannot be sent. */
const anyImage = fc.constantFrom<ImageBlock>(
  png(1, 1),
  { ...png(20, 10), mimeType: "image/jpeg" },
  png(9_000, 1),
  { ...png(1, 1), data: "" },
  { type: "image", data: Buffer.from("<svg/>").toString("base64"), mimeType: "image/svg+xml" },
  { type: "image", data: "not base64!", mimeType: "image/png" },
);

const textBlock = anyText.map((text) => ({ type: "text" as const, text }));
const content = fc.array(fc.oneof(textBlock, anyImage), { maxLength: 3 });

function thinkingOf(model: Model): fc.Arbitrary<AssistantBlock> {
  const signed = anyText.map((thinking): AssistantBlock => {
    const item = {
      type: "reasoning",
      encrypted_content: encryptedReasoning(model.id, [thinking]),
      summary: [{ type: "summary_text", text: thinking }],
    };
    const signature =
      model.api === "openai-responses" ? JSON.stringify(item) : thinkingSignature(model.id, thinking);
    return { type: "thinking", thinking, thinkingSignature: signature };
  });
  const unsigned = anyText.map((thinking): AssistantBlock => ({ type: "thinking", thinking }));
  const hidden = fc.constant<AssistantBlock>({
    ...{ type: "thinking", thinking: "", redacted: true },
    thinkingSignature: redactedData(model.id),
  });
  return fc.oneof(signed, signed, unsigned, model.api === "anthropic-messages" ? hidden : signed);
}

const call = fc
  .record({
    id: anyId,
    name: anyName,
    args: fc.dictionary(anyText, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
  })
  .chain(({ id, name, args }) =>
    fc.constantFrom<AssistantBlock>(
      { type: "toolCall", id, name, arguments: JSON.parse(JSON.stringify(args)) as JsonObject },
      { type: "toolCall", id, name, arguments: {}, argumentsError: 'not JSON: {"\ud83d' },
    ),
  );

const assistant = fc.constantFrom(...authors).chain((model) =>
  fc
    .record({
      blocks: fc.array(fc.oneof(textBlock, thinkingOf(model), call, call), { maxLength: 4 }),
      stopReason: fc.constantFrom("stop", "toolUse", "length", "error", "aborted"),
    })
    .map(({ blocks, stopReason }) => answerOf(model, blocks, { stopReason })),
);

export function answerOf(
  model: Model,
  blocks: readonly AssistantBlock[],
  change: Partial<AssistantMessage> = {},
): AssistantMessage {
  return {
    ...{ role: "assistant", content: blocks, api: model.api, provider: model.provider, model: model.id },
    usage: {
      ...{ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    ...{ stopReason: "stop", timestamp: 0 },
    ...change,
  };
}

const userMessage = fc
  .oneof(anyText, content)
  .map((value): Message => ({ role: "user", content: value, timestamp: 0 }));

const result = fc
  .record({ toolCallId: anyId, content, isError: fc.boolean() })
  .map((fields): Message => ({ role: "toolResult", toolName: "read", timestamp: 0, ...fields }));

const sectionChange = fc
  .record({ said: anyText, text: fc.option(anyText), name: fc.constantFrom("rules", "files") })
  .map(({ said, text, name }): Message => ({
    ...{ role: "system", content: said, sections: { [name]: text }, timestamp: 0 },
  }));

const toolChange = fc
  .record({ name: anyName, description: anyText, removes: fc.boolean() })
  .map(({ name, description, removes }): Message => ({
    ...{ role: "system", content: "", timestamp: 0 },
    ...(removes ? { toolsRemoved: [{ name }] } : { toolsAdded: [{ ...readTool, name, description }] }),
  }));

/** Turns as the runtime leaves them: calls mostly answered, in order, sometimes with the system speaking between. */
const turn = fc.oneof(
  { weight: 3, arbitrary: userMessage.map((message) => [message]) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(assistant, content, fc.boolean(), fc.option(sectionChange, { freq: 4 }))
      .map(([message, answer, isError, between]): Message[] => [
        message,
        ...(between ? [between] : []),
        ...message.content.flatMap((block): Message[] =>
          block.type === "toolCall"
            ? [
                {
                  ...{ role: "toolResult", toolCallId: block.id, toolName: block.name },
                  ...{ content: answer, isError, timestamp: 0 },
                },
              ]
            : [],
        ),
      ]),
  },
  { weight: 1, arbitrary: assistant.map((message): Message[] => [message]) },
  { weight: 1, arbitrary: result.map((message) => [message]) },
  { weight: 1, arbitrary: sectionChange.map((message) => [message]) },
  { weight: 1, arbitrary: toolChange.map((message) => [message]) },
);

/** Up to about 40 messages, each later than the one before. */
export const randomHistory: fc.Arbitrary<readonly Message[]> = fc
  .array(turn, { maxLength: 10 })
  .map((turns) => turns.flat())
  .map(inOrder);

export function inOrder(messages: readonly Message[]): Message[] {
  return messages.map((message, index) => ({ ...message, timestamp: 1_000 + index }));
}

export function asJson(body: unknown): JsonObject {
  return JSON.parse(JSON.stringify(body)) as JsonObject;
}
