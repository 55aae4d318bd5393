// A real agent whose model, tools and approvals do nothing by themselves: a test says when each of them goes on.
import { Agent } from "../../../../src/agent/agent.ts";
import type { SequencedEvent } from "../../../../src/agent/events.ts";
import type { AgentMessage, AgentTool, ToolDecision, ToolOutcome } from "../../../../src/agent/types.ts";
import { abortError } from "../../../../src/shared/errors.ts";
import type { AssistantMessage, AssistantStream, StreamEvent } from "../../../../src/ai/types.ts";
import { testModel, testUsage } from "../../../support/scripted-stream.ts";
import { settle } from "../../../support/until.ts";
import { said, testConfig, textOf, tool } from "../setup.ts";
import type { ToolName } from "./reference-model.ts";

/** Milliseconds. */
export const graceMs = 2_000;

/** A part of a response; without `end` more follows. */
export interface Sent {
  readonly events: readonly StreamEvent[];
  readonly end?: Partial<AssistantMessage> | "unterminated";
}

export class DrivenAgent {
  readonly agent: Agent;
  readonly events: SequencedEvent[] = [];
  requests = 0;
  /** Tools whose code began after the stop. */
  readonly late: string[] = [];
  /** Goes on with the response that is being received. */
  send: (sent: Sent) => void = () => undefined;
  private readonly hooks = new Map<string, PromiseWithResolvers<ToolDecision>>();
  private readonly tools = new Map<string, PromiseWithResolvers<ToolOutcome>>();
  private barrierFails = false;
  private listenerFails = false;

  constructor(takesAll: boolean) {
    const mode = takesAll ? "all" : "one-at-a-time";
    const config = testConfig((_model, _request, { signal }) => this.respond(signal), {
      tools: this.createTools(),
      steeringMode: mode,
      followUpMode: mode,
      abortGraceMs: graceMs,
      getLimits: () => ({ repeats: Number.POSITIVE_INFINITY }), // The model knows none; limits.test.ts has them.
      beforeToolCall: ({ toolCall }) => {
        const hook = Promise.withResolvers<ToolDecision>();
        this.hooks.set(toolCall.id, hook);
        return hook.promise;
      },
      log: () => undefined,
    });
    this.agent = new Agent(config);
    this.agent.subscribe((event) => this.events.push(event));
    this.agent.subscribe(() => {
      if (this.listenerFails) throw new Error("listener");
    });
    this.agent.subscribeBarrier(() => {
      if (!this.barrierFails) return Promise.resolve();
      this.barrierFails = false;
      return Promise.reject(new Error("Disk full."));
    });
  }

  /** The next event that is kept fails to be kept. */
  failBarrier(): void {
    this.barrierFails = true;
  }

  healBarrier(): void {
    this.barrierFails = false;
  }

  breakListener(): void {
    this.listenerFails = true;
  }

  decide(id: string, decision: "allow" | "block" | "throw"): void {
    const hook = this.hooks.get(id);
    this.hooks.delete(id);
    if (decision === "throw") hook?.reject(new Error("no"));
    else hook?.resolve(decision === "allow" ? { type: "allow" } : { type: "block", reason: "blocked" });
  }

  finish(id: string, ending: "ok" | "terminates" | "threw"): void {
    const running = this.tools.get(id);
    this.tools.delete(id);
    if (ending === "threw") running?.reject(new Error("no"));
    else running?.resolve(said(ending, { terminate: ending === "terminates" }));
  }

  /** What a person sees: each message as one line. */
  lines(): string[] {
    return this.agent.transcript.messages.map(({ message }) => line(message));
  }

  private createTools(): AgentTool[] {
    const execute =
      (listens: boolean): AgentTool["execute"] =>
      (_args, { toolCallId, signal }) => {
        if (signal.aborted) this.late.push(toolCallId);
        const running = Promise.withResolvers<ToolOutcome>();
        this.tools.set(toolCallId, running);
        if (listens) signal.addEventListener("abort", () => running.reject(abortError()));
        return running.promise;
      };
    const named = (name: ToolName, more: Partial<AgentTool> = {}) =>
      tool(name, execute(name !== "deaf"), more);
    return [
      named("plain"),
      named("alone", { executionMode: "sequential" }),
      named("locked", { lockKey: () => "file" }),
      named("deaf"),
    ];
  }

  private respond(signal: AbortSignal | undefined): AssistantStream {
    this.requests += 1;
    const waiting: Sent[] = [];
    let wake = (): void => undefined;
    this.send = (sent) => {
      waiting.push(sent);
      wake();
    };
    signal?.addEventListener("abort", () => wake());
    async function* events(): AsyncGenerator<StreamEvent> {
      for (;;) {
        const sent = waiting.shift();
        if (signal?.aborted) {
          yield ended({ stopReason: "aborted" });
          return;
        }
        if (sent === undefined) {
          await new Promise<void>((resolve) => (wake = resolve));
          continue;
        }
        yield* sent.events;
        if (sent.end === "unterminated") return;
        if (sent.end === undefined) continue;
        yield ended(sent.end);
        return;
      }
    }
    const unused = (): never => {
      throw new Error("The loop only iterates.");
    };
    return { [Symbol.asyncIterator]: () => events(), result: unused, snapshot: unused };
  }
}

function ended(end: Partial<AssistantMessage>): StreamEvent {
  const { provider, id: model, api } = testModel;
  const message: AssistantMessage = {
    ...{ role: "assistant", content: [], api, provider, model, usage: testUsage, timestamp: 1 },
    stopReason: "stop",
    ...end,
  };
  const failed = message.stopReason === "error" || message.stopReason === "aborted";
  return failed ? { type: "error", message } : { type: "done", message };
}

/** Lets all that is ready run. */
export function quiet(): Promise<void> {
  return settle(3);
}

function line(message: AgentMessage): string {
  if (message.role === "assistant") return `assistant ${message.stopReason}`;
  if (message.role === "toolResult") return `result ${message.toolCallId} ${ending(textOf(message))}`;
  return `${message.role} ${textOf(message)}`;
}

const endings: readonly (readonly [RegExp, string])[] = [
  [/^no$/, "threw"],
  [/^blocked$/, "blocked"],
  [/There is no tool/, "unknown"],
  [/output limit/, "length"],
  [/had not started/, "not started"],
  [/did not stop within/, "left behind"],
  [/was cut off/, "cut off"],
];

function ending(text: string): string {
  return endings.find(([pattern]) => pattern.test(text))?.[1] ?? text;
}
