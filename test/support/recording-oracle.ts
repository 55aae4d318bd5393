// What a recorded response says, read from its raw events without the product's code: the whole at once, by looking for
// what the wire formats define, where the product follows a stream. Where both agree, both are likely right.
import type { AssistantMessage, StopReason } from "../../src/ai/types.ts";

/** What is compared. `calls`: name and arguments as JSON, or undefined where they are broken or incomplete. */
export interface Reading {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly (readonly [name: string, args: string | undefined])[];
  /** Of all blocks, in order, repeats left out. */
  readonly kinds: string;
  readonly stopReason: StopReason;
  /** Tokens that went in, caches included, and came out; undefined where the recording says nothing. */
  readonly tokens: readonly [input: number, output: number] | undefined;
}

/** The events of a recording, and whether one of its lines is no event at all. */
export interface RawEvents {
  readonly events: readonly unknown[];
  readonly broken: boolean;
}

export function rawEvents(lines: readonly string[]): RawEvents {
  const events: unknown[] = [];
  for (const line of lines) {
    try {
      events.push(JSON.parse(line));
    } catch {
      return { events, broken: true };
    }
  }
  return { events, broken: false };
}

/** The same view of what the product made of it. */
export function readingOf(message: AssistantMessage): Reading {
  const { content, usage, stopReason } = message;
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    thinking: content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
    calls: content
      .filter((block) => block.type === "toolCall")
      .map((call) => [
        call.name,
        call.argumentsError === undefined ? JSON.stringify(call.arguments) : undefined,
      ]),
    kinds: kindsOf(content.map(({ type }) => type)),
    stopReason,
    tokens: [input, usage.output],
  };
}

export function readAnthropic(raw: RawEvents): Reading {
  const stop = raw.events.findIndex((event) => at(event, "type") === "message_stop");
  const error = raw.events.findIndex((event) => at(event, "type") === "error");
  const ended = stop >= 0 && (error < 0 || stop < error);
  const events = raw.events.slice(0, ended ? stop : error < 0 ? undefined : error);
  const blocks = events
    .filter((event) => at(event, "type") === "content_block_start")
    .map((event) => anthropicBlock(at(event, "content_block"), deltasOf(events, at(event, "index"))));
  const reason = events
    .map((event) => string(at(event, "delta", "stop_reason")))
    .findLast((text) => text !== "");
  const failed = reason === "refusal" || reason === "model_context_window_exceeded";
  const usages = events.map((event) => at(event, "message", "usage") ?? at(event, "usage"));
  const last = (name: string) =>
    usages.map((usage) => number(at(usage, name))).findLast((count) => count > 0) ?? 0;
  const input = last("input_tokens") + last("cache_read_input_tokens") + last("cache_creation_input_tokens");
  return reading({
    blocks,
    end: !ended || failed ? "error" : reason === "max_tokens" ? "length" : "stop",
    tokens: usages.some((usage) => usage !== undefined) ? [input, last("output_tokens")] : undefined,
  });
}

export function readOpenAiChat(raw: RawEvents): Reading {
  const error = raw.events.findIndex(
    (event) => at(event, "error") !== undefined && at(event, "error") !== null,
  );
  const events = error < 0 ? raw.events : raw.events.slice(0, error);
  const blocks: Block[] = [];
  const calls = new Map<unknown, Block>();
  for (const event of events) {
    const delta = at(event, "choices", 0, "delta");
    const reasoning = ["reasoning_content", "reasoning", "reasoning_text"].map((name) =>
      string(at(delta, name)),
    );
    grow(blocks, "thinking", reasoning.find((text) => text !== "") ?? "");
    for (const part of items(at(delta, "content"))) {
      for (const inner of items(at(part, "thinking"))) grow(blocks, "thinking", string(at(inner, "text")));
      grow(blocks, "text", string(at(part, "text")));
    }
    grow(blocks, "text", string(at(delta, "content")) + string(at(delta, "refusal")));
    for (const call of items(at(delta, "tool_calls"))) {
      const key: unknown = at(call, "index") ?? (string(at(call, "id")) || [...calls.keys()].at(-1));
      const known = calls.get(key) ?? { type: "toolCall", name: "", text: "" };
      if (!calls.has(key)) blocks.push(known);
      calls.set(key, known);
      known.name ||= string(at(call, "function", "name"));
      const args = at(call, "function", "arguments");
      known.text += typeof args === "object" && args !== null ? JSON.stringify(args) : string(args);
    }
  }
  const reason = events
    .map((event) => string(at(event, "choices", 0, "finish_reason")))
    .findLast((text) => text !== "");
  const bad = ["content_filter", "error", "network_error", "insufficient_system_resource"].includes(
    reason ?? "",
  );
  return reading({
    blocks,
    end: raw.broken || error >= 0 || bad ? "error" : reason === "length" ? "length" : "stop",
    tokens: chatTokens(events.map(chatUsageOf).findLast((found) => found !== undefined && found !== null)),
  });
}

export function readOpenAiResponses(raw: RawEvents): Reading {
  const ends = ["response.completed", "response.incomplete", "response.failed", "error"];
  const end = raw.events.findIndex((event) => ends.includes(string(at(event, "type"))));
  const events = end < 0 ? raw.events : raw.events.slice(0, end);
  const last = end < 0 ? undefined : raw.events[end];
  const added = events.filter((event) => at(event, "type") === "response.output_item.added");
  const blocks = added.flatMap((event) => {
    const place = at(event, "output_index");
    const ofItem = events.filter((other) => at(other, "output_index") === place);
    const done = ofItem.find((other) => at(other, "type") === "response.output_item.done");
    return responsesBlock(at(done ?? event, "item"), ofItem);
  });
  const reason = at(last, "response", "incomplete_details", "reason");
  const usage = at(last, "response", "usage");
  const whole = at(last, "type") === "response.completed";
  return reading({
    blocks,
    end: whole ? "stop" : reason === "max_output_tokens" ? "length" : "error",
    tokens:
      usage === undefined || usage === null
        ? undefined
        : [number(at(usage, "input_tokens")), number(at(usage, "output_tokens"))],
  });
}

interface Block {
  readonly type: "text" | "thinking" | "toolCall";
  name: string;
  /** Of a call: its arguments. */
  text: string;
}

interface Found {
  readonly blocks: readonly (Block | undefined)[];
  readonly end: "stop" | "length" | "error";
  readonly tokens: Reading["tokens"];
}

function reading({ blocks, end, tokens }: Found): Reading {
  const found = blocks.filter((block) => block !== undefined && (block.type !== "text" || block.text !== ""));
  const known = found.filter((block) => block !== undefined);
  const ofType = (type: Block["type"]) => known.filter((block) => block.type === type);
  const text = ofType("text")
    .map((block) => block.text)
    .join("");
  const calls = ofType("toolCall").map((call) => [call.name, normalJson(call.text)] as const);
  const empty = end === "stop" && calls.length === 0 && text.trim() === "";
  const stopReason = empty ? "error" : end === "stop" && calls.length > 0 ? "toolUse" : end;
  const thinking = ofType("thinking")
    .map((block) => block.text)
    .join("");
  return { text, thinking, calls, kinds: kindsOf(known.map(({ type }) => type)), stopReason, tokens };
}

function anthropicBlock(start: unknown, deltas: readonly unknown[]): Block | undefined {
  const joined = (name: string) =>
    string(at(start, name)) + deltas.map((delta) => string(at(delta, name))).join("");
  switch (at(start, "type")) {
    case "text":
      return { type: "text", name: "", text: joined("text") };
    case "thinking":
      return { type: "thinking", name: "", text: joined("thinking") };
    case "redacted_thinking":
      return { type: "thinking", name: "", text: "" };
    case "tool_use": {
      const whole = JSON.stringify(at(start, "input") ?? {});
      const text = deltas.map((delta) => string(at(delta, "partial_json"))).join("");
      return { type: "toolCall", name: string(at(start, "name")), text: text || whole };
    }
    default:
      return undefined;
  }
}

function deltasOf(events: readonly unknown[], index: unknown): unknown[] {
  return events
    .filter((event) => at(event, "type") === "content_block_delta" && at(event, "index") === index)
    .map((event) => at(event, "delta"));
}

/** From the finished item; from its deltas where it was never finished. */
function responsesBlock(item: unknown, events: readonly unknown[]): Block[] {
  const deltas = (type: string) =>
    events
      .filter((event) => at(event, "type") === type)
      .map((event) => string(at(event, "delta")))
      .join("");
  switch (at(item, "type")) {
    case "reasoning": {
      const summary = items(at(item, "summary")).map((part) => string(at(part, "text")));
      const streamed =
        deltas("response.reasoning_summary_text.delta") + deltas("response.reasoning_text.delta");
      return [{ type: "thinking", name: "", text: summary.length > 0 ? summary.join("\n\n") : streamed }];
    }
    case "function_call": {
      const text = string(at(item, "arguments")) || deltas("response.function_call_arguments.delta");
      return [{ type: "toolCall", name: string(at(item, "name")), text }];
    }
    case "message": {
      const parts = items(at(item, "content")).map(
        (part) => string(at(part, "text")) + string(at(part, "refusal")),
      );
      const streamed = deltas("response.output_text.delta") + deltas("response.refusal.delta");
      return [{ type: "text", name: "", text: parts.join("") || streamed }];
    }
    default:
      return [];
  }
}

function chatUsageOf(event: unknown): unknown {
  return at(event, "usage") ?? at(event, "choices", 0, "usage") ?? at(event, "x_groq", "usage");
}

/** What is not input is output, whether a service counts reasoning in the completion or beside it. */
function chatTokens(usage: unknown): Reading["tokens"] {
  if (usage === undefined || usage === null) return undefined;
  const input = number(at(usage, "prompt_tokens"));
  const total = number(at(usage, "total_tokens"));
  return [input, total > input ? total - input : number(at(usage, "completion_tokens"))];
}

function grow(blocks: Block[], type: "text" | "thinking", text: string): void {
  if (text !== "") blocks.push({ type, name: "", text });
}

function normalJson(text: string): string | undefined {
  if (text.trim() === "") return "{}";
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function kindsOf(types: readonly string[]): string {
  return types.filter((type, index) => type !== types[index - 1]).join(" ");
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
