// What all wire formats take from a scripted reply: its pieces, its ids, its usage, and what proves that thinking comes
// back unchanged. Leaves the formats to `provider-wire.ts` and `responses-wire.ts`.
import { createHash } from "node:crypto";
import type { JsonObject } from "../../src/shared/json.ts";
import type { MessageReply, Pieces, ProviderRequest, ReplyCall, ReplyUsage } from "./provider-replies.ts";

/** One SSE event, or a promise that holds the stream. */
export type Frame = string | Promise<unknown>;

/** The only signature the server accepts for this text from this model. */
export function thinkingSignature(model: string, thinking: string): string {
  return `sig_${createHash("sha256").update(`${model}\n${thinking}`).digest("base64")}`;
}

/** The only payload of a redacted block the server accepts from this model. */
export function redactedData(model: string): string {
  return `redacted_${createHash("sha256").update(model).digest("base64")}`;
}

/** The only encrypted content of a Responses item with this summary that the server accepts from this model. */
export function encryptedReasoning(model: string, summary: readonly string[]): string {
  const hash = createHash("sha256").update(JSON.stringify([model, ...summary]));
  return `gAAAAAB${hash.digest("base64url")}`;
}

/** Four characters are a token, which is near enough for tests of meters and limits. */
export function countedUsage(reply: MessageReply, request: ProviderRequest): Required<ReplyUsage> {
  const calls = (reply.calls ?? []).map((call) => joined(argumentPieces(call)));
  const output = [joined(reply.thinking ?? ""), joined(reply.text ?? ""), ...calls].join("");
  return {
    input: reply.usage?.input ?? Math.ceil(request.rawBody.length / 4),
    output: reply.usage?.output ?? Math.ceil(output.length / 4) + 1,
    cacheRead: reply.usage?.cacheRead ?? 0,
    cacheWrite: reply.usage?.cacheWrite ?? 0,
  };
}

export function callId(call: ReplyCall, request: ProviderRequest, index: number): string {
  return call.id ?? `call_${request.number}_${index + 1}`;
}

export function argumentPieces(call: ReplyCall): Pieces {
  const value = call.arguments;
  return typeof value === "string" || isPieces(value) ? value : JSON.stringify(value);
}

function isPieces(value: JsonObject | Pieces): value is readonly (string | Promise<unknown>)[] {
  return Array.isArray(value);
}

export function joined(source: Pieces): string {
  return typeof source === "string" ? source : source.filter((piece) => typeof piece === "string").join("");
}

/** A plain string in deltas of the reply's size; pieces as they are. */
export function pieces(
  source: Pieces,
  reply: MessageReply,
  wrap: (text: string) => JsonObject,
): (JsonObject | Promise<unknown>)[] {
  if (typeof source !== "string") {
    return source.map((piece) => (typeof piece === "string" ? wrap(piece) : piece));
  }
  const size = reply.deltaSize ?? 12;
  const characters = [...source];
  const parts: JsonObject[] = [];
  for (let at = 0; at < characters.length; at += size) {
    parts.push(wrap(characters.slice(at, at + size).join("")));
  }
  return parts;
}
