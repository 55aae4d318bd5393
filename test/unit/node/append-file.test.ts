import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AppendFileStorage } from "../../../src/node/append-file.ts";

describe("Session files on a disk", () => {
  let folder: string;
  let storage: AppendFileStorage;

  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "reins-append-")), "sessions");
    storage = new AppendFileStorage(folder);
  });
  afterEach(() => rm(join(folder, ".."), { recursive: true, force: true }));

  it("are none before the first append", async () => {
    assert.deepEqual(await storage.list(), []);
    await assert.rejects(storage.read("a.jsonl"));
  });

  it("grow by whole batches, in the order of the calls", async () => {
    await Promise.all(Array.from({ length: 50 }, (_, i) => storage.append("a.jsonl", `{"n":${i}}\n`)));
    const lines = (await storage.read("a.jsonl")).trimEnd().split("\n");
    assert.deepEqual(
      lines,
      lines.map((_, i) => `{"n":${i}}`),
    );
    assert.equal(lines.length, 50);
  });

  it("keep what another window appended in between", async () => {
    const other = new AppendFileStorage(folder);
    await storage.append("a.jsonl", "1\n");
    await other.append("a.jsonl", "2\n");
    await storage.append("a.jsonl", "3\n");
    assert.equal(await storage.read("a.jsonl"), "1\n2\n3\n");
  });

  it("give their head without being read whole", async () => {
    await storage.append("a.jsonl", "héllo\nworld\n");
    assert.equal(await storage.readHead("a.jsonl", 6), "héllo");
    assert.equal(await storage.readHead("a.jsonl", 999), "héllo\nworld\n");
  });

  it("are listed with their size and removed", async () => {
    await storage.append("a.jsonl", "123\n");
    const [file] = await storage.list();
    assert.equal(file?.name, "a.jsonl");
    assert.equal(file?.size, 4);
    assert.equal(await storage.size("a.jsonl"), 4);
    assert.equal(await storage.size("b.jsonl"), undefined);
    assert.ok(file && Math.abs(file.modified - Date.now()) < 60_000);
    await storage.remove("a.jsonl");
    assert.deepEqual(await storage.list(), []);
  });

  it("reject names that leave the folder", async () => {
    await assert.rejects(storage.read("../x"), /Not a name/);
  });

  it("reject when the folder cannot be made, and leave what was there", async () => {
    await writeFile(folder, "a file in the way");
    await assert.rejects(storage.append("a.jsonl", "1\n"));
    assert.equal(await readFile(folder, "utf8"), "a file in the way");
  });
});
