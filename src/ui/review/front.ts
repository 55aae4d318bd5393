// What of the review is in front of the user, told to VS Code's when-clauses, and whether keys may decide on it yet.
import type { ProposalBook } from "../../harness/types.ts";
import { ContextValues } from "../context-values.ts";
import { contextKeys } from "../contributions.ts";
import { KeyGuard, keyGuardMs } from "../key-guard.ts";
import type { ProposalTabs } from "./tabs.ts";

export class ReviewFront {
  private readonly getBook: () => ProposalBook;
  private readonly tabs: ProposalTabs;
  private readonly guard = new KeyGuard();
  private readonly context = new ContextValues();

  constructor(getBook: () => ProposalBook, tabs: ProposalTabs) {
    this.getBook = getBook;
    this.tabs = tabs;
  }

  /** Other editors are in front, or other proposals wait. */
  update(): void {
    const together = this.tabs.activeTogether().length > 0;
    const waiting = this.getBook().pending.length;
    this.guard.appeared(this.shown(), keyGuardMs);
    this.context.set(contextKeys.reviewActive, together || this.tabs.activeId() !== undefined);
    this.context.set(contextKeys.reviewTogether, together);
    this.context.set(contextKeys.proposalPending, waiting > 0);
    this.context.set(contextKeys.severalProposals, waiting > 1);
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
