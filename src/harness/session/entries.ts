// The records of a session file: Pi's version 3 JSONL tree, with our own facts as `custom` entries named `reins.*`.
// Types and writing only; reading what may be damaged is in parse.ts, what a record means in projection.ts.
import type { MessageDelta, RunEnd } from "../../agent/events.ts";
import type { AgentMessage } from "../../agent/types.ts";
import type { AssistantMessage, ThinkingLevel } from "../../ai/types.ts";
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
