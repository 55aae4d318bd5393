// Just enough of the Files port over Node's own file functions for searching outside of VS Code.
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { FileInfo, Files, FolderEntry } from "../../../src/harness/ports.ts";

export class DiskFiles implements Files {
  async stat(uri: string): Promise<FileInfo | undefined> {
    const found = await stat(fileURLToPath(uri)).catch(() => undefined);
    return found && { type: found.isDirectory() ? "directory" : "file", size: found.size, readonly: false };
  }

  readBytes(uri: string): Promise<Uint8Array> {
    return readFile(fileURLToPath(uri));
  }

  unsavedNotebook(): undefined {
    return undefined;
  }

  async list(uri: string): Promise<readonly FolderEntry[]> {
    const entries = await readdir(fileURLToPath(uri), { withFileTypes: true });
    return entries.map((entry) => ({
      name: entry.name,
      type: entry.isDirectory() ? "directory" : "file",
      ...(entry.isSymbolicLink() && { link: true }),
    }));
  }

  async realUri(uri: string): Promise<string> {
    await realpath(fileURLToPath(uri));
    return uri;
  }

  readText(): Promise<never> {
    return Promise.reject(new Error("The bench has no text that is not UTF-8."));
  }

  checkText(): Promise<never> {
    return this.applyText();
  }

  applyText(): Promise<never> {
    return Promise.reject(new Error("The bench changes nothing."));
  }

  deleteFile(): Promise<never> {
    return this.applyText();
  }

  renameFile(): Promise<never> {
    return this.applyText();
  }
}
