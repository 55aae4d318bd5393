// Checkpoints as the layers above see them: what was changed since a message, what it was before, and how it is put
// back. Implemented in checkpoints.ts.
import type { Event } from "../../shared/event.ts";
import type { LineChange } from "../proposals/lines.ts";

/** To where files are put back: before a user message, or before an earlier restore (that is: undoing it). */
export type RestorePoint =
  { readonly type: "message"; readonly id: string } | { readonly type: "restore"; readonly id: string };

export interface ChangedFile {
  readonly uri: string;
  /** For people: relative to the workspace folder. */
  readonly path: string;
  /** It did not exist before. */
  readonly created: boolean;
  /** It does not exist after. */
  readonly deleted: boolean;
  /** By commands only; else by tools, at least at first. */
  readonly byCommand: boolean;
  /** Its content before is known. */
  readonly covered: boolean;
}

export interface PlannedFile {
  readonly uri: string;
  readonly path: string;
  /** What putting it back means. */
  readonly action: "change" | "create" | "delete";
  /** Somebody else changed it after Reins did: putting it back would lose that. */
  readonly changedSince: boolean;
  /** Unsaved changes in an editor. */
  readonly unsaved: boolean;
  /** SHA-256 of its content now; null when there is none. It is left alone if it is no longer this. */
  readonly now: string | null;
  /** What it becomes: a name in `readImage`; null: nothing. */
  readonly then: string | null;
}

export interface RestorePlan {
  readonly point: RestorePoint;
  /** Those that differ from what they were. */
  readonly files: readonly PlannedFile[];
  /** Changed, and not to be put back: what they were is not known (any more), or what they are. */
  readonly uncovered: readonly {
    readonly uri: string;
    readonly path: string;
    readonly why: "command" | "removed" | "unreadable";
  }[];
  /** Files that commands changed beyond those that were looked at. */
  readonly more: number;
}

export interface RestoreResult {
  /** For undoing it. */
  readonly restoreId: string;
  /** Paths. */
  readonly restored: readonly string[];
  readonly failed: readonly { readonly path: string; readonly why: string }[];
}

/** One of all changes between a file's baseline and the file, in lines as an editor counts them. */
export interface ChangePart {
  readonly changes: readonly LineChange[];
  readonly index: number;
}

/** A file with changes that were accepted unseen and neither kept nor undone since. */
export interface UnseenFile {
  readonly uri: string;
  /** For people: relative to the workspace folder. */
  readonly path: string;
  /** It did not exist before: undoing deletes it. */
  readonly created: boolean;
  /** Somebody else changed it after Reins did. */
  readonly touched: boolean;
}

/**
 * Changes that were accepted unseen, for looking at them afterwards. A file's baseline is what it was before them; what
 * the user types and what was reviewed goes into both sides, so that only the unseen changes differ.
 */
export interface BaselineBook {
  /** Files came, went or changed, or their baselines did. */
  readonly onDidChange: Event<void>;
  /** Resolves when what an earlier window left is known too. Never rejects. */
  load(): Promise<void>;
  /** By path. */
  readonly files: readonly UnseenFile[];
  /** Empty where there was no file; undefined for files with nothing to look at. */
  baselineOf(uri: string): string | undefined;
  /** What an editor shows of a file, unsaved changes included; asked for only where that is of interest. */
  noteText(uri: string, read: () => string): void;
  /** Looks at a file again; default: all of them. */
  look(uri?: string): Promise<void>;
  /** Makes the changes (default: all) part of the files' baselines. Throws a UserError when `part` is out of date. */
  keep(uris: readonly string[], part?: ChangePart): void;
  /**
   * Takes the changes (default: all) out of the files, one undoable edit each; what the user typed elsewhere stays. Can
   * be undone as a restore. The session gets a message for the user and the model. Never rejects.
   */
  undo(uris: readonly string[], part?: ChangePart): Promise<RestoreResult>;
}

/** What a session changed in files, and the way back. */
export interface CheckpointBook {
  /** For looking at unseen changes afterwards. */
  readonly baselines: BaselineBook;
  /** Files were changed, or put back. */
  readonly onDidChange: Event<void>;
  /** Files changed since a user message; default: since the prompt of the last run. In the order of the first change. */
  changed(since?: string): readonly ChangedFile[];
  /**
   * A file's bytes as they were at that message (default: at the prompt of the last run). Null: it did not exist.
   * Undefined: it was not changed since, or what it was is not known.
   */
  readBefore(uri: string, since?: string): Promise<Uint8Array | null | undefined>;
  /** A content by its SHA-256; undefined when it is not kept (any more). */
  readImage(hash: string): Promise<Uint8Array | undefined>;
  /** What putting back would change. Rejects with a UserError when there is no such point. Changes nothing. */
  plan(point: RestorePoint): Promise<RestorePlan>;
  /**
   * Puts these files of the plan back. Rejects with a UserError while a run is on; what fails for single files is in
   * the result. The session gets a message for the user and the model.
   */
  restore(plan: RestorePlan, uris: readonly string[]): Promise<RestoreResult>;
  /** The restore that can be undone next; undefined when there was none. */
  readonly lastRestore: string | undefined;
}
