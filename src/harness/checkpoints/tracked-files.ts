// The files that have a baseline, kept up with what everybody but Reins does to them. What Reins does to them is
// baselines.ts' business.
import { URI } from "vscode-uri";
import type { Disposable } from "../../shared/disposable.ts";
import type { FileEvent, Files, FileWatch } from "../ports.ts";
import type { BaselineFile } from "./baseline-file.ts";
import type { BaselineRecord } from "./baseline-record.ts";

export interface TrackedFilesDeps {
  readonly files: Files;
  readonly fileWatch: FileWatch;
  readonly record: BaselineRecord;
  /** A file has another text. */
  readonly onChanged: () => void;
}

export class TrackedFiles implements Disposable {
  private readonly deps: TrackedFilesDeps;
  private readonly tracked = new Map<string, BaselineFile>();
  /** Being changed by Reins right now: what is seen of them meanwhile is nobody else's doing. */
  private readonly paused = new Set<string>();
  /** The `last` of files where it is kept already. */
  private readonly keptLasts = new Map<string, string>();
  private readonly listener: Disposable;

  constructor(deps: TrackedFilesDeps) {
    this.deps = deps;
    this.listener = deps.fileWatch.onDidChange((events) => this.filesChanged(events));
  }

  get all(): readonly BaselineFile[] {
    return [...this.tracked.values()];
  }

  get(uri: string): BaselineFile | undefined {
    return this.tracked.get(keyOf(uri));
  }

  add(file: BaselineFile): void {
    this.tracked.set(file.uri, file);
  }

  remove(file: BaselineFile): void {
    this.tracked.delete(file.uri);
  }

  /** What an editor shows. */
  noteText(uri: string, read: () => string): void {
    const file = this.get(uri);
    if (file && this.take(file, read())) this.deps.onChanged();
  }

  /** Until `resume`, the file is left alone. */
  pause(file: BaselineFile): void {
    this.paused.add(file.uri);
  }

  async resume(file: BaselineFile): Promise<void> {
    this.paused.delete(file.uri);
    await this.refresh([file]);
  }

  /** Looks at files again. */
  async refresh(files: Iterable<BaselineFile | undefined>): Promise<void> {
    let changed = false;
    for (const file of files) {
      const live = file && (await this.textAt(file.uri));
      // What cannot be read now stays what it was.
      if (file && live !== undefined) changed = this.take(file, live) || changed;
    }
    if (changed) this.deps.onChanged();
  }

  /** Null: there is nothing. Undefined: it cannot be read as text. */
  async textAt(uri: string): Promise<string | null | undefined> {
    const { files } = this.deps;
    try {
      return (await files.stat(uri)) === undefined ? null : (await files.readText(uri)).text;
    } catch {
      return undefined;
    }
  }

  dispose(): void {
    this.listener.dispose();
  }

  private take(file: BaselineFile, live: string | null): boolean {
    if (this.paused.has(file.uri) || !file.take(live)) return false;
    const { last } = file.texts;
    if (file.touched && this.keptLasts.get(file.uri) !== last) {
      this.keptLasts.set(file.uri, last);
      void this.deps.record.keepLast(file.uri, file.texts);
    }
    return true;
  }

  private filesChanged(events: readonly FileEvent[]): void {
    const files = new Set(events.map(({ uri }) => this.get(uri)));
    if (files.size > 0) void this.refresh(files);
  }
}

/** The same for all spellings of a URI. */
export function keyOf(uri: string): string {
  return URI.parse(uri).toString();
}
