// Long answers as bytes, one network chunk per event, in each wire format.
import type { Api, Model } from "../../../src/ai/types.ts";

export type HttpApi = Extract<Api, "anthropic-messages" | "openai-chat" | "openai-responses">;

export const httpApis: readonly HttpApi[] = ["anthropic-messages", "openai-chat", "openai-responses"];

export function benchModel(api: HttpApi): Model {
  return {
    provider: "bench",
    id: "bench-model",
    name: "Bench",
    api,
    baseUrl: "http://127.0.0.1:9/v1",
    contextWindow: 1_000_000,
    maxTokens: 64_000,
    input: ["text", "image"],
    reasoning: true,
  };
}

/** An answer of `count` deltas of the given text. */
export function textReply(api: HttpApi, count: number, delta: string): Uint8Array[] {
  return encoded(api, [
    ...opening(api, "text"),
    ...repeated(count, textDelta(api, delta)),
    ...ending(api, "text"),
  ]);
}

/** One call whose arguments are a text of `bytes` bytes, in `count` deltas. */
export function argumentsReply(api: HttpApi, count: number, bytes: number): Uint8Array[] {
  const piece = "0123456789 abc\\n"
    .repeat(Math.ceil(bytes / count / 16))
    .slice(0, Math.floor(bytes / count / 16) * 16);
  const deltas = [
    argumentsDelta(api, '{"path":"a.ts","content":"'),
    ...repeated(count, argumentsDelta(api, piece)),
    argumentsDelta(api, '"}'),
  ];
  return encoded(api, [...opening(api, "call"), ...deltas, ...ending(api, "call")]);
}

/** Answers every request with these chunks, each when it is asked for. */
export function fetchOfChunks(chunks: readonly Uint8Array[]): typeof fetch {
  return () => {
    let next = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks[next];
        next += 1;
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
    });
    return Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }));
  };
}

type Kind = "text" | "call";

function opening(api: HttpApi, kind: Kind): object[] {
  switch (api) {
    case "anthropic-messages": {
      const usage = { input_tokens: 10, output_tokens: 1 };
      const call = { type: "tool_use", id: "call_1", name: "write", input: {} };
      const block = kind === "text" ? { type: "text", text: "" } : call;
      return [
        {
          type: "message_start",
          message: { id: "msg_1", type: "message", role: "assistant", content: [], usage },
        },
        { type: "content_block_start", index: 0, content_block: block },
      ];
    }
    case "openai-chat":
      return [
        kind === "text"
          ? chatChunk({ role: "assistant", content: "" })
          : chatChunk({
              tool_calls: [
                { index: 0, id: "call_1", type: "function", function: { name: "write", arguments: "" } },
              ],
            }),
      ];
    case "openai-responses": {
      const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "write", arguments: "" };
      const item = kind === "text" ? { type: "message", id: "msg_1", role: "assistant", content: [] } : call;
      return [
        { type: "response.created", response: { id: "resp_1" } },
        { type: "response.output_item.added", output_index: 0, item },
      ];
    }
  }
}

function textDelta(api: HttpApi, text: string): object {
  switch (api) {
    case "anthropic-messages":
      return { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } };
    case "openai-chat":
      return chatChunk({ content: text });
    case "openai-responses":
      return {
        type: "response.output_text.delta",
        output_index: 0,
        content_index: 0,
        item_id: "msg_1",
        delta: text,
      };
  }
}

function argumentsDelta(api: HttpApi, text: string): object {
  switch (api) {
    case "anthropic-messages":
      return {
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: text },
      };
    case "openai-chat":
      return chatChunk({ tool_calls: [{ index: 0, function: { arguments: text } }] });
    case "openai-responses":
      return {
        type: "response.function_call_arguments.delta",
        output_index: 0,
        item_id: "fc_1",
        delta: text,
      };
  }
}

function ending(api: HttpApi, kind: Kind): object[] {
  switch (api) {
    case "anthropic-messages":
      return [
        { type: "content_block_stop", index: 0 },
        {
          type: "message_delta",
          delta: { stop_reason: kind === "text" ? "end_turn" : "tool_use" },
          usage: { output_tokens: 10 },
        },
        { type: "message_stop" },
      ];
    case "openai-chat":
      return [chatChunk({}, kind === "text" ? "stop" : "tool_calls")];
    case "openai-responses":
      return [
        {
          type: "response.output_item.done",
          output_index: 0,
          item: { type: kind === "text" ? "message" : "function_call", id: "msg_1" },
        },
        {
          type: "response.completed",
          response: { id: "resp_1", usage: { input_tokens: 10, output_tokens: 10 } },
        },
      ];
  }
}

function chatChunk(delta: object, finish: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { id: "chatcmpl_1", object: "chat.completion.chunk", created: 0, model: "bench-model", choices };
}

function repeated(count: number, event: object): object[] {
  return Array.from({ length: count }, () => event);
}

function encoded(api: HttpApi, events: readonly object[]): Uint8Array[] {
  const encoder = new TextEncoder();
  // The same bytes for the same event, each in a chunk of its own.
  const known = new Map<object, Uint8Array>();
  const chunks = events.map((event) => {
    const named = api !== "openai-chat" && "type" in event ? `event: ${String(event.type)}\n` : "";
    const bytes = known.get(event) ?? encoder.encode(`${named}data: ${JSON.stringify(event)}\n\n`);
    known.set(event, bytes);
    return bytes.slice();
  });
  return api === "openai-chat" ? [...chunks, encoder.encode("data: [DONE]\n\n")] : chunks;
}
