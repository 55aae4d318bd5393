// When a proposal that just came opens by itself, and where: never over the place where the user reads or types, and
// never with the focus. While they are in the panel it waits as a card and a badge. Leaves how it is opened to review.ts.
import * as vscode from "vscode";
import type { ProposalBook } from "../../harness/types.ts";
import type { ProposalTabs } from "./tabs.ts";

export interface AutoOpenDeps {
  readonly getBook: () => ProposalBook;
  readonly tabs: ProposalTabs;
  /** The caret is in the panel: they see the card there, and decide on it or open it from there. */
  readonly isPanelFocused: () => boolean;
  /** Opens without taking the focus. */
  readonly open: (id: string, column: vscode.ViewColumn) => Promise<void>;
  /** Milliseconds since the user's last key or click in an editor after which they count as reading. */
  readonly idleMs: number;
}

export class AutoOpen implements vscode.Disposable {
  private readonly deps: AutoOpenDeps;
  /** Opened once already, or left to the card: one that the user closed stays closed. */
  private readonly offered = new Set<string>();
  private readonly subscription: vscode.Disposable;
  private lastInput = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private opening = false;

  constructor(deps: AutoOpenDeps) {
    this.deps = deps;
    this.subscription = vscode.window.onDidChangeTextEditorSelection((event) => {
      const byUser =
        event.kind === vscode.TextEditorSelectionChangeKind.Keyboard ||
        event.kind === vscode.TextEditorSelectionChangeKind.Mouse;
      if (byUser) this.lastInput = Date.now();
    });
  }

  /** The user opened it themselves. */
  markOffered(id: string): void {
    this.offered.add(id);
  }

  /** Opens the next proposal that was never shown, now or when the user pauses; one at a time. */
  consider(): void {
    clearTimeout(this.timer);
    const { pending } = this.deps.getBook();
    for (const id of this.offered) if (!pending.some((each) => each.view.id === id)) this.offered.delete(id);
    if (this.deps.isPanelFocused()) for (const { view } of pending) this.offered.add(view.id);
    const next = pending.find((each) => !this.offered.has(each.view.id));
    if (!next || this.opening || this.isProposalShown()) return;
    const wait = this.lastInput + this.deps.idleMs - Date.now();
    if (wait > 0) {
      this.timer = setTimeout(() => this.consider(), wait);
      return;
    }
    void this.open(next.view.id);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscription.dispose();
  }

  private async open(id: string): Promise<void> {
    this.opening = true;
    this.offered.add(id);
    try {
      await this.deps.open(id, this.column());
    } finally {
      this.opening = false;
    }
  }

  private isProposalShown(): boolean {
    const { tabs } = this.deps;
    return tabs.all().some(({ tab }) => tab.isActive) || tabs.together().some((tab) => tab.isActive);
  }

  /** Opening over the active editor would blur it even without taking the focus: the next keys would be lost. */
  private column(): vscode.ViewColumn {
    const active = vscode.window.tabGroups.activeTabGroup.activeTab;
    const isFree = active === undefined || this.deps.tabs.idOf(active) !== undefined;
    return isFree ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
  }
}
