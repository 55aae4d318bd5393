// The panel's view: gives it its page, carries messages both ways, and survives that the page dies whenever the
// view is hidden. What is sent is `panel-sync.ts`' business, what is asked for `chat-handlers.ts`'.
import * as vscode from "vscode";
import type { CodingSession } from "../harness/types.ts";
import type { ToWebview } from "../protocol/to-webview.ts";
import { DisposableStore } from "../shared/disposable.ts";
import type { Disposable } from "../shared/disposable.ts";
import { panelViewId } from "./contributions.ts";
import type { ErrorReporter } from "./report-error.ts";
import { count } from "./status-bar.ts";
import { panelHtml, resourceRoots } from "./webview-html.ts";

export interface ChatViewDeps {
  readonly extensionUri: vscode.Uri;
  readonly errors: ErrorReporter;
  /** One message of the panel. */
  readonly handle: (message: unknown) => Promise<void>;
  /** The panel is visible again and may have missed things. */
  readonly onVisible: () => void;
  /** Nothing can be sent from now on. */
  readonly onGone: () => void;
}

export class ChatView implements vscode.WebviewViewProvider, Disposable {
  private readonly deps: ChatViewDeps;
  private readonly registration: vscode.Disposable;
  private view: vscode.WebviewView | undefined;
  private ofView = new DisposableStore();
  private waiting = 0;

  constructor(deps: ChatViewDeps) {
    this.deps = deps;
    this.registration = vscode.window.registerWebviewViewProvider(panelViewId, this);
  }

  /** Called again whenever the view was closed and is shown once more. */
  resolveWebviewView(view: vscode.WebviewView): void {
    this.release();
    this.view = view;
    const { deps } = this;
    view.webview.options = { enableScripts: true, localResourceRoots: resourceRoots(deps.extensionUri) };
    this.ofView.add(view.webview.onDidReceiveMessage((message) => this.received(message)));
    this.ofView.add(view.onDidChangeVisibility(() => (view.visible ? deps.onVisible() : deps.onGone())));
    this.ofView.add(view.onDidDispose(() => this.release()));
    this.showBadge();
    view.webview.html = panelHtml(view.webview, deps.extensionUri);
  }

  /** Sends, or drops: the panel asks for a snapshot when it is back. */
  post(message: ToWebview): void {
    // Delivery fails when the page goes away meanwhile, which is no error.
    this.view?.webview.postMessage(message).then(undefined, () => undefined);
  }

  /** Opens the view and gives it the focus; only ever on the user's wish. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${panelViewId}.focus`);
  }

  sessionChanged(session: CodingSession): void {
    this.waiting = session.decisions.length;
    this.showBadge();
  }

  dispose(): void {
    this.registration.dispose();
    this.release();
  }

  private received(message: unknown): void {
    void this.deps.errors.run("What the panel asked for", () => this.deps.handle(message));
  }

  private showBadge(): void {
    if (!this.view) return;
    const { waiting } = this;
    this.view.badge = waiting ? { value: waiting, tooltip: `${count(waiting)} waiting for you` } : undefined;
  }

  private release(): void {
    this.ofView.dispose();
    this.ofView = new DisposableStore();
    if (this.view) this.deps.onGone();
    this.view = undefined;
  }
}
