// Contents by name where Node can write: each a file of its own, whole or not there, and on the disk before it counts.
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readFile, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { BlobStorage } from "../harness/ports.ts";

/** Ends the names of files that are not complete yet. */
const draftEnd = ".draft";
/** After which a draft belongs to no window any more. */
const staleMs = 3_600_000;

export class BlobFolder implements BlobStorage {
  private readonly folder: string;

  /** The folder is created with the first content. */
  constructor(folder: string) {
    this.folder = folder;
  }

  async list(): Promise<
    readonly { readonly name: string; readonly size: number; readonly modified: number }[]
  > {
    const names = (await readdir(this.folder).catch(undefinedWhenMissing)) ?? [];
    const found: { name: string; size: number; modified: number }[] = [];
    for (const name of names) {
      const info = await stat(join(this.folder, name)).catch(undefinedWhenMissing);
      if (info === undefined) continue;
      if (isName(name)) found.push({ name, size: info.size, modified: Math.round(info.mtimeMs) });
      else if (name.endsWith(draftEnd) && info.mtimeMs < Date.now() - staleMs)
        await rm(join(this.folder, name), { force: true });
    }
    return found;
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    return readFile(this.path(name)).catch(undefinedWhenMissing);
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    const path = this.path(name);
    const known = await stat(path).catch(undefinedWhenMissing);
    if (known?.size === bytes.length) {
      const now = new Date();
      await utimes(path, now, now);
      return;
    }
    await mkdir(this.folder, { recursive: true });
    const draft = `${path}.${randomUUID()}${draftEnd}`;
    try {
      await writeDurably(draft, bytes);
      await rename(draft, path);
      await syncFolder(this.folder);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.path(name), { force: true });
  }

  private path(name: string): string {
    if (!isName(name)) throw new Error(`Not a name of a content: ${name}`);
    return join(this.folder, name);
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The name is durable only with its folder. Windows opens no folders, and keeps names by itself. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  try {
    await folder?.sync();
  } catch {
    // A file system that syncs no folders: the content itself is on the disk.
  } finally {
    await folder?.close();
  }
}

function isName(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

function undefinedWhenMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
