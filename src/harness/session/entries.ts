// The records of a session file: Pi's version 3 JSONL tree, with our own facts as `custom` entries named `reins.*`.
// Types and writing only; reading what may be damaged is in parse.ts, what a record means in projection.ts.
import type { MessageDelta, RunEnd } from "../../agent/events.ts";
import type { AgentMessage } from "../../agent/types.ts";
import type { AssistantMessage, ThinkingLevel } from "../../ai/types.ts";
import type { SavedHunk } from "../proposals/proposal.ts";
import type { Json, JsonObject } from "../../shared/json.ts";

/** The first line of the file. */
export interface SessionHeader {
  readonly type: "session";
  readonly version: number;
  readonly id: string;
  /** ISO 8601, as everywhere in the file. */
  readonly timestamp: string;
  /** Path of the first workspace folder, or "" without one. */
  readonly cwd: string;
  /** Ours: the folder's URI, which is exact where a path is not (remote, virtual). */
  readonly workspace?: string;
  /** File name of the session this one was copied from. */
  readonly parentSession?: string;
}

/** What every entry has. `parentId` null starts a branch at the root. */
export interface EntryPlace {
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: string;
}

export type EntryData =
  | { readonly type: "message"; readonly message: AgentMessage }
  | { readonly type: "model_change"; readonly provider: string; readonly modelId: string }
  | { readonly type: "thinking_level_change"; readonly thinkingLevel: ThinkingLevel }
  | { readonly type: "session_info"; readonly name: string }
  | { readonly type: "compaction"; readonly summary: string; readonly firstKeptEntryId: string }
  | { readonly type: "branch_summary"; readonly summary: string }
  | { readonly type: "custom_message"; readonly customType: string; readonly content: Json }
  | { readonly type: "custom"; readonly customType: string; readonly data?: Json }
  /** Read from a file, not understood, and kept as it was: a type of another program, or a damaged record. */
  | { readonly type: "unknown"; readonly problem: string | undefined; readonly raw: JsonObject };

export type SessionEntry = EntryData & EntryPlace;

/** A file's content by SHA-256, in hex; the bytes are in the blob storage under that name. */
export interface StoredImage {
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** Permission bits, where they are known. */
  readonly mode?: number;
}

/** Our facts: `customType` and the shape of `data`. */
export interface ReinsFacts {
  /** The first prompt's first line; near the top of the file, for listing. */
  readonly "reins.title": { readonly title: string };
  /** The tool's own code runs from here on. */
  readonly "reins.toolStarted": { readonly toolCallId: string };
  /** A batch of what was streamed of a message; `start` (its empty beginning) is in the first batch. */
  readonly "reins.partial": {
    readonly messageId: string;
    readonly start?: AssistantMessage;
    readonly deltas: readonly MessageDelta[];
  };
  /** A batch of a running tool's output, or its end: in a parallel batch the result itself comes later. */
  readonly "reins.output": {
    readonly toolCallId: string;
    readonly output: string;
    readonly details?: JsonObject;
    readonly ended?: boolean;
  };
  /** A file is about to be changed; its pre-image is on disk. See checkpoints/history.ts. */
  readonly "reins.checkpoint": {
    readonly changeId: string;
    readonly uri: string;
    /** With symbolic links resolved, where that is another one. */
    readonly realUri?: string;
    /** Null: there is no file. */
    readonly before: StoredImage | null;
    /** SHA-256 of the text that is being written, as UTF-8. */
    readonly text?: string;
    readonly toolCallId?: string;
    /** The change is part of putting files back. */
    readonly restoreId?: string;
    /** Folders that are made on the way to it, outermost first. */
    readonly folders?: readonly string[];
  };
  /** That change ended, done or not: SHA-256 of what the file is now, null when there is none. */
  readonly "reins.checkpointEnd": { readonly changeId: string; readonly after: string | null };
  /** What a command changed in the workspace. `before` is missing where nobody had looked at the file. */
  readonly "reins.commandChanges": {
    readonly toolCallId: string;
    readonly files: readonly {
      readonly uri: string;
      readonly before?: StoredImage;
      /** SHA-256; null: it is gone. Missing where it was too large to look at. */
      readonly after?: string | null;
    }[];
    /** Files beyond those. */
    readonly more?: number;
  };
  /**
   * What a file is compared with from here on, as UTF-8 text, and the text that this is the baseline of (kept only once
   * the file became another one). Without both there is nothing to compare. See checkpoints/baselines.ts.
   */
  readonly "reins.baseline": {
    readonly uri: string;
    /** Null: there was no file. */
    readonly base?: StoredImage | null;
    readonly last?: StoredImage;
  };
  /** A change that waits for the user while the agent goes on; the last of an id counts. `hunks`: those that are open. */
  readonly "reins.proposal": {
    readonly id: string;
    readonly toolCallId: string;
    readonly uri: string;
    readonly path: string;
    readonly kind: "edit" | "create";
    /** Of the text that `hunks` are made on. */
    readonly version?: string;
    readonly hunks: readonly SavedHunk[];
  };
  /** It does not wait any more. */
  readonly "reins.proposalEnd": { readonly id: string };
  readonly "reins.runEnd": { readonly end: RunEnd };
  /** A message of the application, shown to the user only. */
  readonly "reins.notice": { readonly kind: string; readonly text: string; readonly details?: JsonObject };
}

/** A `custom` entry with one of our facts. */
export function fact<K extends keyof ReinsFacts>(customType: K, data: ReinsFacts[K]): EntryData {
  // The fact types are interfaces over JSON values only, which TypeScript does not see as `Json` by itself.
  return { type: "custom", customType, data: data as unknown as Json };
}

/** The data of a `custom` entry if it is this fact and at least an object; its fields may be anything. */
export function factData(entry: SessionEntry, customType: keyof ReinsFacts): JsonObject | undefined {
  if (entry.type !== "custom" || entry.customType !== customType) return undefined;
  const data = entry.data;
  // `Array.isArray` does not narrow readonly arrays away.
  return typeof data === "object" && data !== null && !Array.isArray(data) ? (data as JsonObject) : undefined;
}

/** One line without its line feed. Always valid JSON on one line, whatever the strings in it contain. */
export function serializeEntry(entry: SessionEntry): string {
  if (entry.type === "unknown") return JSON.stringify(entry.raw);
  return JSON.stringify(entry);
}

/** `<ISO timestamp with - for : and .>_<id>.jsonl`. */
export function sessionFileName(header: SessionHeader): string {
  return `${header.timestamp.replace(/[:.]/g, "-")}_${header.id}.jsonl`;
}
