// The OpenAI Responses API: opens a raw event stream with the SDK and maps its events to a PartialMessage.
import type { ResponseStreamEvent } from "openai/resources/responses/responses";
import { ProviderError } from "../errors.ts";
import type { PartialMessage } from "../partial-message.ts";
import { providerHost } from "../provider-host.ts";
import { openOpenAiClient } from "./openai-chat.ts";
import { toResponsesRequest } from "./openai-responses-convert.ts";
import type { ResponsesConversion } from "./openai-responses-convert.ts";
import { openAdapted } from "./provider.ts";
import type { ProviderRun } from "./provider.ts";
import { count, list, object, text } from "./read-json.ts";

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

interface Item {
  /** Of its block; -1 for text without a character yet and for kinds nobody asked for. */
  index: number;
}

/** Items are known by their place in the output; text opens with its first character. */
class ResponsesReader {
  private readonly partial: PartialMessage;
  private readonly host: string;
  private readonly items = new Map<number, Item>();

  constructor(partial: PartialMessage, host: string) {
    this.partial = partial;
    this.host = host;
  }

  read(event: ResponseStreamEvent): void {
    switch (event.type) {
      case "response.created":
        this.partial.start();
        return this.partial.identify(text(event.response, "id"));
      case "response.output_item.added":
        return this.startItem(event.output_index, event.item);
      case "response.reasoning_summary_part.added":
        if (event.summary_index > 0) this.append(event.output_index, "\n\n");
        return;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
      case "response.function_call_arguments.delta":
        return this.append(event.output_index, text(event, "delta"));
      case "response.output_text.delta":
      case "response.refusal.delta":
        return this.appendText(event.output_index, text(event, "delta"));
      case "response.output_item.done":
        return this.endItem(event.output_index, event.item);
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        return this.finish(event.type, event.response);
      case "error":
        return this.failWith({ code: event.code, message: event.message });
      default:
        // Kinds without content, and kinds that nobody asked for.
        return;
    }
  }

  private startItem(place: number, item: unknown): void {
    if (this.items.has(place)) this.malformed("an output item began twice");
    this.items.set(place, { index: this.openItem(item) });
  }

  private openItem(item: unknown): number {
    const type = text(item, "type");
    if (type === "reasoning") return this.partial.openThinking();
    if (type === "function_call") return this.partial.openToolCall(text(item, "call_id"), text(item, "name"));
    return -1;
  }

  private append(place: number, delta: string): void {
    const item = this.items.get(place);
    if (!item) return this.malformed("a delta arrived for an item that never began");
    this.partial.append(item.index, delta);
  }

  private appendText(place: number, delta: string): void {
    const item = this.items.get(place);
    if (!item) return this.malformed("a delta arrived for an item that never began");
    if (delta === "") return;
    if (item.index < 0) item.index = this.partial.openText();
    this.partial.append(item.index, delta);
  }

  private endItem(place: number, item: unknown): void {
    const type = text(item, "type");
    if (!this.items.has(place)) this.startItem(place, item);
    const known = this.items.get(place);
    if (!known) return;
    this.complete(known, item);
    if (type === "reasoning") this.partial.blocks.sign(known.index, JSON.stringify(withoutStatus(item)));
    if (type === "message" && known.index >= 0) {
      const phase = text(item, "phase");
      this.partial.blocks.sign(
        known.index,
        JSON.stringify({ v: 1, id: text(item, "id"), ...(phase && { phase }) }),
      );
    }
    this.partial.close(known.index);
  }

  /** The finished item has everything: what did not come as deltas is taken from it. */
  private complete(known: Item, item: unknown): void {
    const whole = wholeText(item);
    const streamed = this.partial.blocks.text(known.index);
    if (whole.length <= streamed.length || !whole.startsWith(streamed)) return;
    if (known.index < 0) known.index = this.partial.openText();
    this.partial.append(known.index, whole.slice(streamed.length));
  }

  private finish(type: string, response: unknown): void {
    this.reportUsage(object(response, "usage"));
    const reason = text(object(response, "incomplete_details"), "reason");
    if (type === "response.completed") return this.partial.finish("stop");
    if (reason === "max_output_tokens") return this.partial.finish("length");
    if (reason === "content_filter") {
      const message = `${this.host} cut the answer off (content filter). Rephrase the request, or choose another model.`;
      return this.partial.fail({ kind: "content_filter", message });
    }
    this.failWith(object(response, "error") ?? { message: reason || "the response failed" });
  }

  private reportUsage(usage: unknown): void {
    const details = object(usage, "input_tokens_details");
    const cacheRead = count(details, "cached_tokens");
    const cacheWrite = count(details, "cache_write_tokens");
    this.partial.reportUsage({
      input: Math.max(0, count(usage, "input_tokens") - cacheRead - cacheWrite),
      output: count(usage, "output_tokens"),
      cacheRead,
      cacheWrite,
    });
  }

  /** An error object of the API, as the SDKs throw them. */
  private failWith(error: object): never {
    throw Object.assign(new Error("error event"), { error });
  }

  private malformed(what: string): never {
    const message = `The answer of ${this.host} could not be read (${what}). Try again.`;
    throw new ProviderError("malformed_stream", message);
  }
}

/** What the deltas of a finished item add up to. */
function wholeText(item: unknown): string {
  const texts = (key: string) => list(item, key).map((part) => text(part, "text") || text(part, "refusal"));
  switch (text(item, "type")) {
    case "function_call":
      return text(item, "arguments");
    case "reasoning":
      return texts("summary").join("\n\n") || texts("content").join("");
    case "message":
      return texts("content").join("");
    default:
      return "";
  }
}

/** The API refuses a status in what is sent back. */
function withoutStatus(item: unknown): unknown {
  if (typeof item !== "object" || item === null) return item;
  return Object.fromEntries(Object.entries(item).filter(([key]) => key !== "status"));
}
