// What "Add Selection to Chat" puts into the composer: where it is, and the lines as the user sees them.
import * as vscode from "vscode";
import { UserError } from "../shared/errors.ts";

/** The reference and, with a selection, its whole lines in a fence. Throws a UserError without an open file. */
export function selectionText(): string {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new UserError("There is nothing to add: open a file and select something in it.");
  const { document, selection } = editor;
  const path = vscode.workspace.asRelativePath(document.uri, undefined);
  if (selection.isEmpty) return `@${path}\n`;
  const first = selection.start.line;
  // A selection that ends before the first character of a line does not mean that line.
  const last =
    selection.end.character === 0 && selection.end.line > first ? selection.end.line - 1 : selection.end.line;
  const code = document.getText(new vscode.Range(first, 0, last, document.lineAt(last).text.length));
  const lines = first === last ? `L${first + 1}` : `L${first + 1}-L${last + 1}`;
  return `@${path}#${lines}\n${fenced(code, document.languageId)}\n`;
}

/** A fence that the code cannot end. */
function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\r\n/g, "\n")}\n${fence}`;
}
