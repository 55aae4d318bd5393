// A request and its response as JSON for a person to read: headers that carry keys masked, long base64 shortened. Other
// places in which a key may be are the caller's business (`redact.ts` goes over the text).
import { isJsonObject } from "../shared/json.ts";
import type { Json, JsonObject } from "../shared/json.ts";
import { modelRef } from "./models.ts";
import { sharedPrefix } from "./prefix-share.ts";
import { hidden } from "./redact.ts";
import { isSecretName } from "./request-secrets.ts";
import type { AssistantMessage, Model, ModelRequest } from "./types.ts";

/** A request and its answer on the wire. */
export interface WireExchange {
  /** Unix milliseconds. */
  readonly sentAt: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** From the answer's headers on. */
  readonly answer?: { readonly status: number; readonly headers: Headers; readonly afterMs: number };
}

/** Everything that is known of a response. */
export interface Exchange {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly startedAt: number;
  /** In order; those before the last one were refused, and sent again without what was refused. */
  readonly sent: readonly WireExchange[];
  /** The body of the request before, of the same session. */
  readonly previousBody: string | undefined;
  readonly end: AssistantMessage | undefined;
}

export function describeExchange(exchange: Exchange): JsonObject {
  const { model, startedAt, sent, end } = exchange;
  const last = sent.at(-1);
  const refused = sent.slice(0, -1).map(({ answer }) => `HTTP ${answer?.status ?? "?"}`);
  return {
    note: noteOf(exchange),
    model: modelRef(model),
    api: model.api,
    sentAt: new Date(last?.sentAt ?? startedAt).toISOString(),
    ...(refused.length > 0 && { refusedBefore: refused }),
    ...(last ? wireParts(last, exchange.previousBody) : { messages: toShown(exchange.request.messages) }),
    ...(end && { result: resultOf(end) }),
  };
}

function noteOf({ model, sent }: Exchange): string {
  const masks = `${hidden} stands for what is or looks like a key, and long base64 is shortened.`;
  if (sent.length > 0) return `The last request of this session, as it was sent. ${masks}`;
  const without = {
    "vscode-lm": "This model is reached through VS Code, which sends the request itself.",
    scripted: "This model is a script: nothing is sent.",
  };
  const why =
    model.api === "vscode-lm" || model.api === "scripted"
      ? without[model.api]
      : "Nothing was sent: the request failed, or was stopped, before that.";
  return `${why} These are the messages as Reins has them. ${masks}`;
}

function wireParts({ method, url, headers, body, answer }: WireExchange, previousBody: string | undefined) {
  const parsed = parse(body);
  const previous = previousBody === undefined ? undefined : parse(previousBody);
  return {
    request: {
      ...{ method, url, headers: shownHeaders(headers), bytes: new TextEncoder().encode(body).length },
      body: toShown(parsed ?? body),
    },
    ...(isJsonObject(parsed) && isJsonObject(previous) && { prefix: prefixOf(previous, parsed) }),
    response: answer
      ? {
          status: answer.status,
          headersAfterMs: answer.afterMs,
          headers: shownHeaders(answer.headers),
        }
      : null,
  };
}

/** What a cache could give back, in bytes of tools, prompt and messages. */
function prefixOf(previous: JsonObject, current: JsonObject): JsonObject {
  const { shared, earlier, later } = sharedPrefix(previous, current);
  return {
    bytesSharedWithPreviousRequest: shared,
    bytesOfPreviousRequest: earlier,
    bytesOfThisRequest: later,
  };
}

function shownHeaders(headers: Headers): JsonObject {
  return Object.fromEntries([...headers].map(([name, value]) => [name, shownHeader(name, value)]));
}

function shownHeader(name: string, value: string): string {
  if (!isSecretName(name)) return value;
  const scheme = /^(Bearer|Basic)\s/i.exec(value)?.[0] ?? "";
  return scheme + hidden;
}

function resultOf(message: AssistantMessage): JsonObject {
  const { stopReason, usage, errorKind, errorMessage, retryAfterMs, durationMs, responseId } = message;
  return {
    stopReason,
    ...(errorKind && { errorKind }),
    ...(errorMessage !== undefined && { errorMessage }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(durationMs !== undefined && { durationMs }),
    ...(responseId !== undefined && { responseId }),
    usage: { ...usage, cost: { ...usage.cost } },
  };
}

function parse(body: string): Json | undefined {
  try {
    // What JSON.parse returns is JSON.
    return JSON.parse(body) as Json;
  } catch {
    return undefined;
  }
}

/** Images, and what providers encrypt. */
const longBase64 = /^(?:data:[\w/+.-]{1,100};base64,)?[\w+/-]{300,}={0,2}$/;

/** A copy in which nobody has to scroll past an image. */
function toShown(value: unknown): Json {
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === "string" && longBase64.test(item)
      ? `${item.slice(0, 60)}… (base64, ${item.length} characters)`
      : item,
  );
  // It was JSON a moment ago.
  return JSON.parse(text) as Json;
}
