// One tool call: find, prepare, validate, ask, execute, amend. Leaves order among calls and recording to tool-calls.ts.
import type { AssistantMessage, ToolCallBlock } from "../ai/types.ts";
import { errorText, isAbortError } from "../shared/errors.ts";
import { withGrace } from "./abort.ts";
import type { Run } from "./run.ts";
import {
  badArguments,
  errorOutcome,
  heldByLost,
  leftBehind,
  notStarted,
  stoppedWhileRunning,
  thrownOutcome,
  unknownTool,
} from "./tool-results.ts";
import { DEFAULT_ABORT_GRACE_MS } from "./types.ts";
import type { AgentTool, BeforeToolCall, ToolOutcome } from "./types.ts";
import { validateArguments } from "./validate.ts";

/** Validated and allowed. */
export interface ReadyCall {
  readonly type: "ready";
  readonly tool: AgentTool;
  readonly before: BeforeToolCall;
  readonly lockKey: string | undefined;
}

export type PreparedCall = ReadyCall | { readonly type: "failed"; readonly outcome: ToolOutcome };

export interface FinishedCall {
  readonly call: ToolCallBlock;
  readonly outcome: ToolOutcome;
  /** Milliseconds; absent if the tool's own code never ran. */
  readonly durationMs?: number;
}

/** Opens the pair that `finishCall` closes. */
export function startCall(run: Run, call: ToolCallBlock): Promise<void> | undefined {
  const { id: toolCallId, name: toolName, arguments: args } = call;
  return run.emit({ type: "tool_execution_start", toolCallId, toolName, args });
}

/** Never rejects: what is wrong with the call is its outcome. */
export async function prepareCall(
  run: Run,
  assistantMessage: AssistantMessage,
  call: ToolCallBlock,
  tools: readonly AgentTool[],
): Promise<PreparedCall> {
  if (run.stopped) return failed(notStarted(run));
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) return failed(unknownTool(call.name, tools, wasDeclared(run, call.name)));
  if (call.argumentsError !== undefined) return failed(badArguments(call, call.argumentsError));
  try {
    const prepared = tool.prepareArguments?.(call.arguments) ?? call.arguments;
    const validation = validateArguments(tool, prepared);
    if (!validation.ok) return failed(errorOutcome(validation.problem));
    const before = { assistantMessage, toolCall: call, args: validation.args, signal: run.signal };
    return await askFirst(run, { type: "ready", tool, before, lockKey: tool.lockKey?.(validation.args) });
  } catch (error) {
    return failed(run.stopped ? notStarted(run) : thrownOutcome(error));
  }
}

async function askFirst(run: Run, ready: ReadyCall): Promise<PreparedCall> {
  const { beforeToolCall } = run.config;
  if (beforeToolCall === undefined) return ready;
  const decision = await run.account.counter.clock.waiting(run.hook(beforeToolCall(ready.before)));
  if (run.stopped) return failed(notStarted(run));
  if (decision.type === "allow") return ready;
  const { reason, details } = decision;
  return failed({ ...errorOutcome(reason), ...(details !== undefined && { details }) });
}

function wasDeclared(run: Run, name: string): boolean {
  return run.messages.some(
    (message) => message.role === "system" && message.toolsAdded?.some((tool) => tool.name === name),
  );
}

function failed(outcome: ToolOutcome): PreparedCall {
  return { type: "failed", outcome };
}

/** Never rejects. A tool that outlives the grace of a stopped run is left; its late result is dropped and logged. */
export async function executeCall(run: Run, ready: ReadyCall): Promise<FinishedCall> {
  const call = ready.before.toolCall;
  const { now, log, abortGraceMs = DEFAULT_ABORT_GRACE_MS } = run.config;
  if (!run.stopped) await run.emit({ type: "tool_execution_running", toolCallId: call.id });
  if (run.stopped) return finishCall(run, { call, outcome: notStarted(run) });
  const { lockKey } = ready;
  if (lockKey !== undefined && run.account.lost.has(lockKey))
    return finishCall(run, { call, outcome: heldByLost(call.name) });
  const startedAt = now();
  const waiting = { over: false };
  const work = amended(run, ready, waiting);
  const inTime = await withGrace(work, run.signal, abortGraceMs);
  waiting.over = true;
  if (inTime === undefined) {
    if (lockKey !== undefined) run.account.lost.add(lockKey, work);
    void work.then(() => log?.(`The late result of "${call.name}" (${call.id}) was dropped.`));
  }
  const outcome = inTime?.value ?? leftBehind(run, abortGraceMs);
  return finishCall(run, { call, outcome, durationMs: now() - startedAt });
}

interface Waiting {
  /** Nobody waits for the outcome any more. */
  readonly over: boolean;
}

async function amended(run: Run, ready: ReadyCall, waiting: Waiting): Promise<ToolOutcome> {
  const outcome = await toolOutcome(run, ready, waiting);
  if (waiting.over) return outcome;
  try {
    const change = await run.config.afterToolCall?.({ ...ready.before, outcome });
    return change === undefined ? outcome : { ...outcome, ...change };
  } catch (error) {
    return thrownOutcome(error);
  }
}

async function toolOutcome(run: Run, { tool, before }: ReadyCall, waiting: Waiting): Promise<ToolOutcome> {
  const toolCallId = before.toolCall.id;
  let settled = false;
  try {
    const outcome = await tool.execute(before.args, {
      toolCallId,
      signal: run.signal,
      onProgress: (progress) => {
        if (!settled && !waiting.over) void run.emit({ type: "tool_execution_update", toolCallId, progress });
      },
      whileAsking: (pending) => run.account.counter.clock.waiting(pending),
    });
    return { ...outcome, content: [...outcome.content] };
  } catch (error) {
    if (!run.stopped) return thrownOutcome(error);
    return stoppedWhileRunning(run, isAbortError(error) ? undefined : errorText(error));
  } finally {
    settled = true;
  }
}

export async function finishCall(run: Run, finished: FinishedCall): Promise<FinishedCall> {
  const { call, outcome, durationMs } = finished;
  await run.emit({
    type: "tool_execution_end",
    toolCallId: call.id,
    toolName: call.name,
    isError: outcome.isError === true,
    ...(outcome.details !== undefined && { details: outcome.details }),
    ...(durationMs !== undefined && { durationMs }),
  });
  return finished;
}
