import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { projectForDisplay } from "../../../../src/harness/session/projection.ts";
import { titleFrom } from "../../../../src/harness/session/store.ts";
import { MemoryStorage, MemoryWorkspace, memoryPorts } from "../../../support/memory-ports.ts";
import { openLog, storeOf, user } from "../../../support/session-builders.ts";

const header = (fields = {}) =>
  JSON.stringify({ type: "session", version: 3, id: "s1", timestamp: "2026-01-01", cwd: "/work", ...fields });
const entry = (fields: object) => JSON.stringify({ timestamp: "2026-01-01T00:00:00Z", ...fields });
const message = (id: string, parentId: string | null, content: string) =>
  entry({ type: "message", id, parentId, message: { role: "user", content, timestamp: 5 } });

async function loadLines(...lines: string[]) {
  const ports = memoryPorts();
  ports.storage.put("x_s1.jsonl", lines.join("\n") + "\n");
  const before = ports.storage.text("x_s1.jsonl");
  const { file, problems } = await storeOf(ports).load("s1");
  assert.equal(ports.storage.text("x_s1.jsonl"), before);
  const shown = projectForDisplay(file.tree.path()).map(({ message: shownMessage }) =>
    shownMessage.role === "app" ? shownMessage.text : "content" in shownMessage && shownMessage.content,
  );
  return { shown, problems };
}

describe("The session store", () => {
  it("skips what is no session and leaves it alone (S06)", async () => {
    const ports = memoryPorts();
    ports.storage.put("empty.jsonl", "");
    ports.storage.put("foreign_f1.jsonl", '{"hello":1}\n{"type":"message"}\n');
    ports.storage.put("notes.txt", header() + "\n");
    ports.storage.put("x_s1.jsonl", header() + "\n");
    const store = storeOf(ports);
    assert.deepEqual(
      (await store.list()).map(({ id, title }) => [id, title]),
      [["s1", "New session"]],
    );
    await assert.rejects(store.load("f1"), { name: "UserError", message: /not a session/ });
    await assert.rejects(store.load("nope"), { name: "UserError", message: /no longer there/ });
    assert.equal(ports.storage.text("foreign_f1.jsonl"), '{"hello":1}\n{"type":"message"}\n');
    assert.deepEqual((await store.load("s1")).file.tree.path(), []);
  });

  it("opens damaged entries with placeholders and no cycle (S17)", async () => {
    const { shown, problems } = await loadLines(
      header({ version: 9 }),
      message("a", null, "one"),
      '{"type":"message","id":"x","mess',
      message("b", "lost", "two"),
      message("c", "c", "three"),
      message("d", "e", "four"),
      message("e", "d", "five"),
      message("e", "a", "twice"),
      entry({ type: "message", id: "f", parentId: "e", message: { role: "user", content: 7 } }),
      entry({ type: "message", id: "g", parentId: "f", message: null }),
      entry({ type: "hologram", id: "h", parentId: "g", payload: [1] }),
      entry({ type: "message", id: "i", parentId: "h", message: { role: "toolResult" } }),
      "null",
      "[]",
      message("j", "i", "last"),
    );
    assert.deepEqual(shown.slice(0, 6), ["one", "two", "three", "four", "five", []]);
    assert.equal(shown.at(-1), "last");
    assert.match(JSON.stringify(shown[6]), /cannot be read/);
    assert.ok(problems.length >= 6);
  });

  it("keeps unknown entries on disk and in a copy", async () => {
    const ports = memoryPorts();
    const strange = entry({ type: "hologram", id: "h", parentId: "a", payload: [1] });
    ports.storage.put("x_s1.jsonl", [header(), message("a", null, "one"), strange, ""].join("\n"));
    const log = openLog(ports, (await storeOf(ports).load("s1")).file);
    ports.storage.put(
      "x_s1.jsonl",
      ports.storage.text("x_s1.jsonl") + message("z", "h", "other window") + "\n",
    );
    await log.append({ type: "message", message: user("two") });
    assert.ok(ports.storage.text("x_s1.jsonl").includes(strange));
    assert.match(ports.storage.text(log.fileName), /"payload":\[1\]/);
  });

  it("replaces lone surrogates on load (P44)", async () => {
    const { shown } = await loadLines(header(), message("a", null, "x").replace('"x"', '"\\ud83d!"'));
    assert.deepEqual(shown, ["\ufffd!"]);
  });

  it("lists each folder's own sessions (S12)", async () => {
    const storage = new MemoryStorage();
    const paths = [
      "/p/a_b",
      "/p/a-b",
      "/p/a.b",
      "/p/a/b",
      `/p/${"x".repeat(300)}1`,
      `/p/${"x".repeat(300)}2`,
    ];
    for (const [index, path] of paths.entries()) {
      const workspace = new MemoryWorkspace([{ name: "f", uri: `file://${path}`, path }]);
      const ports = memoryPorts({ storage, workspace });
      const log = openLog(ports, storeOf(ports).create(`s${index}`));
      await log.append({ type: "message", message: user(path) });
    }
    for (const [index, path] of paths.entries()) {
      const workspace = new MemoryWorkspace([{ name: "f", uri: `file://${path}`, path }]);
      const list = await storeOf(memoryPorts({ storage, workspace })).list();
      assert.deepEqual(
        list.map((session) => session.id),
        [`s${index}`],
      );
    }
  });

  it("lists by the starts of files only, each read once (S11)", async () => {
    const ports = memoryPorts();
    for (let index = 0; index < 50; index++) {
      const lines = [header({ id: `s${index}` }), message("a", null, `prompt ${index}`), "x".repeat(50_000)];
      ports.storage.put(`x_s${index}.jsonl`, lines.join("\n"));
    }
    const store = storeOf(ports);
    assert.equal((await store.list()).length, 50);
    await store.list();
    assert.equal(ports.storage.calls.filter((line) => line.startsWith("head")).length, 50);
    assert.equal(ports.storage.calls.filter((line) => line.startsWith("read")).length, 0);
  });

  it("does not change a session by opening it, ten times (S18)", async () => {
    const ports = memoryPorts();
    ports.storage.put("x_s1.jsonl", [header(), message("a", null, "one")].join("\n"));
    const before = JSON.stringify(await ports.storage.list());
    for (let time = 0; time < 10; time++) {
      await ports.clock.advance(1000);
      await openLog(ports, (await storeOf(ports).load("s1")).file).flush();
    }
    assert.equal(JSON.stringify(await ports.storage.list()), before);
  });

  it("keeps a given title however long the session grows (S20), and without its index (S21)", async () => {
    const ports = memoryPorts();
    const store = storeOf(ports);
    const log = openLog(ports, store.create("s1"));
    await log.append({ type: "message", message: user("first prompt") });
    await log.append({ type: "session_info", name: "Mine" });
    await store.rememberTitle("s1", "Mine");
    await log.append({ type: "message", message: user("x".repeat(200_000)) });
    assert.equal((await storeOf(ports).list())[0]?.title, "Mine");
    await ports.memento.set("reins.sessionTitles", '{"s1": nul');
    assert.equal((await storeOf(ports).list())[0]?.title, "Mine");
    await ports.memento.set("reins.sessionTitles", "[null]");
    assert.equal((await storeOf(ports).list()).length, 1);
  });

  it("makes a title of the first line that has text", () => {
    assert.equal(titleFrom("\n  Fix the test\nand more"), "Fix the test");
    assert.equal(titleFrom("x".repeat(80)), `${"x".repeat(59)}…`);
    assert.equal([...titleFrom("🙂".repeat(80))].length, 60);
  });

  it("reads a large session in slices, letting others run in between (S10)", async () => {
    const ports = memoryPorts();
    const lines = Array.from({ length: 30 }, (_, index) => message(`m${index}`, null, "y".repeat(100_000)));
    ports.storage.put("x_s1.jsonl", [header(), ...lines, ""].join("\n"));
    const loading = storeOf(ports).load("s1");
    let pauses = 0;
    let loaded = false;
    void loading.then(() => (loaded = true));
    while (!loaded) {
      await new Promise((resolve) => setImmediate(resolve));
      pauses += ports.clock.pending;
      await ports.clock.advance(0);
    }
    assert.ok(pauses >= 1);
  });
});
