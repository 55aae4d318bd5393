// Keeps what is being written: in the page at once, with the host a moment later, per session.
import type { HostLink } from "../host-link.ts";

/** How far the host may lag behind what is typed, in milliseconds; not a pause in typing, which may never come. */
const lagMs = 300;

interface Draft {
  readonly sessionId: string;
  readonly text: string;
}

export class DraftKeeper {
  private readonly link: HostLink;
  private timer: number | undefined;
  private pending: Draft | undefined;
  /** What the host has. */
  private told: Draft | undefined;

  constructor(link: HostLink) {
    this.link = link;
    window.addEventListener("pagehide", () => this.flush());
    document.addEventListener("visibilitychange", () => this.flush());
  }

  changed(sessionId: string, text: string): void {
    if (this.pending && this.pending.sessionId !== sessionId) this.flush();
    if (!this.pending && this.told?.sessionId === sessionId && this.told.text === text) return;
    this.pending = { sessionId, text };
    this.link.keep({ sessionId, draft: text });
    this.timer ??= window.setTimeout(() => this.flush(), lagMs);
  }

  /** Tells the host now what it has not been told yet. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.pending) return;
    this.link.send({ type: "draft", ...this.pending });
    this.told = this.pending;
    this.pending = undefined;
  }

  /** What to show in a session that was just opened: text the host has not seen wins over what it kept. */
  restore(sessionId: string, fromHost: string): string {
    this.told = { sessionId, text: fromHost };
    const kept = this.link.kept();
    return kept?.sessionId === sessionId && kept.draft !== "" ? kept.draft : fromHost;
  }
}
