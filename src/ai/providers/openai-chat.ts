// The Chat Completions API of OpenAI and the many servers that imitate it: opens a raw chunk stream with the SDK and
// leaves the reading of chunks to `openai-chat-reader.ts`.
import OpenAI from "openai";
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsStreaming,
} from "openai/resources/chat/completions";
import { ProviderError } from "../errors.ts";
import { baseUrlOf, openAiBaseUrl, providerHost } from "../provider-host.ts";
import { OpenAiChatReader } from "./openai-chat-reader.ts";
import { toOpenAiChatRequest } from "./openai-chat-convert.ts";
import { noKey, openAdapted, sdkTimeoutMs } from "./provider.ts";
import type { ProviderRun } from "./provider.ts";

export async function streamOpenAiChat(run: ProviderRun): Promise<void> {
  const { model, partial, signal, wire } = run;
  const client = openOpenAiClient(run);
  const stream = await openAdapted<ChatCompletionCreateParamsStreaming, AsyncIterable<ChatCompletionChunk>>(
    toOpenAiChatRequest(run),
    (body) => client.chat.completions.create(body, { signal, ...sessionHeaders(run) }),
    withoutRefusedField,
  );
  const reader = new OpenAiChatReader(partial, providerHost(model));
  for await (const chunk of stream) {
    reader.read(chunk);
    if (partial.ended) return;
  }
  if (!signal.aborted) reader.finish(/data:\s*\[DONE\]\s*$/.test(wire.tail()));
}

function sessionHeaders({ model, options }: ProviderRun): { headers?: Record<string, string> } {
  const name = model.compat?.sessionHeader;
  return name !== undefined && options.sessionId ? { headers: { [name]: options.sessionId } } : {};
}

/** Shared with the Responses API. Keys and base URLs of the environment are not used. */
export function openOpenAiClient({ model, options, wire, web }: ProviderRun): OpenAI {
  const baseURL = baseUrlOf(model);
  if (!options.apiKey && baseURL === openAiBaseUrl) {
    throw new ProviderError("auth", "There is no API key for OpenAI. Set one, or choose another model.");
  }
  return new OpenAI({
    baseURL,
    apiKey: options.apiKey ?? noKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: sdkTimeoutMs,
    logLevel: "off",
    dangerouslyAllowBrowser: web,
    fetch: wire.fetch,
    ...accessOf(model, options.apiKey, "authorization"),
  });
}

/** Usage in the stream is worth asking for, but not worth failing for. */
function withoutRefusedField(
  refusal: string,
  body: ChatCompletionCreateParamsStreaming,
): ChatCompletionCreateParamsStreaming | undefined {
  const aboutOptions = /stream_options|include_usage/i.test(refusal);
  if (!aboutOptions || body.stream_options === undefined) return undefined;
  const { stream_options: _refused, ...rest } = body;
  return rest;
}
