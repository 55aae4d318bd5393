// One session's file being written: entries in order, durable before `append` resolves, and never lost when the disk
// says no. It knows neither what entries mean nor who reads them.
import { Emitter } from "../../shared/event.ts";
import { UserError, errorText } from "../../shared/errors.ts";
import type { Log, SessionStorage } from "../ports.ts";
import { serializeEntry, sessionFileName } from "./entries.ts";
import type { EntryData, SessionEntry, SessionHeader } from "./entries.ts";
import type { SessionTree } from "./tree.ts";

/** A session as it is on disk; `size` 0 when it has no file yet. */
export interface SessionFile {
  readonly name: string;
  readonly header: SessionHeader;
  readonly tree: SessionTree;
  /** Bytes, as last seen. */
  readonly size: number;
  /** The file does not end with a line feed. */
  readonly torn: boolean;
}

export interface SessionLogDeps {
  readonly storage: SessionStorage;
  readonly log: Log;
  readonly now: () => number;
  /** 8 hex digits, not yet used in this session. */
  readonly createId: () => string;
  /** For the copy of a session that another window writes to. */
  readonly createSessionId: () => string;
}

export class SessionLog {
  readonly tree: SessionTree;
  private readonly deps: SessionLogDeps;
  /** The file as it is if nobody else writes to it. */
  private file: Omit<SessionFile, "tree">;
  private unwritten: SessionEntry[] = [];
  private due = false;
  private failing = false;
  private writing: Promise<void> = Promise.resolve();
  private readonly problems = new Emitter<string>();
  /** For the user: the disk refused, or another window wrote. Once per trouble. */
  readonly onProblem = this.problems.event;
  private readonly moved = new Emitter<void>();
  /** The session goes on in a copy: `id` and `fileName` changed. */
  readonly onDidMove = this.moved.event;

  constructor(deps: SessionLogDeps, file: SessionFile) {
    this.deps = deps;
    this.tree = file.tree;
    this.file = file;
  }

  get id(): string {
    return this.file.header.id;
  }

  get fileName(): string {
    return this.file.name;
  }

  /** Whether there is, or is about to be, something on disk. */
  get exists(): boolean {
    return this.file.size > 0 || this.due;
  }

  /** Adds an entry that is written together with the next appended one. */
  note(data: EntryData, id?: string): void {
    const entry: SessionEntry = {
      ...data,
      id: id ?? this.deps.createId(),
      parentId: this.tree.leaf,
      timestamp: new Date(this.deps.now()).toISOString(),
    };
    this.tree.add(entry);
    this.unwritten.push(entry);
  }

  /**
   * Adds an entry. Resolves when it is durable, or when the disk refused it: then it stays in memory, `onProblem`
   * tells the user, and the next append or flush tries again. Never rejects.
   */
  append(data: EntryData, id?: string): Promise<void> {
    this.note(data, id);
    this.due = true;
    return this.flush();
  }

  /** As `append`, all of them in one write, but rejects when the disk refused: for what must not go on unrecorded. */
  async appendSurely(entries: readonly EntryData[]): Promise<void> {
    for (const data of entries) this.note(data);
    const last = this.unwritten.at(-1);
    this.due = true;
    await this.flush();
    if (last !== undefined && this.unwritten.includes(last))
      throw new UserError(
        "The session could not be saved, so nothing was changed. Make room on the disk, then try again.",
      );
  }

  /** Resolves when everything appended so far is on disk, or was refused once more. Never writes notes alone. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    if (!this.due) return;
    try {
      if (!(await this.isOurs())) await this.writeCopy();
      else await this.put(this.file, this.newLines());
      this.failing = false;
    } catch (error) {
      this.due = true;
      this.reportFailure(error);
    }
  }

  /** False: another window appended to the file, or took it away. */
  private async isOurs(): Promise<boolean> {
    const { name, size } = this.file;
    return size === 0 || (await this.deps.storage.size(name)) === size;
  }

  /** The branch goes on in a file of its own, so that no other window's entries end up between ours. */
  private async writeCopy(): Promise<void> {
    const gone = (await this.deps.storage.size(this.file.name)) === undefined;
    const header: SessionHeader = {
      ...this.file.header,
      version: 3,
      id: this.deps.createSessionId(),
      timestamp: new Date(this.deps.now()).toISOString(),
      parentSession: this.file.name,
    };
    const lines = [JSON.stringify(header), ...this.tree.path().map(serializeEntry)];
    await this.put({ name: sessionFileName(header), header, size: 0, torn: false }, lines);
    this.moved.fire();
    this.problems.fire(
      gone
        ? "The file of this session was removed. Reins wrote it again under a new name."
        : "This session is also open in another window, which wrote to it. Reins goes on here in a copy; the other window keeps the original.",
    );
  }

  /** `lines` must hold everything that is unwritten now. */
  private async put(file: Omit<SessionFile, "tree">, lines: readonly string[]): Promise<void> {
    const batch = this.unwritten.length;
    this.due = false;
    const text = `${file.torn ? "\n" : ""}${lines.join("\n")}\n`;
    await this.deps.storage.append(file.name, text);
    this.file = { ...file, size: file.size + new TextEncoder().encode(text).length, torn: false };
    this.unwritten = this.unwritten.slice(batch);
  }

  private newLines(): string[] {
    const lines = this.unwritten.map(serializeEntry);
    return this.file.size === 0 ? [JSON.stringify(this.file.header), ...lines] : lines;
  }

  private reportFailure(error: unknown): void {
    this.deps.log.error(`Session ${this.file.name}: ${errorText(error)}`);
    if (this.failing) return;
    this.failing = true;
    this.problems.fire(
      `The session could not be saved (${errorText(error)}). It goes on in memory and is saved as soon as the disk allows.`,
    );
  }
}
