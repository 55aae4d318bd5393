// Tells apart what save participants and what the user changed in a document while it was being saved. Leaves telling
// it to the model to the harness.
import * as vscode from "vscode";
import type { LaterChange } from "../harness/ports.ts";

export class LaterChanges {
  private readonly document: vscode.TextDocument;
  private readonly listeners: readonly vscode.Disposable[];
  private readonly changes: LaterChange[] = [];
  private text: string;
  /** Where the caret would be if the last change was typed. */
  private carets: readonly number[] = [];

  /** Listens until `finish`. */
  constructor(document: vscode.TextDocument) {
    this.document = document;
    this.text = document.getText();
    this.listeners = [
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && event.contentChanges.length > 0) this.changed(event);
      }),
      vscode.window.onDidChangeTextEditorSelection((event) => {
        if (event.textEditor.document === document) this.caretMoved(event);
      }),
    ];
  }

  /** In order; neighbours by the same hand are one. */
  finish(): readonly LaterChange[] {
    for (const listener of this.listeners) listener.dispose();
    const merged: LaterChange[] = [];
    for (const change of this.changes) {
      const last = merged.at(-1);
      if (last?.by === change.by) merged.splice(-1, 1, { ...last, after: change.after });
      else merged.push(change);
    }
    return merged.filter(({ before, after }) => before !== after);
  }

  private changed({ reason, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const after = this.document.getText();
    this.changes.push({ by: reason === undefined ? "save" : "user", before: this.text, after });
    this.text = after;
    let shift = 0;
    // Changes come in any order; carets are offsets into the text with all of them.
    this.carets = [...contentChanges]
      .sort((a, b) => a.rangeOffset - b.rangeOffset)
      .map((change) => {
        const end = change.rangeOffset + shift + this.lengthOf(change.text);
        shift += this.lengthOf(change.text) - change.rangeLength;
        return end;
      });
  }

  /** VS Code says of every change only what it is; typing moves the caret to its end, by key, and nothing else does. */
  private caretMoved({ kind, selections }: vscode.TextEditorSelectionChangeEvent): void {
    const last = this.changes.at(-1);
    if (last === undefined || kind !== vscode.TextEditorSelectionChangeKind.Keyboard) return;
    const typed = selections.every(({ active }) => this.carets.includes(this.document.offsetAt(active)));
    if (typed) this.changes.splice(-1, 1, { ...last, by: "user" });
    this.carets = [];
  }

  /** As it is in the document, whose line ends are all of one kind. */
  private lengthOf(text: string): number {
    const end = this.document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
    return text.replace(/\r\n|\r|\n/g, end).length;
  }
}
