// Turns anything a request can fail with into a kind for the machine, a text for a person and a cause for the log. The
// texts name the host and the next step, and never contain a key or a header value (`redact.ts`). `error-kind.ts` decides
// the kind, `connection-failure.ts` what is said of proxies and certificates.
import { isJsonObject } from "../shared/json.ts";
import type { JsonObject } from "../shared/json.ts";
import { connectionFailure, proxyRefused } from "./connection-failure.ts";
import type { ConnectionFailure } from "./connection-failure.ts";
import { causes, findCause, rawChain } from "./error-chain.ts";
import { classify } from "./error-kind.ts";
import { failureText } from "./failure-text.ts";
import { redact } from "./redact.ts";
import { isRetryable, longestRetryMs } from "./retry.ts";
import { waitInWords } from "./wait-in-words.ts";
import type { ErrorKind } from "./types.ts";

export interface Failure {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly retryAfterMs?: number;
  /** Another try would fail in the same way, though the kind would allow it. */
  readonly final?: true;
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

/** Characters of a cause. */
const maxCause = 4_000;

/** Never throws. `now` resolves a Retry-After that is a date. */
export function describeFailure(thrown: unknown, target: Target, now: number): Failure {
  const described = describe(thrown, target, now);
  return cleanFailure({ ...described, cause: described.cause ?? rawChain(thrown) }, target.secrets);
}

/** Without secrets, and with a cause that is no longer than it may be. */
export function cleanFailure({ cause, ...failure }: Failure, secrets: readonly string[]): Failure {
  const message = redact(failure.message, secrets);
  if (cause === undefined) return { ...failure, message };
  return { ...failure, message, cause: shortened(redact(cause, secrets), maxCause) };
}

function describe(thrown: unknown, target: Target, now: number): Failure {
  const http = findCause(thrown, (error) => error instanceof HttpFailure);
  if (http instanceof HttpFailure) return httpFailure(http, target, now);
  if (thrown instanceof ProviderError) return { kind: thrown.kind, message: thrown.message };
  const body = streamedBody(thrown);
  if (body !== undefined) return bodyFailure(body, target, now);
  if (thrown instanceof SyntaxError) return failure("malformed_stream", "an event that is not JSON", target);
  const connection = connectionFailure(thrown, target);
  if (connection) return networkFailure(connection);
  const text = causes(thrown);
  // fetch takes no such address.
  if (/URL that includes credentials/i.test(text)) return credentialsInAddress(target);
  return failure(classify({ text }), text, target);
}

function networkFailure({ message, final }: ConnectionFailure): Failure {
  return { kind: "network", message, ...(final && { final }) };
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
  const cause = rawAnswer(error);
  if (error.status === 407) return { ...networkFailure(proxyRefused(target.host, 407)), cause };
  const { text, code, status } = bodyDetail(error.body);
  // Some proxies answer with a success, whatever the provider behind them said.
  const kind = classify({ status: error.status < 300 ? (status ?? error.status) : error.status, text, code });
  const detail = text === "" ? `HTTP ${error.status}` : `HTTP ${error.status}: ${text}`;
  const wait = retryAfter(error.headers, now) ?? (kind === "rate_limit" ? waitInWords(text) : undefined);
  return withWait({ ...failure(kind, detail, target), cause }, wait, now);
}

function withWait(described: Failure, wait: number | undefined, now: number): Failure {
  if (wait === undefined) return described;
  const until = isRetryable(described.kind) && wait > longestRetryMs ? ` ${untilWhen(wait, now)}` : "";
  return { ...described, message: described.message + until, retryAfterMs: wait };
}

function credentialsInAddress({ provider }: Target): Failure {
  const place = `reins.providers.${provider}`;
  const message = `\`${place}.baseUrl\` holds a user name or a password, which nothing can be sent to. Take them out of it, and put them into \`${place}.headers\` as \`"authorization": "Basic <base64 of user:password>"\`.`;
  return { kind: "bad_request", message };
}

/** Status, the headers that tell where the answer comes from, and the beginning of the body. */
function rawAnswer({ status, headers, body }: HttpFailure): string {
  const told = ["content-type", "server", "via", "retry-after", "request-id", "x-request-id", "cf-ray"];
  const lines = told.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  return [`HTTP ${status}`, ...lines, body.trim()].join("; ");
}

/** For a wait that nobody sits through. */
function untilWhen(wait: number, now: number): string {
  const minutes = Math.ceil(wait / 60_000);
  const time = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  const at = new Date(now + wait);
  if (Number.isNaN(at.getTime())) return "It asks to wait for very long.";
  return `It asks to wait for ${time}, until ${at.toISOString().slice(0, 16).replace("T", " ")} UTC.`;
}

function bodyFailure(body: string, target: Target, now: number): Failure {
  const { text, code, status } = bodyDetail(body);
  const kind = classify({ text, code, ...(status !== undefined && { status }) });
  const described = { ...failure(kind, text, target), cause: body };
  return withWait(described, kind === "rate_limit" ? waitInWords(text) : undefined, now);
}

/** The SDKs throw an error that carries the parsed `error` of an event inside a 200 stream. */
function streamedBody(thrown: unknown): string | undefined {
  const carrier = findCause(thrown, (error) => "error" in error && isSaid(error.error));
  if (!carrier || !("error" in carrier)) return undefined;
  return typeof carrier.error === "string" ? carrier.error : JSON.stringify(carrier.error);
}

function isSaid(error: unknown): boolean {
  return isJsonObject(error) || (typeof error === "string" && error !== "");
}

interface BodyDetail {
  readonly text: string;
  /** Types and codes, space-separated. */
  readonly code: string;
  /** Of HTTP, where the body has one. */
  readonly status?: number;
}

/** What a body says, without markup: the usual places of a message and of a code. */
function bodyDetail(body: string): BodyDetail {
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

function jsonDetail(value: unknown): BodyDetail {
  if (typeof value === "string") return { text: value, code: "" };
  if (Array.isArray(value)) return jsonDetail(value[0]);
  if (!isJsonObject(value)) return { text: "", code: "" };
  const inner = value["error"] ?? value["errors"];
  const own = ownDetail(value);
  if (inner === undefined || inner === null) return own;
  const detail = jsonDetail(inner);
  return { ...own, ...detail, text: detail.text || own.text, code: `${detail.code} ${own.code}`.trim() };
}

function ownDetail(value: JsonObject): BodyDetail {
  const said = value["message"] ?? value["detail"] ?? value["msg"];
  const text = typeof said === "string" ? said : jsonDetail(said).text;
  // OpenRouter: what the provider behind it said.
  const raw = isJsonObject(value["metadata"]) ? value["metadata"]["raw"] : undefined;
  const facts = [value["type"], value["code"], value["status"]];
  const status = facts.map(Number).find((number) => number >= 400 && number < 600);
  return {
    text: typeof raw === "string" && raw !== "" ? `${text}: ${raw}` : text,
    code: facts.filter((part) => typeof part === "string").join(" "),
    ...(status !== undefined && { status }),
  };
}

const maxDetail = 500;

function failure(kind: ErrorKind, detail: string, target: Target): Failure {
  const flat = redact(detail, target.secrets).replace(/\s+/g, " ").trim();
  return { kind, message: failureText(kind, shortened(flat, maxDetail), target) };
}

/** Cuts what has no secrets any more. */
function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
}
