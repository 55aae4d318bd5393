// The context keys of our when-clauses that follow the session and the panel.
import type { CodingSession } from "../harness/types.ts";
import { ContextValues } from "./context-values.ts";
import { contextKeys } from "./contributions.ts";

export interface ComposerState {
  readonly empty: boolean;
  readonly composing: boolean;
}

/** The keys of the session and the composer; the review sets those of proposals itself. */
export class ContextKeys {
  private readonly values = new ContextValues();

  constructor() {
    this.panelGone();
  }

  sessionChanged(session: CodingSession): void {
    const { lastEnd } = session.transcript;
    const isBusy = isWorking(session);
    const endedEarly = lastEnd !== null && lastEnd !== "done";
    this.values.set(contextKeys.running, isBusy);
    this.values.set(contextKeys.decisionWaiting, session.decisions.length > 0);
    this.values.set(contextKeys.waitingToRetry, session.retry !== undefined);
    this.values.set(contextKeys.canContinue, !isBusy && (session.interrupted || endedEarly));
  }

  composerChanged(state: ComposerState): void {
    this.values.set(contextKeys.composerEmpty, state.empty);
    this.values.set(contextKeys.composing, state.composing);
  }

  panelFocusChanged(isFocused: boolean): void {
    this.values.set(contextKeys.panelFocused, isFocused);
  }

  /** A panel that died in the middle of a composition must not keep Esc from stopping. */
  panelGone(): void {
    this.panelFocusChanged(false);
    this.composerChanged({ empty: true, composing: false });
  }
}

/** A run is on, or the next try is waited for. */
export function isWorking(session: CodingSession): boolean {
  return session.transcript.status === "running" || session.retry !== undefined;
}
