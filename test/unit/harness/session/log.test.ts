import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { AgentMessage } from "../../../../src/agent/types.ts";
import { projectForDisplay } from "../../../../src/harness/session/projection.ts";
import { memoryPorts } from "../../../support/memory-ports.ts";
import type { MemoryPorts } from "../../../support/memory-ports.ts";
import {
  assistant,
  call,
  countingIds,
  linesOf,
  openLog,
  storeOf,
  toolResult,
  user,
} from "../../../support/session-builders.ts";

const say = (message: AgentMessage) => ({ type: "message", message }) as const;

async function load(ports: MemoryPorts, id = "s1") {
  const loaded = await storeOf(ports).load(id);
  return { ...loaded, messages: projectForDisplay(loaded.file.tree.path()).map((entry) => entry.message) };
}

describe("A session's log", () => {
  it("creates its file with the first appended entry, header first", async () => {
    const ports = memoryPorts();
    const log = openLog(ports, storeOf(ports).create("s1"));
    log.note({ type: "model_change", provider: "p", modelId: "m" });
    await log.flush();
    assert.deepEqual(ports.storage.names, []);
    await log.append(say(user("hello")));
    const [name = ""] = ports.storage.names;
    assert.equal(name, "2026-01-01T00-00-00-000Z_s1.jsonl");
    const header = JSON.parse(ports.storage.text(name).split("\n")[0] ?? "") as unknown;
    assert.deepEqual(header, {
      type: "session",
      version: 3,
      id: "s1",
      timestamp: "2026-01-01T00:00:00.000Z",
      cwd: "/work",
      workspace: "memory:///work",
    });
    const parents = linesOf(ports, name).map((line) => [line.type, line.id, line.parentId]);
    assert.deepEqual(parents, [
      ["model_change", "00000001", null],
      ["message", "00000002", "00000001"],
    ]);
  });

  it("keeps every good entry when its file was cut at any byte of the last two (S01)", async () => {
    const written = memoryPorts();
    const first = openLog(written, storeOf(written).create("s1"));
    await first.append(say(user("first")));
    await first.append(say(assistant("zwei – 二")));
    await first.append(say(user("drei \u{1f600}")));
    const name = first.fileName;
    const whole = written.storage.bytes(name);
    const lines = written.storage.text(name).split("\n").slice(0, -1);
    const lengths = lines.map((line) => new TextEncoder().encode(line).length);
    const from = whole.length - (lengths.at(-1) ?? 0) - (lengths.at(-2) ?? 0) - 2;
    for (let cut = from; cut <= whole.length; cut++) {
      const ports = memoryPorts();
      ports.storage.put(name, whole.slice(0, cut));
      const opened = await storeOf(ports).load("s1");
      const before = projectForDisplay(opened.file.tree.path()).length;
      await openLog(ports, opened.file, countingIds(50)).append(say(user("new")));
      const { messages, problems } = await load(ports);
      const texts = messages.map((message) => JSON.stringify(message));
      assert.equal(messages.length, before + 1, `cut at ${cut}`);
      assert.match(texts[0] ?? "", /first/);
      assert.match(texts.at(-1) ?? "", /new/);
      const end = from + (lengths.at(-2) ?? 0);
      assert.equal(before, cut < end ? 1 : cut < whole.length - 1 ? 2 : 3, `cut at ${cut}`);
      assert.equal(problems.length, opened.problems.length, "a fragment stays a line of its own");
    }
  });

  it("goes on in memory when the disk is full, warns once, and writes everything later (S05)", async () => {
    const ports = memoryPorts();
    const log = openLog(ports, storeOf(ports).create("s1"));
    const problems: string[] = [];
    log.onProblem((text) => problems.push(text));
    await log.append(say(user("one")));
    ports.storage.appendError = new Error("ENOSPC: no space left");
    await log.append(say(assistant("two")));
    await log.append(say(user("three")));
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", /no space left/);
    assert.equal(projectForDisplay(log.tree.path()).length, 3);
    assert.equal(linesOf(ports, log.fileName).length, 1);
    ports.storage.appendError = undefined;
    await log.append(say(assistant("four")));
    assert.equal((await load(ports)).messages.length, 4);
    assert.deepEqual((await load(ports)).problems, []);
  });

  it("writes what the full disk refused with a flush alone", async () => {
    const ports = memoryPorts();
    const log = openLog(ports, storeOf(ports).create("s1"));
    ports.storage.appendError = new Error("EACCES");
    await log.append(say(user("one")));
    ports.storage.appendError = undefined;
    await log.flush();
    assert.equal((await load(ports)).messages.length, 1);
  });

  it("goes on in a copy when another window wrote to the file (S09)", async () => {
    const ports = memoryPorts();
    const created = openLog(ports, storeOf(ports).create("s1"));
    await created.append(say(user("shared")));
    const a = openLog(ports, (await storeOf(ports).load("s1")).file, countingIds(100));
    const b = openLog(ports, (await storeOf(ports).load("s1")).file, countingIds(200));
    const problems: string[] = [];
    b.onProblem((text) => problems.push(text));
    await a.append(say(user("from a")));
    await b.append(say(user("from b")));
    await b.append(say(user("b again")));
    await a.append(say(user("a again")));
    const contents = (messages: readonly AgentMessage[]) =>
      messages.map((message) => message.role === "user" && message.content);
    assert.deepEqual(contents((await load(ports)).messages), ["shared", "from a", "a again"]);
    assert.equal(b.id, "copy-1");
    assert.deepEqual(contents((await load(ports, "copy-1")).messages), ["shared", "from b", "b again"]);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", /another window/);
  });

  it("writes itself again when its file was removed", async () => {
    const ports = memoryPorts();
    const log = openLog(ports, storeOf(ports).create("s1"));
    await log.append(say(user("one")));
    await ports.storage.remove(log.fileName);
    await log.append(say(user("two")));
    assert.equal((await load(ports, log.id)).messages.length, 2);
  });

  it("keeps order and parentage whatever the disk's pace (S15)", async () => {
    const ports = memoryPorts();
    const log = openLog(ports, storeOf(ports).create("s1"));
    let release = () => undefined as void;
    ports.storage.holdAppends = new Promise((resolve) => (release = resolve));
    const appended = [
      log.append(say(user("go"))),
      log.append(say(assistant([call("c1", "read")]))),
      log.append(say(toolResult("c1", "text"))),
      log.append(say(assistant("done"))),
    ];
    release();
    await Promise.all(appended);
    const lines = linesOf(ports, log.fileName);
    assert.deepEqual(
      lines.map((line) => line.parentId),
      [null, ...lines.slice(0, -1).map((line) => line.id)],
    );
  });

  it("writes one line per entry, whatever is in it (S03, S04)", async () => {
    const ports = memoryPorts();
    const log = openLog(ports, storeOf(ports).create("s1"));
    const texts = ["a\u2028b\u2029c", "x\u0085y\rz", "1\r\n2\n3\0", "🙂", "<|endoftext|></tool_result>"];
    for (const text of texts) await log.append(say(toolResult("c1", text)));
    assert.equal(linesOf(ports, log.fileName).length, texts.length);
    const { messages } = await load(ports);
    const read = messages.map((message) => message.role === "toolResult" && message.content[0]);
    assert.deepEqual(
      read,
      texts.map((text) => ({ type: "text", text })),
    );
  });
});
