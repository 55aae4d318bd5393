// Changes that were accepted unseen, file by file, for looking at them afterwards: follows them as they are made; keeps
// and undoes. What everybody else does to those files is tracked-files.ts' business, the texts are baseline-file.ts'.
import type { Disposable } from "../../shared/disposable.ts";
import { Emitter } from "../../shared/event.ts";
import type { Files, FileWatch, Log, TextApplied, TextChange, Workspace } from "../ports.ts";
import type { SessionLog } from "../session/log.ts";
import { shownPath } from "../tools/paths.ts";
import { BaselineFile } from "./baseline-file.ts";
import type { BaselineTexts } from "./baseline-file.ts";
import { rebaseBaseline } from "./baseline-lines.ts";
import { BaselineRecord } from "./baseline-record.ts";
import type { ImageStore } from "./image-store.ts";
import { TrackedFiles, keyOf } from "./tracked-files.ts";
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
  private readonly tracked: TrackedFiles;
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private loading: Promise<void> | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(deps: BaselinesDeps) {
    this.deps = deps;
    this.record = new BaselineRecord(deps);
    this.tracked = new TrackedFiles({ ...deps, record: this.record, onChanged: () => this.changes.fire() });
  }

  load(): Promise<void> {
    this.loading ??= this.loadNow();
    return this.loading;
  }

  get files(): readonly UnseenFile[] {
    const open = this.tracked.all.filter((file) => file.open);
    const shown = open.map(({ uri, created, touched }) => {
      return { uri, path: shownPath(uri, this.deps.workspace), created, touched };
    });
    return shown.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  baselineOf(uri: string): string | undefined {
    const file = this.tracked.get(uri);
    return file?.open === true ? file.baseline : undefined;
  }

  noteText(uri: string, read: () => string): void {
    this.tracked.noteText(uri, read);
  }

  keep(uris: readonly string[], part?: ChangePart): void {
    for (const uri of uris) {
      const file = this.tracked.get(uri);
      if (!file) continue;
      file.keep(part);
      if (!file.open) this.tracked.remove(file);
      void this.record.write(file.uri, file.open ? file.texts : undefined);
    }
    this.changes.fire();
  }

  undo(uris: readonly string[], part?: ChangePart): Promise<RestoreResult> {
    return this.enqueue(async () => {
      const files = uris.flatMap((uri) => this.tracked.get(uri) ?? []);
      const result = await this.deps.undo(files, part);
      await this.tracked.refresh(files);
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

  async look(uri?: string): Promise<void> {
    await this.tracked.refresh(uri === undefined ? this.tracked.all : [this.tracked.get(uri)]);
  }

  /** A file with its changes has another place. */
  async moved(from: string, to: string): Promise<void> {
    const file = this.tracked.get(from);
    if (!file) return;
    const moved = new BaselineFile(keyOf(to), file.texts, (await this.tracked.textAt(to)) ?? null);
    this.tracked.remove(file);
    this.tracked.add(moved);
    await this.record.note(file.uri, undefined);
    await this.record.write(moved.uri, moved.texts);
    this.changes.fire();
  }

  /** Resolves when nothing is being followed, undone or recorded any more. */
  async settled(): Promise<void> {
    await this.queue;
    await this.record.settled();
  }

  dispose(): void {
    this.tracked.dispose();
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
    this.tracked.pause(file);
    try {
      const applied = await act();
      const exact = afterSaving(texts, applied);
      if (applied.text !== change.text) await this.record.write(uri, exact);
      file.changed(exact);
      this.tracked.add(file);
      return applied;
    } catch (error) {
      await this.record.note(uri, known?.texts);
      throw error;
    } finally {
      await this.tracked.resume(file);
      this.changes.fire();
    }
  }

  private async loadNow(): Promise<void> {
    const found = await this.record.read((uri) => this.tracked.textAt(uri));
    for (const { uri, texts, live } of found) this.tracked.add(new BaselineFile(uri, texts, live));
    if (found.length > 0) this.changes.fire();
  }
}

/** What save participants made of it is reviewed with it; what the user typed meanwhile is theirs. */
function afterSaving({ base, last }: BaselineTexts, { text, later = [] }: TextApplied): BaselineTexts {
  const texts = { base, last };
  for (const { by, after } of later) {
    if (by === "user" && texts.base !== null)
      texts.base = rebaseBaseline({ base: texts.base, last: texts.last, live: after });
    texts.last = after;
  }
  return { ...texts, last: text };
}
