import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { CodingSession } from "../../../../src/harness/types.ts";
import { localPorts, openBook, workTool } from "../../../support/open-session.ts";
import { hanging, text, toolCalls } from "../../../support/scripted-stream.ts";
import { settle, until } from "../../../support/until.ts";

const kinds = (session: CodingSession) =>
  session.transcript.messages.map(({ message }) =>
    message.role === "assistant" ? `assistant ${message.stopReason}` : message.role,
  );

describe("A window that is reloaded", () => {
  it("opens the last session again, and opening changes nothing (S18)", async () => {
    const first = await openBook([text("one")]);
    await first.book.current.prompt("go");
    const before = JSON.stringify(await first.ports.storage.list());
    for (let time = 0; time < 3; time++) {
      const again = await openBook([], { ports: first.ports });
      assert.equal(again.book.current.id, first.book.current.id);
      assert.deepEqual(again.book.current.transcript.messages, first.book.current.transcript.messages);
      assert.equal(again.book.current.interrupted, false);
      await again.book.current.flush();
      again.book.dispose();
      await settle();
    }
    assert.equal(JSON.stringify(await first.ports.storage.list()), before);
  });

  it("opens a session in which nothing was said yet under the same id, because its draft is kept by it", async () => {
    const first = await openBook([]);
    const again = await openBook([], { ports: first.ports });
    assert.equal(again.book.current.id, first.book.current.id);
    await again.book.create();
    assert.deepEqual(await first.ports.storage.list(), []);
  });

  it("in the middle of a reply loses nothing that was shown, and the run can be continued", async () => {
    const first = await openBook([hanging(text("Once upon ", "a time"))]);
    void first.book.current.prompt("tell me a story");
    await until(() => JSON.stringify(first.book.current.transcript.streaming).includes("a time"));
    first.book.dispose();
    await settle();
    const again = await openBook([text("there was a fox")], { ports: first.ports });
    const session = again.book.current;
    assert.equal(session.interrupted, true);
    assert.equal(session.title, "tell me a story");
    assert.deepEqual(kinds(session), ["system", "user", "assistant aborted"]);
    assert.match(JSON.stringify(session.transcript.messages), /Once upon a time/);
    await session.continue();
    assert.equal(session.interrupted, false);
    assert.deepEqual(kinds(session), ["system", "user", "assistant aborted", "assistant stop"]);
    assert.deepEqual(
      again.stream.requests[0]?.request.messages.map(({ role }) => role),
      ["system", "user"],
    );
    const third = await openBook([], { ports: first.ports });
    assert.deepEqual(third.book.current.transcript.messages, session.transcript.messages);
    assert.equal(third.book.current.interrupted, false);
  });

  it("in the middle of a tool shows what is known of it, and goes on with a valid request (P27)", async () => {
    const tool = workTool((_args, { onProgress, signal }) => {
      onProgress({ output: "half way\n" });
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("killed"))));
    });
    const calls = toolCalls({ id: "c1", name: "work" });
    const first = await openBook([calls], { tools: [tool] });
    void first.book.current.prompt("work");
    await until(() => first.book.current.transcript.activeTools[0]?.output === "half way\n");
    first.book.dispose();
    await settle();
    const again = await openBook([text("done"), text("more")], { ports: first.ports });
    const session = again.book.current;
    assert.equal(session.interrupted, true);
    assert.deepEqual(kinds(session), ["system", "user", "assistant toolUse", "toolResult"]);
    const result = session.transcript.messages.at(-1)?.message;
    assert.ok(result?.role === "toolResult" && result.isError);
    assert.match(JSON.stringify(result.content), /had started.*half way/);
    await session.prompt("go on");
    assert.deepEqual(
      again.stream.requests[0]?.request.messages.map(({ role }) => role),
      ["system", "user", "assistant", "toolResult", "user"],
    );
    const third = await openBook([], { ports: first.ports });
    assert.deepEqual(third.book.current.transcript.messages, session.transcript.messages);
  });

  it("is told of a torn file once, and keeps everything else (S01)", async () => {
    const first = await openBook([text("one"), text("two")]);
    await first.book.current.prompt("a");
    const [name = ""] = first.ports.storage.names;
    first.ports.storage.put(name, first.ports.storage.text(name) + '{"type":"message","id":"x","mess');
    const again = await openBook([text("two")], { ports: first.ports });
    const notices = (session: CodingSession) =>
      session.transcript.messages.filter(({ message }) => message.role === "app").length;
    assert.equal(notices(again.book.current), 1);
    await again.book.current.prompt("b");
    const third = await openBook([], { ports: first.ports });
    assert.equal(notices(third.book.current), 1);
    assert.equal(third.book.current.transcript.messages.length, 6);
  });
});

describe("The sessions of a workspace", () => {
  it("are listed newest first, with their titles, and opened by id", async () => {
    const { book, ports } = await openBook([text("one"), text("two")]);
    await book.current.prompt("first");
    const first = book.current;
    await ports.clock.advance(1000);
    const seen: string[] = [];
    book.onDidChangeCurrent((session) => seen.push(session.id));
    const second = await book.create();
    assert.notEqual(second.id, first.id);
    assert.equal(second, book.current);
    assert.equal((await book.list()).length, 1, "a session in which nothing was said is not listed");
    await second.prompt("second");
    assert.deepEqual(
      (await book.list()).map(({ title }) => title),
      ["second", "first"],
    );
    const opened = await book.open(first.id);
    assert.deepEqual(opened.transcript.messages, first.transcript.messages);
    assert.deepEqual(seen, [second.id, first.id]);
  });

  it("reuse an empty session, and stay where they are when another cannot be opened", async () => {
    const { book } = await openBook([]);
    const empty = book.current;
    assert.equal(await book.create(), empty);
    await assert.rejects(book.open("nope"), { name: "UserError" });
    assert.equal(book.current, empty);
    assert.equal(await book.open(empty.id), empty);
  });

  it("leave a session by stopping it, with queued text kept", async () => {
    const { book } = await openBook([hanging(text("Hel"))]);
    const first = book.current;
    const prompt = first.prompt("go");
    await until(() => first.transcript.streaming !== null);
    first.queue("followUp", "and then this");
    await book.create();
    await prompt;
    const back = await book.open(first.id);
    assert.equal(back.interrupted, false);
    assert.deepEqual(kinds(back), ["system", "user", "assistant aborted", "app"]);
    assert.match(JSON.stringify(back.transcript.messages.at(-1)), /Not sent.*and then this/);
  });

  it("go on in a copy when another window writes to the same one, and say so (S09)", async () => {
    const first = await openBook([text("one"), text("mine"), text("mine too")]);
    await first.book.current.prompt("start");
    const other = await openBook([text("theirs")], {
      ports: { ...first.ports, memento: localPorts().memento },
    });
    const shared = await other.book.open(first.book.current.id);
    await shared.prompt("other window");
    const id = first.book.current.id;
    await first.book.current.prompt("this window");
    assert.notEqual(first.book.current.id, id);
    const notice = first.book.current.transcript.messages.find(({ message }) => message.role === "app");
    assert.match(JSON.stringify(notice), /another window/);
    await first.book.current.prompt("on");
    const reloaded = await openBook([], { ports: first.ports });
    assert.equal(reloaded.book.current.id, first.book.current.id);
    assert.deepEqual(reloaded.book.current.transcript.messages, first.book.current.transcript.messages);
    assert.equal((await first.book.list()).length, 2);
    assert.match(JSON.stringify((await first.book.open(id)).transcript.messages), /theirs/);
  });

  it("start the guided tour in a session of its own, with no model chosen", async () => {
    const ports = localPorts();
    await ports.settings.update({ model: "" });
    const { book, stream } = await openBook([text("Welcome")], { ports });
    const tour = await book.startTour();
    assert.equal(tour, book.current);
    await until(() => tour.transcript.lastEnd !== null);
    assert.equal(stream.requests[0]?.model.id, "tour");
    assert.equal(ports.settings.current().model, "");
    await (await book.create()).prompt("x").then(
      () => assert.fail("the next session has no model"),
      (error: Error) => assert.equal(error.name, "UserError"),
    );
  });

  it("name the models there are, and what is wrong in the settings", async () => {
    const ports = localPorts();
    await ports.settings.update({ providers: { broken: { api: "openai-chat" } } });
    const { book } = await openBook([], { ports });
    const { models, problems } = book.models();
    assert.ok(models.length > 0);
    assert.match(problems.join(), /reins\.providers\.broken/);
  });
});
