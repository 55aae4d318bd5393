// The delete and move tools: what they do, what the model is told, and what it still knows afterwards.
import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { ReadRecords } from "../../../../src/harness/tools/read-records.ts";
import { ToolBench, textOf, uri } from "./tool-bench.ts";

const edits = [{ oldText: "one", newText: "1" }];
const acceptAll = { type: "acceptAll" } as const;

describe("The delete tool", () => {
  it("deletes a file and says what it was", async () => {
    const bench = new ToolBench({ "a.txt": "one\r\ntwo\r\n" });
    const outcome = await bench.call("delete", { path: "a.txt" });
    assert.equal(textOf(outcome), "Deleted a.txt (2 lines, 10 bytes).");
    assert.deepEqual(outcome.details, { tool: "delete", path: "a.txt", gone: "memory:/work/a.txt" });
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), undefined);
  });

  it("deletes an empty folder, and refuses one with something in it", async () => {
    const bench = new ToolBench({ "full/a.txt": "one" });
    bench.ports.files.makeFolder(uri("empty"));
    assert.equal(textOf(await bench.call("delete", { path: "empty" })), "Deleted the folder empty.");
    const outcome = await bench.call("delete", { path: "full" });
    assert.match(textOf(outcome), /full is a folder with something in it\. Delete the files in it first/);
    assert.equal(outcome.isError, true);
    assert.equal(bench.ports.files.onDisk(uri("full/a.txt")), "one");
  });

  it("refuses what is missing, read-only, a link, unsaved or a workspace folder, with the next step", async () => {
    const bench = new ToolBench({ "a.txt": "one", "b.txt": "two" });
    const { files } = bench.ports;
    const refused = async (path: string) => textOf(await bench.call("delete", { path }));
    assert.match(await refused("A.txt"), /A\.txt does not exist\. Did you mean a\.txt or b\.txt\?/);
    files.link(uri("link.txt"), uri("a.txt"));
    assert.match(await refused("link.txt"), /is a symbolic link, which is not deleted/);
    files.type(uri("a.txt"), "typed");
    assert.match(await refused("a.txt"), /unsaved changes of the user.*save or discard them first/);
    files.makeReadonly(uri("b.txt"));
    assert.match(await refused("b.txt"), /read-only.*make it writable first/);
    const empty = new ToolBench();
    assert.match(textOf(await empty.call("delete", { path: "." })), /folder that the user has open/);
    assert.deepEqual([files.onDisk(uri("a.txt")), files.onDisk(uri("b.txt"))], ["one", "two"]);
  });

  it("makes the model read a file of the same name again", async () => {
    const bench = new ToolBench({ "a.txt": "one" });
    await bench.call("read", { path: "a.txt" });
    await bench.call("delete", { path: "a.txt" });
    bench.ports.files.write(uri("a.txt"), "one");
    assert.match(textOf(await bench.call("edit", { path: "a.txt", edits })), /read it/i);
  });
});

describe("The move tool", () => {
  it("moves a file as it is and says what it leaves to do", async () => {
    const bench = new ToolBench({ "a.txt": "\ufeffone\r\n" });
    const outcome = await bench.call("move", { from: "a.txt", to: "lib/b.txt" });
    assert.match(textOf(outcome), /^Moved a\.txt to lib\/b\.txt\. Whatever names the old path/);
    assert.deepEqual(outcome.details, {
      ...{ tool: "move", path: "a.txt", to: "lib/b.txt", uri: "memory:/work/lib/b.txt" },
      gone: "memory:/work/a.txt",
    });
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), undefined);
    assert.equal(bench.ports.files.onDisk(uri("lib/b.txt")), "\ufeffone\r\n");
  });

  it("keeps what the model knows of the file, also after a reload", async () => {
    const bench = new ToolBench({ "a.txt": "one" });
    const read = await bench.call("read", { path: "a.txt" });
    const moved = await bench.call("move", { from: "a.txt", to: "b.txt" });
    const messages = [read, moved].map(({ details = {} }, index) => ({
      id: String(index),
      message: {
        ...{
          role: "toolResult" as const,
          toolCallId: "",
          toolName: "",
          content: [],
          isError: false,
          timestamp: 1,
        },
        details,
      },
    }));
    const restored = new ReadRecords();
    restored.restore(messages);
    const { version } = await bench.ports.files.readText(uri("b.txt"));
    for (const reads of [bench.reads, restored]) {
      assert.equal(reads.state("memory:/work/a.txt", version), "unread");
      assert.equal(reads.state("memory:/work/b.txt", version), "current");
    }
    const edited = await bench.decide("edit", { path: "b.txt", edits }, acceptAll);
    assert.match(textOf(edited), /Changed b\.txt/);
  });

  it("does not make the model know a file that it never read", async () => {
    const bench = new ToolBench({ "a.txt": "one" });
    await bench.call("move", { from: "a.txt", to: "b.txt" });
    assert.match(textOf(await bench.call("edit", { path: "b.txt", edits })), /read it/i);
  });

  it("refuses a taken place, a folder, and what cannot be deleted either, with the next step", async () => {
    const bench = new ToolBench({ "a.txt": "one", "b.txt": "two", "dir/c.txt": "three" });
    const refused = async (from: string, to: string) => textOf(await bench.call("move", { from, to }));
    assert.match(await refused("a.txt", "b.txt"), /b\.txt exists already, so nothing was moved/);
    assert.match(await refused("a.txt", "a.txt"), /a\.txt exists already/);
    assert.match(await refused("a.txt", "dir"), /dir is a folder\. Give the whole new path.*dir\/a\.txt/);
    assert.match(await refused("dir", "other"), /only files are moved/);
    assert.match(await refused("no.txt", "x.txt"), /no\.txt does not exist/);
    bench.ports.files.type(uri("a.txt"), "typed");
    assert.match(await refused("a.txt", "x.txt"), /unsaved changes of the user/);
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), "one");
    assert.equal(bench.ports.files.onDisk(uri("b.txt")), "two");
  });

  it("never overlaps with an edit of the file that it moves", () => {
    const bench = new ToolBench();
    const key = bench.tool("edit").lockKey?.({ path: "src/a.txt" });
    assert.equal(bench.tool("move").lockKey?.({ from: "./src/a.txt", to: "b.txt" }), key);
    assert.equal(bench.tool("delete").lockKey?.({ path: "src/../src/a.txt" }), key);
  });
});
