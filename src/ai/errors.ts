// Turns anything a request can fail with into a kind for the machine and a text for a person. The texts name the host
// and the next step, and never contain a key or a header value. `error-kind.ts` decides the kind.
import { errorText } from "../shared/errors.ts";
import { isJsonObject } from "../shared/json.ts";
import { classify } from "./error-kind.ts";
import { isRetryable, longestRetryMs } from "./retry.ts";
import type { ErrorKind } from "./types.ts";

export interface Failure {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly retryAfterMs?: number;
  /** What went wrong in the raw, for the log; without secrets, at most 4,000 characters. */
  readonly cause?: string;
}

/** Where a request went; `secrets` are cut out of every text. */
export interface Target {
  /** For people, for example "Anthropic". */
  readonly provider: string;
  readonly host: string;
  readonly secrets: readonly string[];
}

/** A response that is not a stream: an error status, or a success with some other body. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly status: number;
  readonly body: string;
  readonly headers: Headers;

  constructor(status: number, body: string, headers: Headers) {
    super(`HTTP ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** A failure whose kind and text are already known. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Never throws. `now` resolves a Retry-After that is a date. */
export function describeFailure(thrown: unknown, target: Target, now: number): Failure {
  const http = findCause(thrown, (error) => error instanceof HttpFailure);
  if (http instanceof HttpFailure) return httpFailure(http, target, now);
  if (thrown instanceof ProviderError) return { kind: thrown.kind, message: redact(thrown.message, target) };
  const body = streamedBody(thrown);
  if (body !== undefined) return bodyFailure(body, target);
  if (thrown instanceof SyntaxError) return failure("malformed_stream", "an event that is not JSON", target);
  return failure(classify({ text: causes(thrown) }), causes(thrown), target);
}

/** Milliseconds from the headers a provider asks for patience with; undefined when there are none to understand. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const ms = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const value = headers.get("retry-after");
  if (value === null || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1_000 : undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function httpFailure(error: HttpFailure, target: Target, now: number): Failure {
  const { text, code } = bodyDetail(error.body);
  const kind = classify({ status: error.status, text, code });
  const wait = retryAfter(error.headers, now);
  const described = failure(
    kind,
    text === "" ? `HTTP ${error.status}` : `HTTP ${error.status}: ${text}`,
    target,
  );
  if (wait === undefined) return described;
  const until = isRetryable(kind) && wait > longestRetryMs ? ` ${untilWhen(wait, now)}` : "";
  return { ...described, message: described.message + until, retryAfterMs: wait };
}

/** For a wait that nobody sits through. */
function untilWhen(wait: number, now: number): string {
  const minutes = Math.ceil(wait / 60_000);
  const time = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  const at = new Date(now + wait);
  if (Number.isNaN(at.getTime())) return "It asks to wait for very long.";
  return `It asks to wait for ${time}, until ${at.toISOString().slice(0, 16).replace("T", " ")} UTC.`;
}

function bodyFailure(body: string, target: Target): Failure {
  const { text, code } = bodyDetail(body);
  return failure(classify({ text, code }), text, target);
}

/** The SDKs throw an error that carries the parsed `error` of an event inside a 200 stream. */
function streamedBody(thrown: unknown): string | undefined {
  const carrier = findCause(thrown, (error) => "error" in error && isJsonObject(error.error));
  return carrier && "error" in carrier ? JSON.stringify(carrier.error) : undefined;
}

/** What a body says, without markup: the usual places of a message and of a code. */
function bodyDetail(body: string): { text: string; code: string } {
  const trimmed = body.trim();
  if (trimmed === "") return { text: "", code: "" };
  if (trimmed.startsWith("<")) return { text: "a web page instead of an answer", code: "html" };
  let parsed: unknown;
  try {
    parsed = JSON.parse(trimmed);
  } catch {
    return { text: trimmed, code: "" };
  }
  const found = jsonDetail(parsed);
  return found.text === "" ? { ...found, text: trimmed } : found;
}

function jsonDetail(value: unknown): { text: string; code: string } {
  if (typeof value === "string") return { text: value, code: "" };
  if (Array.isArray(value)) return jsonDetail(value[0]);
  if (!isJsonObject(value)) return { text: "", code: "" };
  const inner = value["error"] ?? value["errors"];
  if (inner !== undefined && inner !== null) return jsonDetail(inner);
  const text = value["message"] ?? value["detail"] ?? value["msg"];
  const code = [value["type"], value["code"], value["status"]].filter((part) => typeof part === "string");
  return { text: typeof text === "string" ? text : jsonDetail(text).text, code: code.join(" ") };
}

const maxDetail = 500;

function failure(kind: ErrorKind, detail: string, target: Target): Failure {
  const flat = redact(detail.replace(/\s+/g, " ").trim(), target);
  const short = flat.length > maxDetail ? `${flat.slice(0, maxDetail).toWellFormed()}…` : flat;
  return { kind, message: sentence(kind, short, target) };
}

function sentence(kind: ErrorKind, detail: string, { provider, host }: Target): string {
  const said = detail === "" ? "." : ` (${detail}).`;
  switch (kind) {
    case "auth":
      return `${host} refused the API key${said} Set a valid key for ${provider} and try again.`;
    case "quota":
      return `The ${provider} account has no credit or quota left${said} Top it up, or choose another model.`;
    case "rate_limit":
      return `${host} limits the rate of requests${said} Wait a little and try again.`;
    case "overloaded":
      return `${host} is overloaded or failing${said} Try again in a moment, or choose another model.`;
    case "context_overflow":
      return `The conversation is longer than the model's context${said} Compact it, or choose a model with a larger context.`;
    case "bad_request":
      return `${host} rejected the request${said}${badRequestAdvice(detail, provider)}`;
    case "network":
      return `The connection to ${host} failed${said} Check the network, the proxy and the provider's base URL, then try again.`;
    case "timeout":
      return `${host} did not answer in time${said} Try again.`;
    case "content_filter":
      return `${provider} declined to answer${said} Rephrase the request, or choose another model.`;
    case "malformed_stream":
      return `The answer of ${host} broke off or could not be read${said} Try again.`;
    case "unknown":
      return `The request to ${host} failed${said} Try again, or choose another model.`;
  }
}

/** The settings that make a compatible server's wishes come true. */
function badRequestAdvice(detail: string, provider: string): string {
  const compat = `reins.providers.${provider}.compat`;
  if (/role/i.test(detail)) return ` Set \`systemRole\` in \`${compat}\` to a role the server accepts.`;
  if (/max_completion_tokens|max_tokens/i.test(detail)) return ` Set \`maxTokensField\` in \`${compat}\`.`;
  if (/reasoning_content/i.test(detail)) return ` Set or remove \`reasoningField\` in \`${compat}\`.`;
  if (/reasoning_effort/i.test(detail)) return ` Set \`reasoningEffort\` to false in \`${compat}\`.`;
  if (/web page/.test(detail)) return ` Check \`baseUrl\` in \`reins.providers.${provider}\`.`;
  return " Check the model and the provider's settings, or choose another model.";
}

/** Keys, bearer tokens and passwords in URLs are replaced, whoever put them into the text. */
export function redact(text: string, target: Target): string {
  let clean = text;
  for (const secret of target.secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, "[hidden]");
  return clean
    .replace(/\/\/[^\s/@]+@/g, "//[hidden]@")
    .replace(/\bBearer\s+\S+/gi, "Bearer [hidden]")
    .replace(/\b(sk|pk|gsk|xai|key)-[A-Za-z0-9_*.-]{6,}/g, "[hidden]");
}

/** The texts and codes of an error and its causes, outermost first, without repeats. */
function causes(thrown: unknown): string {
  const texts: string[] = [];
  for (let error = thrown, depth = 0; error !== undefined && depth < 6; depth += 1) {
    const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
    for (const text of [errorText(error), typeof code === "string" ? code : ""]) {
      if (text !== "" && !texts.some((known) => known.includes(text))) texts.push(text);
    }
    error = error instanceof Error ? error.cause : undefined;
  }
  return texts.join(": ");
}

function findCause(thrown: unknown, matches: (error: Error) => boolean): Error | undefined {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 6; depth += 1) {
    if (matches(error)) return error;
    error = error.cause;
  }
  return undefined;
}
