// What of the review is in front of the user, told to VS Code's when-clauses, and whether keys may decide on it yet.
import * as vscode from "vscode";
import type { ProposalBook } from "../../harness/types.ts";
import { contextKeys } from "../contributions.ts";
import { KeyGuard, keyGuardMs } from "../key-guard.ts";
import type { ProposalTabs } from "./tabs.ts";

export class ReviewFront {
  private readonly getBook: () => ProposalBook;
  private readonly tabs: ProposalTabs;
  private readonly guard = new KeyGuard();

  constructor(getBook: () => ProposalBook, tabs: ProposalTabs) {
    this.getBook = getBook;
    this.tabs = tabs;
  }

  /** Other editors are in front, or other proposals wait. */
  update(): void {
    const together = this.tabs.activeTogether().length > 0;
    const waiting = this.getBook().pending.length;
    this.guard.appeared(this.shown(), keyGuardMs);
    setContext(contextKeys.reviewActive, together || this.tabs.activeId() !== undefined);
    setContext(contextKeys.reviewTogether, together);
    setContext(contextKeys.proposalPending, waiting > 0);
    setContext(contextKeys.severalProposals, waiting > 1);
  }

  /** Whether a key that decides counts now. If so, the next is not taken until a moment later, or the user went on. */
  takeKey(): boolean {
    if (!this.guard.passes(this.shown())) return false;
    this.guard.hold(keyGuardMs);
    return true;
  }

  /** The user went to what is in front now themselves. */
  userWent(): void {
    this.update();
    this.guard.release();
  }

  private shown(): string | undefined {
    return this.tabs.activeId() ?? (this.tabs.activeTogether().join() || undefined);
  }
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand("setContext", key, value);
}
