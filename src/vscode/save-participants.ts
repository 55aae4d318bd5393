// Has what VS Code runs on saving (a formatter, organising imports, trimming) run over a file that was just created. It
// runs only over documents with unsaved changes, so the document gets one that changes nothing.
import * as vscode from "vscode";
import type { TextApplied } from "../harness/ports.ts";
import { saveDocument } from "./save-document.ts";

/** Undefined: nothing would run, or the document is not what was written. Never rejects. */
export async function saveCreated(uri: vscode.Uri, text: string): Promise<TextApplied | undefined> {
  if (text === "") return undefined;
  const document = await openDocument(uri);
  if (!document || document.isDirty || document.getText() !== text || !runsOnSave(document)) return undefined;
  const first = new vscode.Range(new vscode.Position(0, 0), document.positionAt(1));
  const touch = new vscode.WorkspaceEdit();
  touch.replace(uri, first, document.getText(first));
  return (await vscode.workspace.applyEdit(touch)) ? saveDocument(document) : undefined;
}

async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined; // Gone again, or nothing that an editor opens: there is nothing to run over.
  }
}

function runsOnSave(document: vscode.TextDocument): boolean {
  const editor = vscode.workspace.getConfiguration("editor", document);
  const files = vscode.workspace.getConfiguration("files", document);
  const actions = editor.get<unknown>("codeActionsOnSave");
  return (
    editor.get<unknown>("formatOnSave") === true ||
    (typeof actions === "object" && actions !== null && Object.keys(actions).length > 0) ||
    ["trimTrailingWhitespace", "insertFinalNewline", "trimFinalNewlines"].some(
      (name) => files.get<unknown>(name) === true,
    )
  );
}
