// Writes down what the agent does. Messages, starts of tools and ends of runs are durable before the run goes on;
// what is streamed or printed follows in batches that the run does not wait for.
import type { AgentEvent, MessageDelta } from "../../agent/events.ts";
import type { AgentMessage } from "../../agent/types.ts";
import type { AssistantMessage } from "../../ai/types.ts";
import type { Disposable } from "../../shared/disposable.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { Clock } from "../ports.ts";
import { fact } from "./entries.ts";
import type { EntryData } from "./entries.ts";
import type { SessionLog } from "./log.ts";
import { addDelta } from "./partial.ts";

interface Partial {
  readonly messageId: string;
  start: AssistantMessage | undefined;
  deltas: MessageDelta[];
}

interface LiveOutput {
  output: string;
  details: JsonObject | undefined;
  ended: boolean;
  /** Unix milliseconds before which the next batch is not written. */
  notBefore: number;
  /** Characters written so far. */
  written: number;
}

const batchMs = 100;
const outputBatchLimit = 16_384;

export class SessionRecorder implements Disposable {
  private readonly log: SessionLog;
  private readonly clock: Clock;
  private partial: Partial | undefined;
  private readonly outputs = new Map<string, LiveOutput>();
  private timer: Disposable | undefined;

  constructor(log: SessionLog, clock: Clock) {
    this.log = log;
    this.clock = clock;
  }

  /** For a listener of the agent that nobody awaits: what is written in batches. */
  readonly observe = (event: AgentEvent): void => {
    if (event.type === "message_start") this.startPartial(event.id, event.message);
    if (event.type === "message_update") this.addPartial(event.id, event.delta);
    if (event.type === "tool_execution_update") {
      this.addOutput(event.toolCallId, event.progress.output ?? "", event.progress.details);
    }
    if (event.type === "tool_execution_end" && event.durationMs !== undefined) {
      this.endOutput(event.toolCallId, event.details);
    }
  };

  /** For a barrier of the agent: what it resolves for is on disk. Never rejects. */
  readonly record = (event: AgentEvent): Promise<void> => {
    switch (event.type) {
      case "message_end":
        return this.endMessage(event.id, event.message);
      case "tool_execution_running":
        return this.log.append(fact("reins.toolStarted", { toolCallId: event.toolCallId }));
      case "agent_end":
        this.forget();
        return this.log.append(fact("reins.runEnd", { end: event.end }));
      default:
        return Promise.resolve();
    }
  };

  /** Resolves when everything so far is on disk. */
  flush(): Promise<void> {
    this.writeBatches(true);
    return this.log.flush();
  }

  dispose(): void {
    this.writeBatches(true);
    this.timer?.dispose();
  }

  private startPartial(messageId: string, message: AgentMessage): void {
    if (message.role === "assistant") this.partial = { messageId, start: message, deltas: [] };
  }

  private addPartial(messageId: string, delta: MessageDelta): void {
    if (this.partial?.messageId !== messageId) this.partial = { messageId, start: undefined, deltas: [] };
    addDelta(this.partial.deltas, delta);
    this.schedule();
  }

  private endMessage(id: string, message: AgentMessage): Promise<void> {
    if (this.partial?.messageId === id) this.partial = undefined;
    if (message.role === "toolResult") this.outputs.delete(message.toolCallId);
    return this.log.append(entryFor(message), id);
  }

  private addOutput(toolCallId: string, output: string, details: JsonObject | undefined): void {
    const live = this.liveOutput(toolCallId);
    live.output = (live.output + output).slice(-outputBatchLimit);
    live.details = details ?? live.details;
    this.schedule();
  }

  private endOutput(toolCallId: string, details: JsonObject | undefined): void {
    const live = this.liveOutput(toolCallId);
    live.ended = true;
    live.notBefore = 0;
    live.details = details ?? live.details;
    this.schedule();
  }

  private liveOutput(toolCallId: string): LiveOutput {
    const known = this.outputs.get(toolCallId);
    if (known) return known;
    const live = { output: "", details: undefined, ended: false, notBefore: 0, written: 0 };
    this.outputs.set(toolCallId, live);
    return live;
  }

  private schedule(): void {
    this.timer ??= this.clock.schedule(batchMs, () => {
      this.timer = undefined;
      this.writeBatches(false);
    });
  }

  private forget(): void {
    this.partial = undefined;
    this.outputs.clear();
  }

  private writeBatches(all: boolean): void {
    const entries = [this.takePartial(), ...this.takeOutputs(all)].filter((entry) => entry !== undefined);
    for (const entry of entries) void this.log.append(entry);
    if ([...this.outputs.values()].some(isWaiting)) this.schedule();
  }

  private takePartial(): EntryData | undefined {
    if (!this.partial || this.partial.deltas.length === 0) return undefined;
    const { messageId, start, deltas } = this.partial;
    this.partial = { messageId, start: undefined, deltas: [] };
    return fact("reins.partial", { messageId, ...(start && { start }), deltas });
  }

  private takeOutputs(all: boolean): EntryData[] {
    const due = [...this.outputs].filter(
      ([, live]) => isWaiting(live) && (all || live.notBefore <= this.clock.now()),
    );
    return due.map(([toolCallId, live]) => this.takeOutput(toolCallId, live));
  }

  /** The more a tool has printed, the rarer it is written down, so that endless output cannot fill the disk. */
  private takeOutput(toolCallId: string, live: LiveOutput): EntryData {
    const { output, details, ended } = live;
    live.written += output.length;
    live.notBefore = this.clock.now() + batchMs * (1 + live.written / outputBatchLimit);
    live.output = "";
    live.details = undefined;
    live.ended = false;
    return fact("reins.output", { toolCallId, output, ...(details && { details }), ...(ended && { ended }) });
  }
}

function entryFor(message: AgentMessage): EntryData {
  if (message.role !== "app") return { type: "message", message };
  const { kind, text, details } = message;
  return fact("reins.notice", { kind, text, ...(details && { details }) });
}

function isWaiting(live: LiveOutput): boolean {
  return live.output !== "" || live.details !== undefined || live.ended;
}
