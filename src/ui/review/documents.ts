// Keeps the proposal book and the open documents in step: what the user types on either side goes to the book, what
// the book changes goes to the proposed side. Leaves tabs and decisions to others.
import * as vscode from "vscode";
import { lineChanges, lineKey, splitLines } from "../../harness/proposals/lines.ts";
import type { OpenProposal, ProposalBook } from "../../harness/types.ts";
import type { ProposalFiles } from "./proposal-files.ts";
import { sameText } from "./proposal-files.ts";
import type { ProposalUris } from "./proposal-uris.ts";

export class ProposalDocuments implements vscode.Disposable {
  private readonly getBook: () => ProposalBook;
  private readonly files: ProposalFiles;
  private readonly uris: ProposalUris;
  private readonly subscription: vscode.Disposable;
  /** Typed into since the last save. VS Code says so too (`isDirty`), but only after the change itself. */
  private readonly typed = new Set<string>();

  constructor(getBook: () => ProposalBook, files: ProposalFiles, uris: ProposalUris) {
    this.uris = uris;
    this.getBook = getBook;
    this.files = files;
    this.subscription = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((event) => this.documentChanged(event)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.typed.delete(this.uris.idOf(uri) ?? "")),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.typed.delete(this.uris.idOf(uri) ?? "")),
    );
  }

  /** The book changed a proposal: shows its text, unless the document does already. */
  async refresh(id: string): Promise<void> {
    const proposal = this.getBook().get(id);
    const document = this.uris.openDocument(id);
    if (!proposal || !document || sameText(document.getText(), proposal.proposedText)) return;
    if (document.isDirty || this.typed.has(id)) await replaceText(document, proposal.proposedText);
    else this.files.reload(proposal);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private documentChanged(event: vscode.TextDocumentChangeEvent): void {
    if (event.contentChanges.length === 0) return;
    const id = this.uris.idOf(event.document.uri);
    if (id === undefined) this.realChanged(event.document);
    else this.proposedChanged(id, event.document);
  }

  private realChanged(document: vscode.TextDocument): void {
    const text = document.getText();
    for (const proposal of this.proposalsFor(document.uri)) {
      if (!sameText(text, proposal.documentText)) {
        this.getBook().documentTextChanged(proposal.view.id, text);
      }
    }
  }

  private proposalsFor(uri: vscode.Uri): OpenProposal[] {
    const key = uri.toString();
    return this.getBook().pending.filter((each) => vscode.Uri.parse(each.view.uri).toString() === key);
  }

  private proposedChanged(id: string, document: vscode.TextDocument): void {
    const proposal = this.getBook().get(id);
    if (!proposal) return;
    const text = document.getText();
    const isCurrent = sameText(text, proposal.proposedText);
    // The document was given a text that the book has left behind meanwhile; the newer one is on its way.
    if (!isCurrent && this.files.isOutdated(id, text)) return;
    this.files.reloadSettled(id, !isCurrent);
    if (isCurrent) return;
    this.typed.add(id);
    this.getBook().proposedTextChanged(id, text);
  }
}

/** Line by line, so that the user's cursor stays where it is. Not applied when they type meanwhile: then theirs counts. */
async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const oldLines = splitLines(document.getText()).map(lineKey);
  const newLines = splitLines(text).map(lineKey);
  const edit = new vscode.WorkspaceEdit();
  for (const change of lineChanges(oldLines, newLines)) {
    const range = new vscode.Range(change.oldStart, 0, change.oldEnd, 0);
    edit.replace(
      document.uri,
      document.validateRange(range),
      newLines.slice(change.newStart, change.newEnd).join(""),
    );
  }
  await vscode.workspace.applyEdit(edit);
}
