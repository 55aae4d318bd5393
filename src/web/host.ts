// What the browser's extension host has: a file system through VS Code, and no processes.
import * as vscode from "vscode";
import type { CommandRunner, HostParts } from "../harness/ports.ts";
import { UserError } from "../shared/errors.ts";
import { BlobFiles } from "./blob-files.ts";
import { SegmentedStorage } from "./segmented-append.ts";
import type { SegmentFiles } from "./segmented-append.ts";

const why = "Commands need a Node extension host; this window runs Reins in the browser.";

/** The host's parts, with session files below `storageUri`. */
export function createWebHost(storageUri: vscode.Uri): HostParts {
  return {
    commands: new NoCommands(),
    blobs: new BlobFiles(new WorkspaceSegments(vscode.Uri.joinPath(storageUri, "checkpoints-web"))),
    storage: new SegmentedStorage(new WorkspaceSegments(vscode.Uri.joinPath(storageUri, "sessions-web"))),
    findSearchEngine: () => Promise.resolve(undefined),
    modelSources: [],
    platform: /Mac|iPhone|iPad/.test(globalThis.navigator.userAgent) ? "mac" : "other",
    fileFacts: undefined,
    home: undefined,
    env: () => undefined,
    shutdown: () => Promise.resolve(),
    dispose: () => undefined,
  };
}

class NoCommands implements CommandRunner {
  readonly unavailable = why;
  readonly shell = "none";

  run(): Promise<never> {
    return Promise.reject(new UserError(why));
  }

  show(): void {
    // There is no terminal to show.
  }
}

class WorkspaceSegments implements SegmentFiles {
  private readonly root: vscode.Uri;

  constructor(root: vscode.Uri) {
    this.root = root;
  }

  async list(path: string): Promise<readonly string[] | undefined> {
    try {
      const entries = await vscode.workspace.fs.readDirectory(this.uri(path));
      return entries.map(([name]) => name);
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return undefined;
      throw error;
    }
  }

  async stat(path: string): Promise<{ readonly size: number; readonly modified: number }> {
    const { size, mtime } = await vscode.workspace.fs.stat(this.uri(path));
    return { size, modified: mtime };
  }

  async read(path: string): Promise<Uint8Array> {
    return vscode.workspace.fs.readFile(this.uri(path));
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    await vscode.workspace.fs.writeFile(this.uri(path), bytes);
  }

  async rename(from: string, to: string): Promise<void> {
    await vscode.workspace.fs.rename(this.uri(from), this.uri(to), { overwrite: true });
  }

  async remove(path: string): Promise<void> {
    await vscode.workspace.fs.delete(this.uri(path), { recursive: true });
  }

  async createFolder(path: string): Promise<void> {
    await vscode.workspace.fs.createDirectory(this.uri(path));
  }

  private uri(path: string): vscode.Uri {
    return path ? vscode.Uri.joinPath(this.root, ...path.split("/")) : this.root;
  }
}
