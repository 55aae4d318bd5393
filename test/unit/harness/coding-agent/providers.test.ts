import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import { createStream } from "../../../../src/ai/stream.ts";
import { SessionBook } from "../../../../src/harness/sessions.ts";
import { createSessionTools } from "../../../../src/harness/tools/create-tools.ts";
import type { CodingSession } from "../../../../src/harness/types.ts";
import type { JsonObject } from "../../../../src/shared/json.ts";
import { MemoryFiles } from "../../../support/memory-files.ts";
import { MemorySecrets, MemorySettings, memoryPorts } from "../../../support/memory-ports.ts";
import type { MemoryPorts } from "../../../support/memory-ports.ts";
import { gate, httpError, resetAfter } from "../../../support/provider-replies.ts";
import type { MessageReply } from "../../../support/provider-replies.ts";
import { startProviderServer } from "../../../support/provider-server.ts";
import type { ProviderServer } from "../../../support/provider-server.ts";

const open: { close(): Promise<void> | void }[] = [];

/** A session with the real tools over files in memory, and a real provider that talks to the loopback server. */
async function start(files: { [uri: string]: string } = {}, url?: string) {
  const server = await startProviderServer({ apiKey: "key-1" });
  const settings = new MemorySettings({
    model: "loop/claude-test",
    providers: {
      loop: { api: "anthropic-messages", baseUrl: url ?? server.url, models: [{ id: "claude-test" }] },
    },
  });
  const ports = memoryPorts({
    settings,
    secrets: new MemorySecrets({ loop: "key-1" }),
    files: new MemoryFiles(files),
  });
  const book = await openBook(ports);
  open.push(server, { close: () => book.dispose() });
  return { server, ports, book, session: book.current };
}

function openBook(ports: MemoryPorts): Promise<SessionBook> {
  const stream = createStream({ now: () => ports.clock.now(), web: false });
  return SessionBook.open({
    ...{ ports, stream, random: () => 0.5 },
    createTools: (_, writer) => createSessionTools(ports, writer, "/home/me"),
  });
}

/** Resolves as soon as it holds; looks whenever the session says that something happened. */
function when(session: CodingSession, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (holds()) resolve();
    };
    session.onDidChange(look);
    session.onEvent(look);
    look();
  });
}

const say = (text: string): MessageReply => ({ type: "message", text });
const ask = (name: string, args: JsonObject): MessageReply => ({
  type: "message",
  calls: [{ name, arguments: args }],
});
const lastError = (session: CodingSession) => {
  const message = session.transcript.messages.findLast(
    (entry) => entry.message.role === "assistant",
  )?.message;
  return message?.role === "assistant" ? message.errorMessage : undefined;
};
const refusals = (server: ProviderServer) => server.requests.filter(({ refused }) => refused !== undefined);

describe("A session with a provider", () => {
  afterEach(async () => {
    for (const resource of open.splice(0).reverse()) await resource.close();
  });

  it("reads, proposes, hears the decision, and sends the same bytes in front each time", async () => {
    const uri = "memory:///work/a.ts";
    const { server, session, ports } = await start({ [uri]: "one\ntwo\nthree\n" });
    server.enqueue(
      ask("read", { path: "a.ts" }),
      ask("edit", { path: "a.ts", edits: [{ oldText: "two", newText: "2" }] }),
      say("Done"),
    );
    const prompt = session.prompt("Make two a number");
    await when(session, () => session.decisions.length > 0);
    assert.equal(ports.files.onDisk(uri), "one\ntwo\nthree\n");
    const [decision] = session.decisions;
    assert.ok(decision?.type === "proposal");
    await session.proposals.decide(decision.proposal.id, { type: "acceptAll" });
    await prompt;
    assert.equal(ports.files.onDisk(uri), "one\n2\nthree\n");
    assert.deepEqual(refusals(server), []);
    const [first, second, third] = server.requests.map(({ body }) => body);
    assert.equal(JSON.stringify(second?.["system"]), JSON.stringify(first?.["system"]));
    assert.equal(JSON.stringify(third?.["tools"]), JSON.stringify(first?.["tools"]));
    assert.equal(session.transcript.messages.length, 7);
  });

  it("goes on after 529, 429 with Retry-After, and a reset in mid-stream", async () => {
    const { server, session, ports } = await start();
    server.enqueue(
      httpError(529, { error: { type: "overloaded_error", message: "Overloaded" } }),
      httpError(429, { error: { type: "rate_limit_error", message: "Slow" } }, { "retry-after": "7" }),
      resetAfter(4, { text: "Hello there, this is cut off" }),
      say("Hello again"),
    );
    const prompt = session.prompt("hi");
    for (const delay of [2000, 7000, 8000]) {
      await when(session, () => session.retry !== undefined);
      assert.equal((session.retry?.at ?? 0) - ports.clock.now(), delay);
      await ports.clock.advance(delay);
    }
    await prompt;
    assert.equal(server.requests.length, 4);
    assert.deepEqual(refusals(server), []);
    assert.equal(server.requests[3]?.rawBody, server.requests[0]?.rawBody);
    assert.equal(session.transcript.lastEnd, "done");
  });

  it("says what to do after 401, and goes on once the key is right", async () => {
    const { server, session, ports } = await start();
    await ports.secrets.setApiKey("loop", "wrong");
    await session.prompt("hi");
    assert.equal(server.requests.length, 1);
    assert.match(lastError(session) ?? "", /key/i);
    assert.equal(session.retry, undefined);
    await ports.secrets.setApiKey("loop", "key-1");
    server.enqueue(say("Hello"));
    await session.continue();
    assert.equal(session.transcript.lastEnd, "done");
    assert.doesNotMatch(ports.storage.text(ports.storage.names[0] ?? ""), /wrong|key-1/);
  });

  it("says so when the server is not there, after trying again", async () => {
    const { session, ports } = await start({}, "http://127.0.0.1:9");
    const prompt = session.prompt("hi");
    for (const delay of [2000, 4000, 8000]) {
      await when(session, () => session.retry !== undefined);
      await ports.clock.advance(delay);
    }
    await prompt;
    assert.equal(session.transcript.lastEnd, "error");
    assert.match(lastError(session) ?? "", /127\.0\.0\.1:9/);
  });

  it("sends only what the API accepts after a stop in a command and a reload in a reply (P27)", async () => {
    const { server, session, ports, book } = await start();
    ports.commands.onRun = (_command, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve({ end: "aborted", exitCode: 143 })),
      );
    await ports.settings.update({ approvalCommands: "auto" });
    const held = gate();
    server.enqueue(
      ask("bash", { command: "sleep 100" }),
      { type: "message", text: ["Partly", held.promise] },
      say("Here I am"),
    );
    const first = session.prompt("run it");
    await when(session, () => session.transcript.activeTools[0]?.phase === "running");
    await session.stop();
    await first;
    void session.prompt("and now?");
    await when(session, () => JSON.stringify(session.transcript.streaming).includes("Partly"));
    await book.current.flush();
    book.dispose();
    held.open();
    const again = await openBook(ports);
    open.push({ close: () => again.dispose() });
    assert.equal(again.current.interrupted, true);
    assert.match(JSON.stringify(again.current.transcript.messages.at(-1)), /Partly/);
    await again.current.continue();
    assert.equal(again.current.transcript.lastEnd, "done");
    assert.deepEqual(refusals(server), []);
  });
});
