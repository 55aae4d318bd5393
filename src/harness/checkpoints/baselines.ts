// Changes that were accepted unseen, file by file, for looking at them afterwards: follows them, and what everybody else
// does to those files; keeps and undoes. The texts are baseline-file.ts' business, the session's file baseline-record.ts'.
import { URI } from "vscode-uri";
import type { Disposable } from "../../shared/disposable.ts";
import { Emitter } from "../../shared/event.ts";
import type { FileEvent, Files, FileWatch, Log, TextApplied, TextChange, Workspace } from "../ports.ts";
import type { SessionLog } from "../session/log.ts";
import { shownPath } from "../tools/paths.ts";
import { BaselineFile } from "./baseline-file.ts";
import { BaselineRecord } from "./baseline-record.ts";
import type { ImageStore } from "./image-store.ts";
import type { BaselineBook, ChangePart, RestoreResult, UnseenFile } from "./types.ts";

export interface BaselinesDeps {
  readonly files: Files;
  readonly fileWatch: FileWatch;
  readonly workspace: Workspace;
  readonly session: SessionLog;
  readonly store: ImageStore;
  readonly log: Log;
  /** Takes changes out of files, and tells about it. Never rejects. */
  readonly undo: (files: readonly BaselineFile[], part: ChangePart | undefined) => Promise<RestoreResult>;
}

export class Baselines implements BaselineBook, Disposable {
  private readonly deps: BaselinesDeps;
  private readonly record: BaselineRecord;
  private readonly tracked = new Map<string, BaselineFile>();
  /** Being changed by Reins right now: what is seen of them meanwhile is nobody else's doing. */
  private readonly changing = new Set<string>();
  /** `last` of files where it is kept already. */
  private readonly keptLasts = new Map<string, string>();
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private readonly listener: Disposable;
  private loading: Promise<void> | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(deps: BaselinesDeps) {
    this.deps = deps;
    this.record = new BaselineRecord(deps);
    this.listener = deps.fileWatch.onDidChange((events) => void this.filesChanged(events));
  }

  load(): Promise<void> {
    this.loading ??= this.loadNow();
    return this.loading;
  }

  get files(): readonly UnseenFile[] {
    const open = [...this.tracked.values()].filter((file) => file.open);
    const shown = open.map(({ uri, created, touched }) => {
      return { uri, path: shownPath(uri, this.deps.workspace), created, touched };
    });
    return shown.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  baselineOf(uri: string): string | undefined {
    const file = this.tracked.get(keyOf(uri));
    return file?.open === true ? file.baseline : undefined;
  }

  noteText(uri: string, text: string): void {
    const file = this.tracked.get(keyOf(uri));
    if (file && this.take(file, text)) this.changes.fire();
  }

  keep(uris: readonly string[], part?: ChangePart): void {
    for (const uri of uris) {
      const file = this.tracked.get(keyOf(uri));
      if (!file) continue;
      file.keep(part);
      if (!file.open) this.tracked.delete(file.uri);
      void this.record.write(file.uri, file.open ? file.texts : undefined);
    }
    this.changes.fire();
  }

  undo(uris: readonly string[], part?: ChangePart): Promise<RestoreResult> {
    return this.enqueue(async () => {
      const files = uris.flatMap((uri) => this.tracked.get(keyOf(uri)) ?? []);
      const result = await this.deps.undo(files, part);
      await this.refresh(files);
      return result;
    });
  }

  /** Runs `act`, which makes this change. One that nobody looked at first is remembered; rejects as `act` does. */
  async follow(change: TextChange, act: () => Promise<TextApplied>): Promise<TextApplied> {
    if (change.unseen === true) return this.enqueue(() => this.followUnseen(change, act));
    const applied = await act();
    await this.look(change.uri);
    return applied;
  }

  /** Somebody else changed a file. */
  async look(uri: string): Promise<void> {
    const file = this.tracked.get(keyOf(uri));
    if (file) await this.refresh([file]);
  }

  /** A file with its changes has another place. */
  async moved(from: string, to: string): Promise<void> {
    const file = this.tracked.get(keyOf(from));
    if (!file) return;
    this.tracked.delete(file.uri);
    const live = await this.textAt(to);
    const moved = new BaselineFile(keyOf(to), file.texts, live ?? null);
    this.tracked.set(moved.uri, moved);
    await this.record.note(file.uri, undefined);
    await this.record.write(moved.uri, moved.texts);
    this.changes.fire();
  }

  /** Looks at files again; default: all of them. */
  async refresh(files: Iterable<BaselineFile> = this.tracked.values()): Promise<void> {
    let changed = false;
    for (const file of [...files]) {
      const live = await this.textAt(file.uri);
      // What cannot be read now stays what it was.
      if (live !== undefined) changed = this.take(file, live) || changed;
    }
    if (changed) this.changes.fire();
  }

  /** Resolves when nothing is being followed, undone or recorded any more. */
  async settled(): Promise<void> {
    await this.queue;
    await this.record.settled();
  }

  dispose(): void {
    this.listener.dispose();
    this.changes.dispose();
  }

  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => undefined);
    return result;
  }

  private async followUnseen(change: TextChange, act: () => Promise<TextApplied>): Promise<TextApplied> {
    await this.load();
    const uri = keyOf(change.uri);
    const before = change.base?.text ?? null;
    const known = this.tracked.get(uri);
    const file = known ?? new BaselineFile(uri, { base: before, last: before ?? "" }, before);
    const texts = file.after(before, change.text);
    await this.record.note(uri, texts);
    this.changing.add(uri);
    try {
      const applied = await act();
      const exact = { ...texts, last: applied.text };
      if (applied.text !== change.text) await this.record.write(uri, exact);
      file.changed(exact);
      this.tracked.set(uri, file);
      return applied;
    } catch (error) {
      await this.record.note(uri, known?.texts);
      throw error;
    } finally {
      this.changing.delete(uri);
      await this.refresh([file]);
      this.changes.fire();
    }
  }

  private take(file: BaselineFile, live: string | null): boolean {
    if (this.changing.has(file.uri) || !file.take(live)) return false;
    const { last } = file.texts;
    if (file.touched && this.keptLasts.get(file.uri) !== last) {
      this.keptLasts.set(file.uri, last);
      void this.record.keepLast(file.uri, file.texts);
    }
    return true;
  }

  private async filesChanged(events: readonly FileEvent[]): Promise<void> {
    const files = new Set(events.flatMap(({ uri }) => this.tracked.get(keyOf(uri)) ?? []));
    if (files.size > 0) await this.refresh(files);
  }

  private async loadNow(): Promise<void> {
    const found = await this.record.read((uri) => this.textAt(uri));
    for (const { uri, texts, live } of found) this.tracked.set(uri, new BaselineFile(uri, texts, live));
    if (found.length > 0) this.changes.fire();
  }

  /** Null: there is nothing. Undefined: it cannot be read as text. */
  private async textAt(uri: string): Promise<string | null | undefined> {
    const { files } = this.deps;
    try {
      return (await files.stat(uri)) === undefined ? null : (await files.readText(uri)).text;
    } catch {
      return undefined;
    }
  }
}

function keyOf(uri: string): string {
  return URI.parse(uri).toString();
}
