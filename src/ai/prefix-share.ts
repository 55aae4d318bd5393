// How much of one request another one begins with: what a provider's prompt cache can give back at best. Works on the
// bodies as they were sent, of any of the APIs.
import { isJsonObject } from "../shared/json.ts";
import type { Json, JsonObject } from "../shared/json.ts";

/** Bytes of UTF-8. */
export interface PrefixShare {
  /** What both requests begin with. */
  readonly shared: number;
  /** All of the earlier request; as much as `shared` when nothing that was sent has changed. */
  readonly earlier: number;
  /** All of the later request. */
  readonly later: number;
}

/** Where the APIs read a request from: tools stand before the prompt, and the prompt before the messages. */
const order = ["tools", "system", "instructions", "messages", "input"] as const;

/** Marks for the cache that are no part of what it compares. */
const marks = new Set(["cache_control", "prompt_cache_breakpoint"]);

/**
 * Compares the JSON of tools, prompt and messages, element by element and in the order in which the APIs read them;
 * another model shares nothing, and limits, thinking and other parameters count for nothing. Cache marks are left out.
 * Linear in the size of both.
 */
export function sharedPrefix(earlier: JsonObject, later: JsonObject): PrefixShare {
  const first = pieces(earlier);
  const second = pieces(later);
  if (earlier["model"] !== later["model"]) return { shared: 0, earlier: total(first), later: total(second) };
  let shared = 0;
  for (let index = 0; index < first.length; index += 1) {
    const a = first[index] ?? "";
    const b = second[index] ?? "";
    if (a !== b) {
      shared += byteLength(a.slice(0, commonLength(a, b)));
      break;
    }
    shared += byteLength(a);
  }
  return { shared, earlier: total(first), later: total(second) };
}

/** One line for every tool, block of the prompt, and message. */
function pieces(body: JsonObject): string[] {
  return order.flatMap((field) => {
    const value = body[field];
    if (value === undefined) return [];
    const list: readonly Json[] = Array.isArray(value) ? value : [value];
    return list.map((item) => `${field} ${toText(item)}\n`);
  });
}

/** Only what has a mark is taken apart to leave it out. */
function toText(item: Json): string {
  const text = JSON.stringify(item);
  const isMarked = [...marks].some((mark) => text.includes(`"${mark}"`));
  return isMarked ? JSON.stringify(item, withoutMarks) : text;
}

/** A schema of a tool may have a property of such a name; there it has a value that is no mark. */
function withoutMarks(key: string, value: unknown): unknown {
  return marks.has(key) && isMark(value) ? undefined : value;
}

function isMark(value: unknown): boolean {
  return (
    value === null ||
    (isJsonObject(value) && (typeof value["mode"] === "string" || value["type"] === "ephemeral"))
  );
}

/** Code units, never half a character. */
function commonLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  const last = a.charCodeAt(at - 1);
  return last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
}

function total(list: readonly string[]): number {
  return list.reduce((sum, piece) => sum + byteLength(piece), 0);
}

function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) bytes += 1;
    // Each half of a pair adds one to the two it has: four bytes in all.
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes += 1;
  }
  return bytes;
}
