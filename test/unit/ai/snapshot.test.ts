// What has arrived so far, as a message: equal to what the events add up to, and unchangeable.
import assert from "node:assert/strict";
import fc from "fast-check";
import { GrowingArguments } from "../../../src/ai/growing-arguments.ts";
import { PartialMessage } from "../../../src/ai/partial-message.ts";
import type { AssistantBlock, AssistantMessage, StreamEvent } from "../../../src/ai/types.ts";
import { anthropicModel } from "../../support/provider-models.ts";

const model = anthropicModel({ url: "http://127.0.0.1:9" });

describe("a snapshot", () => {
  type Act = readonly ["text" | "thinking" | "call" | "append" | "close" | "sign", number, string];
  const acts = fc.array(
    fc.tuple(
      fc.constantFrom<Act[0]>("text", "thinking", "call", "append", "append", "append", "close", "sign"),
      fc.nat(5),
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.constantFrom('{"a":"', "\\u00", '[1,{"b":', "}", '"', "12,"),
      ),
    ),
    { maxLength: 40 },
  );

  function act(partial: PartialMessage, [what, index, text]: Act): void {
    if (what === "text") partial.openText();
    if (what === "thinking") partial.openThinking();
    if (what === "call") partial.openToolCall(text, "write");
    if (what === "append") partial.append(index, text);
    if (what === "close") partial.close(index);
    if (what === "sign") partial.blocks.sign(index, text);
  }

  function partialMessage(emit: (event: StreamEvent) => void): PartialMessage {
    const context = { model, options: {}, now: () => 7, usedIds: () => new Set<string>(), host: "h" };
    return new PartialMessage({ ...context, emit });
  }

  it("at every event is what the events so far add up to, and never changes afterwards", () => {
    fc.assert(
      fc.property(acts, fc.constantFrom("finish", "fail", "abort"), (script, end) => {
        const fold = new Fold();
        const kept: [AssistantMessage, string][] = [];
        const partial = partialMessage((event) => {
          fold.take(event);
          const snapshot = partial.snapshot();
          kept.push([snapshot, JSON.stringify(snapshot)]);
          assert.deepEqual(snapshot.content.map(withoutSignature), fold.content);
          if (event.type === "done" || event.type === "error") assert.equal(snapshot, event.message);
          else assert.deepEqual([snapshot.stopReason, snapshot.errorMessage], ["aborted", undefined]);
        });
        assert.deepEqual(partial.snapshot().content, []);
        for (const step of script) act(partial, step);
        if (end === "finish") partial.finish("stop");
        if (end === "fail") partial.fail({ kind: "network", message: "x" });
        if (end === "abort") partial.abort();
        for (const step of script) act(partial, step);
        for (const [snapshot, asItWas] of kept) assert.equal(JSON.stringify(snapshot), asItWas);
      }),
    );
  });

  it("cannot be changed by anyone, nor can the final message or what the events carry", () => {
    const payloads: unknown[] = [];
    const partial = partialMessage((event) => {
      if ("toolCall" in event) payloads.push(event.toolCall);
      if ("message" in event) payloads.push(event.message);
    });
    const index = partial.openToolCall("a", "write");
    partial.append(index, '{"a":[{"b":[1]}],"c":{"d":[');
    payloads.push(partial.snapshot());
    partial.append(index, "2]}}");
    partial.finish("stop");
    assert.equal(payloads.length, 3);
    for (const payload of payloads) assertFrozen(payload);
  });
});

/** The oracle: content from events alone. */
class Fold {
  content: AssistantBlock[] = [];
  private readonly raw = new Map<number, string>();

  take(event: StreamEvent): void {
    switch (event.type) {
      case "text_start":
        this.content[event.index] = { type: "text", text: "" };
        return;
      case "thinking_start":
        this.content[event.index] = { type: "thinking", thinking: "" };
        return;
      case "toolcall_start":
        this.raw.set(event.index, "");
        return this.showCall(event.index, event.id, event.name);
      case "text_delta":
      case "thinking_delta":
      case "toolcall_delta":
        return this.grow(event.index, event.delta);
      case "toolcall_end":
        this.content[event.index] = withoutSignature(event.toolCall);
        return;
      case "done":
      case "error":
        this.content = event.message.content.map(withoutSignature);
        return;
      default:
        return;
    }
  }

  private grow(index: number, delta: string): void {
    const block = this.content[index];
    if (block?.type === "text") this.content[index] = { type: "text", text: block.text + delta };
    if (block?.type === "thinking") {
      this.content[index] = { type: "thinking", thinking: block.thinking + delta };
    }
    if (block?.type !== "toolCall") return;
    this.raw.set(index, (this.raw.get(index) ?? "") + delta);
    this.showCall(index, block.id, block.name);
  }

  /** Read anew from the whole text, where the stream reads on. */
  private showCall(index: number, id: string, name: string): void {
    const growing = new GrowingArguments();
    growing.add(this.raw.get(index) ?? "");
    const argumentsError = "The response ended before the arguments were complete.";
    this.content[index] = { type: "toolCall", id, name, arguments: growing.value(), argumentsError };
  }
}

/** Signatures come beside the events. */
function withoutSignature(block: AssistantBlock): AssistantBlock {
  if (block.type === "text") return { type: "text", text: block.text };
  if (block.type === "thinking") return { type: "thinking", thinking: block.thinking };
  const { thoughtSignature: _opaque, ...rest } = block;
  return rest;
}

function assertFrozen(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  assert.ok(Object.isFrozen(value), JSON.stringify(value));
  for (const item of Object.values(value)) assertFrozen(item);
}
