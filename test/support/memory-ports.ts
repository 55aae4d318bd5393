// All ports of the harness in memory: small real classes that do what the contracts of harness/ports.ts say, with
// faults that a test switches on.
import type { AppMessage } from "../../src/agent/types.ts";
import type { Model } from "../../src/ai/types.ts";
import type {
  CommandOptions,
  CommandResult,
  CommandRunner,
  Diagnostics,
  HarnessPorts,
  Log,
  Memento,
  ModelSource,
  Problem,
  Secrets,
  SessionStorage,
  Settings,
  SettingsSnapshot,
  Workspace,
  WorkspaceFolder,
} from "../../src/harness/ports.ts";
import type { Search, SearchEngine } from "../../src/harness/search-ports.ts";
import type { SessionWriter } from "../../src/harness/session-tools.ts";
import type { EntryData } from "../../src/harness/session/entries.ts";
import { Emitter } from "../../src/shared/event.ts";
import { FakeClock } from "./fake-clock.ts";
import { MemoryBlobs, MemoryFileWatch, MemoryImages } from "./memory-checkpoints.ts";
import { MemoryFiles } from "./memory-files.ts";

export interface MemoryPorts extends HarnessPorts {
  readonly files: MemoryFiles;
  readonly images: MemoryImages;
  readonly blobs: MemoryBlobs;
  readonly fileWatch: MemoryFileWatch;
  readonly workspace: MemoryWorkspace;
  readonly search: MemorySearch;
  readonly commands: MemoryCommands;
  readonly storage: MemoryStorage;
  readonly memento: MemoryMemento;
  readonly secrets: MemorySecrets;
  readonly settings: MemorySettings;
  readonly diagnostics: MemoryDiagnostics;
  readonly clock: FakeClock;
  readonly log: MemoryLog;
}

/** Every port, on one clock and with one folder `memory:///work` named `work`. Overrides replace whole ports. */
export function memoryPorts(overrides: Partial<MemoryPorts> = {}): MemoryPorts {
  const clock = overrides.clock ?? new FakeClock();
  const files = overrides.files ?? new MemoryFiles();
  return {
    files,
    images: new MemoryImages(files),
    blobs: new MemoryBlobs(clock),
    fileWatch: new MemoryFileWatch(),
    search: new MemorySearch(files),
    workspace: new MemoryWorkspace(),
    commands: new MemoryCommands(),
    storage: new MemoryStorage(clock),
    memento: new MemoryMemento(),
    secrets: new MemorySecrets(),
    settings: new MemorySettings(),
    diagnostics: new MemoryDiagnostics(),
    modelSources: [],
    log: new MemoryLog(),
    ...overrides,
    clock,
  };
}

export class MemoryWorkspace implements Workspace {
  folders: readonly WorkspaceFolder[];
  trusted = true;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(
    folders: readonly WorkspaceFolder[] = [{ name: "work", uri: "memory:///work", path: "/work" }],
  ) {
    this.folders = folders;
  }

  /** Folders or trust change, as when the user adds one or trusts the workspace. */
  change(change: Partial<Pick<Workspace, "folders" | "trusted">>): void {
    if (change.folders) this.folders = change.folders;
    if (change.trusted !== undefined) this.trusted = change.trusted;
    this.changed.fire();
  }
}

/** Without an engine, so that the harness walks itself; buffers are those of the files. */
export class MemorySearch implements Search {
  engine: SearchEngine | undefined;
  globs: readonly string[] = [];
  private readonly files: MemoryFiles;

  constructor(files: MemoryFiles) {
    this.files = files;
  }

  engineFor(): Promise<SearchEngine | undefined> {
    return Promise.resolve(this.engine);
  }

  excludes(): readonly string[] {
    return this.globs;
  }

  unsaved(): readonly { readonly uri: string; readonly text: string }[] {
    return this.files.unsaved;
  }
}

/** Runs nothing: `onRun` plays the command. The default exits with 0 and no output. */
export class MemoryCommands implements CommandRunner {
  unavailable: string | undefined;
  shell = "bash";
  readonly ran: { readonly command: string; readonly options: CommandOptions }[] = [];
  readonly shown: string[] = [];
  onRun: (command: string, options: CommandOptions) => Promise<Partial<CommandResult>> = () =>
    Promise.resolve({});

  async run(command: string, options: CommandOptions): Promise<CommandResult> {
    this.ran.push({ command, options });
    const result = await this.onRun(command, options);
    return { exitCode: 0, end: "exited", logPath: `/logs/${options.toolCallId}.log`, ...result };
  }

  show(toolCallId: string): void {
    this.shown.push(toolCallId);
  }
}

/** Files of bytes. `appendError` makes appends fail until it is taken back; `holdAppends` keeps them waiting. */
export class MemoryStorage implements SessionStorage {
  appendError: Error | undefined;
  /** Awaited before an append is written, for tests of ordering. */
  holdAppends: Promise<void> | undefined;
  /** `read NAME`, `head NAME`, `append NAME`, `list`, in order. */
  readonly calls: string[] = [];
  private readonly contents = new Map<string, { bytes: Uint8Array; modified: number }>();
  private readonly now: () => number;
  private queue: Promise<void> = Promise.resolve();

  constructor(clock: { now(): number } = new FakeClock()) {
    this.now = () => clock.now();
  }

  // What a test does to the disk.

  put(name: string, content: string | Uint8Array): void {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    this.contents.set(name, { bytes, modified: this.now() });
  }

  /** The text of a file, "" when there is none. */
  text(name: string): string {
    return new TextDecoder().decode(this.bytes(name));
  }

  bytes(name: string): Uint8Array {
    return this.contents.get(name)?.bytes ?? new Uint8Array();
  }

  get names(): readonly string[] {
    return [...this.contents.keys()];
  }

  // The port.

  list(): Promise<readonly { readonly name: string; readonly size: number; readonly modified: number }[]> {
    this.calls.push("list");
    return Promise.resolve(
      [...this.contents].map(([name, file]) => ({ name, size: file.bytes.length, modified: file.modified })),
    );
  }

  size(name: string): Promise<number | undefined> {
    return Promise.resolve(this.contents.get(name)?.bytes.length);
  }

  read(name: string): Promise<string> {
    this.calls.push(`read ${name}`);
    if (!this.contents.has(name)) return Promise.reject(new Error(`There is no session file ${name}.`));
    return Promise.resolve(this.text(name));
  }

  readHead(name: string, bytes: number): Promise<string> {
    this.calls.push(`head ${name}`);
    if (!this.contents.has(name)) return Promise.reject(new Error(`There is no session file ${name}.`));
    return Promise.resolve(new TextDecoder().decode(this.bytes(name).slice(0, bytes)));
  }

  append(name: string, lines: string): Promise<void> {
    const result = this.queue.then(() => this.appendNow(name, lines));
    this.queue = result.catch(() => undefined);
    return result;
  }

  remove(name: string): Promise<void> {
    this.contents.delete(name);
    return Promise.resolve();
  }

  private async appendNow(name: string, lines: string): Promise<void> {
    this.calls.push(`append ${name}`);
    await this.holdAppends;
    if (this.appendError) throw this.appendError;
    const before = this.bytes(name);
    const added = new TextEncoder().encode(lines);
    const bytes = new Uint8Array(before.length + added.length);
    bytes.set(before);
    bytes.set(added, before.length);
    this.put(name, bytes);
  }
}

export class MemoryMemento implements Memento {
  private readonly values = new Map<string, string>();

  get(key: string): string | undefined {
    return this.values.get(key);
  }

  set(key: string, value: string | undefined): Promise<void> {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, value);
    return Promise.resolve();
  }
}

export class MemorySecrets implements Secrets {
  private readonly keys = new Map<string, string>();
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(keys: { readonly [provider: string]: string } = {}) {
    for (const [provider, key] of Object.entries(keys)) this.keys.set(provider, key);
  }

  apiKey(provider: string): Promise<string | undefined> {
    return Promise.resolve(this.keys.get(provider));
  }

  setApiKey(provider: string, key: string | undefined): Promise<void> {
    if (key === undefined) this.keys.delete(provider);
    else this.keys.set(provider, key);
    this.changed.fire();
    return Promise.resolve();
  }
}

export class MemorySettings implements Settings {
  private snapshot: SettingsSnapshot;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(settings: Partial<SettingsSnapshot> = {}) {
    this.snapshot = {
      model: "",
      thinkingLevel: "off",
      providers: {},
      approvalEdits: "ask",
      approvalCommands: "ask",
      approvalRules: [],
      bashTimeoutSeconds: 120,
      editUnread: false,
      editDiagnostics: "off",
      checkpointMegabytes: 200,
      limits: {},
      connectTimeoutSeconds: undefined,
      idleTimeoutSeconds: undefined,
      ...settings,
    };
  }

  current(): SettingsSnapshot {
    return this.snapshot;
  }

  update(change: Partial<SettingsSnapshot>): Promise<void> {
    this.snapshot = { ...this.snapshot, ...change };
    this.changed.fire();
    return Promise.resolve();
  }
}

/** Says what a test tells it to. */
export class MemoryDiagnostics implements Diagnostics {
  private problems: readonly Problem[] = [];
  private readonly changed = new Emitter<readonly string[]>();
  readonly onDidChange = this.changed.event;

  current(): readonly Problem[] {
    return this.problems;
  }

  report(problems: readonly Problem[]): void {
    this.problems = problems;
    this.changed.fire(problems.map(({ uri }) => uri));
  }
}

/** Finds `offered` when it is told to look; `holdLook` keeps it looking. */
export class MemoryModelSource implements ModelSource {
  models: readonly Model[] = [];
  offered: readonly Model[];
  holdLook: Promise<void> | undefined;
  looks = 0;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(offered: readonly Model[] = []) {
    this.offered = offered;
  }

  async refresh(): Promise<void> {
    this.looks += 1;
    await this.holdLook;
    this.models = this.offered;
    this.changed.fire();
  }
}

export class MemoryLog implements Log {
  readonly lines: string[] = [];

  info(text: string): void {
    this.lines.push(`info ${text}`);
  }

  error(text: string): void {
    this.lines.push(`error ${text}`);
  }
}

/** Keeps what a session would write and tell. */
export class MemoryWriter implements SessionWriter {
  readonly entries: EntryData[] = [];
  readonly messages: AppMessage[] = [];

  write(entry: EntryData): void {
    this.entries.push(entry);
  }

  tell(message: AppMessage): void {
    this.messages.push(message);
  }
}
