// Maps the events of the Responses API to a PartialMessage. What is finished counts more than its deltas: an item's end
// has all of it. What cannot be put into its place is a broken stream, not a guess.
import { isJsonObject } from "../../shared/json.ts";
import type { JsonObject } from "../../shared/json.ts";
import { ProviderError } from "../errors.ts";
import type { PartialMessage } from "../partial-message.ts";
import { chargedDollars } from "./openai-chat-usage.ts";
import { count, field, list, object, text } from "./read-json.ts";

interface Item {
  readonly type: string;
  /** Of its block; -1 for text without a character yet and for kinds that nobody asked for. */
  index: number;
  /** The arguments of a call, from the event that says that they are complete. */
  whole: string;
  ended: boolean;
}

/** Deltas and the only type of item that each belongs to. */
const deltaItems: ReadonlyMap<string, string> = new Map([
  ["response.output_text.delta", "message"],
  ["response.refusal.delta", "message"],
  ["response.reasoning_summary_text.delta", "reasoning"],
  ["response.reasoning_text.delta", "reasoning"],
  ["response.function_call_arguments.delta", "function_call"],
]);

const knownItems: ReadonlySet<string> = new Set(deltaItems.values());

export class ResponsesReader {
  private readonly partial: PartialMessage;
  private readonly host: string;
  /** By place in the output, else by id. */
  private readonly items = new Map<string, Item>();
  /** Where the items are that were told by an id. */
  private readonly places = new Map<string, string>();

  constructor(partial: PartialMessage, host: string) {
    this.partial = partial;
    this.host = host;
  }

  /** One event. Throws what the response fails with. */
  read(event: unknown): void {
    const type = text(event, "type");
    const response = object(event, "response");
    const deltaOf = deltaItems.get(type);
    if (deltaOf !== undefined) return this.append(event, deltaOf, text(event, "delta"));
    switch (type) {
      case "response.created":
      case "response.in_progress":
      case "response.queued":
        return this.start(response);
      case "response.output_item.added":
        this.startItem(this.placeOf(event), field(event, "item"));
        return;
      case "response.reasoning_summary_part.added":
        if (count(event, "summary_index") > 0) this.append(event, "reasoning", "\n\n");
        return;
      case "response.function_call_arguments.done":
        return this.completeArguments(event);
      case "response.output_item.done":
        return this.endItem(this.placeOf(event), field(event, "item"));
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      case "response.cancelled":
      case "response.done":
        return this.finish(type, response);
      case "error":
        return this.failWith(
          object(event, "error") ?? { code: field(event, "code"), message: text(event, "message") },
        );
      default:
        // Kinds without content, and kinds that nobody asked for.
        return;
    }
  }

  private start(response: unknown): void {
    this.partial.start();
    const id = text(response, "id");
    if (id !== "") this.partial.identify(id);
  }

  /** The place of the item that an event is about; servers leave it out where there is an id. */
  private placeOf(event: unknown): string {
    const id = text(event, "item_id") || text(object(event, "item"), "id");
    const index = field(event, "output_index");
    const known = id === "" ? undefined : this.places.get(id);
    const place =
      typeof index === "number" ? `${index}` : (known ?? (id === "" ? this.lastPlace() : `id ${id}`));
    if (id !== "" && known === undefined) this.places.set(id, place);
    return place;
  }

  private lastPlace(): string {
    return [...this.items.keys()].at(-1) ?? "0";
  }

  private startItem(place: string, item: unknown): Item {
    if (this.items.has(place)) this.malformed("an output item began twice");
    const started = { type: text(item, "type"), index: this.openItem(item), whole: "", ended: false };
    this.items.set(place, started);
    return started;
  }

  private openItem(item: unknown): number {
    const type = text(item, "type");
    if (type === "reasoning") return this.partial.openThinking();
    if (type !== "function_call") return -1;
    const name = text(item, "name");
    if (name === "") this.malformed("a call without a name");
    return this.partial.openToolCall(text(item, "call_id") || text(item, "id"), name);
  }

  /** Text opens with its first character, so that no empty text block ever exists. */
  private append(event: unknown, type: string, delta: string): void {
    const item = this.items.get(this.placeOf(event));
    if (!item) return this.malformed("a delta arrived for an item that never began");
    // What comes behind an end is in the end already.
    if (delta === "" || item.ended || !knownItems.has(item.type)) return;
    if (item.type !== type) this.malformed("a delta of the wrong kind arrived");
    if (item.index < 0) item.index = this.partial.openText();
    this.partial.append(item.index, delta);
  }

  private completeArguments(event: unknown): void {
    const item = this.items.get(this.placeOf(event));
    if (item?.type === "function_call") item.whole = argumentText(event);
  }

  /** An end that does not hold the item is none: its deltas alone may lack what was lost on the way. */
  private endItem(place: string, item: unknown): void {
    if (!isJsonObject(item)) return;
    const known = this.items.get(place) ?? this.startItem(place, item);
    if (known.ended) return;
    const type = text(item, "type") || known.type;
    if (type !== known.type) this.malformed("an output item ended as another");
    known.ended = true;
    if (type === "function_call") return this.endCall(known, argumentText(item));
    if (type !== "reasoning" && type !== "message") return;
    this.complete(known, wholeText(item));
    this.sign(known, item);
    this.partial.close(known.index);
  }

  private endCall(call: Item, whole: string): void {
    const args = whole || call.whole;
    this.complete(call, args);
    this.partial.close(call.index, args || undefined);
  }

  /** What did not come as deltas. */
  private complete(known: Item, whole: string): void {
    const streamed = this.partial.blocks.text(known.index);
    if (whole.length <= streamed.length || !whole.startsWith(streamed)) return;
    if (known.index < 0) known.index = this.partial.openText();
    this.partial.append(known.index, whole.slice(streamed.length));
  }

  private sign({ type, index }: Item, item: JsonObject): void {
    if (type === "reasoning") this.partial.blocks.sign(index, JSON.stringify(withoutStatus(item)));
    if (type !== "message" || index < 0) return;
    const phase = text(item, "phase");
    this.partial.blocks.sign(index, JSON.stringify({ v: 1, id: text(item, "id"), ...(phase && { phase }) }));
  }

  private finish(type: string, response: unknown): void {
    this.start(response);
    this.reportUsage(object(response, "usage"));
    // Some servers end every response with the same event.
    const status = text(response, "status");
    const said =
      status === "incomplete" || status === "failed" || status === "cancelled" ? status : "completed";
    const ending =
      type === "response.completed" || type === "response.done" ? said : type.slice("response.".length);
    if (ending === "completed") return this.finishWhole(response);
    if (ending === "incomplete") return this.finishIncomplete(response);
    const failed = { code: "server_error", message: `the response ended as ${ending}` };
    this.failWith(object(response, "error") ?? failed);
  }

  /** Items that were told of only here are taken from here; a call that did not end is not run. */
  private finishWhole(response: unknown): void {
    if (this.items.size === 0) {
      for (const [place, item] of list(response, "output").entries()) this.endItem(`${place}`, item);
    }
    for (const { type, ended, whole, index } of this.items.values()) {
      if (type !== "function_call" || ended) continue;
      if (whole === "") this.malformed("a call was not completed");
      this.partial.close(index, whole);
    }
    this.partial.finish("stop");
  }

  private finishIncomplete(response: unknown): void {
    const reason = text(object(response, "incomplete_details"), "reason");
    if (/^(max_(output_)?tokens|length)$/.test(reason)) return this.partial.finish("length");
    if (reason === "content_filter") {
      const message = `${this.host} cut the answer off (content filter). Rephrase the request, or choose another model.`;
      return this.partial.fail({ kind: "content_filter", message });
    }
    this.failWith(
      object(response, "error") ?? { message: `the response is incomplete: ${reason || "no reason given"}` },
    );
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
    this.partial.reportCost(chargedDollars(usage));
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

/** Some servers send the arguments as an object. */
function argumentText(item: unknown): string {
  const args = field(item, "arguments");
  return isJsonObject(args) ? JSON.stringify(args) : text(item, "arguments");
}

/** What the deltas of a finished item add up to. */
function wholeText(item: unknown): string {
  const texts = (key: string) => list(item, key).map((part) => text(part, "text") || text(part, "refusal"));
  if (text(item, "type") === "reasoning") return texts("summary").join("\n\n") || texts("content").join("");
  return texts("content").join("");
}

/** The API refuses a status in what is sent back. */
function withoutStatus(item: object): unknown {
  return Object.fromEntries(Object.entries(item).filter(([key]) => key !== "status"));
}
