// The review of proposals in the editor: opens their diffs, follows the book, closes what is settled. Deciding itself,
// and what a decision does, is the harness' business.
import * as vscode from "vscode";
import type { Log } from "../../harness/ports.ts";
import type { ProposalDecision } from "../../harness/proposals/types.ts";
import type { ProposalBook } from "../../harness/types.ts";
import type { Disposable } from "../../shared/disposable.ts";
import { DisposableStore } from "../../shared/disposable.ts";
import { errorText } from "../../shared/errors.ts";
import type { Event } from "../../shared/event.ts";
import { proposalScheme } from "../contributions.ts";
import { AutoOpen } from "./auto-open.ts";
import { ProposalDocuments } from "./documents.ts";
import { ProposalEditors } from "./editors.ts";
import type { OpenOptions } from "./editors.ts";
import { emptySchemeOf, registerEmptyDocuments } from "./empty-document.ts";
import { ReviewFront } from "./front.ts";
import { ReviewLenses } from "./lenses.ts";
import { ProposalFiles } from "./proposal-files.ts";
import { ProposalUris } from "./proposal-uris.ts";
import { ProposalTabs } from "./tabs.ts";

/** How long after a key or click in an editor a proposal does not open by itself. */
const defaultIdleMs = 2_000;

export interface ReviewDeps {
  /** The open session's. */
  readonly getBook: () => ProposalBook;
  /** Another session was opened. */
  readonly onDidChangeBook: Event<ProposalBook>;
  readonly log: Log;
  /** Whether the caret is in the panel. Default: never known to be. */
  readonly isPanelFocused?: () => boolean;
  readonly idleMs?: number;
  /** Default: the manifest's. A second review in the same window (a test's) needs another one. */
  readonly scheme?: string;
}

export class ProposalReview implements Disposable {
  private readonly deps: ReviewDeps;
  readonly uris: ProposalUris;
  readonly tabs: ProposalTabs;
  readonly front: ReviewFront;
  private readonly store = new DisposableStore();
  private readonly files: ProposalFiles;
  private readonly documents: ProposalDocuments;
  private readonly lenses: ReviewLenses;
  private readonly autoOpen: AutoOpen;
  private readonly editors: ProposalEditors;
  private bookSubscription: Disposable | undefined;
  /** Proposals that a key, lens or button in the editor decides on right now: the user is there, not in the panel. */
  private readonly decidingHere = new Set<string>();

  constructor(deps: ReviewDeps) {
    this.deps = deps;
    const { getBook } = deps;
    this.uris = new ProposalUris(deps.scheme ?? proposalScheme);
    this.tabs = new ProposalTabs(this.uris);
    this.front = new ReviewFront(getBook, this.tabs);
    this.editors = new ProposalEditors(this.uris, this.tabs);
    this.files = this.store.add(new ProposalFiles(getBook, this.uris));
    this.documents = this.store.add(new ProposalDocuments(getBook, this.files, this.uris));
    this.lenses = this.store.add(new ReviewLenses(getBook, this.uris));
    this.autoOpen = this.store.add(
      new AutoOpen({
        getBook,
        tabs: this.tabs,
        isPanelFocused: deps.isPanelFocused ?? (() => false),
        open: (id, column) => this.background(this.show(id, { preserveFocus: true, column })),
        idleMs: deps.idleMs ?? defaultIdleMs,
      }),
    );
    this.store.add(vscode.workspace.registerFileSystemProvider(this.uris.scheme, this.files));
    this.store.add(registerEmptyDocuments(emptySchemeOf(this.uris.scheme)));
    this.store.add(vscode.window.tabGroups.onDidChangeTabs((event) => this.tabsChanged(event)));
    this.store.add(vscode.window.tabGroups.onDidChangeTabGroups(() => this.front.update()));
    this.store.add(deps.onDidChangeBook((book) => this.follow(book)));
    this.follow(getBook());
  }

  get book(): ProposalBook {
    return this.deps.getBook();
  }

  /** On the user's wish: shows the diff at the hunk (default: the first open one) and moves the focus there. */
  async open(id: string, hunkId?: string): Promise<void> {
    this.autoOpen.markOffered(id);
    await this.show(id, { hunkId, preserveFocus: false });
    this.front.userWent();
  }

  /** On the user's wish: all that wait in one editor, where there are several. */
  async openAll(): Promise<void> {
    const { pending } = this.book;
    const [first] = pending;
    if (pending.length < 2) return first && this.open(first.view.id);
    for (const { view } of pending) this.autoOpen.markOffered(view.id);
    await this.editors.showTogether(pending);
  }

  /** A decision made in the editor. A failure is shown; nothing is lost by it. */
  async decide(id: string, decision: ProposalDecision): Promise<void> {
    this.decidingHere.add(id);
    try {
      await this.book.decide(id, decision);
    } catch (error) {
      this.deps.log.error(`Deciding on a proposal: ${errorText(error)}`);
      void vscode.window.showErrorMessage(errorText(error));
    } finally {
      this.decidingHere.delete(id);
    }
  }

  dispose(): void {
    this.bookSubscription?.dispose();
    this.store.dispose();
  }

  private follow(book: ProposalBook): void {
    this.bookSubscription?.dispose();
    this.bookSubscription = book.onDidChange((id) => this.proposalChanged(id));
    for (const id of new Set(this.tabs.all().map((each) => each.id))) {
      if (!book.get(id)) void this.background(this.closeSettled(id, true));
    }
    this.front.update();
    this.autoOpen.consider();
  }

  private proposalChanged(id: string): void {
    this.lenses.refresh();
    this.front.update();
    if (this.book.get(id)) void this.background(this.documents.refresh(id));
    else void this.background(this.proposalSettled(id, this.decidingHere.has(id)));
    this.autoOpen.consider();
  }

  /** Someone who reviews in the editor goes on with the next file; for everyone else only the tab goes. */
  private async proposalSettled(id: string, decidedHere: boolean): Promise<void> {
    const goesOn = decidedHere && this.tabs.activeTogether().length === 0;
    const next = goesOn ? this.book.pending[0] : undefined;
    if (next) {
      this.autoOpen.markOffered(next.view.id);
      await this.show(next.view.id, { preserveFocus: false });
    }
    await this.closeSettled(id, next !== undefined || !decidedHere);
    this.autoOpen.consider();
  }

  private async closeSettled(id: string, preserveFocus: boolean): Promise<void> {
    await this.tabs.close(id, preserveFocus);
    const isOpen = (shown: string) => this.book.get(shown) !== undefined;
    if (this.tabs.together().length === 0) this.files.forget(id);
    else if (!this.tabs.inTogether.some(isOpen)) await this.tabs.closeTogether(preserveFocus);
  }

  private async show(id: string, options: OpenOptions): Promise<void> {
    const proposal = this.book.get(id);
    if (!proposal) return;
    await this.editors.show(proposal, options);
    // Decided on while its editor was opening.
    if (!this.book.get(id)) await this.closeSettled(id, options.preserveFocus);
  }

  private tabsChanged(event: vscode.TabChangeEvent): void {
    this.front.update();
    if (event.closed.length === 0) return;
    if (this.tabs.together().length === 0) this.files.forgetSettled();
    this.autoOpen.consider();
  }

  private async background(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => this.deps.log.error(`Reviewing a proposal: ${errorText(error)}`));
  }
}
