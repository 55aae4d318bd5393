// The Anthropic Messages API: opens a raw event stream with the SDK and maps its events to a PartialMessage.
import Anthropic from "@anthropic-ai/sdk";
import type {
  MessageCreateParamsStreaming,
  RawContentBlockDeltaEvent,
  RawContentBlockStartEvent,
  RawMessageDeltaEvent,
  RawMessageStartEvent,
  RawMessageStreamEvent,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { ProviderError } from "../errors.ts";
import { anthropicBaseUrl, baseUrlOf, providerHost } from "../provider-host.ts";
import type { PartialMessage } from "../partial-message.ts";
import type { UsageParts } from "../usage.ts";
import { toAnthropicRequest } from "./anthropic-messages-convert.ts";
import type { AnthropicConversion } from "./anthropic-messages-convert.ts";
import { noKey, openAdapted, sdkTimeoutMs } from "./provider.ts";
import type { ProviderRun } from "./provider.ts";
import { count, object, text } from "./read-json.ts";

export async function streamAnthropic(run: ProviderRun): Promise<void> {
  const { partial, signal } = run;
  const client = openClient(run);
  const stream = await openAdapted<AnthropicConversion, AsyncIterable<RawMessageStreamEvent>>(
    run,
    (conversion) => {
      const body = toAnthropicRequest(conversion);
      return client.messages.create(body, { signal, ...betaHeaders(run, body) });
    },
    withoutRefusedParts,
  );
  const reader = new AnthropicReader(partial, providerHost(run.model));
  for await (const event of stream) {
    reader.read(event);
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

function openClient({ model, options, wire, web }: ProviderRun): Anthropic {
  const baseURL = baseUrlOf(model);
  if (!options.apiKey && baseURL === anthropicBaseUrl) {
    throw new ProviderError("auth", "There is no API key for Anthropic. Set one, or choose another model.");
  }
  return new Anthropic({
    baseURL,
    apiKey: options.apiKey ?? noKey,
    authToken: null,
    maxRetries: 0,
    timeout: sdkTimeoutMs,
    logLevel: "off",
    dangerouslyAllowBrowser: web,
    fetch: wire.fetch,
    ...accessOf(model, options.apiKey, "x-api-key"),
  });
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

class AnthropicReader {
  private readonly partial: PartialMessage;
  private readonly host: string;
  /** By place on the wire; `index` is -1 for text without a character yet and for kinds nobody asked for. */
  private readonly blocks = new Map<number, { kind: string; index: number }>();
  private messageId: string | undefined;
  private stopReason: string | undefined;
  private explanation = "";

  constructor(partial: PartialMessage, host: string) {
    this.partial = partial;
    this.host = host;
  }

  read(event: RawMessageStreamEvent): void {
    switch (event.type) {
      case "message_start":
        return this.startMessage(event);
      case "content_block_start":
        return this.startBlock(event);
      case "content_block_delta":
        return this.addDelta(event);
      case "content_block_stop": {
        const block = this.blocks.get(event.index);
        if (block) this.partial.close(block.index);
        return;
      }
      case "message_delta":
        return this.updateMessage(event);
      case "message_stop":
        return this.finish();
      default:
        // Kinds that were added to the API later carry nothing this client asked for.
        return;
    }
  }

  /** Some gateways send the start twice; a start that belongs to another message is a broken stream. */
  private startMessage({ message }: RawMessageStartEvent): void {
    const id = text(message, "id");
    const repeated = this.messageId !== undefined;
    if (repeated && (id !== this.messageId || this.blocks.size > 0)) this.malformed("a second message began");
    this.messageId = id;
    this.partial.start();
    if (id !== "") this.partial.identify(id);
    this.partial.reportUsage(usageParts(object(message, "usage")));
  }

  private startBlock({ index, content_block: block }: RawContentBlockStartEvent): void {
    if (this.blocks.has(index)) this.malformed("a content block began twice");
    const opened = this.openBlock(block);
    this.blocks.set(index, { kind: block.type, index: opened });
    if (block.type === "text") this.addText(index, text(block, "text"));
    if (block.type === "thinking") {
      this.partial.append(opened, text(block, "thinking"));
      this.partial.blocks.sign(opened, text(block, "signature"));
    }
    if (block.type === "tool_use") this.addWholeInput(opened, block.input);
  }

  /** Text opens with its first character, so that no empty text block ever exists. */
  private openBlock(block: RawContentBlockStartEvent["content_block"]): number {
    if (block.type === "thinking") return this.partial.openThinking();
    if (block.type === "redacted_thinking") return this.partial.openThinking({ signature: block.data });
    if (block.type === "tool_use") return this.partial.openToolCall(block.id, block.name);
    return -1;
  }

  /** Gateways without streamed arguments put them into the start event. */
  private addWholeInput(index: number, input: unknown): void {
    if (typeof input !== "object" || input === null || Object.keys(input).length === 0) return;
    this.partial.append(index, JSON.stringify(input));
  }

  private addDelta({ index, delta }: RawContentBlockDeltaEvent): void {
    const block = this.blocks.get(index);
    if (!block) return this.malformed("a delta arrived for a content block that never began");
    if (delta.type === "text_delta") this.addText(index, text(delta, "text"));
    if (delta.type === "thinking_delta") this.partial.append(block.index, text(delta, "thinking"));
    if (delta.type === "signature_delta") this.partial.blocks.sign(block.index, text(delta, "signature"));
    if (delta.type === "input_json_delta") this.partial.append(block.index, text(delta, "partial_json"));
  }

  private addText(place: number, delta: string): void {
    const block = this.blocks.get(place);
    if (!block || block.kind !== "text" || delta === "") return;
    if (block.index < 0) block.index = this.partial.openText();
    this.partial.append(block.index, delta);
  }

  private updateMessage({ delta, usage }: RawMessageDeltaEvent): void {
    this.stopReason = text(delta, "stop_reason") || this.stopReason;
    this.explanation = text(object(delta, "stop_details"), "explanation") || this.explanation;
    this.partial.reportUsage(usageParts(usage));
  }

  private finish(): void {
    switch (this.stopReason) {
      case "max_tokens":
        return this.partial.finish("length");
      case "refusal": {
        const why = this.explanation === "" ? "" : ` It said: ${this.explanation}`;
        const message = `${this.host} declined to answer. Rephrase the request, or choose another model.${why}`;
        return this.partial.fail({ kind: "content_filter", message });
      }
      case "model_context_window_exceeded": {
        const message =
          "The model's context window is full. Compact the conversation, or choose a larger model.";
        return this.partial.fail({ kind: "context_overflow", message });
      }
      default:
        return this.partial.finish("stop");
    }
  }

  private malformed(what: string): never {
    const message = `The answer of ${this.host} could not be read (${what}). Try again.`;
    throw new ProviderError("malformed_stream", message);
  }
}

/** Compatible servers leave fields out or send null, whatever the types say. */
function usageParts(usage: unknown): Partial<UsageParts> {
  return {
    input: count(usage, "input_tokens"),
    output: count(usage, "output_tokens"),
    cacheRead: count(usage, "cache_read_input_tokens"),
    cacheWrite: count(usage, "cache_creation_input_tokens"),
  };
}
