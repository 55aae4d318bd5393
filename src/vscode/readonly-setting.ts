// Whether the user declared a file read-only by a setting. VS Code shows such a file locked but lets an extension
// change its buffer, so this must be asked before.
import * as vscode from "vscode";
import { openDocument } from "./read-text.ts";

/** By `files.readonlyInclude` without `files.readonlyExclude`. */
export async function isLockedBySetting(uri: vscode.Uri): Promise<boolean> {
  const files = vscode.workspace.getConfiguration("files", uri);
  const included = patternsOf(files.get("readonlyInclude"));
  const document = included.length > 0 ? await documentOf(uri) : undefined;
  if (document === undefined) return false;
  const matches = (patterns: readonly string[]) => patterns.some((each) => matchesOne(document, each));
  return matches(included) && !matches(patternsOf(files.get("readonlyExclude")));
}

async function documentOf(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return openDocument(uri) ?? (await vscode.workspace.openTextDocument(uri));
  } catch {
    // Not text: VS Code matches its patterns against documents only, and there is none.
    return undefined;
  }
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
