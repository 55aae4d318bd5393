// The Anthropic Messages API: opens a stream of events with the SDK, and leaves the reading of events to
// `anthropic-reader.ts`.
import Anthropic from "@anthropic-ai/sdk";
import { Stream } from "@anthropic-ai/sdk/core/streaming";
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages/messages";
import { anthropicBaseUrl, baseUrlOf, providerHost } from "../provider-host.ts";
import { clientOptions } from "./access.ts";
import { AnthropicReader } from "./anthropic-reader.ts";
import { toAnthropicRequest } from "./anthropic-messages-convert.ts";
import type { AnthropicConversion } from "./anthropic-messages-convert.ts";
import { openAdapted } from "./provider.ts";
import type { ProviderRun } from "./provider.ts";

export async function streamAnthropic(run: ProviderRun): Promise<void> {
  const { partial, signal } = run;
  const client = new Anthropic({ ...clientOptions(run), authToken: null });
  const response = await openAdapted<AnthropicConversion, Response>(
    run,
    (conversion) => {
      const body = toAnthropicRequest(conversion);
      return client.messages.create(body, { signal, ...betaHeaders(run, body) }).asResponse();
    },
    withoutRefusedParts,
  );
  const reader = new AnthropicReader(partial, providerHost(run.model));
  // Raw, because the SDK's own stream skips events without a name, which some gateways send.
  for await (const { event, data } of Stream.rawEvents(response)) {
    reader.read(event, data);
    if (partial.ended) return;
  }
}

/** Models that are given a budget think between their calls only when asked to. Other servers may not know the name. */
function betaHeaders(
  { model }: ProviderRun,
  body: MessageCreateParamsStreaming,
): { headers?: Record<string, string> } {
  if (baseUrlOf(model) !== anthropicBaseUrl || body.thinking?.type !== "enabled" || !body.tools) return {};
  return { headers: { "anthropic-beta": "interleaved-thinking-2025-05-14" } };
}

function withoutRefusedParts(
  refusal: string,
  conversion: AnthropicConversion,
): AnthropicConversion | undefined {
  const { model, laterSystemAsUser = false } = conversion;
  const aboutRole = /role ['"`]?system|system['"`]? role|system message/i.test(refusal);
  if (model.laterSystemMessages && !laterSystemAsUser && aboutRole)
    return { ...conversion, laterSystemAsUser: true };
  return withoutRefusedThinking(refusal, conversion);
}

/** Thinking blocks are bound to model, account and conversation; what is refused once is sent without them. */
function withoutRefusedThinking(
  refusal: string,
  conversion: AnthropicConversion,
): AnthropicConversion | undefined {
  const { model, request } = conversion;
  const hasThinking = request.messages.some(
    (message) =>
      message.role === "assistant" &&
      message.model === model.id &&
      message.content.some((block) => block.type === "thinking"),
  );
  const refused = /signature|thinking` block|thinking` blocks|thinking block|redacted_thinking/i.test(
    refusal,
  );
  return hasThinking && refused ? { ...conversion, dropThinking: true } : undefined;
}
