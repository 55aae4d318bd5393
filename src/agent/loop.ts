// The loop: turns until nothing is left to do. Usable without Agent; leaves answers to response.ts and calls to tool-calls.ts.
import type { LimitReached, RunEnd } from "./events.ts";
import { LimitCounter } from "./limits.ts";
import { LostCalls } from "./lost-calls.ts";
import { requestAnswer } from "./response.ts";
import type { Send } from "./outlet.ts";
import { Run } from "./run.ts";
import type { RunAccount } from "./run.ts";
import { emptyAnswer, failedAnswer } from "./synthetic.ts";
import { runToolCalls } from "./tool-calls.ts";
import type { AgentConfig, AgentMessage, MessageEntry, QueueKind, TurnInfo, TurnSettings } from "./types.ts";

/** What a run starts from. */
export interface LoopInput {
  readonly config: AgentConfig;
  /** The transcript so far; not changed. */
  readonly messages: readonly AgentMessage[];
  /** New messages that start the run; recorded whatever happens. Empty: the transcript's tail is answered. */
  readonly prompts: readonly MessageEntry[];
  readonly queue: LoopQueue;
  /** False when `prompts` were themselves taken from the queue. Default true. */
  readonly steerAtStart?: boolean;
  /** Of the run that this one continues. Default: a new one. */
  readonly account?: RunAccount;
  /** Awaited for every event but updates of tools, where it gives a promise. A rejection ends the run with an `error` message. */
  readonly emit: Send;
  readonly signal: AbortSignal;
}

/** Where steering and follow-ups wait. Neither may throw. */
export interface LoopQueue {
  has(kind: QueueKind): boolean;
  /** The next batch; it has left the queue. */
  take(kind: QueueKind): readonly MessageEntry[];
}

/**
 * Runs until no tool call, steering or follow-up is left, a limit is reached, the signal fires, or something fails.
 * Never rejects: events are in Pi's order with every pair closed, and `agent_end` is the last.
 */
export async function runLoop(input: LoopInput): Promise<RunEnd> {
  const { config } = input;
  const account = input.account ?? {
    counter: new LimitCounter(config.now, config.getLimits),
    lost: new LostCalls(),
  };
  const run = new Run(config, input.messages, input.emit, account);
  const { counter } = account;
  counter.clock.start();
  if (input.signal.aborted) run.stop();
  input.signal.addEventListener("abort", run.stop);
  try {
    await run.emit({ type: "agent_start" });
    const end = await settled(run, runTurns(run, input));
    await run.emit({ type: "agent_end", end, messageIds: run.messageIds });
    return end;
  } finally {
    counter.clock.stop();
    input.signal.removeEventListener("abort", run.stop);
  }
}

/** Whatever the turns end with: what is open is closed, and a failure is said in the transcript. */
async function settled(run: Run, turns: Promise<RunEnd>): Promise<RunEnd> {
  let end: RunEnd = "aborted";
  try {
    end = await turns;
  } catch (error) {
    // After a stop, a hook that rejects only says that it was stopped.
    if (!run.stopped) run.fail(error);
  }
  if (run.failure === undefined) {
    await run.endTurn();
    return end;
  }
  const reason = run.failure.replace(/[\s.]+$/, "");
  const text = `The run stopped: ${reason}. Send a message or continue to try again.`;
  await run.endTurnWith(failedAnswer(emptyAnswer(run.settings?.model, run.config.now()), text));
  return "error";
}

async function runTurns(run: Run, input: LoopInput): Promise<RunEnd> {
  const { counter } = run.account;
  const steering = input.steerAtStart === false || run.stopped ? [] : input.queue.take("steering");
  let entries = [...input.prompts, ...steering];
  for (;;) {
    const turn = await runTurn(run, entries);
    const next = nextStep(run, input, turn);
    if (next.type === "end") return next.end;
    if (next.type === "limit") {
      await run.emit({ type: "limit_reached", ...next.reached });
      return run.stopped ? "aborted" : "limit";
    }
    const prepared = await preparedEntries(run, turn);
    // What was said while that took its time is not kept waiting for a whole turn.
    const said = next.entries.length > 0 ? next.entries : input.queue.take("steering");
    if (said.length > 0) counter.forgetRepeats();
    entries = [...prepared, ...said];
  }
}

async function preparedEntries(run: Run, { info }: TurnOutcome): Promise<readonly MessageEntry[]> {
  const { prepareNextTurn, createId } = run.config;
  if (prepareNextTurn === undefined || info === undefined) return [];
  const messages = await run.hook(prepareNextTurn(info, run.signal));
  return messages.map((message) => ({ id: createId(), message }));
}

interface TurnOutcome {
  /** Set when the answer itself ended the run. */
  readonly end?: RunEnd;
  /** Of an answer that neither failed nor was stopped. */
  readonly info?: TurnInfo;
  /** The model has results to answer. */
  readonly unanswered: boolean;
  readonly decision: "end" | "continue" | undefined;
}

async function runTurn(run: Run, entries: readonly MessageEntry[]): Promise<TurnOutcome> {
  await run.startTurn();
  const settings = await enter(run, entries);
  const message = await requestAnswer(run, settings);
  run.account.counter.countAnswer(message);
  if (message.stopReason === "error" || message.stopReason === "aborted") {
    await run.endTurn();
    return { end: message.stopReason, unanswered: false, decision: undefined };
  }
  const unanswered = await runToolCalls(run, message, settings.tools);
  const turn = { message, toolResults: run.toolResults };
  const decision = run.stopped ? undefined : await run.hook(finish(run, turn));
  run.account.counter.countTurn(turn);
  await run.endTurn();
  return { info: turn, unanswered, decision };
}

/** New messages are durable before anything can fail or take long; only before the first one the prepared ones lead. */
async function enter(run: Run, entries: readonly MessageEntry[]): Promise<TurnSettings> {
  if (run.messages.some((message) => message.role !== "app")) {
    for (const entry of entries) await run.record(entry);
    return prepare(run);
  }
  try {
    return await prepare(run);
  } finally {
    for (const entry of entries) await run.record(entry);
  }
}

async function prepare(run: Run): Promise<TurnSettings> {
  const before = run.settings;
  const settings = run.config.getSettings();
  run.settings = settings;
  const change = before === undefined ? undefined : settingsChange(before, settings);
  if (change !== undefined) await run.emit({ type: "settings_change", ...change, pending: false });
  const { prepareRequest } = run.config;
  const prepared = prepareRequest === undefined ? [] : await run.hook(prepareRequest(run.signal));
  for (const message of prepared) await run.recordNew(message);
  return settings;
}

/** What the new turn works with differently from the one before. Tools and prompt say it in system messages. */
function settingsChange(before: TurnSettings, now: TurnSettings) {
  const model = `${now.model.provider}/${now.model.id}`;
  const otherModel = model !== `${before.model.provider}/${before.model.id}`;
  const otherLevel = now.thinkingLevel !== before.thinkingLevel;
  if (!otherModel && !otherLevel) return undefined;
  return { ...(otherModel && { model }), ...(otherLevel && { thinkingLevel: now.thinkingLevel }) };
}

async function finish(run: Run, turn: TurnInfo): Promise<"end" | "continue" | undefined> {
  return run.config.finishTurn?.(turn);
}

type Next =
  | { readonly type: "end"; readonly end: RunEnd }
  | { readonly type: "limit"; readonly reached: LimitReached }
  | { readonly type: "turn"; readonly entries: readonly MessageEntry[] };

/** At the boundary after a turn. Nothing is taken from the queue unless its turn follows. */
function nextStep(run: Run, { queue }: LoopInput, turn: TurnOutcome): Next {
  const steering = queue.has("steering");
  const due = turn.unanswered || steering || queue.has("followUp") || turn.decision === "continue";
  if (turn.end !== undefined) return { type: "end", end: turn.end };
  if (run.stopped) return { type: "end", end: "aborted" };
  if (turn.decision === "end" || !due) return { type: "end", end: "done" };
  if (steering) run.account.counter.forgetRepeats();
  const reached = run.account.counter.reached();
  if (reached !== undefined) return { type: "limit", reached };
  if (steering) return { type: "turn", entries: queue.take("steering") };
  return { type: "turn", entries: turn.unanswered ? [] : queue.take("followUp") };
}
