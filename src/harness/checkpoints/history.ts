// What the session's file says of changed files, in the order of time over all branches. Reading only; recorder.ts
// writes it.
import type { JsonObject } from "../../shared/json.ts";
import { isJsonObject } from "../../shared/json.ts";
import { factData } from "../session/entries.ts";
import type { SessionEntry, StoredImage } from "../session/entries.ts";

/** One change of one file. */
export interface FileChange {
  readonly changeId: string;
  /** Of its entry in the order of all. */
  readonly at: number;
  readonly uri: string;
  /** With symbolic links resolved: what tells files apart. */
  readonly realUri: string;
  /** Null: there was no file. Undefined: not known. */
  readonly before: StoredImage | null | undefined;
  /** SHA-256; null: no file. Undefined: its end is not recorded. */
  after: string | null | undefined;
  /** Of the text that was being written. */
  readonly text: string | undefined;
  readonly toolCallId: string | undefined;
  readonly restoreId: string | undefined;
  readonly byCommand: boolean;
  readonly folders: readonly string[];
}

export class ChangeHistory {
  private readonly entries: readonly SessionEntry[];
  private readonly found: FileChange[] = [];
  private readonly unended = new Map<string, FileChange>();
  private readonly places = new Map<string, number>();
  private readonly beyond: { readonly at: number; readonly more: number }[] = [];
  private read = 0;
  private runStart: number | undefined;
  private runEnded = true;

  /** Follows the array as it grows. */
  constructor(entries: readonly SessionEntry[]) {
    this.entries = entries;
  }

  get changes(): readonly FileChange[] {
    this.catchUp();
    return this.found;
  }

  /** Those whose end is not recorded: the window went away in the middle, or they are under way. */
  get open(): readonly FileChange[] {
    this.catchUp();
    return [...this.unended.values()];
  }

  /** Changes after an entry; undefined when there is no such entry. */
  since(entryId: string): readonly FileChange[] | undefined {
    this.catchUp();
    const at = this.places.get(entryId);
    return at === undefined ? undefined : this.found.filter((change) => change.at > at);
  }

  /** Changes since the prompt of the last run. */
  sinceRun(): readonly FileChange[] {
    this.catchUp();
    const at = this.runStart ?? -1;
    return this.found.filter((change) => change.at > at);
  }

  ofRestore(restoreId: string): readonly FileChange[] {
    return this.changes.filter((change) => change.restoreId === restoreId);
  }

  /** Of this file, the newest. */
  last(uri: string): FileChange | undefined {
    return this.changes.findLast((change) => isOf(change, uri));
  }

  /** Whether `uri` was changed after the last user message, so that an older state is kept for every message. */
  changedSinceMessage(uri: string): FileChange | undefined {
    this.catchUp();
    const message = this.entries.findLastIndex(isUserMessage);
    const change = this.last(uri);
    return change !== undefined && change.at > message ? change : undefined;
  }

  /** Files that commands changed after an entry, beyond those that are recorded. */
  moreSince(entryId: string): number {
    const at = this.places.get(entryId) ?? 0;
    return this.beyond.reduce((sum, each) => (each.at > at ? sum + each.more : sum), 0);
  }

  private catchUp(): void {
    for (; this.read < this.entries.length; this.read++) {
      const entry = this.entries[this.read];
      if (entry) this.take(entry, this.read);
    }
  }

  private take(entry: SessionEntry, at: number): void {
    if (entry.type === "message") return this.takeMessage(entry, at);
    if (entry.type !== "custom" || !entry.customType.startsWith("reins.")) return;
    const begun = factData(entry, "reins.checkpoint");
    if (begun) this.takeChange(begun, at);
    const ended = factData(entry, "reins.checkpointEnd");
    if (ended) this.takeEnd(ended);
    const command = factData(entry, "reins.commandChanges");
    if (command) this.takeCommand(command, at, entry.id);
    if (factData(entry, "reins.runEnd")) this.runEnded = true;
  }

  private takeMessage(entry: SessionEntry, at: number): void {
    if (!isUserMessage(entry)) return;
    this.places.set(entry.id, at);
    if (this.runEnded) this.runStart = at;
    this.runEnded = false;
  }

  private takeChange(data: JsonObject, at: number): void {
    const { changeId, uri, realUri, text, toolCallId, restoreId, folders } = data;
    if (typeof changeId !== "string" || typeof uri !== "string") return;
    const change: FileChange = {
      ...{ changeId, at, uri, byCommand: false, after: undefined },
      realUri: typeof realUri === "string" ? realUri : uri,
      before: data.before === null ? null : storedImage(data.before),
      text: typeof text === "string" ? text : undefined,
      toolCallId: typeof toolCallId === "string" ? toolCallId : undefined,
      restoreId: typeof restoreId === "string" ? restoreId : undefined,
      folders: Array.isArray(folders) ? folders.filter((each) => typeof each === "string") : [],
    };
    this.found.push(change);
    this.unended.set(changeId, change);
  }

  private takeEnd({ changeId, after }: JsonObject): void {
    const change = typeof changeId === "string" ? this.unended.get(changeId) : undefined;
    if (change === undefined || (after !== null && typeof after !== "string")) return;
    change.after = after;
    this.unended.delete(change.changeId);
  }

  private takeCommand({ files, more, toolCallId }: JsonObject, at: number, entryId: string): void {
    for (const file of Array.isArray(files) ? files : []) {
      if (!isJsonObject(file) || typeof file.uri !== "string") continue;
      const { uri, before, after } = file;
      this.found.push({
        ...{ changeId: entryId, at, uri, realUri: uri, before: storedImage(before), byCommand: true },
        after: after === null || typeof after === "string" ? after : undefined,
        ...{ text: undefined, restoreId: undefined, folders: [] },
        toolCallId: typeof toolCallId === "string" ? toolCallId : undefined,
      });
    }
    if (typeof more === "number") this.beyond.push({ at, more });
  }
}

/** Whether a change is one of this file, however its place was written. */
export function isOf(change: FileChange, uri: string): boolean {
  return change.uri === uri || change.realUri === uri;
}

function isUserMessage(entry: SessionEntry): boolean {
  return entry.type === "message" && entry.message.role === "user";
}

function storedImage(data: unknown): StoredImage | undefined {
  if (!isJsonObject(data)) return undefined;
  const { hash, size, mode } = data;
  if (typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash) || typeof size !== "number") return undefined;
  return { hash, size, ...(typeof mode === "number" && { mode }) };
}
