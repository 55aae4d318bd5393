// One response for the contract suites: streamed to its end, with what every stream keeps checked each time.
import assert from "node:assert/strict";
import type {
  AssistantBlock,
  AssistantMessage,
  Message,
  Model,
  StreamEvent,
  StreamOptions,
  ToolCallBlock,
} from "../../src/ai/types.ts";
import type { ContractHost } from "./contract-apis.ts";
import { readTool, streamAll, system, user } from "./provider-models.ts";
import type { StreamedResponse } from "./provider-models.ts";

export const hello: readonly Message[] = [system("Be brief.", [readTool]), user("Hello")];

export interface ContractAsk {
  /** Default `hello`. */
  readonly messages?: readonly Message[];
  readonly change?: Partial<Model>;
  readonly options?: StreamOptions;
  readonly fetch?: typeof fetch;
  readonly onEvent?: (event: StreamEvent) => void;
}

export async function ask(host: ContractHost, asked: ContractAsk = {}): Promise<StreamedResponse> {
  const { messages = hello, change, options, fetch, onEvent } = asked;
  const response = await streamAll({
    model: { ...host.model, ...change },
    messages,
    deps: { ...host.deps(), ...(fetch && { fetch }) },
    ...(options && { options }),
    ...(onEvent && { onEvent }),
  });
  assertWellFormed(response);
  return response;
}

export function callsOf(message: AssistantMessage): ToolCallBlock[] {
  return message.content.filter((block) => block.type === "toolCall");
}

export function kindsOf(message: AssistantMessage): string[] {
  return message.content.map(({ type }) => type);
}

/** A promise that breaks the reply it stands in. */
export function broken(): Promise<never> {
  const promise = Promise.reject(new Error("broken on purpose"));
  promise.catch(() => undefined);
  return promise;
}

/** One start, blocks that begin, grow and end once, deltas that are the content, and one end with the message. */
export function assertWellFormed({ events, message }: StreamedResponse): void {
  const last = events.at(-1);
  assert.ok(last?.type === "done" || last?.type === "error", "the last event ends the response");
  assert.equal(last.message, message);
  assert.ok(Object.isFrozen(message) && Object.isFrozen(message.content));
  assert.equal(last.type === "error", ["error", "aborted"].includes(message.stopReason));
  assert.equal(message.stopReason === "error", message.errorKind !== undefined);
  const starts = events.filter(({ type }) => type === "start").length;
  assert.equal(starts, events.length > 1 ? 1 : starts, "it starts once");
  const grown: { type: string; text: string; ended: boolean }[] = [];
  for (const event of events.slice(0, -1)) {
    assert.ok(event.type !== "done" && event.type !== "error", "it ends once");
    if (event.type === "start") continue;
    const [kind = "", step] = event.type.split("_");
    if (step === "start") assert.equal(grown.push({ type: kind, text: "", ended: false }) - 1, event.index);
    const block = grown[event.index];
    assert.ok(block?.type === kind && !block.ended, `${event.type} for block ${event.index}`);
    if ("delta" in event) block.text += event.delta;
    if (step === "end") block.ended = true;
  }
  assert.deepEqual(grown.map(shown), message.content.map(written));
  if (last.type === "done") assert.ok(grown.every(({ ended }) => ended));
}

function shown({ type, text }: { readonly type: string; readonly text: string }): readonly string[] {
  return type === "toolcall" ? [type] : [type, text];
}

function written(block: AssistantBlock): readonly string[] {
  if (block.type === "toolCall") return ["toolcall"];
  return [block.type, block.type === "text" ? block.text : block.thinking];
}
