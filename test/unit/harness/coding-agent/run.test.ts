import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Message, UserMessage } from "../../../../src/ai/types.ts";
import type { CodingSession } from "../../../../src/harness/types.ts";
import { openBook, localPorts, workTool } from "../../../support/open-session.ts";
import { linesOf } from "../../../support/session-builders.ts";
import { after, answer, error, hanging, text, toolCalls } from "../../../support/scripted-stream.ts";
import { until } from "../../../support/until.ts";

const shown = (session: CodingSession) =>
  session.transcript.messages.map(({ message }) => {
    if (message.role === "app") return `app ${message.text}`;
    if (message.role === "assistant") return `assistant ${message.stopReason}`;
    if (message.role === "user") return `user ${JSON.stringify(message.content)}`;
    return message.role;
  });
const userTexts = (messages: readonly Message[]) =>
  messages.filter((message): message is UserMessage => message.role === "user").map(({ content }) => content);

describe("A prompt", () => {
  it("is answered, and all of it is on disk in order", async () => {
    const { book, ports } = await openBook([text("Hello")]);
    await book.current.prompt("Say hello\nplease");
    assert.deepEqual(shown(book.current), ["system", 'user "Say hello\\nplease"', "assistant stop"]);
    assert.equal(book.current.title, "Say hello");
    const [name = ""] = ports.storage.names;
    assert.deepEqual(
      linesOf(ports, name).map((line) => line.customType ?? (line.message as { role: string }).role),
      ["reins.title", "system", "user", "assistant", "reins.runEnd"],
    );
  });

  it("is refused without a model, naming the setting, and nothing is written", async () => {
    const ports = localPorts();
    await ports.settings.update({ model: "" });
    const { book } = await openBook([], { ports });
    await assert.rejects(book.current.prompt("x"), { name: "UserError", message: /reins\.model/ });
    await ports.settings.update({ model: "nobody/none" });
    await assert.rejects(book.current.prompt("x"), {
      name: "UserError",
      message: /"nobody\/none".*reins\.model/,
    });
    assert.deepEqual(ports.storage.names, []);
  });

  it("during a run steers it, and resolves when the run has settled", async () => {
    const gate = Promise.withResolvers<void>();
    const tool = workTool(async () => {
      await gate.promise;
      return { content: [{ type: "text", text: "worked" }] };
    });
    const { book, stream } = await openBook([toolCalls({ id: "c1", name: "work" }), text("ok")], {
      tools: [tool],
    });
    const first = book.current.prompt("go");
    await until(() => book.current.transcript.activeTools.length > 0);
    const second = book.current.prompt("careful");
    assert.equal(book.current.transcript.queue.length, 1);
    gate.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(userTexts(stream.requests[1]!.request.messages), ["go", "careful"]);
    assert.deepEqual(shown(book.current).slice(2), [
      "assistant toolUse",
      "toolResult",
      'user "careful"',
      "assistant stop",
    ]);
  });

  it("has the same bytes in front of every request, whatever happened in between", async () => {
    const { book, stream, ports } = await openBook([
      toolCalls({ id: "c1", name: "work" }),
      error("overloaded", { kind: "overloaded" }),
      text("one"),
      text("two"),
    ]);
    const first = book.current.prompt("go");
    await until(() => book.current.retry !== undefined);
    await ports.clock.advance(2000);
    await first;
    await book.current.prompt("more");
    const bytes = stream.requests.map(({ request }) => JSON.stringify(request.messages).slice(0, -1));
    assert.equal(bytes.length, 4);
    for (let index = 1; index < bytes.length; index++) {
      assert.ok(bytes[index]!.startsWith(bytes[index - 1]!), `request ${index + 1} continues the one before`);
    }
  });

  it("is preceded by what changed in AGENTS.md, and only by that", async () => {
    const { book, stream, ports } = await openBook([text("one"), text("two"), text("three")]);
    await book.current.prompt("a");
    ports.files.write("memory:///work/AGENTS.md", "Use tabs.");
    await book.current.prompt("b");
    await book.current.prompt("c");
    const systems = stream.requests.map(({ request }) =>
      request.messages.filter(({ role }) => role === "system"),
    );
    assert.deepEqual(
      systems.map((messages) => messages.length),
      [1, 2, 2],
    );
    const change = systems[2]![1]!;
    assert.ok(change.role === "system" && change.toolsAdded === undefined);
    assert.deepEqual(Object.keys(change.sections ?? {}), ["project"]);
    assert.match(change.sections?.project ?? "", /Use tabs\./);
  });
});

describe("A failed request", () => {
  it("is tried again at once when the user says so, and each wait is an event with its reason", async () => {
    const { book, stream } = await openBook([error("busy", { kind: "overloaded" }), text("at last")]);
    const events: string[] = [];
    book.current.onEvent((event) => {
      if (event.type === "app_event") events.push(`${event.name} ${JSON.stringify(event.data)}`);
    });
    book.current.retryNow();
    const prompt = book.current.prompt("go");
    await until(() => book.current.retry !== undefined);
    book.current.retryNow();
    await prompt;
    assert.equal(stream.requests.length, 2);
    assert.deepEqual(events, [
      'retry_wait {"attempt":1,"delayMs":2000,"kind":"overloaded","error":"busy"}',
      'retry_wait_end {"attempt":1,"goesOn":true}',
    ]);
  });

  it("is tried again up to three times, waiting longer each time, and the failures are not shown again", async () => {
    const failing = error("busy", { kind: "overloaded" });
    const { book, stream, ports } = await openBook([failing, failing, failing, text("at last")]);
    let resolved = false;
    const prompt = book.current.prompt("go").then(() => (resolved = true));
    for (const [attempt, delay] of [2000, 4000, 8000].entries()) {
      await until(() => book.current.retry?.attempt === attempt + 1);
      assert.equal(book.current.retry?.at, ports.clock.now() + delay);
      assert.equal(book.current.retry?.error, "busy");
      assert.equal(resolved, false, "not finished before the retry is done (Q05)");
      await ports.clock.advance(delay);
    }
    await prompt;
    assert.equal(book.current.retry, undefined);
    assert.equal(stream.requests.length, 4);
    assert.deepEqual(
      stream.requests[3]?.request.messages.map(({ role }) => role),
      ["system", "user"],
    );
    assert.equal(shown(book.current).filter((line) => line === "assistant error").length, 3);
  });

  it("waits as long as the server asks (429 with Retry-After)", async () => {
    const limited = answer([], {
      stopReason: "error",
      errorKind: "rate_limit",
      errorMessage: "slow down",
      retryAfterMs: 17_000,
    });
    const { book, ports } = await openBook([limited, text("ok")]);
    const prompt = book.current.prompt("go");
    await until(() => book.current.retry !== undefined);
    assert.equal(book.current.retry?.at, ports.clock.now() + 17_000);
    await ports.clock.advance(17_000);
    await prompt;
    assert.equal(shown(book.current).at(-1), "assistant stop");
  });

  it("ends the run after the last try, or at once when trying again cannot help", async () => {
    const { book, ports, stream } = await openBook(() => error("no net", { kind: "network" }));
    const prompt = book.current.prompt("go");
    for (const delay of [2000, 4000, 8000]) {
      await until(() => book.current.retry !== undefined);
      await ports.clock.advance(delay);
    }
    await prompt;
    assert.equal(stream.requests.length, 4);
    assert.equal(book.current.transcript.lastEnd, "error");

    const certificate = { errorKind: "network", errorMessage: "not trusted", errorFinal: true } as const;
    for (const final of [
      error("wrong key", { kind: "auth" }),
      answer([], { stopReason: "error", ...certificate }),
    ]) {
      const refused = await openBook([final, text("ok")]);
      await refused.book.current.prompt("go");
      assert.equal(refused.stream.requests.length, 1);
      await refused.book.current.continue();
      assert.equal(shown(refused.book.current).at(-1), "assistant stop");
    }
  });

  it("starts counting again after an answer", async () => {
    const busy = error("busy", { kind: "overloaded" });
    const steps = [busy, busy, busy, toolCalls({ id: "c1", name: "work" }), busy, text("done")];
    const { book, ports } = await openBook(steps);
    const prompt = book.current.prompt("go");
    for (const delay of [2000, 4000, 8000, 2000]) {
      await until(() => book.current.retry !== undefined);
      assert.equal(book.current.retry?.at, ports.clock.now() + delay);
      await ports.clock.advance(delay);
    }
    await prompt;
    assert.equal(shown(book.current).at(-1), "assistant stop");
  });

  it("stops for good while it waits for the next try, and the next prompt makes one request (Q06)", async () => {
    const { book, stream, ports } = await openBook(() => error("busy", { kind: "overloaded" }));
    const prompt = book.current.prompt("go");
    await until(() => book.current.retry !== undefined);
    assert.equal(await book.current.stop(), "");
    await prompt;
    await ports.clock.advance(100_000);
    assert.equal(stream.requests.length, 1);
    assert.equal(book.current.retry, undefined);
    const next = book.current.prompt("again");
    await until(() => book.current.retry !== undefined);
    assert.equal(stream.requests.length, 2);
    await book.current.stop();
    await next;
    assert.equal(ports.clock.pending, 0);
  });
});

describe("Stop", () => {
  it("ends the stream, keeps the partial text, and returns what was queued (Q01)", async () => {
    const { book, stream } = await openBook([hanging(text("Hel")), text("fresh")]);
    const prompt = book.current.prompt("go");
    await until(() => book.current.transcript.streaming !== null);
    book.current.queue("steering", "left");
    book.current.queue("followUp", "then right");
    assert.equal(await book.current.stop(), "left\n\nthen right");
    await prompt;
    assert.equal(book.current.transcript.status, "idle");
    assert.deepEqual(book.current.transcript.queue, []);
    const last = book.current.transcript.messages.at(-1)?.message;
    assert.ok(last?.role === "assistant" && last.stopReason === "aborted");
    assert.deepEqual(last.content, [{ type: "text", text: "Hel" }]);
    await book.current.prompt("other");
    assert.deepEqual(userTexts(stream.requests[1]!.request.messages), ["go", "other"]);
  });

  it("while it is stopping, a prompt waits and starts a run of its own", async () => {
    const { book, stream } = await openBook([hanging(text("Hel")), text("fresh")]);
    const first = book.current.prompt("go");
    await until(() => book.current.transcript.streaming !== null);
    const stopped = book.current.stop();
    await book.current.prompt("next");
    await Promise.all([first, stopped]);
    assert.equal(stream.requests.length, 2);
    assert.equal(shown(book.current).at(-1), "assistant stop");
  });

  it("does nothing while nothing is on", async () => {
    const { book, ports } = await openBook();
    assert.equal(await book.current.stop(), "");
    assert.deepEqual(ports.storage.names, []);
  });

  it("gives a tool that runs its result", async () => {
    const tool = workTool(
      (_args, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("killed")))),
    );
    const { book } = await openBook([toolCalls({ id: "c1", name: "work" })], { tools: [tool] });
    const prompt = book.current.prompt("go");
    await until(() => book.current.transcript.activeTools[0]?.phase === "running");
    await book.current.stop();
    await prompt;
    assert.deepEqual(shown(book.current).slice(2), ["assistant toolUse", "toolResult"]);
  });
});

describe("Settings of a session", () => {
  it("keep its own model and thinking level across a reload", async () => {
    const { book, ports } = await openBook([text("one"), text("two")]);
    book.current.setModel("local/large");
    book.current.setThinkingLevel("high");
    assert.deepEqual(ports.storage.names, [], "choosing alone writes nothing");
    await book.current.prompt("go");
    book.dispose();
    const again = await openBook([text("three")], { ports });
    assert.equal(again.book.current.model?.id, "large");
    assert.equal(again.book.current.thinkingLevel, "high");
    await again.book.current.prompt("more");
    assert.equal(again.stream.requests[0]?.model.id, "large");
    assert.equal(again.stream.requests[0]?.options.thinkingLevel, "high");
    assert.equal(
      again.stream.requests[0]?.request.messages.filter(({ role }) => role === "system").length,
      1,
    );
  });

  it("tell the user when the model changes in a conversation, and refuse one that is not there", async () => {
    const { book } = await openBook([text("one"), text("two")]);
    await book.current.prompt("go");
    book.current.setModel("local/large");
    assert.equal(shown(book.current).at(-1), "app The model is now large.");
    assert.throws(() => book.current.setModel("local"), { name: "UserError" });
  });

  it("measure the context, and what is not reported yet is estimated", async () => {
    const cost = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, total: 2 };
    const usage = { input: 100, output: 50, cacheRead: 300, cacheWrite: 0, totalTokens: 450, cost };
    const { book } = await openBook([answer([{ type: "text", text: "x" }], { stopReason: "stop", usage })]);
    assert.deepEqual(book.current.meter, {
      contextTokens: 0,
      estimated: true,
      contextWindow: 10_000,
      cost: undefined,
      cacheHitRate: undefined,
    });
    const prompt = book.current.prompt("go");
    await prompt;
    assert.deepEqual(book.current.meter, {
      contextTokens: 450,
      estimated: false,
      contextWindow: 10_000,
      cost: 2,
      cacheHitRate: 0.75,
    });
  });

  it("takes the user's title, and gives the first prompt's back when it is emptied", async () => {
    const { book, ports } = await openBook([text("one")]);
    await book.current.prompt("First prompt");
    await book.current.rename("  Mine ");
    assert.equal(book.current.title, "Mine");
    assert.equal((await book.list())[0]?.title, "Mine");
    await book.current.rename("");
    assert.equal(book.current.title, "First prompt");
    assert.equal((await book.list())[0]?.title, "First prompt");
    assert.equal(ports.storage.names.length, 1);
  });

  it("warns once in the transcript when the disk is full, and the conversation goes on (S05)", async () => {
    const { book, ports } = await openBook([text("one"), text("two"), text("three")]);
    await book.current.prompt("a");
    ports.storage.appendError = new Error("ENOSPC: no space left on device");
    await book.current.prompt("b");
    await book.current.prompt("c");
    const warnings = shown(book.current).filter((line) =>
      line.startsWith("app The session could not be saved"),
    );
    assert.equal(warnings.length, 1);
    ports.storage.appendError = undefined;
    await book.current.flush();
    const again = await openBook([], { ports });
    assert.deepEqual(shown(again.book.current), shown(book.current));
  });

  it("has the call and its start on disk before the tool's own code runs", async () => {
    const ports = localPorts();
    let found: unknown[] = [];
    const tool = workTool(() => {
      const lines = linesOf(ports, ports.storage.names[0] ?? "");
      found = lines.slice(-2).map((line) => line.customType ?? (line.message as { role: string }).role);
      return Promise.resolve({ content: [] });
    });
    const { book } = await openBook([toolCalls({ id: "c1", name: "work" }), text("ok")], {
      ports,
      tools: [tool],
    });
    await book.current.prompt("go");
    assert.deepEqual(found, ["assistant", "reins.toolStarted"]);
  });

  it("resolves a hanging answer's prompt only after the last entry is durable", async () => {
    const gate = Promise.withResolvers<void>();
    const { book, ports } = await openBook([after(gate.promise, text("ok"))]);
    const prompt = book.current.prompt("go");
    gate.resolve();
    await prompt;
    assert.equal(linesOf(ports, ports.storage.names[0] ?? "").at(-1)?.customType, "reins.runEnd");
  });
});
