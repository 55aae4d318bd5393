// Whether the user declared a file read-only by a setting. VS Code shows such a file locked but lets an extension
// change its buffer, so this must be asked before.
import * as vscode from "vscode";

/** By `files.readonlyInclude` without `files.readonlyExclude`. */
export function isLockedBySetting(document: vscode.TextDocument): boolean {
  const files = vscode.workspace.getConfiguration("files", document.uri);
  const matches = (name: string) =>
    patternsOf(files.get(name)).some((pattern) => matchesOne(document, pattern));
  return matches("readonlyInclude") && !matches("readonlyExclude");
}

function patternsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([pattern, on]) => (on === true ? [pattern] : []));
}

function matchesOne(document: vscode.TextDocument, pattern: string): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const patterns = folder ? [pattern, new vscode.RelativePattern(folder, pattern)] : [pattern];
  return patterns.some((each) => vscode.languages.match({ pattern: each }, document) > 0);
}
