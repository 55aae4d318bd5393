// Models that point at the loopback provider, and one call that streams a response to its end.
import { createStream } from "../../src/ai/stream.ts";
import type { StreamDeps } from "../../src/ai/stream.ts";
import type {
  AssistantMessage,
  Message,
  Model,
  StreamEvent,
  StreamOptions,
  ToolDeclaration,
} from "../../src/ai/types.ts";
import type { ProviderServer } from "./provider-server.ts";

/** The fixed time of every test message. */
export const testTime = 1_700_000_000_000;

export function anthropicModel(server: Pick<ProviderServer, "url">, change: Partial<Model> = {}): Model {
  return {
    provider: "anthropic",
    id: "claude-test",
    name: "Claude Test",
    api: "anthropic-messages",
    baseUrl: server.url,
    contextWindow: 200_000,
    maxTokens: 8_192,
    input: ["text", "image"],
    reasoning: true,
    ...change,
  };
}

export function openAiModel(server: Pick<ProviderServer, "openAiUrl">, change: Partial<Model> = {}): Model {
  return {
    provider: "local",
    id: "gpt-test",
    name: "GPT Test",
    api: "openai-chat",
    baseUrl: server.openAiUrl,
    contextWindow: 128_000,
    maxTokens: 4_096,
    input: ["text", "image"],
    reasoning: false,
    ...change,
  };
}

export function responsesModel(
  server: Pick<ProviderServer, "openAiUrl">,
  change: Partial<Model> = {},
): Model {
  return {
    ...openAiModel(server),
    id: "gpt-responses",
    api: "openai-responses",
    reasoning: true,
    ...change,
  };
}

export function system(content: string, toolsAdded: readonly ToolDeclaration[] = []): Message {
  return { role: "system", content, toolsAdded, timestamp: testTime };
}

export function user(text: string): Message {
  return { role: "user", content: text, timestamp: testTime };
}

export function toolResult(toolCallId: string, text: string, isError = false): Message {
  const content = text === "" ? [] : [{ type: "text" as const, text }];
  return { role: "toolResult", toolCallId, toolName: "read", content, isError, timestamp: testTime };
}

export const readTool: ToolDeclaration = {
  name: "read",
  description: "Reads a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

export interface StreamedResponse {
  readonly events: readonly StreamEvent[];
  readonly message: AssistantMessage;
}

export interface StreamCall {
  readonly model: Model;
  readonly messages: readonly Message[];
  readonly options?: StreamOptions;
  readonly deps?: Partial<StreamDeps>;
  /** Called for every event as it is taken. */
  readonly onEvent?: (event: StreamEvent) => void;
}

export async function streamAll(call: StreamCall): Promise<StreamedResponse> {
  const stream = createStream({ now: () => Date.now(), web: false, ...call.deps });
  const response = stream(call.model, { messages: call.messages }, { apiKey: "test-key", ...call.options });
  const events: StreamEvent[] = [];
  for await (const event of response) {
    events.push(event);
    call.onEvent?.(event);
  }
  return { events, message: await response.result() };
}

/** A `fetch` that answers every request with this body, cut into the given chunks. */
export function fetchOf(chunks: readonly Uint8Array[], contentType = "text/event-stream"): typeof fetch {
  return () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": contentType } }));
  };
}

export function textOf(message: AssistantMessage): string {
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
