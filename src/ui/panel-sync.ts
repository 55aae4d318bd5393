// Keeps the panel's copy of the session in step: a snapshot when the panel asks or comes back, then numbered
// events in batches, and the small panel state when it changed. Never awaited, never a part of the run.
import type { SequencedEvent } from "../agent/events.ts";
import type { Clock } from "../harness/ports.ts";
import type { CodingSession } from "../harness/types.ts";
import type { PanelState, ToWebview } from "../protocol/to-webview.ts";
import { DisposableStore } from "../shared/disposable.ts";
import type { Disposable } from "../shared/disposable.ts";

export interface PanelSyncDeps {
  /** Must not throw; what cannot be delivered is lost, and the next snapshot makes up for it. */
  readonly post: (message: ToWebview) => void;
  readonly clock: Pick<Clock, "schedule">;
  readonly panelState: (session: CodingSession) => PanelState;
  /** The composer's kept text. */
  readonly draft: (sessionId: string) => string;
}

/** Milliseconds between two batches: a little more than a frame. */
const batchMs = 20;

export class PanelSync implements Disposable {
  private readonly deps: PanelSyncDeps;
  private session: CodingSession | undefined;
  private listeners = new DisposableStore();
  private timer: Disposable | undefined;
  private live = false;
  private events: SequencedEvent[] = [];
  private sentSeq = 0;
  private sentPanel = "";
  private panelDue = false;

  constructor(deps: PanelSyncDeps) {
    this.deps = deps;
  }

  /** The panel can receive; false while it is hidden or gone, and until it has asked for the first time. */
  get isLive(): boolean {
    return this.live;
  }

  /** From now on the panel shows this session. */
  attach(session: CodingSession): void {
    this.listeners.dispose();
    this.listeners = new DisposableStore();
    this.session = session;
    this.listeners.add(session.onEvent((event) => this.eventHappened(event)));
    this.listeners.add(session.onDidChange(() => this.panelChanged()));
    if (this.live) this.sendSnapshot();
  }

  /** The panel asked, or is visible again. */
  resume(): void {
    this.live = true;
    this.sendSnapshot();
  }

  /** The panel is hidden or gone: nothing is sent, nothing is kept. */
  pause(): void {
    this.live = false;
    this.clearBatch();
  }

  /** Something outside the session that the panel state shows has changed, for example a setting. */
  panelChanged(): void {
    this.panelDue = true;
    this.scheduleBatch();
  }

  dispose(): void {
    this.pause();
    this.listeners.dispose();
  }

  private eventHappened(event: SequencedEvent): void {
    if (!this.live) return;
    this.events.push(event);
    this.scheduleBatch();
  }

  private scheduleBatch(): void {
    if (this.live) this.timer ??= this.deps.clock.schedule(batchMs, () => this.sendBatch());
  }

  private sendBatch(): void {
    this.timer = undefined;
    const events = this.events.filter((event) => event.seq > this.sentSeq);
    this.events = [];
    this.sentSeq = events.at(-1)?.seq ?? this.sentSeq;
    if (events.length) this.deps.post({ type: "events", events });
    if (this.panelDue && this.session) this.sendPanel(this.session);
  }

  private sendPanel(session: CodingSession): void {
    this.panelDue = false;
    const panel = this.deps.panelState(session);
    const text = JSON.stringify(panel);
    if (text === this.sentPanel) return;
    this.sentPanel = text;
    this.deps.post({ type: "panel", panel });
  }

  private sendSnapshot(): void {
    this.clearBatch();
    if (!this.session) return;
    const { transcript, id } = this.session;
    const panel = this.deps.panelState(this.session);
    this.sentSeq = transcript.seq;
    this.sentPanel = JSON.stringify(panel);
    this.deps.post({ type: "snapshot", transcript, panel, draft: this.deps.draft(id) });
  }

  private clearBatch(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.events = [];
  }
}
