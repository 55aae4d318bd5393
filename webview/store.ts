// What the panel knows: the transcript, folded from numbered events, and everything beside it. Holds no truth; a snapshot replaces all.
import { reduceTranscript } from "../src/agent/transcript.ts";
import type { TranscriptState } from "../src/agent/transcript.ts";
import type { SequencedEvent } from "../src/agent/events.ts";
import type { PanelState, ToWebview } from "../src/protocol/to-webview.ts";

export interface PanelView {
  readonly transcript: TranscriptState;
  readonly panel: PanelState;
}

export interface StoreEnvironment {
  /** Asks the host for a snapshot. */
  readonly requestSnapshot: () => void;
  /** Runs a paint soon: the browser's animation frame. */
  readonly schedule: (paint: () => void) => void;
}

/** Applies the host's messages in order and tells one listener at most once per frame. */
export class PanelStore {
  private current: PanelView | undefined;
  private waitingForSnapshot = true;
  private scheduled = false;
  private listener: (view: PanelView) => void = () => undefined;
  private readonly environment: StoreEnvironment;

  constructor(environment: StoreEnvironment) {
    this.environment = environment;
  }

  /** Undefined until the first snapshot. */
  get view(): PanelView | undefined {
    return this.current;
  }

  onPaint(listener: (view: PanelView) => void): void {
    this.listener = listener;
  }

  receive(message: Extract<ToWebview, { type: "snapshot" | "events" | "panel" }>): void {
    switch (message.type) {
      case "snapshot":
        this.waitingForSnapshot = false;
        this.set({ transcript: message.transcript, panel: message.panel });
        return;
      case "panel":
        if (this.current) this.set({ ...this.current, panel: message.panel });
        return;
      case "events":
        this.fold(message.events);
        return;
    }
  }

  private fold(events: readonly SequencedEvent[]): void {
    if (!this.current || this.waitingForSnapshot) return;
    let { transcript } = this.current;
    for (const event of events) {
      if (event.seq <= transcript.seq) continue;
      if (event.seq > transcript.seq + 1) {
        this.waitingForSnapshot = true;
        this.environment.requestSnapshot();
        break;
      }
      transcript = reduceTranscript(transcript, event);
    }
    if (transcript !== this.current.transcript) this.set({ ...this.current, transcript });
  }

  private set(view: PanelView): void {
    this.current = view;
    if (this.scheduled) return;
    this.scheduled = true;
    this.environment.schedule(() => {
      this.scheduled = false;
      if (this.current) this.listener(this.current);
    });
  }
}
