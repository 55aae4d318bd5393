// Reins: Show Last Request. The last request of the open session as a read-only JSON document, without keys. What is in
// it is the model layer's business.
import * as vscode from "vscode";
import type { CodingSession } from "../harness/types.ts";
import { Emitter } from "../shared/event.ts";
import { requestScheme } from "./contributions.ts";

/** Its text; undefined when the session has sent nothing since VS Code was started. */
export type ShowRequest = (sessionId: string) => string | undefined;

export class LastRequest implements vscode.Disposable {
  private readonly show: ShowRequest;
  private readonly changed = new Emitter<vscode.Uri>();
  private readonly provider: vscode.Disposable;

  constructor(show: ShowRequest) {
    this.show = show;
    this.provider = vscode.workspace.registerTextDocumentContentProvider(requestScheme, {
      onDidChange: this.changed.event,
      provideTextDocumentContent: (uri) => this.show(uri.query) ?? nothing,
    });
  }

  /** Opens it, or brings what is open up to date. */
  async open(session: Pick<CodingSession, "id" | "title">): Promise<void> {
    if (this.show(session.id) === undefined) {
      void vscode.window.showInformationMessage(nothing);
      return;
    }
    const path = `/Last request of ${session.title.replaceAll(/[/\\]/g, "-")}.json`;
    const uri = vscode.Uri.from({ scheme: requestScheme, path, query: session.id });
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }

  dispose(): void {
    this.provider.dispose();
    this.changed.dispose();
  }
}

const nothing = "This session has sent nothing to a model since the window was opened.";
