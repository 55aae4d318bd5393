// The context keys of our when-clauses, each told to VS Code only when it changes.
import * as vscode from "vscode";
import type { CodingSession } from "../harness/types.ts";
import { contextKeys } from "./contributions.ts";
import type { ContextKey } from "./contributions.ts";

export interface ComposerState {
  readonly empty: boolean;
  readonly composing: boolean;
}

/** The keys of the session and the composer; the review sets those of proposals itself. */
export class ContextKeys {
  private readonly values = new Map<ContextKey, boolean>();

  constructor() {
    this.panelGone();
  }

  sessionChanged(session: CodingSession): void {
    const { lastEnd } = session.transcript;
    const isBusy = isWorking(session);
    const endedEarly = lastEnd !== null && lastEnd !== "done";
    this.set(contextKeys.running, isBusy);
    this.set(contextKeys.decisionWaiting, session.decisions.length > 0);
    this.set(contextKeys.waitingToRetry, session.retry !== undefined);
    this.set(contextKeys.canContinue, !isBusy && (session.interrupted || endedEarly));
  }

  composerChanged(state: ComposerState): void {
    this.set(contextKeys.composerEmpty, state.empty);
    this.set(contextKeys.composing, state.composing);
  }

  panelFocusChanged(isFocused: boolean): void {
    this.set(contextKeys.panelFocused, isFocused);
  }

  /** A panel that died in the middle of a composition must not keep Esc from stopping. */
  panelGone(): void {
    this.panelFocusChanged(false);
    this.composerChanged({ empty: true, composing: false });
  }

  private set(key: ContextKey, value: boolean): void {
    if (this.values.get(key) === value) return;
    this.values.set(key, value);
    void vscode.commands.executeCommand("setContext", key, value);
  }
}

/** A run is on, or the next try is waited for. */
export function isWorking(session: CodingSession): boolean {
  return session.transcript.status === "running" || session.retry !== undefined;
}
