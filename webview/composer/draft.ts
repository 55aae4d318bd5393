// Keeps what is being written: in the page at once, with the host a moment later, per session.
import type { HostLink } from "../host-link.ts";

/** How long typing may pause before the host is told, in milliseconds. */
const debounceMs = 300;

export class DraftKeeper {
  private readonly link: HostLink;
  private timer = 0;
  private pending: { readonly sessionId: string; readonly text: string } | undefined;

  constructor(link: HostLink) {
    this.link = link;
    window.addEventListener("pagehide", () => this.flush());
    document.addEventListener("visibilitychange", () => this.flush());
  }

  changed(sessionId: string, text: string): void {
    if (this.pending && this.pending.sessionId !== sessionId) this.flush();
    this.pending = { sessionId, text };
    this.link.keep({ sessionId, draft: text });
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.flush(), debounceMs);
  }

  /** Tells the host now what it has not been told yet. */
  flush(): void {
    clearTimeout(this.timer);
    if (!this.pending) return;
    this.link.send({ type: "draft", ...this.pending });
    this.pending = undefined;
  }

  /** What to show in a session that was just opened: text the host has not seen wins over what it kept. */
  restore(sessionId: string, fromHost: string): string {
    const kept = this.link.kept();
    return kept?.sessionId === sessionId && kept.draft !== "" ? kept.draft : fromHost;
  }
}
