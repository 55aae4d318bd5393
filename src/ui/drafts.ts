// Texts of the user that were not sent, per session; they survive a reload of the panel and of the window.
import type { Memento } from "../harness/ports.ts";

export class Drafts {
  private readonly memento: Memento;
  private readonly kind: string;
  private readonly texts = new Map<string, string>();
  private readonly onError: (error: unknown) => void;

  /**
   * `kind` keeps several sets apart. `onError`: keeping a text failed; it is still there until the window is closed.
   */
  constructor(memento: Memento, kind: string, onError: (error: unknown) => void) {
    this.memento = memento;
    this.kind = kind;
    this.onError = onError;
  }

  get(sessionId: string): string {
    return this.texts.get(sessionId) ?? this.memento.get(this.key(sessionId)) ?? "";
  }

  set(sessionId: string, text: string): void {
    if (text === this.get(sessionId)) return;
    this.texts.set(sessionId, text);
    this.memento.set(this.key(sessionId), text || undefined).catch(this.onError);
  }

  /** After what is there, on a line of its own. */
  append(sessionId: string, text: string): void {
    const before = this.get(sessionId);
    this.set(sessionId, before && !before.endsWith("\n") ? `${before}\n${text}` : before + text);
  }

  private key(sessionId: string): string {
    return `${this.kind}.${sessionId}`;
  }
}
