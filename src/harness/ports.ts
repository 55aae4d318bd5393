// What the harness needs of the machine. Implemented by `vscode/`, `node/`, `web/`, and by small classes in test/support.
// A place is always a URI string (`file:///a/b`, `vscode-remote://…`); paths are only for people and models. What
// searching needs stands in search-ports.ts.
import type { LoopLimits } from "../agent/types.ts";
import type { Model } from "../ai/types.ts";
import type { Disposable } from "../shared/disposable.ts";
import type { Event } from "../shared/event.ts";
import type { Notebook } from "./notebooks/types.ts";
import type { Search, SearchEngine } from "./search-ports.ts";

export interface FileInfo {
  readonly type: "file" | "directory" | "other";
  /** Bytes. */
  readonly size: number;
  readonly readonly: boolean;
  /** The place is a symbolic link; the rest is about what it points at. */
  readonly link?: boolean;
}

export interface FolderEntry {
  readonly name: string;
  /** Of what a link points at; `other` where that is nothing. */
  readonly type: FileInfo["type"];
  /** It is a symbolic link. */
  readonly link?: boolean;
}

/** The text of a file as the user sees it: the open buffer with its unsaved changes, else the decoded bytes. */
export interface TextSnapshot {
  readonly uri: string;
  readonly text: string;
  /** Changes whenever the text does; opaque. */
  readonly version: string;
  /** Unsaved changes in an open buffer. */
  readonly dirty: boolean;
  /** A VS Code encoding id, for example `utf8`, `gbk`. */
  readonly encoding: string;
  /** Bytes that do not decode are in it: editing would lose them. */
  readonly lossy: boolean;
  /** The text is that of an editor which has the file open, with unsaved changes, at this other place: through a link. */
  readonly openAs?: string;
}

export interface TextChange {
  readonly uri: string;
  /** What the change was computed on; undefined creates the file (and folders on the way). */
  readonly base: TextSnapshot | undefined;
  /** The whole text after the change. Applied as one minimal, undoable edit of the live document. */
  readonly text: string;
  /** The call that it is made for, where there is one. */
  readonly toolCallId?: string;
  /** Nobody looked at it before: it can be looked at afterwards. */
  readonly unseen?: boolean;
}

/** A change of a text by other hands than the agent's. */
export interface LaterChange {
  /** `save`: a save participant (a formatter). `user`: typed while it ran. */
  readonly by: "save" | "user";
  readonly before: string;
  readonly after: string;
}

export interface TextApplied {
  /** After save participants (format on save) ran. */
  readonly text: string;
  /** False: the file had unsaved changes before, so it stays unsaved; or saving failed and `saveError` says why. */
  readonly saved: boolean;
  readonly saveError?: string;
  /** What happened until it was saved, in order. Missing: not known; then every difference is of saving. */
  readonly later?: readonly LaterChange[];
}

/** Failures reject with a UserError that names the place and the next step. */
export interface Files {
  /** Undefined when there is nothing. */
  stat(uri: string): Promise<FileInfo | undefined>;
  readBytes(uri: string): Promise<Uint8Array>;
  readText(uri: string): Promise<TextSnapshot>;
  /** The notebook as an editor shows it, where that has unsaved changes; its file is read as any other else. */
  unsavedNotebook(uri: string): Notebook | undefined;
  list(uri: string): Promise<readonly FolderEntry[]>;
  /** The place with symbolic links resolved, of the nearest existing parent where it does not exist itself. */
  realUri(uri: string): Promise<string>;
  /**
   * Rejects as `applyText` would for other reasons than a text that is no longer `base` (the file is read-only or a
   * notebook, its encoding cannot hold the text), so that nobody is asked about what cannot be done.
   */
  checkText(change: TextChange): Promise<void>;
  /**
   * Rejects, with nothing changed, when the text is no longer `base` (a ChangedMeanwhileError) or cannot be kept in the
   * file's encoding.
   */
  applyText(change: TextChange): Promise<TextApplied>;
  /**
   * Deletes a file or an empty folder, undoable where the host can; into the trash where there is one. Rejects, with
   * nothing changed, for a link, what is read-only, has something in it, or has unsaved changes.
   */
  deleteFile(uri: string, toolCallId?: string): Promise<void>;
  /**
   * Moves a file, with the folders on its way; editors follow. Rejects, with nothing changed, as `deleteFile`, for a
   * folder, and where something is at `to` already.
   */
  renameFile(from: string, to: string, toolCallId?: string): Promise<void>;
}

/** A file's exact content, for putting it back. */
export interface FileImage {
  readonly bytes: Uint8Array;
  /** Permission bits; undefined where the host does not know them. */
  readonly mode?: number;
}

/** Whole files as bytes, for checkpoints only: tools go through `Files`. Failures reject with a UserError. */
export interface FileImages {
  /**
   * What saving the file now would leave on disk, an open buffer's unsaved changes included. Undefined when there
   * is nothing. Rejects for a folder.
   */
  read(uri: string): Promise<(FileImage & { readonly dirty: boolean }) | undefined>;
  /**
   * Makes the file exactly this, with the folders on its way, or deletes it (undefined). Editors follow; unsaved
   * changes in one are replaced by an undoable edit. No save participant runs over the result.
   */
  write(uri: string, image: FileImage | undefined): Promise<void>;
  /** Removes a folder with nothing in it; any other is left alone. */
  removeEmptyFolder(uri: string): Promise<void>;
}

/** Contents by name, of all sessions, each written once. */
export interface BlobStorage {
  /** `modified` in Unix milliseconds. */
  list(): Promise<readonly { readonly name: string; readonly size: number; readonly modified: number }[]>;
  /** Undefined when there is none. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Durable when it resolves, whole or not at all. Where there is one of this name, that only counts as new again. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** None is no error. */
  remove(name: string): Promise<void>;
}

export interface FileEvent {
  readonly uri: string;
  /** `saved`: by a save in this window; the file's own event comes too. */
  readonly type: "created" | "changed" | "deleted" | "saved";
}

/** What happens to files in the workspace, whoever does it. */
export interface FileWatch {
  /** In batches, some time after it happened. Watching starts with the first listener. */
  readonly onDidChange: Event<readonly FileEvent[]>;
}

/** What a language server or linter says about a place. */
export interface Problem {
  readonly uri: string;
  /** 1-based, as `column`. */
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning";
  readonly message: string;
  /** Who says it, for example `ts`. */
  readonly source?: string;
  readonly code?: string;
}

/** The problems that the editor shows. Errors and warnings only. */
export interface Diagnostics {
  /** All that are known now. */
  current(): readonly Problem[];
  /** The places whose problems changed, or were looked at again. */
  readonly onDidChange: Event<readonly string[]>;
}

export interface WorkspaceFolder {
  readonly name: string;
  readonly uri: string;
  /** For people, models and shells: the file system path, or the URI's path where there is none. */
  readonly path: string;
}

export interface Workspace {
  readonly folders: readonly WorkspaceFolder[];
  readonly trusted: boolean;
  readonly onDidChange: Event<void>;
}

export interface CommandOptions {
  readonly toolCallId: string;
  /** A folder's `path`. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Decoded output in the order of arrival, stdout and stderr together, escape sequences included. */
  readonly onOutput: (text: string) => void;
}

export interface CommandResult {
  /** Undefined: not known (the terminal was closed). 128 + n for signal n. */
  readonly exitCode: number | undefined;
  readonly end: "exited" | "timeout" | "aborted" | "closed";
  /** The file with all output. */
  readonly logPath: string;
}

/** Runs a command in a terminal the user sees. Its whole process tree is gone when the promise settles. */
export interface CommandRunner {
  /** Undefined where it works; else why not, for the user and the model. */
  readonly unavailable: string | undefined;
  /** The shell, for the model, for example `bash`. */
  readonly shell: string;
  run(command: string, options: CommandOptions): Promise<CommandResult>;
  /** Reveals the terminal of a call. Throws a UserError when it is gone. */
  show(toolCallId: string): void;
}

/** The append-only files of sessions, in one folder. */
export interface SessionStorage {
  list(): Promise<readonly { readonly name: string; readonly size: number; readonly modified: number }[]>;
  /** Bytes; undefined when there is none. Cheap: asked before every append, to notice another window's. */
  size(name: string): Promise<number | undefined>;
  /** Rejects when there is none. */
  read(name: string): Promise<string>;
  /** At most the first `bytes` bytes, decoded; may end in the middle of a line. */
  readHead(name: string, bytes: number): Promise<string>;
  /**
   * Appends whole lines in one write, creating the file. Durable when it resolves. When it rejects, nothing of
   * it is left in the file. Calls are serialised per name.
   */
  append(name: string, lines: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Small values per workspace that survive a reload. */
export interface Memento {
  get(key: string): string | undefined;
  set(key: string, value: string | undefined): Promise<void>;
}

export interface Secrets {
  /** From the secret storage, else the environment. Never logged. */
  apiKey(provider: string): Promise<string | undefined>;
  setApiKey(provider: string, key: string | undefined): Promise<void>;
  readonly onDidChange: Event<void>;
}

export type ApprovalMode = "ask" | "auto";

/** `later`: a change waits for the user, and the agent goes on meanwhile. */
export type EditMode = ApprovalMode | "later";

/** As the user set them, unchecked parts as `unknown`. */
export interface SettingsSnapshot {
  /** `<provider>/<model id>`; empty when none is chosen. */
  readonly model: string;
  readonly thinkingLevel: string;
  readonly providers: unknown;
  readonly approvalEdits: EditMode;
  readonly approvalCommands: ApprovalMode;
  /** `reins.approval.rules`, unchecked. */
  readonly approvalRules: unknown;
  readonly bashTimeoutSeconds: number;
  /** Whether files may be edited that the model has not read. */
  readonly editUnread: boolean;
  /** Which problems the result of an edit names. */
  readonly editDiagnostics: "errors" | "warnings" | "off";
  /** What all pre-images of files may take on disk; 0 keeps none. */
  readonly checkpointMegabytes: number;
  /** What a run may use; a missing one: the agent's default; Infinity: none. */
  readonly limits: Partial<LoopLimits>;
  /** How long a provider may take until its answer begins; undefined: the model layer's default. */
  readonly connectTimeoutSeconds: number | undefined;
  /** How long a provider may be silent within an answer; undefined: the model layer's default. */
  readonly idleTimeoutSeconds: number | undefined;
}

export interface Settings {
  current(): SettingsSnapshot;
  update(
    change: Partial<Pick<SettingsSnapshot, "model" | "thinkingLevel" | "approvalEdits" | "approvalCommands">>,
  ): Promise<void>;
  readonly onDidChange: Event<void>;
}

export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Calls back once after `ms`; disposing cancels. */
  schedule(ms: number, callback: () => void): Disposable;
}

export interface Log {
  info(text: string): void;
  error(text: string): void;
}

/** Models that are found rather than known: those that VS Code offers, those of servers on this machine. */
export interface ModelSource {
  /** As found last; empty before the first look. */
  readonly models: readonly Model[];
  readonly onDidChange: Event<void>;
  /** Looks again; `models` is current when it resolves. Never rejects. Never called at activation. */
  refresh(): Promise<void>;
}

export interface HarnessPorts {
  readonly files: Files;
  readonly images: FileImages;
  readonly blobs: BlobStorage;
  readonly fileWatch: FileWatch;
  readonly workspace: Workspace;
  readonly search: Search;
  readonly diagnostics: Diagnostics;
  readonly commands: CommandRunner;
  readonly storage: SessionStorage;
  readonly memento: Memento;
  readonly secrets: Secrets;
  readonly settings: Settings;
  readonly modelSources: readonly ModelSource[];
  readonly clock: Clock;
  readonly log: Log;
}

/** What the Node and the web extension host do differently. */
export interface HostParts extends Disposable {
  readonly commands: CommandRunner;
  readonly storage: SessionStorage;
  readonly blobs: BlobStorage;
  /** For files on this host's disk; undefined where the host has none or no program for it. */
  findSearchEngine(): Promise<SearchEngine | undefined>;
  /** Servers on this machine that offer models; none where the host cannot look. */
  readonly modelSources: readonly ModelSource[];
  /** How keys are written. */
  readonly platform: "mac" | "other";
  /** What only a host with a disk knows of a file: where links lead, and whether nobody may write it. */
  readonly fileFacts:
    | {
        realPath(fsPath: string): Promise<string>;
        isReadOnly(fsPath: string): Promise<boolean>;
        /** Permission bits. */
        mode(fsPath: string): Promise<number>;
        setMode(fsPath: string, mode: number): Promise<void>;
      }
    | undefined;
  /** The home folder's path, for `~`. */
  readonly home: string | undefined;
  /** An environment variable; undefined where there are none. */
  env(name: string): string | undefined;
  /** Ends every child process. Resolves when they are gone. */
  shutdown(): Promise<void>;
}
