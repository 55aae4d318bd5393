import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { sha256 } from "../../../src/harness/checkpoints/sha256.ts";
import { BlobFolder } from "../../../src/node/blob-folder.ts";

describe("The folder of contents", () => {
  let root: string;
  let folder: string;
  let blobs: BlobFolder;
  const bytes = new TextEncoder().encode("a content");
  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "reins-blobs-"));
    folder = path.join(root, "checkpoints");
    blobs = new BlobFolder(folder);
  });
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  it("is there with the first content, which can be listed, read and removed", async () => {
    const name = await sha256(bytes);
    assert.deepEqual(await blobs.list(), []);
    assert.equal(await blobs.read(name), undefined);
    await blobs.write(name, bytes);
    assert.deepEqual(new Uint8Array((await blobs.read(name)) ?? []), bytes);
    const [info] = await blobs.list();
    assert.deepEqual([info?.name, info?.size], [name, bytes.length]);
    await blobs.remove(name);
    await blobs.remove(name);
    assert.deepEqual(await blobs.list(), []);
  });

  it("writes one content once, and counts it as new again", async () => {
    const name = await sha256(bytes);
    await blobs.write(name, bytes);
    const file = path.join(folder, name);
    const { ino } = fs.statSync(file);
    fs.utimesSync(file, 1000, 1000);
    await blobs.write(name, bytes);
    assert.equal(fs.statSync(file).ino, ino);
    assert.ok(fs.statSync(file).mtimeMs > 2_000_000);
  });

  it("writes a content anew of which only a part is there", async () => {
    const name = await sha256(bytes);
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, name), "a co");
    await blobs.write(name, bytes);
    assert.deepEqual(new Uint8Array((await blobs.read(name)) ?? []), bytes);
  });

  it("takes the same content from two windows at once", async () => {
    const name = await sha256(bytes);
    const other = new BlobFolder(folder);
    await Promise.all([blobs.write(name, bytes), other.write(name, bytes), blobs.write(name, bytes)]);
    assert.deepEqual(fs.readdirSync(folder), [name]);
  });

  it("leaves no half content behind when it cannot write, and clears up after dead windows", async () => {
    fs.writeFileSync(folder, "a file in its place");
    await assert.rejects(blobs.write(await sha256(bytes), bytes));
    fs.rmSync(folder);
    fs.mkdirSync(folder);
    const draft = path.join(folder, `${"0".repeat(64)}.1-1.draft`);
    fs.writeFileSync(draft, "half");
    assert.deepEqual(await blobs.list(), []);
    assert.ok(fs.existsSync(draft));
    fs.utimesSync(draft, 1000, 1000);
    await blobs.list();
    assert.ok(!fs.existsSync(draft));
  });

  it("refuses names that are no hash", async () => {
    await assert.rejects(blobs.read("../secret"), /Not a name/);
  });
});
