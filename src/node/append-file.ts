// The session files where Node can append: one write per batch at the end of the file, then a flush to the disk.
import { constants } from "node:fs";
import { mkdir, open, readFile, readdir, rm, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import PQueue from "p-queue";
import type { SessionStorage } from "../harness/ports.ts";

export class AppendFileStorage implements SessionStorage {
  private readonly folder: string;
  private readonly queues = new Map<string, PQueue>();

  /** The folder is created with the first append. */
  constructor(folder: string) {
    this.folder = folder;
  }

  async list(): Promise<
    readonly { readonly name: string; readonly size: number; readonly modified: number }[]
  > {
    const entries = await readdir(this.folder, { withFileTypes: true }).catch(undefinedWhenMissing);
    const files = (entries ?? []).filter((entry) => entry.isFile()).map((entry) => entry.name);
    return Promise.all(
      files.map(async (name) => {
        const { size, mtimeMs } = await stat(join(this.folder, name));
        return { name, size, modified: Math.round(mtimeMs) };
      }),
    );
  }

  async size(name: string): Promise<number | undefined> {
    const path = this.path(name);
    return (await stat(path).catch(undefinedWhenMissing))?.size;
  }

  async read(name: string): Promise<string> {
    return readFile(this.path(name), "utf8");
  }

  async readHead(name: string, bytes: number): Promise<string> {
    const file = await open(this.path(name), "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  }

  append(name: string, lines: string): Promise<void> {
    return this.serialised(name, () => this.write(name, Buffer.from(lines, "utf8")));
  }

  remove(name: string): Promise<void> {
    return this.serialised(name, () => rm(this.path(name), { force: true }));
  }

  private async write(name: string, bytes: Buffer): Promise<void> {
    const path = this.path(name);
    await mkdir(this.folder, { recursive: true });
    const flags = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR;
    const file = await open(path, flags, 0o600);
    try {
      await appendAll(file, bytes);
    } finally {
      await file.close();
    }
  }

  private serialised(name: string, task: () => Promise<void>): Promise<void> {
    const queue = this.queues.get(name) ?? new PQueue({ concurrency: 1 });
    this.queues.set(name, queue);
    return queue.add(task).finally(() => {
      if (queue.size === 0 && queue.pending === 0) this.queues.delete(name);
    });
  }

  private path(name: string): string {
    if (!/^\w[\w.-]*$/.test(name)) throw new Error(`Not a name of a session file: ${name}`);
    return join(this.folder, name);
  }
}

/** All of the bytes, or none: a part that was written before the failure is taken back. */
async function appendAll(file: FileHandle, bytes: Buffer): Promise<void> {
  const before = (await file.stat()).size;
  let written = 0;
  try {
    written = (await file.write(bytes)).bytesWritten;
    if (written < bytes.length) throw new Error("The disk took only a part of the entry: it may be full.");
    await file.datasync();
  } catch (error) {
    // Only when nobody else has appended since: another window's lines are not ours to cut.
    if ((await file.stat()).size === before + written) await file.truncate(before);
    throw error;
  }
}

function undefinedWhenMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
