// The OpenAI Responses API: opens a raw event stream with the SDK and leaves the reading of events to
// `openai-responses-reader.ts`.
import type { ResponseStreamEvent } from "openai/resources/responses/responses";
import { providerHost } from "../provider-host.ts";
import { openOpenAiClient } from "./openai-chat.ts";
import { toResponsesRequest } from "./openai-responses-convert.ts";
import type { ResponsesConversion } from "./openai-responses-convert.ts";
import { ResponsesReader } from "./openai-responses-reader.ts";
import { openAdapted } from "./provider.ts";
import type { ProviderRun } from "./provider.ts";

export async function streamOpenAiResponses(run: ProviderRun): Promise<void> {
  const { model, partial, signal } = run;
  const client = openOpenAiClient(run);
  const stream = await openAdapted<ResponsesConversion, AsyncIterable<ResponseStreamEvent>>(
    run,
    (conversion) => client.responses.create(toResponsesRequest(conversion), { signal }),
    withoutRefusedReasoning,
  );
  const reader = new ResponsesReader(partial, providerHost(model));
  for await (const event of stream) {
    reader.read(event);
    if (partial.ended) return;
  }
}

function withoutRefusedReasoning(
  refusal: string,
  conversion: ResponsesConversion,
): ResponsesConversion | undefined {
  const refused = /encrypted[_ ]content|reasoning['`"]? (item|was provided)|of type ['`"]reasoning/i.test(
    refusal,
  );
  return refused && !conversion.dropThinking ? { ...conversion, dropThinking: true } : undefined;
}
