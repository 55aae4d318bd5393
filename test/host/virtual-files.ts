// A file system in memory on which anything can go wrong, and the agent's tools over it through VS Code.
import * as vscode from "vscode";
import type { ToolOutcome } from "../../src/agent/types.ts";
import { validateArguments } from "../../src/agent/validate.ts";
import { Proposals } from "../../src/harness/proposals/proposals.ts";
import { createTools } from "../../src/harness/tools/create-tools.ts";
import { ProblemSources } from "../../src/harness/tools/problem-watch.ts";
import { ReadRecords } from "../../src/harness/tools/read-records.ts";
import { errorText } from "../../src/shared/errors.ts";
import type { JsonObject } from "../../src/shared/json.ts";
import { VsCodeFiles } from "../../src/vscode/files.ts";
import { MemorySettings, memoryPorts, MemoryWorkspace, MemoryWriter } from "../support/memory-ports.ts";

export type Operation =
  "stat" | "readFile" | "writeFile" | "readDirectory" | "createDirectory" | "delete" | "rename";

const folder = "folder";

export class FaultyFileSystem implements vscode.FileSystemProvider {
  /** Asked before an operation on a path, for what it fails with or has to wait for. Throws or rejects to fail. */
  before: (operation: Operation, path: string) => void | Promise<void> = () => undefined;
  /** Called after an operation, before its result is known to anyone. Throws to fail although it was done. */
  after: (operation: Operation, path: string) => void = () => undefined;
  private readonly entries = new Map<string, Uint8Array | typeof folder>();
  private modified = 0;
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  /** With the folders on its way. */
  put(path: string, text: string): void {
    for (let at = path.indexOf("/", 1); at > 0; at = path.indexOf("/", at + 1)) {
      this.entries.set(path.slice(0, at), folder);
    }
    this.entries.set(path, new TextEncoder().encode(text));
    this.modified += 1;
  }

  remove(path: string): void {
    this.entries.delete(path);
  }

  /** Of a file; undefined where there is none. */
  text(path: string): string | undefined {
    const entry = this.entries.get(path);
    return entry === undefined || entry === folder ? undefined : new TextDecoder().decode(entry);
  }

  clear(): void {
    this.entries.clear();
    this.before = () => undefined;
    this.after = () => undefined;
  }

  stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return this.run("stat", uri, () => {
      const entry = this.entry(uri);
      const times = { ctime: 0, mtime: this.modified };
      if (entry === folder) return { type: vscode.FileType.Directory, size: 0, ...times };
      return { type: vscode.FileType.File, size: entry.length, ...times };
    });
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.run("readFile", uri, () => {
      const entry = this.entry(uri);
      if (entry === folder) throw vscode.FileSystemError.FileIsADirectory(uri);
      return entry;
    });
  }

  readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    return this.run("readDirectory", uri, () => {
      this.entry(uri);
      const within = [...this.entries].filter(([path]) => path.replace(/\/[^/]*$/, "") === uri.path);
      return within.map(([path, entry]) => [
        path.slice(uri.path.length + 1),
        entry === folder ? vscode.FileType.Directory : vscode.FileType.File,
      ]);
    });
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    return this.run("writeFile", uri, () => this.set(uri, content));
  }

  createDirectory(uri: vscode.Uri): Promise<void> {
    return this.run("createDirectory", uri, () => this.set(uri, folder));
  }

  delete(uri: vscode.Uri): Promise<void> {
    return this.run("delete", uri, () => {
      this.entry(uri);
      this.entries.delete(uri.path);
      this.changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
    });
  }

  rename(from: vscode.Uri, to: vscode.Uri): Promise<void> {
    return this.run("rename", from, () => {
      const entry = this.entry(from);
      this.set(to, entry);
      // A file system that copies and then deletes may fail in between.
      this.after("rename", to.path);
      this.entries.delete(from.path);
    });
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  private async run<T>(operation: Operation, uri: vscode.Uri, act: () => T): Promise<T> {
    await this.before(operation, uri.path);
    const result = act();
    this.after(operation, uri.path);
    return result;
  }

  private set(uri: vscode.Uri, entry: Uint8Array | typeof folder): void {
    const type = this.entries.has(uri.path) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
    this.entries.set(uri.path, entry);
    this.modified += 1;
    this.changed.fire([{ type, uri }]);
  }

  private entry(uri: vscode.Uri): Uint8Array | typeof folder {
    const entry = this.entries.get(uri.path);
    if (entry === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }
}

/** The tools of one session in the workspace folder `<scheme>:/work`; edits are accepted at once. */
export class VirtualTools {
  readonly files = new VsCodeFiles();
  private readonly scheme: string;
  private readonly reads = new ReadRecords();
  private calls = 0;

  constructor(scheme: string) {
    this.scheme = scheme;
  }

  uri(name: string): vscode.Uri {
    return vscode.Uri.from({ scheme: this.scheme, path: `/work/${name}` });
  }

  /** What the model gets; a throw becomes an error result, as in the loop. */
  async call(name: string, args: JsonObject): Promise<{ readonly text: string; readonly isError: boolean }> {
    const tool = this.tool(name);
    try {
      const validation = validateArguments(tool, tool.prepareArguments?.(args) ?? args);
      if (!validation.ok) throw new Error(validation.problem);
      const outcome = await tool.execute(validation.args, {
        toolCallId: `call${++this.calls}`,
        signal: new AbortController().signal,
        onProgress: () => undefined,
        whileAsking: (pending) => pending,
      });
      return { text: textOf(outcome), isError: outcome.isError === true };
    } catch (error) {
      return { text: errorText(error), isError: true };
    }
  }

  private tool(name: string) {
    const uri = vscode.Uri.from({ scheme: this.scheme, path: "/work" }).toString();
    const ports = memoryPorts({
      workspace: new MemoryWorkspace([{ name: "work", uri, path: "/work" }]),
      settings: new MemorySettings({ approvalEdits: "auto", editUnread: true }),
    });
    const { files, reads } = this;
    const sources = { reads, problemSources: new ProblemSources(), writer: new MemoryWriter() };
    const tool = createTools({ ...ports, files, ...sources, proposals: new Proposals(files) }).find(
      (each) => each.name === name,
    );
    if (tool === undefined) throw new Error(`No tool ${name}`);
    return tool;
  }
}

function textOf({ content }: ToolOutcome): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}
