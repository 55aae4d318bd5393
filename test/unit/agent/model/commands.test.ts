// Whatever a person, a model and tools do one after the other: a real agent does what the reference model says, and the
// invariants of every run hold. Time is virtual.
import assert from "node:assert/strict";
import { mock } from "node:test";
import fc from "fast-check";
import { RunActiveError } from "../../../../src/agent/errors.ts";
import { runs } from "../../../support/properties.ts";
import { answer } from "../../../support/scripted-stream.ts";
import { textOf, user } from "../setup.ts";
import { assertInvariants } from "../invariants.ts";
import { DrivenAgent, graceMs, quiet } from "./driven-agent.ts";
import { ReferenceModel } from "./reference-model.ts";
import type { Call, ToolName } from "./reference-model.ts";

type Command = fc.AsyncCommand<ReferenceModel, DrivenAgent>;

/** Texts and call ids are unique in a sequence of commands. */
let count = 0;
const unique = (what: string) => `${what}${++count}`;

function command(
  name: string,
  when: (model: ReferenceModel) => boolean,
  act: (model: ReferenceModel, real: DrivenAgent) => void | Promise<void>,
): Command {
  return {
    check: when,
    run: async (model, real) => {
      await act(model, real);
      await quiet();
      assertSame(model, real);
    },
    toString: () => name,
  };
}

function assertSame(model: ReferenceModel, real: DrivenAgent): void {
  const { transcript } = real.agent;
  assert.deepEqual(
    {
      lines: real.lines(),
      queue: transcript.queue.map((item) => ({ text: textOf(item.message), kind: item.kind })),
      requests: real.requests,
      idle: real.agent.status === "idle",
      running: transcript.activeTools
        .filter((each) => each.phase === "running")
        .map((each) => each.toolCallId),
    },
    {
      lines: model.transcript,
      queue: model.queue,
      requests: model.requests,
      idle: model.idle,
      running: model.running.map((call) => call.id),
    },
  );
}

const requested = (model: ReferenceModel) => model.phase.at === "request";
const partial = (model: ReferenceModel) => model.phase.at === "request" && model.phase.partial;

const prompt = () =>
  command(
    "prompt",
    () => true,
    async (model, real) => {
      const text = unique("prompt ");
      const run = real.agent.prompt([user(text)]);
      if (!model.idle) return assert.rejects(run, RunActiveError);
      model.prompt(text);
    },
  );

const goOn = () =>
  command(
    "continue",
    (model) => model.idle,
    async (model, real) => {
      const run = real.agent.continue();
      if (!model.continue()) await assert.rejects(run, { name: "UserError" });
    },
  );

const queueUp = (kind: "steering" | "followUp") =>
  command(
    kind,
    () => true,
    (model, real) => {
      const text = unique(`${kind} `);
      model.queue.push({ text, kind });
      if (kind === "steering") real.agent.steer(user(text));
      else real.agent.followUp(user(text));
    },
  );

const editQueue = (at: number, to: number, what: "text" | "kind" | "move" | "remove" | "take") =>
  command(
    `${what} of queued ${at}`,
    (model) => model.queue.length > 0,
    (model, { agent }) => {
      const items = agent.transcript.queue;
      const from = at % items.length;
      const before = to % (items.length + 1);
      const { id } = items[from]!;
      const item = model.queue[from]!;
      if (what === "take") {
        assert.equal(agent.takeQueue().length, items.length);
        model.queue = [];
      } else if (what === "remove") {
        agent.removeQueued(id);
        model.queue.splice(from, 1);
      } else if (what === "text") {
        item.text = unique("edited ");
        agent.editQueued(id, { text: item.text });
      } else if (what === "kind") {
        item.kind = item.kind === "steering" ? "followUp" : "steering";
        agent.editQueued(id, { kind: item.kind });
      } else {
        const next = model.queue[before];
        agent.moveQueued(id, items[before]?.id);
        if (next === item) return;
        model.queue.splice(from, 1);
        model.queue.splice(next === undefined ? model.queue.length : model.queue.indexOf(next), 0, item);
      }
    },
  );

const abort = () =>
  command(
    "abort",
    () => true,
    (model, real) => {
      real.agent.abort();
      model.abort();
    },
  );

const passGrace = () =>
  command(
    "grace is over",
    (model) => model.phase.at === "grace",
    (model) => {
      mock.timers.tick(graceMs);
      model.graceOver();
    },
  );

const streamText = () =>
  command(
    "some text",
    (model) => requested(model) && !partial(model),
    (model, real) => {
      real.send({ events: answer([{ type: "text", text: "some" }], {}).parts.filter(isEvent) });
      model.stream();
    },
  );

const answerText = (end: "stop" | "error" | "unterminated") =>
  command(`answer: ${end}`, requested, (model, real) => {
    const text = { type: "text", text: "answer" } as const;
    const events = partial(model) ? [] : answer([text], {}).parts.filter(isEvent);
    real.send({ events, end: end === "unterminated" ? end : { content: [text], stopReason: end } });
    if (end === "stop") model.answerText();
    else model.answerFailure();
  });

const answerNothing = () =>
  command(
    "empty answer",
    (model) => requested(model) && !partial(model),
    (model, real) => {
      real.send({ events: [], end: { stopReason: "stop" } });
      model.answerNothing();
    },
  );

const answerCalls = (names: readonly ToolName[], end: "toolUse" | "stop" | "length" | "error") =>
  command(
    `calls ${names.join(" ")}: ${end}`,
    (model) => requested(model) && !partial(model),
    (model, real) => {
      const calls = names.map((name): Call => ({ id: unique("call"), name }));
      const content = calls.map((call) => ({ type: "toolCall", ...call, arguments: {} }) as const);
      const stopReason = end;
      real.send({ events: answer(content, {}).parts.filter(isEvent), end: { content, stopReason } });
      if (end === "error") model.answerFailure();
      else if (end === "length") model.answerCut(calls);
      else model.answerCalls(calls, end);
    },
  );

const decide = (decision: "allow" | "block" | "throw") =>
  command(
    decision,
    (model) => model.asked !== undefined,
    (model, real) => {
      real.decide(model.asked?.id ?? "", decision);
      model.decide(decision);
    },
  );

const finish = (at: number, ending: "ok" | "terminates" | "threw") =>
  command(
    `tool ${at} ${ending}`,
    (model) => model.running.length > 0,
    (model, real) => {
      const call = model.running[at % model.running.length]!;
      real.finish(call.id, ending);
      model.finish(call.id, ending);
    },
  );

const breakListener = () =>
  command(
    "a listener throws from now on",
    () => true,
    (_, real) => real.breakListener(),
  );

/** What then ends the run is not modelled; that nothing is lost, all is closed and the agent is usable again is. */
const failBarrier = () =>
  command(
    "keeping the session fails",
    () => true,
    async (model, real) => {
      real.failBarrier();
      const before = real.lines();
      if (real.agent.status === "idle") void real.agent.prompt([user(unique("lost? "))]);
      else real.agent.abort();
      await quiet();
      mock.timers.tick(graceMs);
      await quiet();
      real.healBarrier();
      model.adopt(real.lines(), real.requests);
      assert.deepEqual(real.lines().slice(0, before.length), before);
    },
  );

function isEvent<T>(part: T): part is Exclude<T, Promise<unknown>> {
  return !(part instanceof Promise);
}

const names = fc.array(fc.constantFrom<ToolName>("plain", "plain", "alone", "locked", "deaf", "unknown"), {
  minLength: 1,
  maxLength: 3,
});

/** What lets a run go on is drawn more often than what ends it, so that sequences get somewhere. */
const goingOn: readonly fc.Arbitrary<Command>[] = [
  fc
    .tuple(names, fc.constantFrom("toolUse", "toolUse", "toolUse", "stop", "length", "error"))
    .map(([list, end]) => answerCalls(list, end)),
  fc
    .constantFrom("allow" as const, "allow" as const, "allow" as const, "block" as const, "throw" as const)
    .map(decide),
  fc.tuple(fc.nat(2), fc.constantFrom("ok", "ok", "terminates", "threw")).map(([at, end]) => finish(at, end)),
];

const others: readonly fc.Arbitrary<Command>[] = [
  fc.constant(prompt()),
  fc.constant(goOn()),
  fc.constantFrom("steering" as const, "followUp" as const).map(queueUp),
  fc
    .tuple(fc.nat(3), fc.nat(3), fc.constantFrom("text", "kind", "move", "remove", "take"))
    .map(([at, to, what]) => editQueue(at, to, what)),
  fc.constant(streamText()),
  fc
    .constantFrom("stop" as const, "stop" as const, "error" as const, "unterminated" as const)
    .map(answerText),
  fc.constant(answerNothing()),
  fc.constant(passGrace()),
  fc.constant(abort()),
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(breakListener()) },
    { weight: 1, arbitrary: fc.constant(failBarrier()) },
    { weight: 4, arbitrary: fc.constant(prompt()) },
  ),
];

const commands = fc.commands([...goingOn, ...goingOn, ...goingOn, ...goingOn, ...others], {
  maxCommands: 60,
  size: "max",
});

describe("Whatever is done to an agent", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  it("does what the reference model says", async () => {
    await fc.assert(
      fc.asyncProperty(commands, fc.boolean(), async (list, takesAll) => {
        count = 0;
        const real = new DrivenAgent(takesAll);
        await fc.asyncModelRun(() => ({ model: new ReferenceModel(takesAll), real }), list);
        real.agent.abort();
        await quiet();
        mock.timers.tick(graceMs);
        await quiet();
        assert.equal(real.agent.status, "idle");
        assert.deepEqual(real.late, []);
        assertInvariants(real.events, real.agent);
      }),
      { numRuns: runs(800) },
    );
  });
});
