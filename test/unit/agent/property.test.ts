// Whatever is scripted, thrown, queued and aborted: the invariants of C1 to C4 and issue 4 hold.
import assert from "node:assert/strict";
import fc from "fast-check";
import { Agent } from "../../../src/agent/agent.ts";
import type { SequencedEvent } from "../../../src/agent/events.ts";
import { initialTranscript, reduceTranscript } from "../../../src/agent/transcript.ts";
import type { TranscriptState } from "../../../src/agent/transcript.ts";
import type { AgentTool, BeforeToolCall, ToolDecision } from "../../../src/agent/types.ts";
import type { Message } from "../../../src/ai/types.ts";
import { runs } from "../../support/properties.ts";
import {
  answer,
  cutToolCalls,
  empty,
  error,
  hanging,
  scriptedStream,
  text,
  toolCalls,
} from "../../support/scripted-stream.ts";
import type { ScriptedStream, Step } from "../../support/scripted-stream.ts";
import { assertAnswered, assertEnds, assertPairs } from "./invariants.ts";
import { said, testConfig, textOf, tool, user } from "./setup.ts";

const toolNames = [
  "fast",
  "slow",
  "throws",
  "ends",
  "alone",
  "locked",
  "blocked",
  "unsure",
  "unknown",
] as const;

const calls = fc.array(fc.constantFrom(...toolNames), { minLength: 1, maxLength: 4 });

type StepPlan =
  | { readonly kind: "text" | "empty" | "error" | "hang" | "thinking" | "unterminated" }
  | { readonly kind: "calls" | "cut" | "failedCalls" | "hangingCalls"; readonly names: readonly string[] };

const stepPlan: fc.Arbitrary<StepPlan> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: "text" } as const) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("empty", "error", "hang", "thinking", "unterminated") }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("calls" as const), names: calls }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("cut", "failedCalls", "hangingCalls"), names: calls }),
  },
);

/** What happens from outside when the nth event is handed out. */
const interference = fc.record({
  at: fc.nat(60),
  what: fc.constantFrom("abort", "steer", "followUp", "editQueue", "throw", "barrier", "barrier later"),
});

const scenario = fc.record({
  steps: fc.array(stepPlan, { minLength: 1, maxLength: 6 }),
  interferences: fc.array(interference, { maxLength: 5 }),
  cut: fc.double({ min: 0, max: 1, noNaN: true }),
  steeringMode: fc.constantFrom("one-at-a-time", "all"),
  maxParallel: fc.integer({ min: 1, max: 3 }),
});

type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

describe("Whatever happens in a run", () => {
  it("pairs close, every call has one result before the next request, and the fold is the state", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (plan) => {
        const played = await play(plan);
        assertPairs(played.events);
        assertEnds(played.events);
        assertNothingAfterAbort(played);
        for (const { request } of played.stream.requests) assertAnswered(request.messages);
        assertAnswered(played.agent.transcript.messages.map((entry) => entry.message) as Message[]);
        assertNothingLost(played);
        assertFold(played, plan.cut);
      }),
      { numRuns: runs(400) },
    );
  });
});

interface Played {
  readonly agent: Agent;
  readonly stream: ScriptedStream;
  readonly events: readonly SequencedEvent[];
  readonly states: readonly TranscriptState[];
  /** Every text a user gave. */
  readonly texts: readonly string[];
  /** Where an abort was asked for: the number of the event, and of the requests by then. */
  readonly aborts: readonly { readonly seq: number; readonly requests: number }[];
  /** Tools whose code began with a signal that had fired. */
  readonly late: readonly string[];
}

/** Two prompts, so that what the first one left is gone on from. */
async function play({ steps, interferences, steeringMode, maxParallel }: Scenario): Promise<Played> {
  const stream = scriptedStream((_, index) =>
    steps[index] === undefined ? text("end") : step(steps[index], index),
  );
  const log: string[] = [];
  const aborts: { seq: number; requests: number }[] = [];
  const late: string[] = [];
  const watched = tools.map((each): AgentTool => ({
    ...each,
    execute: (args, context) => {
      if (context.signal.aborted) late.push(each.name);
      return each.execute(args, context);
    },
  }));
  const agent = new Agent(
    testConfig(stream, {
      tools: watched,
      beforeToolCall: decide,
      steeringMode,
      maxParallel,
      log: (line) => log.push(line),
    }),
  );
  const events: SequencedEvent[] = [];
  const states: TranscriptState[] = [];
  const texts = ["first", "second"];
  agent.subscribe((event) => {
    events.push(event);
    states.push(agent.transcript);
  });
  const due = (at: number, what: string) =>
    interferences.some((item) => item.at === at && item.what === what);
  agent.subscribe(({ seq }) => {
    const queueUp = (kind: "steer" | "followUp") => {
      texts.push(`${kind} ${seq}`);
      agent[kind](user(`${kind} ${seq}`));
    };
    if (due(seq, "steer")) queueUp("steer");
    if (due(seq, "followUp")) queueUp("followUp");
    if (due(seq, "editQueue"))
      for (const item of agent.transcript.queue) agent.editQueued(item.id, { kind: "steering" });
    if (due(seq, "abort")) {
      aborts.push({ seq, requests: stream.requests.length });
      agent.abort();
    }
    if (due(seq, "throw")) throw new Error("listener");
  });
  agent.subscribeBarrier(async ({ seq }) => {
    if (due(seq, "barrier later")) await new Promise((resolve) => setImmediate(resolve));
    if (due(seq, "barrier")) throw new Error("Disk full.");
  });
  for (const prompt of ["first", "second"]) {
    const run = agent.prompt([user(prompt)]);
    await stopWhenStuck(agent, stream, steps);
    await run;
    assert.equal(agent.status, "idle");
    assert.equal(agent.transcript.status, "idle");
  }
  return { agent, stream, events, states, texts, aborts, late };
}

/** A hanging answer is ended by hand, as a person would. */
async function stopWhenStuck(
  agent: Agent,
  stream: ScriptedStream,
  steps: readonly StepPlan[],
): Promise<void> {
  while (agent.status !== "idle") {
    const hangs = steps[stream.requests.length - 1]?.kind.startsWith("hang") === true;
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (hangs && agent.status === "running") agent.abort();
  }
}

function step(plan: StepPlan, index: number): Step {
  const scripted = "names" in plan ? plan.names.map((name, at) => ({ id: `${index}.${at}`, name })) : [];
  switch (plan.kind) {
    case "text":
      return text("some ", "text");
    case "empty":
      return empty();
    case "error":
      return error("Overloaded", { after: "part" });
    case "hang":
      return hanging(text("part"));
    case "thinking":
      return answer([{ type: "thinking", thinking: "hm" }], {});
    case "unterminated":
      return { ...text("part"), end: "unterminated" };
    case "calls":
      return toolCalls(...scripted);
    case "cut":
      return cutToolCalls(...scripted);
    case "failedCalls":
      return { ...toolCalls(...scripted), end: { stopReason: "error", errorMessage: "Lost" } };
    case "hangingCalls":
      return hanging(toolCalls(...scripted));
  }
}

const tools: readonly AgentTool[] = [
  tool("fast", (_, { onProgress }) => {
    onProgress({ output: "." });
    return Promise.resolve(said("fast"));
  }),
  tool("slow", async (_, { onProgress }) => {
    await new Promise((resolve) => setImmediate(resolve));
    onProgress({ details: { half: true } });
    await new Promise((resolve) => setImmediate(resolve));
    return said("slow");
  }),
  tool("throws", () => Promise.reject(new Error("no"))),
  tool("ends", () => Promise.resolve(said("end", { terminate: true }))),
  tool("alone", undefined, { executionMode: "sequential" }),
  tool("locked", undefined, { lockKey: () => "file" }),
  tool("blocked"),
  tool("unsure"),
];

async function decide({ toolCall }: BeforeToolCall): Promise<ToolDecision> {
  if (toolCall.name === "unsure") await new Promise((resolve) => setImmediate(resolve));
  return toolCall.name === "blocked" ? { type: "block", reason: "no" } : { type: "allow" };
}

/** Only what was open is closed: no tool's code, no request, no turn (but the prompt's own, and a failure's). */
function assertNothingAfterAbort({ events, aborts, late, stream }: Played): void {
  assert.deepEqual(late, []);
  for (const { seq, requests } of aborts) {
    const at = seq - 1;
    const end = events.findIndex((event, index) => index >= at && event.type === "agent_end");
    const start = events.findLastIndex((event, index) => index <= at && event.type === "agent_start");
    if (start < 0 || end <= at || events.slice(start, at).some((event) => event.type === "agent_end"))
      continue;
    const run = events.slice(at + 1, end);
    assert.ok(!run.some((event) => event.type === "tool_execution_running"));
    const last = events[end];
    if (last?.type === "agent_end" && last.end === "error") continue;
    // A message that is just leaving the queue is still recorded: it would be lost otherwise.
    const leaving = events[at]?.type === "queue_update";
    assert.ok(leaving || !run.some((event) => event.type === "turn_start" && event.turn > 1));
    const next = events.slice(end).find((event) => event.type === "message_end");
    if (next === undefined) assert.equal(stream.requests.length, requests);
  }
}

/** A user's text is in the transcript or in the queue, once. */
function assertNothingLost({ agent, texts }: Played): void {
  const said = agent.transcript.messages.flatMap(({ message }) =>
    message.role === "user" ? [textOf(message)] : [],
  );
  const queued = agent.transcript.queue.map((item) => textOf(item.message));
  assert.deepEqual([...said, ...queued].sort(), [...texts].sort());
}

function assertFold({ agent, events, states }: Played, cut: number): void {
  let state = initialTranscript();
  events.forEach((event, index) => {
    state = reduceTranscript(state, event);
    assert.deepEqual(state, states[index]);
  });
  assert.deepEqual(state, agent.transcript);
  const middle = Math.floor(cut * (events.length - 1));
  const snapshot = structuredClone(states[middle] ?? initialTranscript());
  assert.deepEqual(events.slice(middle + 1).reduce(reduceTranscript, snapshot), agent.transcript);
}
