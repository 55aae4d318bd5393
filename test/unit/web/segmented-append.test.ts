import assert from "node:assert/strict";
import { SegmentedStorage, maxSegment } from "../../../src/web/segmented-append.ts";
import type { SegmentFiles } from "../../../src/web/segmented-append.ts";

/** Whole files in memory, as `workspace.fs` has them; counts the bytes written. */
class MemorySegments implements SegmentFiles {
  readonly files = new Map<string, Uint8Array>();
  readonly folders = new Set<string>();
  written = 0;
  failWrites = false;

  list(path: string) {
    if (path && !this.folders.has(path)) return Promise.resolve(undefined);
    if (!path) return Promise.resolve([...this.folders]);
    const inside = [...this.files.keys()].filter((file) => file.startsWith(`${path}/`));
    return Promise.resolve(inside.map((file) => file.slice(path.length + 1)));
  }
  stat(path: string) {
    return Promise.resolve({ size: this.get(path).length, modified: 7 });
  }
  read(path: string) {
    return Promise.resolve(this.get(path));
  }
  write(path: string, bytes: Uint8Array) {
    this.written += bytes.length;
    this.files.set(path, this.failWrites ? bytes.subarray(0, bytes.length / 2) : bytes);
    return this.failWrites ? Promise.reject(new Error("quota")) : Promise.resolve();
  }
  rename(from: string, to: string) {
    this.files.set(to, this.get(from));
    this.files.delete(from);
    return Promise.resolve();
  }
  remove(path: string) {
    this.folders.delete(path);
    for (const file of this.files.keys()) if (file.startsWith(`${path}/`)) this.files.delete(file);
    return Promise.resolve();
  }
  createFolder(path: string) {
    this.folders.add(path);
    return Promise.resolve();
  }
  private get(path: string): Uint8Array {
    const bytes = this.files.get(path);
    if (!bytes) throw new Error(`nothing at ${path}`);
    return bytes;
  }
}

describe("Session files where nothing can append", () => {
  let files: MemorySegments;
  let storage: SegmentedStorage;

  beforeEach(() => {
    files = new MemorySegments();
    storage = new SegmentedStorage(files);
  });

  it("read back what was appended, in the order of the calls", async () => {
    await Promise.all([1, 2, 3].map((n) => storage.append("a.jsonl", `{"n":${n},"s":"é"}\n`)));
    assert.equal(await storage.read("a.jsonl"), [1, 2, 3].map((n) => `{"n":${n},"s":"é"}\n`).join(""));
    assert.deepEqual(await storage.list(), [{ name: "a.jsonl", size: 51, modified: 7 }]);
    assert.equal(await storage.size("a.jsonl"), 51);
  });

  it("write a bounded amount per append, however long the session is", async () => {
    const line = "x".repeat(999) + "\n";
    for (let i = 0; i < 400; i++) await storage.append("a.jsonl", line);
    files.written = 0;
    await storage.append("a.jsonl", line);
    assert.ok(files.written <= maxSegment);
    assert.equal((await storage.read("a.jsonl")).length, 401_000);
    assert.ok([...files.files.values()].every((bytes) => bytes.length <= maxSegment));
  });

  it("keep everything when a write fails half-way", async () => {
    await storage.append("a.jsonl", "1\n");
    files.failWrites = true;
    await assert.rejects(storage.append("a.jsonl", "2\n"), /quota/);
    files.failWrites = false;
    assert.equal(await storage.read("a.jsonl"), "1\n");
    await storage.append("a.jsonl", "3\n");
    assert.equal(await storage.read("a.jsonl"), "1\n3\n");
  });

  it("keep everything when the host dies while a segment is replaced", async () => {
    await storage.append("a.jsonl", "one\n");
    files.rename = (from, to) => {
      if (from.endsWith(".next")) files.files.delete(to);
      return Promise.reject(new Error("killed"));
    };
    await assert.rejects(storage.append("a.jsonl", "two\n"), /killed/);
    const later = new MemorySegments();
    for (const [path, bytes] of files.files) later.files.set(path, bytes);
    later.folders.add("a.jsonl");
    const reopened = new SegmentedStorage(later);
    assert.equal(await reopened.read("a.jsonl"), "one\ntwo\n");
    await reopened.append("a.jsonl", "three\n");
    assert.equal(await reopened.read("a.jsonl"), "one\ntwo\nthree\n");
    assert.deepEqual([...later.files.keys()], ["a.jsonl/000001.part"]);
  });

  it("keep what another window appended in between", async () => {
    const other = new SegmentedStorage(files);
    await storage.append("a.jsonl", "1\n");
    await other.append("a.jsonl", "2\n");
    await storage.append("a.jsonl", "3\n");
    assert.equal(await storage.read("a.jsonl"), "1\n2\n3\n");
  });

  it("give their head from the first segments only", async () => {
    await storage.append("a.jsonl", "a".repeat(maxSegment));
    await storage.append("a.jsonl", "b".repeat(10));
    assert.equal(await storage.readHead("a.jsonl", 5), "aaaaa");
    assert.equal((await storage.readHead("a.jsonl", maxSegment + 5)).slice(-6), "abbbbb");
  });

  it("are gone once removed, and missing ones say so", async () => {
    await storage.append("a.jsonl", "1\n");
    await storage.remove("a.jsonl");
    await storage.remove("never.jsonl");
    assert.deepEqual(await storage.list(), []);
    assert.equal(await storage.size("a.jsonl"), undefined);
    await assert.rejects(storage.read("a.jsonl"), /no session file/);
    await assert.rejects(storage.append("../x", "1\n"), /Not a name/);
  });
});
