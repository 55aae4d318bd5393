// The calls of one assistant message: in which order they are prepared, run and recorded. One call is tool-call.ts.
import PQueue from "p-queue";
import type { AssistantMessage, ToolCallBlock } from "../ai/types.ts";
import type { Run } from "./run.ts";
import { executeCall, finishCall, prepareCall, startCall } from "./tool-call.ts";
import type { FinishedCall, PreparedCall, ReadyCall } from "./tool-call.ts";
import { cutAtOutputLimit } from "./tool-results.ts";
import { DEFAULT_MAX_PARALLEL } from "./types.ts";
import type { AgentTool } from "./types.ts";

/**
 * Gives every call exactly one recorded result, in source order, also when the run is stopped meanwhile; never
 * rejects for what a tool or a tool hook does. Resolves with whether the model is to be asked again.
 */
export async function runToolCalls(
  run: Run,
  message: AssistantMessage,
  tools: readonly AgentTool[],
): Promise<boolean> {
  const calls = message.content.filter((block) => block.type === "toolCall");
  const batch = { run, message, tools, calls };
  const finished = await execute(batch);
  return calls.length > 0 && !finished.every((call) => call.outcome.terminate === true);
}

interface Batch {
  readonly run: Run;
  readonly message: AssistantMessage;
  readonly tools: readonly AgentTool[];
  readonly calls: readonly ToolCallBlock[];
}

function execute(batch: Batch): Promise<readonly FinishedCall[]> {
  if (batch.message.stopReason === "length") return refuseAll(batch);
  const sequential = batch.calls.some(
    (call) => batch.tools.find((tool) => tool.name === call.name)?.executionMode === "sequential",
  );
  return sequential ? oneByOne(batch) : together(batch);
}

/** A cut argument that happens to parse is still cut. */
async function refuseAll({ run, calls }: Batch): Promise<readonly FinishedCall[]> {
  const finished: FinishedCall[] = [];
  for (const call of calls) {
    await startCall(run, call);
    finished.push(await finishCall(run, { call, outcome: cutAtOutputLimit(call.name) }));
  }
  return recordAll(run, finished);
}

async function oneByOne(batch: Batch): Promise<readonly FinishedCall[]> {
  const finished: FinishedCall[] = [];
  for (const call of batch.calls) {
    const prepared = await begin(batch, call);
    finished.push(prepared.type === "ready" ? await executeCall(batch.run, prepared) : prepared.finished);
    await recordAll(batch.run, finished.slice(-1));
  }
  return finished;
}

async function together(batch: Batch): Promise<readonly FinishedCall[]> {
  const begun: Begun[] = [];
  for (const call of batch.calls) begun.push(await begin(batch, call));
  const limit = batch.run.config.maxParallel ?? DEFAULT_MAX_PARALLEL;
  const lanes = new Lanes(begun.length > limit ? limit : undefined);
  const finished = await Promise.all(
    begun.map((item) =>
      item.type === "ready"
        ? lanes.add(item.lockKey, () => executeCall(batch.run, item))
        : Promise.resolve(item.finished),
    ),
  );
  return recordAll(batch.run, finished);
}

type Begun = ReadyCall | { readonly type: "finished"; readonly finished: FinishedCall };

async function begin({ run, message, tools }: Batch, call: ToolCallBlock): Promise<Begun> {
  await startCall(run, call);
  const prepared: PreparedCall = await prepareCall(run, message, call, tools);
  if (prepared.type === "ready") return prepared;
  return { type: "finished", finished: await finishCall(run, { call, outcome: prepared.outcome }) };
}

async function recordAll(run: Run, finished: readonly FinishedCall[]): Promise<readonly FinishedCall[]> {
  for (const { call, outcome, durationMs } of finished) {
    await run.recordNew({
      role: "toolResult",
      toolCallId: call.id,
      toolName: call.name,
      content: outcome.content,
      ...(outcome.details !== undefined && { details: outcome.details }),
      isError: outcome.isError === true,
      ...(durationMs !== undefined && { durationMs }),
      timestamp: run.config.now(),
    });
  }
  return finished;
}

/** Runs tasks side by side up to a number; those with the same key one after the other, in the order added. */
class Lanes {
  private readonly queue: PQueue | undefined;
  private readonly tails = new Map<string, Promise<unknown>>();

  /** Undefined: no limit. */
  constructor(concurrency: number | undefined) {
    this.queue = concurrency === undefined ? undefined : new PQueue({ concurrency });
  }

  /** The task must not reject. */
  add<T>(key: string | undefined, task: () => Promise<T>): Promise<T> {
    const start = () => this.queue?.add(task) ?? task();
    if (key === undefined) return start();
    const before = this.tails.get(key) ?? Promise.resolve();
    const result = before.then(start);
    this.tails.set(key, result);
    return result;
  }
}
