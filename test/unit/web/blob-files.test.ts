import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { sha256 } from "../../../src/harness/checkpoints/sha256.ts";
import { BlobFiles } from "../../../src/web/blob-files.ts";
import type { SegmentFiles } from "../../../src/web/segmented-append.ts";

/** One folder of whole files, as `workspace.fs` has them. */
class MemoryFolder implements SegmentFiles {
  files: Map<string, Uint8Array> | undefined;
  failWrites = false;

  list() {
    return Promise.resolve(this.files && [...this.files.keys()]);
  }
  stat(path: string) {
    return Promise.resolve({ size: this.get(path).length, modified: 7 });
  }
  read(path: string) {
    return Promise.resolve(this.get(path));
  }
  write(path: string, bytes: Uint8Array) {
    this.files?.set(path, this.failWrites ? bytes.subarray(0, 1) : bytes);
    return this.failWrites ? Promise.reject(new Error("quota")) : Promise.resolve();
  }
  rename(from: string, to: string) {
    this.files?.set(to, this.get(from));
    return this.remove(from);
  }
  remove(path: string) {
    this.get(path);
    this.files?.delete(path);
    return Promise.resolve();
  }
  createFolder() {
    this.files = new Map();
    return Promise.resolve();
  }
  private get(path: string): Uint8Array {
    const bytes = this.files?.get(path);
    if (!bytes) throw new Error(`nothing at ${path}`);
    return bytes;
  }
}

describe("Contents where there is only VS Code's file system", () => {
  const bytes = new TextEncoder().encode("a content");

  it("are written whole, listed, read and removed", async () => {
    const files = new MemoryFolder();
    const blobs = new BlobFiles(files);
    const name = await sha256(bytes);
    assert.deepEqual(await blobs.list(), []);
    assert.equal(await blobs.read(name), undefined);
    await blobs.write(name, bytes);
    await blobs.write(name, bytes);
    assert.deepEqual([...(files.files ?? [])], [[name, bytes]]);
    assert.deepEqual(await blobs.list(), [{ name, size: bytes.length, modified: 7 }]);
    assert.deepEqual(await blobs.read(name), bytes);
    await blobs.remove(name);
    await blobs.remove(name);
    assert.deepEqual(await blobs.list(), []);
  });

  it("are not there where writing failed in the middle", async () => {
    const files = new MemoryFolder();
    const blobs = new BlobFiles(files);
    const name = await sha256(bytes);
    files.failWrites = true;
    await assert.rejects(blobs.write(name, bytes), /quota/);
    assert.equal(await blobs.read(name), undefined);
    assert.deepEqual(await blobs.list(), []);
    files.failWrites = false;
    await blobs.write(name, bytes);
    assert.deepEqual(await blobs.read(name), bytes);
  });
});
