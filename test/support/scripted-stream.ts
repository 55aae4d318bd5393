// A model that answers from a script, for tests of what is built on streams. One step per request; requests are recorded.
import { applyDelta } from "../../src/agent/transcript.ts";
import type { StreamingMessage } from "../../src/agent/transcript.ts";
import type {
  AssistantBlock,
  AssistantMessage,
  AssistantStream,
  ErrorKind,
  Model,
  ModelRequest,
  StreamEvent,
  StreamFn,
  StreamOptions,
  Usage,
} from "../../src/ai/types.ts";
import type { JsonObject } from "../../src/shared/json.ts";

export const testModel: Model = {
  provider: "test",
  id: "scripted",
  name: "Scripted",
  api: "scripted",
  contextWindow: 100_000,
  maxTokens: 8_000,
  input: ["text", "image"],
  reasoning: true,
};

export const testUsage: Usage = {
  input: 10,
  output: 5,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 15,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** Events to send, promises to wait for, and how the response ends. */
export interface Step {
  readonly parts: readonly (StreamEvent | Promise<unknown>)[];
  /** `ignoresAbort`: it stays silent for ever, whatever the signal says. */
  readonly end: Partial<AssistantMessage> | "untilAborted" | "ignoresAbort" | "unterminated";
  readonly content: readonly AssistantBlock[];
}

export interface RecordedRequest {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly options: StreamOptions;
}

export interface ScriptedStream extends StreamFn {
  readonly requests: readonly RecordedRequest[];
}

/** Answers the nth request with the nth step, or with what `steps` returns for it; after the last one with an error. */
export function scriptedStream(
  steps: readonly Step[] | ((request: RecordedRequest, index: number) => Step),
): ScriptedStream {
  const requests: RecordedRequest[] = [];
  const stream: StreamFn = (model, request, options) => {
    const recorded = { model, request, options };
    const index = requests.push(recorded) - 1;
    const step = typeof steps === "function" ? steps(recorded, index) : steps[index];
    return response(step ?? error("The script has no more steps."), model, options.signal);
  };
  return Object.assign(stream, { requests });
}

/** A text answer; each argument is one delta. */
export function text(...deltas: readonly string[]): Step {
  return answer([{ type: "text", text: deltas.join("") }], { stopReason: "stop" }, [deltas]);
}

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly args?: JsonObject;
  readonly argumentsError?: string;
}

export function toolCalls(...calls: readonly ScriptedCall[]): Step {
  return answer(calls.map(toBlock), { stopReason: "toolUse" });
}

/** Calls that were cut at the output limit. */
export function cutToolCalls(...calls: readonly ScriptedCall[]): Step {
  return answer(calls.map(toBlock), { stopReason: "length" });
}

/** Fails after the given text (none: before anything arrived). */
export function error(
  errorMessage: string,
  options: { readonly kind?: ErrorKind; readonly after?: string } = {},
): Step {
  const content: AssistantBlock[] =
    options.after === undefined ? [] : [{ type: "text", text: options.after }];
  return answer(content, { stopReason: "error", errorMessage, errorKind: options.kind ?? "unknown" });
}

/** Ends well with no block at all. */
export function empty(): Step {
  return answer([], { stopReason: "stop" });
}

/** Sends what `step` sends, then nothing until it is aborted. */
export function hanging(step: Step = empty()): Step {
  return { ...step, end: "untilAborted" };
}

/** Waits for the promise first. */
export function after(gate: Promise<unknown>, step: Step): Step {
  return { ...step, parts: [gate, ...step.parts] };
}

/** Any blocks, any end. `deltas`: per block, how its text is cut. */
export function answer(
  content: readonly AssistantBlock[],
  end: Partial<AssistantMessage>,
  deltas: readonly (readonly string[])[] = [],
): Step {
  return { parts: content.flatMap((block, index) => blockEvents(block, index, deltas[index])), end, content };
}

function toBlock({ id, name, args = {}, argumentsError }: ScriptedCall): AssistantBlock {
  return {
    type: "toolCall",
    id,
    name,
    arguments: args,
    ...(argumentsError !== undefined && { argumentsError }),
  };
}

function blockEvents(block: AssistantBlock, index: number, deltas?: readonly string[]): StreamEvent[] {
  switch (block.type) {
    case "text":
      return [
        { type: "text_start", index },
        ...(deltas ?? [block.text]).map((delta) => ({ type: "text_delta", index, delta }) as const),
        { type: "text_end", index },
      ];
    case "thinking":
      return [
        { type: "thinking_start", index },
        { type: "thinking_delta", index, delta: block.thinking },
        { type: "thinking_end", index },
      ];
    case "toolCall":
      return [
        { type: "toolcall_start", index, id: block.id, name: block.name },
        { type: "toolcall_delta", index, delta: JSON.stringify(block.arguments) },
        { type: "toolcall_end", index, toolCall: block },
      ];
  }
}

function response(step: Step, model: Model, signal: AbortSignal | undefined): AssistantStream {
  const aborted = Promise.withResolvers<"aborted">();
  const onAbort = () => aborted.resolve("aborted");
  signal?.addEventListener("abort", onAbort);
  const final = Promise.withResolvers<AssistantMessage>();
  let folded: StreamingMessage = { id: "", message: finalMessage(step, model, true), partialArguments: {} };
  async function* events(): AsyncGenerator<StreamEvent> {
    yield { type: "start" };
    for (const part of step.parts) {
      if (part instanceof Promise) await Promise.race([part, aborted.promise]);
      if (signal?.aborted === true && step.end !== "ignoresAbort") break;
      if (part instanceof Promise) continue;
      if ("index" in part) folded = applyDelta(folded, part);
      yield part;
    }
    if (step.end === "unterminated" && signal?.aborted !== true) return;
    if (step.end === "ignoresAbort") await new Promise(() => undefined);
    if (step.end === "untilAborted" && signal?.aborted !== true) await aborted.promise;
    signal?.removeEventListener("abort", onAbort);
    const message = finalMessage(step, model, signal?.aborted === true);
    folded = { ...folded, message };
    final.resolve(message);
    const failed = message.stopReason === "error" || message.stopReason === "aborted";
    yield failed ? { type: "error", message } : { type: "done", message };
  }
  return {
    [Symbol.asyncIterator]: () => events(),
    result: () => final.promise,
    snapshot: () => folded.message,
  };
}

/** An aborted message has no content here: what had arrived is the consumer's to keep. */
function finalMessage(step: Step, model: Model, aborted: boolean): AssistantMessage {
  return {
    role: "assistant",
    content: aborted ? [] : step.content,
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: testUsage,
    stopReason: "stop",
    timestamp: 1,
    ...(aborted ? { stopReason: "aborted" } : typeof step.end === "object" ? step.end : {}),
  };
}
