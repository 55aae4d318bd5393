// The checkpoints of one open session: its changed files, what they were, and putting them back. Built of the recorder
// (before each change), the command watch (after each command) and the history (what the session's file says).
import type { AppMessage } from "../../agent/types.ts";
import type { Disposable } from "../../shared/disposable.ts";
import { Emitter } from "../../shared/event.ts";
import type { HarnessPorts } from "../ports.ts";
import type { SessionLog } from "../session/log.ts";
import { shownPath } from "../tools/paths.ts";
import { Baselines } from "./baselines.ts";
import { CheckpointFiles } from "./checkpoint-files.ts";
import { CommandWatch } from "./command-watch.ts";
import { ChangeHistory, isOf } from "./history.ts";
import type { FileChange } from "./history.ts";
import { ImageStore } from "./image-store.ts";
import { KnownImages } from "./known-images.ts";
import { ChangeRecorder } from "./recorder.ts";
import { firstChanges, planRestore } from "./restore-plan.ts";
import { restoreFiles } from "./restore-files.ts";
import { undoUnseen } from "./undo-unseen.ts";
import type { ChangedFile, CheckpointBook, RestorePlan, RestorePoint, RestoreResult } from "./types.ts";

export interface CheckpointDeps {
  readonly ports: HarnessPorts;
  readonly session: SessionLog;
  /** 8 hex digits, not yet used in this session. */
  readonly createId: () => string;
  /** Throws a UserError while files must not be put back. */
  readonly requireIdle: () => void;
  /** Puts a message into the session, now or as soon as it may stand there. */
  readonly tell: (message: AppMessage) => void;
}

export class Checkpoints implements CheckpointBook, Disposable {
  /** For tools and proposals. */
  readonly files: CheckpointFiles;
  /** For tools. */
  readonly commands: CommandWatch;
  readonly baselines: Baselines;
  private readonly deps: CheckpointDeps;
  private readonly history: ChangeHistory;
  private readonly store: ImageStore;
  private readonly recorder: ChangeRecorder;
  private readonly changes = new Emitter<void>();
  readonly onDidChange = this.changes.event;
  private restoring: Promise<unknown> = Promise.resolve();

  constructor(deps: CheckpointDeps) {
    const { ports, session, createId } = deps;
    this.deps = deps;
    this.history = new ChangeHistory(session.tree.all);
    const onRemoved = (text: string): void => deps.tell(notice(text, ports.clock.now()));
    this.store = new ImageStore({ ...ports, onRemoved });
    const known = new KnownImages(ports.images);
    const onChanged = (): void => this.changes.fire();
    const { history, store } = this;
    const recorder = new ChangeRecorder({ ...ports, session, history, store, known, createId, onChanged });
    this.recorder = recorder;
    this.baselines = new Baselines({
      ...{ ...ports, session, store },
      undo: (files, part) => undoUnseen(files, part, { ...deps, ...ports, history, recorder }),
    });
    const { baselines } = this;
    this.files = new CheckpointFiles(ports.files, { recorder, known, baselines });
    this.commands = new CommandWatch({ ...ports, session, history, store, known, onChanged });
  }

  changed(since?: string): readonly ChangedFile[] {
    const changes = this.changesSince(since);
    return [...firstChanges(changes)].map(({ uri, realUri, before, byCommand }) => ({
      ...{ uri, byCommand, path: shownPath(uri, this.deps.ports.workspace) },
      created: before === null,
      deleted: changes.findLast((change) => isOf(change, realUri))?.after === null,
      covered: before !== undefined,
    }));
  }

  async readBefore(uri: string, since?: string): Promise<Uint8Array | null | undefined> {
    const first = this.changesSince(since).find((change) => isOf(change, uri));
    if (first?.before === null) return null;
    return first?.before && this.store.read(first.before.hash);
  }

  readImage(hash: string): Promise<Uint8Array | undefined> {
    return this.store.read(hash);
  }

  async plan(point: RestorePoint): Promise<RestorePlan> {
    await this.commands.settle();
    return planRestore(point, { ...this.deps.ports, history: this.history, store: this.store });
  }

  restore(plan: RestorePlan, uris: readonly string[]): Promise<RestoreResult> {
    const result = this.restoring.then(() => this.restoreNow(plan, uris));
    this.restoring = result.catch(() => undefined);
    return result;
  }

  get lastRestore(): string | undefined {
    return this.history.changes.findLast(({ restoreId }) => restoreId !== undefined)?.restoreId;
  }

  /** Resolves when nothing is being recorded or removed any more. */
  async settled(): Promise<void> {
    await this.commands.settle();
    await this.baselines.settled();
    await this.store.settled();
  }

  dispose(): void {
    this.commands.dispose();
    this.baselines.dispose();
    this.changes.dispose();
  }

  private async restoreNow(plan: RestorePlan, uris: readonly string[]): Promise<RestoreResult> {
    const { ports, session, createId, requireIdle, tell } = this.deps;
    requireIdle();
    const { history, recorder, store } = this;
    const own = { images: ports.images, history, recorder, store, restoreId: createId() };
    const { result, text } = await restoreFiles({ plan, uris, entries: session.tree.all }, own);
    await this.baselines.look();
    const details = { restoreId: result.restoreId };
    if (text !== undefined)
      tell({ role: "app", kind: "restore", text, details, timestamp: ports.clock.now() });
    return result;
  }

  private changesSince(since: string | undefined): readonly FileChange[] {
    return since === undefined ? this.history.sinceRun() : (this.history.since(since) ?? []);
  }
}

function notice(text: string, timestamp: number): AppMessage {
  return { role: "app", kind: "notice", text, timestamp };
}
