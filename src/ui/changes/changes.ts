// Unseen changes as the user looks at them afterwards: follows the open session's book and the editors, and shows both in
// step. Keeping and undoing from commands is commands.ts' business.
import * as vscode from "vscode";
import type { BaselineBook } from "../../harness/checkpoints/types.ts";
import type { Clock } from "../../harness/ports.ts";
import type { Disposable } from "../../shared/disposable.ts";
import { DisposableStore } from "../../shared/disposable.ts";
import { ContextValues } from "../context-values.ts";
import { contextKeys } from "../contributions.ts";
import { BaselineDocuments } from "./baseline-documents.ts";
import { ChangesSourceControl, openChanges } from "./source-control.ts";

export interface ChangesDeps {
  readonly clock: Clock;
  /** Default: the manifest's. Others for a second one in the same window (a test's). */
  readonly ids?: { readonly scheme: string; readonly sourceControl: string };
}

/** How long typing may pause before it is taken up. */
const pauseMs = 150;

export class UnseenChanges implements Disposable {
  private readonly clock: Clock;
  private readonly owned = new DisposableStore();
  private readonly context = new ContextValues();
  readonly documents: BaselineDocuments;
  private readonly control: ChangesSourceControl;
  private readonly typed = new Map<vscode.TextDocument, Disposable>();
  private current: BaselineBook | undefined;
  private subscription: Disposable | undefined;

  constructor({ clock, ids }: ChangesDeps) {
    this.clock = clock;
    this.documents = this.owned.add(new BaselineDocuments(() => this.current, ids?.scheme));
    this.control = this.owned.add(new ChangesSourceControl(this.documents, ids?.sourceControl));
    this.owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.documentChanged(document)),
    );
    this.owned.add(vscode.workspace.onDidCloseTextDocument((document) => this.documentClosed(document)));
  }

  /** The open session's; undefined before one is open. */
  get book(): BaselineBook | undefined {
    return this.current;
  }

  /** Whether VS Code's views have them. */
  get isShown(): boolean {
    return this.control.isShown;
  }

  /** Another session was opened. */
  follow(book: BaselineBook): void {
    this.subscription?.dispose();
    this.current = book;
    this.subscription = book.onDidChange(() => this.update());
    this.update();
    void book.load();
  }

  /** Takes up at once what was typed. */
  takeTyping(): void {
    for (const document of [...this.typed.keys()]) this.take(document);
  }

  /** Opens all of them beside what they were. */
  async open(): Promise<void> {
    await openChanges(this.current?.files ?? [], this.documents);
  }

  dispose(): void {
    this.subscription?.dispose();
    for (const timer of this.typed.values()) timer.dispose();
    this.owned.dispose();
  }

  private update(): void {
    const files = this.current?.files ?? [];
    this.control.show(files);
    this.documents.refresh();
    this.context.set(contextKeys.changesUnseen, files.length > 0);
  }

  private documentChanged(document: vscode.TextDocument): void {
    if (this.typed.has(document) || this.current === undefined) return;
    this.typed.set(
      document,
      this.clock.schedule(pauseMs, () => this.take(document)),
    );
  }

  private take(document: vscode.TextDocument): void {
    this.typed.get(document)?.dispose();
    this.typed.delete(document);
    if (!document.isClosed) this.current?.noteText(document.uri.toString(), () => document.getText());
  }

  /** With it unsaved changes may have gone. */
  private documentClosed(document: vscode.TextDocument): void {
    this.typed.get(document)?.dispose();
    this.typed.delete(document);
    void this.current?.look(document.uri.toString());
  }
}
