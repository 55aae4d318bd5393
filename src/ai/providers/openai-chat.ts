// The Chat Completions API of OpenAI and the many servers that imitate it: opens a raw chunk stream with the SDK and
// leaves the reading of chunks to `openai-chat-reader.ts`.
import OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { providerHost } from "../provider-host.ts";
import { clientOptions } from "./access.ts";
import { OpenAiChatReader } from "./openai-chat-reader.ts";
import { toOpenAiChatRequest } from "./openai-chat-convert.ts";
import { openAdapted } from "./provider.ts";
import type { ProviderRun } from "./provider.ts";

const chatPath = "/chat/completions";

/** Milliseconds that usage and `[DONE]` may take after the answer is complete. Not every server ends its stream. */
const afterwardsMs = 2_000;

export async function streamOpenAiChat(run: ProviderRun): Promise<void> {
  const { model, partial, signal, wire } = run;
  const client = openOpenAiClient(run);
  const stream = await openAdapted<ChatCompletionCreateParamsStreaming, AsyncIterable<unknown>>(
    toOpenAiChatRequest(run),
    // The SDK's own method for it reads the chunks, and trips over odd ones.
    (body) => client.post(chatPath, { body, stream: true, signal, ...sessionHeaders(run) }),
    withoutRefusedField,
  );
  const reader = new OpenAiChatReader(partial, providerHost(model));
  let afterwards: ReturnType<typeof setTimeout> | undefined;
  try {
    for await (const chunk of stream) {
      reader.read(chunk);
      if (partial.ended) return;
      clearTimeout(afterwards);
      if (reader.isComplete) afterwards = setTimeout(() => reader.finish(false), afterwardsMs);
    }
    if (!signal.aborted) reader.finish(wire.saidDone());
  } finally {
    clearTimeout(afterwards);
  }
}

function sessionHeaders({ model, options }: ProviderRun): { headers?: Record<string, string> } {
  const name = model.compat?.sessionHeader;
  return name !== undefined && options.sessionId ? { headers: { [name]: options.sessionId } } : {};
}

/** Shared with the Responses API. */
export function openOpenAiClient(run: ProviderRun): OpenAI {
  return new OpenAI({ ...clientOptions(run), adminAPIKey: null, organization: null, project: null });
}

/** Usage in the stream and cache affinity are worth asking for, but not worth failing for. */
const optionalFields = ["stream_options", "prompt_cache_key"] as const;

function withoutRefusedField(
  refusal: string,
  body: ChatCompletionCreateParamsStreaming,
): ChatCompletionCreateParamsStreaming | undefined {
  const said = refusal.replaceAll("include_usage", "stream_options");
  const refused = optionalFields.find((name) => body[name] !== undefined && said.includes(name));
  if (refused !== undefined) {
    const { [refused]: _refused, ...rest } = body;
    return rest;
  }
  // Newer models of OpenAI and Azure say so themselves.
  const { max_tokens: limit, ...rest } = body;
  if (typeof limit !== "number" || !/max_tokens[^]{0,80}max_completion_tokens/i.test(refusal))
    return undefined;
  return { ...rest, max_completion_tokens: limit };
}
