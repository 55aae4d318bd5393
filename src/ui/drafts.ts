// What the user has typed and not sent, per session; survives a reload of the panel and of the window.
import type { Memento } from "../harness/ports.ts";

export class Drafts {
  private readonly memento: Memento;
  private readonly texts = new Map<string, string>();
  private readonly onError: (error: unknown) => void;

  /** `onError`: keeping a draft failed; it is still there until the window is closed. */
  constructor(memento: Memento, onError: (error: unknown) => void) {
    this.memento = memento;
    this.onError = onError;
  }

  get(sessionId: string): string {
    return this.texts.get(sessionId) ?? this.memento.get(key(sessionId)) ?? "";
  }

  set(sessionId: string, text: string): void {
    if (text === this.get(sessionId)) return;
    this.texts.set(sessionId, text);
    this.memento.set(key(sessionId), text || undefined).catch(this.onError);
  }

  /** After what is there, on a line of its own. */
  append(sessionId: string, text: string): void {
    const before = this.get(sessionId);
    this.set(sessionId, before && !before.endsWith("\n") ? `${before}\n${text}` : before + text);
  }
}

function key(sessionId: string): string {
  return `draft.${sessionId}`;
}
