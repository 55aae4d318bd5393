// What files are compared with while their unseen changes are looked at, as read-only documents that follow the book.
import * as vscode from "vscode";
import type { BaselineBook } from "../../harness/checkpoints/types.ts";
import { baselineScheme } from "../contributions.ts";

export class BaselineDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly getBook: () => BaselineBook | undefined;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration: vscode.Disposable;
  private readonly scheme: string;

  /** A second one in the same window (a test's) needs another scheme. */
  constructor(getBook: () => BaselineBook | undefined, scheme = baselineScheme) {
    this.getBook = getBook;
    this.scheme = scheme;
    this.registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  /** The document that a file is compared with. */
  uriOf(fileUri: vscode.Uri): vscode.Uri {
    return vscode.Uri.from({ scheme: this.scheme, path: fileUri.path, query: fileUri.toString() });
  }

  /** Where nothing is to be looked at, nothing differs. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const baseline = this.getBook()?.baselineOf(uri.query);
    if (baseline !== undefined) return baseline;
    try {
      return (await vscode.workspace.openTextDocument(vscode.Uri.parse(uri.query, true))).getText();
    } catch {
      return "";
    }
  }

  /** Baselines changed. */
  refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === this.scheme) this.changed.fire(uri);
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
