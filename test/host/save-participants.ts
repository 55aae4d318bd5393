// A formatter and an organiser of imports for the files of one test, run by VS Code on saving as anyone's are.
import * as vscode from "vscode";
import type { FilesFixture } from "./files-fixture.ts";

type Change = (text: string) => string | Promise<string>;

/** Each of them gets the whole text and gives the new one; disposing takes them away. */
export async function onSaving(
  disk: FilesFixture,
  { format, organizeImports }: { readonly format?: Change; readonly organizeImports?: Change },
): Promise<vscode.Disposable> {
  const selector = { pattern: "**/*.saved" };
  await disk.set("editor.formatOnSave", format !== undefined);
  await disk.set("editor.codeActionsOnSave", organizeImports ? { "source.organizeImports": "always" } : {});
  return vscode.Disposable.from(
    ...(format ? [vscode.languages.registerDocumentFormattingEditProvider(selector, formatter(format))] : []),
    ...(organizeImports
      ? [vscode.languages.registerCodeActionsProvider(selector, organizer(organizeImports))]
      : []),
  );
}

function formatter(change: Change): vscode.DocumentFormattingEditProvider {
  return {
    provideDocumentFormattingEdits: async (document) => editsOf(document, await change(document.getText())),
  };
}

function organizer(change: Change): vscode.CodeActionProvider {
  return {
    provideCodeActions: async (document) => {
      const action = new vscode.CodeAction("Organise", vscode.CodeActionKind.SourceOrganizeImports);
      action.edit = new vscode.WorkspaceEdit();
      action.edit.set(document.uri, editsOf(document, await change(document.getText())));
      return [action];
    },
  };
}

function editsOf(document: vscode.TextDocument, text: string): vscode.TextEdit[] {
  const before = document.getText();
  if (text === before) return [];
  return [
    vscode.TextEdit.replace(
      new vscode.Range(document.positionAt(0), document.positionAt(before.length)),
      text,
    ),
  ];
}
