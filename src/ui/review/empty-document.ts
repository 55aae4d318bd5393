// The left side of a diff for a file that does not exist yet: an empty read-only document of the same name.
import * as vscode from "vscode";

/** The scheme of the empty documents beside those of a proposal scheme. */
export function emptySchemeOf(proposalScheme: string): string {
  return `${proposalScheme}-empty`;
}

export function registerEmptyDocuments(scheme: string): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: () => "",
  });
}
