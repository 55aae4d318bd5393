// The state of one run: what was said, which turn is open, and the one way in which it is stopped.
// Leaves to the loop what happens next.
import type { AssistantMessage, ToolResultMessage } from "../ai/types.ts";
import { errorText } from "../shared/errors.ts";
import { untilAborted } from "./abort.ts";
import type { AgentEvent } from "./events.ts";
import type { LimitCounter } from "./limits.ts";
import type { LostCalls } from "./lost-calls.ts";
import { Outlet } from "./outlet.ts";
import type { Send } from "./outlet.ts";
import { abortedAnswer, emptyAnswer } from "./synthetic.ts";
import { DEFAULT_BARRIER_GRACE_MS } from "./types.ts";
import type { AgentConfig, AgentMessage, MessageEntry, TurnSettings } from "./types.ts";

/** What outlives a run. */
export interface RunAccount {
  /** Of the last prompt and what continues it. */
  readonly counter: LimitCounter;
  readonly lost: LostCalls;
}

interface OpenTurn {
  answer: AssistantMessage | undefined;
  readonly results: ToolResultMessage[];
}

/**
 * Abort and failure take the same way: `signal` fires, every step ends early, and what is open is closed.
 * `failure` tells the two apart.
 */
export class Run {
  readonly config: AgentConfig;
  /** The transcript, this run included. */
  readonly messages: AgentMessage[];
  /** Of this run. */
  readonly messageIds: string[] = [];
  failure: string | undefined;
  settings: TurnSettings | undefined;
  readonly account: RunAccount;
  private readonly outlet: Outlet;
  private readonly controller = new AbortController();
  private turns = 0;
  private turn: OpenTurn | undefined;

  constructor(config: AgentConfig, messages: readonly AgentMessage[], send: Send, account: RunAccount) {
    this.config = config;
    this.account = account;
    this.messages = [...messages];
    const graceMs = config.barrierGraceMs ?? DEFAULT_BARRIER_GRACE_MS;
    this.outlet = new Outlet(send, { signal: this.signal, graceMs, fail: (error) => this.fail(error) });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get stopped(): boolean {
    return this.controller.signal.aborted;
  }

  /** Of the open turn, in source order. */
  get toolResults(): readonly ToolResultMessage[] {
    return this.turn?.results ?? [];
  }

  readonly stop = (): void => this.controller.abort();

  /** Ends the run with an error. The first one counts. */
  fail(error: unknown): void {
    if (this.failure === undefined) this.failure = errorText(error);
    else this.config.log?.(`After the run had failed: ${errorText(error)}`);
    this.stop();
  }

  /** Never rejects: a receiver that fails ends the run, and so does one that holds up a stopped run. */
  emit(event: AgentEvent): Promise<void> | undefined {
    return this.outlet.emit(event);
  }

  /** Awaits a hook. Rejects with an AbortError as soon as the run is stopped, however long the hook takes. */
  hook<T>(pending: Promise<T>): Promise<T> {
    return untilAborted(pending, this.signal);
  }

  async record(entry: MessageEntry): Promise<void> {
    await this.emit({ type: "message_start", id: entry.id, message: entry.message });
    await this.recordEnd(entry);
  }

  /** For a message whose start was emitted before. */
  async recordEnd({ id, message }: MessageEntry): Promise<void> {
    this.messages.push(message);
    this.messageIds.push(id);
    if (message.role === "assistant" && this.turn) this.turn.answer = message;
    if (message.role === "toolResult") this.turn?.results.push(message);
    await this.emit({ type: "message_end", id, message });
  }

  recordNew(message: AgentMessage): Promise<void> {
    return this.record({ id: this.config.createId(), message });
  }

  async startTurn(): Promise<void> {
    this.turns += 1;
    this.turn = { answer: undefined, results: [] };
    await this.emit({ type: "turn_start", turn: this.turns });
  }

  /** Does nothing when no turn is open. A turn without an answer ends with an aborted one that is not recorded. */
  async endTurn(): Promise<void> {
    if (this.turn === undefined) return;
    const { answer, results } = this.turn;
    this.turn = undefined;
    const message = answer ?? abortedAnswer(emptyAnswer(this.settings?.model, this.config.now()));
    await this.emit({ type: "turn_end", message, toolResults: results });
  }

  /** The open turn, or a new one, ends with this message. */
  async endTurnWith(message: AssistantMessage): Promise<void> {
    if (this.turn === undefined) await this.startTurn();
    await this.recordNew(message);
    await this.endTurn();
  }
}
