// The agent: one transcript, one run at a time, and what waits meanwhile. Leaves the run itself to loop.ts.
import type { ThinkingLevel, UserMessage } from "../ai/types.ts";
import type { Disposable } from "../shared/disposable.ts";
import { UserError, errorText } from "../shared/errors.ts";
import type { Json } from "../shared/json.ts";
import { RunActiveError } from "./errors.ts";
import { EventHub } from "./event-hub.ts";
import type { AgentEvent, RunEnd, SequencedEvent } from "./events.ts";
import { LimitCounter } from "./limits.ts";
import { runLoop } from "./loop.ts";
import { LostCalls } from "./lost-calls.ts";
import { MessageQueue } from "./queue.ts";
import type { RunAccount } from "./run.ts";
import { initialTranscript } from "./transcript.ts";
import type { TranscriptState } from "./transcript.ts";
import type { AgentConfig, AgentMessage, MessageEntry, QueuedMessage, QueueKind } from "./types.ts";

interface ActiveRun {
  readonly controller: AbortController;
  readonly done: Promise<RunEnd>;
}

/** `settling`: an abort was asked for, or the last event of the run is being handed out. */
type State = { readonly status: "idle" } | ({ readonly status: "running" | "settling" } & ActiveRun);

export interface AgentInitial {
  readonly messages?: readonly MessageEntry[];
  readonly queue?: readonly QueuedMessage[];
}

export class Agent {
  private readonly config: AgentConfig;
  private readonly hub: EventHub;
  private readonly queue: MessageQueue;
  private account: RunAccount;
  private state: State = { status: "idle" };

  constructor(config: AgentConfig, initial: AgentInitial = {}) {
    const { messages = [], queue = [] } = initial;
    this.config = config;
    this.account = { counter: new LimitCounter(config.now, config.getLimits), lost: new LostCalls() };
    this.hub = new EventHub({ ...initialTranscript(), messages, queue }, (text) => config.log?.(text));
    const modes = {
      steering: config.steeringMode ?? "one-at-a-time",
      followUp: config.followUpMode ?? "one-at-a-time",
    } as const;
    const changed = (items: readonly QueuedMessage[]) =>
      this.hub.announce({ type: "queue_update", queue: items });
    this.queue = new MessageQueue(queue, modes, changed);
  }

  /** All events so far, folded: at every moment what a listener that folds them has. */
  get transcript(): TranscriptState {
    return this.hub.state;
  }

  get status(): State["status"] {
    return this.state.status;
  }

  /** Starts a run and resolves with its end, when it has settled. Rejects with RunActiveError during a run. */
  async prompt(messages: readonly AgentMessage[]): Promise<RunEnd> {
    refuseUnlessIdle(this.state);
    if (messages.length === 0) throw new UserError("There is nothing to send. Write a message first.");
    const entries = messages.map((message) => ({ id: this.config.createId(), message }));
    this.account = { ...this.account, counter: new LimitCounter(this.config.now, this.config.getLimits) };
    return this.start(entries, true);
  }

  /**
   * Answers the transcript's tail: results, an unanswered message, or what a failed or aborted answer left. After a
   * complete answer it takes the next batch from the queue. Rejects with a UserError when there is neither, and
   * with RunActiveError during a run. What was used since the last prompt goes on being counted; after a limit, that
   * one is raised by `raiseBy` (in its unit; default: as much again).
   */
  async continue(options: { readonly raiseBy?: number } = {}): Promise<RunEnd> {
    refuseUnlessIdle(this.state);
    const tail = answerableTail(this.transcript.messages);
    if (tail === undefined) throw new UserError("There is nothing to continue. Send a message first.");
    if (tail.role !== "assistant") {
      this.account.counter.raise(options.raiseBy);
      return this.start([], true);
    }
    const queued = this.queue.takeNext();
    if (queued.length === 0) throw new UserError("The last answer is complete. Send a message to go on.");
    this.account.counter.raise(options.raiseBy);
    return this.start(queued, false);
  }

  /** Enters after the current turn, or at the start of the next run. Returns its id, which its message will have. */
  steer(message: UserMessage): string {
    const id = this.config.createId();
    this.queue.add({ id, kind: "steering", message });
    return id;
  }

  /** Enters when the run would otherwise end. Returns its id, which its message will have. */
  followUp(message: UserMessage): string {
    const id = this.config.createId();
    this.queue.add({ id, kind: "followUp", message });
    return id;
  }

  /** A new text replaces all text and keeps images. Unknown ids (gone meanwhile) do nothing, here and below. */
  editQueued(id: string, change: { readonly text?: string; readonly kind?: QueueKind }): void {
    this.queue.edit(id, change);
  }

  /** In front of `before`; without one at the end. */
  moveQueued(id: string, before?: string): void {
    this.queue.move(id, before);
  }

  removeQueued(id: string): void {
    this.queue.remove(id);
  }

  /** Empties the queue: the caller owns the messages now. */
  takeQueue(): readonly QueuedMessage[] {
    return this.queue.takeAll();
  }

  /**
   * Stops the run; `waitForIdle` says when it has settled. The queue stays. While idle it only says that a run which a
   * limit paused does not go on.
   */
  abort(): void {
    if (this.state.status === "idle") {
      if (this.transcript.limit !== null) this.hub.announce({ type: "limit_dismissed" });
      return;
    }
    this.state = { ...this.state, status: "settling" };
    this.state.controller.abort();
  }

  /** Resolves when no run is on and its end has passed the barriers. */
  async waitForIdle(): Promise<void> {
    while (this.state.status !== "idle") await this.state.done;
  }

  /** Isolated: `listener` may throw or be slow, it changes nothing. Not awaited. */
  subscribe(listener: (event: SequencedEvent) => void): Disposable {
    return this.hub.subscribe(listener);
  }

  /**
   * Awaited before the run's next step, for every event but updates (deltas, tool progress), one event after the
   * other. A rejection ends the run with an `error` message.
   */
  subscribeBarrier(listener: (event: SequencedEvent) => Promise<void>): Disposable {
    return this.hub.subscribeBarrier(listener);
  }

  /** Records a message without a run; resolves with its id after the barriers. Rejects as they do, or with RunActiveError. */
  async append(message: AgentMessage): Promise<string> {
    refuseUnlessIdle(this.state);
    const id = this.config.createId();
    // Both at once: nothing may come between the two.
    const started = this.hub.emit({ type: "message_start", id, message });
    await Promise.all([started, this.hub.emit({ type: "message_end", id, message })]);
    return id;
  }

  /** Puts a fact of the layer above into the order of events. */
  emitApp(name: string, data: Json): void {
    this.hub.announce({ type: "app_event", name, data });
  }

  /** Says that `getSettings` will answer differently from the next turn on. */
  noteSettingsChange(change: { readonly model?: string; readonly thinkingLevel?: ThinkingLevel }): void {
    this.hub.announce({ type: "settings_change", ...change, pending: this.state.status !== "idle" });
  }

  private start(prompts: readonly MessageEntry[], steerAtStart: boolean): Promise<RunEnd> {
    const controller = new AbortController();
    const { promise: done, resolve } = Promise.withResolvers<RunEnd>();
    const active = { controller, done };
    this.state = { status: "running", ...active };
    const settle = (end: RunEnd) => {
      this.state = { status: "idle" };
      resolve(end);
    };
    this.run(prompts, steerAtStart, active).then(settle, (error: unknown) => {
      // Only a broken configuration gets here (`createId`, `now` or `log` threw). The agent stays usable.
      this.hub.announce({ type: "agent_end", end: "error", messageIds: [] });
      this.config.log?.(`The run broke off: ${errorText(error)}`);
      settle("error");
    });
    return done;
  }

  private async run(
    prompts: readonly MessageEntry[],
    steerAtStart: boolean,
    active: ActiveRun,
  ): Promise<RunEnd> {
    const { signal } = active.controller;
    const emit = (event: AgentEvent) => {
      if (event.type === "agent_end") this.state = { status: "settling", ...active };
      return this.hub.emit(event);
    };
    const messages = this.transcript.messages.map((entry) => entry.message);
    const { config, queue, account } = this;
    const end = await runLoop({
      ...{ config, messages, prompts, queue, steerAtStart },
      ...{ account, emit, signal },
    });
    // What was queued while the run was ending would otherwise wait for a run that nobody starts.
    if (end !== "done" || signal.aborted || !queue.hasUnseen) return end;
    const late = queue.takeNext();
    if (late.length === 0) return end;
    this.state = { status: "running", ...active };
    return this.run(late, false, active);
  }
}

function refuseUnlessIdle({ status }: State): void {
  if (status !== "idle") throw new RunActiveError();
}

/** The last message that a next request would end with: failed and aborted answers are never sent again. */
function answerableTail(messages: readonly MessageEntry[]): AgentMessage | undefined {
  return messages.findLast(
    ({ message }) =>
      message.role !== "system" &&
      !(message.role === "assistant" && (message.stopReason === "error" || message.stopReason === "aborted")),
  )?.message;
}
