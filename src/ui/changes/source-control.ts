// The files with unseen changes in VS Code's own views: a source control that is there only while there are some, and
// the quick diff that marks the changes in the editor. What keeping and undoing does is the harness' business.
import * as vscode from "vscode";
import type { UnseenFile } from "../../harness/checkpoints/types.ts";
import { sourceControlId } from "../contributions.ts";
import type { BaselineDocuments } from "./baseline-documents.ts";

export class ChangesSourceControl implements vscode.Disposable {
  private readonly documents: BaselineDocuments;
  private readonly id: string;
  private shown:
    { readonly control: vscode.SourceControl; readonly group: vscode.SourceControlResourceGroup } | undefined;
  private uris: ReadonlySet<string> = new Set();
  /** What is shown, for telling VS Code only what is new. */
  private told = "";

  constructor(documents: BaselineDocuments, id = sourceControlId) {
    this.documents = documents;
    this.id = id;
  }

  /** Whether it is there. */
  get isShown(): boolean {
    return this.shown !== undefined;
  }

  show(files: readonly UnseenFile[]): void {
    const told = JSON.stringify(files);
    if (told === this.told) return;
    this.told = told;
    this.uris = new Set(files.map(({ uri }) => vscode.Uri.parse(uri, true).toString()));
    if (files.length === 0) return this.dispose();
    this.shown ??= this.create();
    const { control, group } = this.shown;
    control.count = files.length;
    group.resourceStates = files.map((file) => this.stateOf(file));
  }

  dispose(): void {
    this.shown?.control.dispose();
    this.shown = undefined;
  }

  private create() {
    const control = vscode.scm.createSourceControl(this.id, "Reins", rootUri());
    control.inputBox.visible = false;
    control.quickDiffProvider = {
      provideOriginalResource: (uri) =>
        this.uris.has(uri.toString()) ? this.documents.uriOf(uri) : undefined,
    };
    const group = control.createResourceGroup("changes", "Changed by Reins");
    group.hideWhenEmpty = true;
    return { control, group };
  }

  private stateOf({ uri, path, created, touched }: UnseenFile): vscode.SourceControlResourceState {
    const resourceUri = vscode.Uri.parse(uri, true);
    const what = created ? "created by Reins" : "changed by Reins";
    return {
      resourceUri,
      contextValue: created ? "created" : "changed",
      decorations: { tooltip: `${path}: ${what}${touched ? ", and by you since" : ""}` },
      command: {
        command: "vscode.diff",
        title: "Compare",
        arguments: [this.documents.uriOf(resourceUri), resourceUri, `${nameOf(path)} (before Reins ↔ now)`],
      },
    };
  }
}

/**
 * Of two source controls of one folder VS Code's inline diff shows the later one first: here changes of Reins, not all
 * since the last commit. Without one folder there is a choice in the inline diff.
 */
function rootUri(): vscode.Uri | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length === 1 ? folders[0]?.uri : undefined;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** All of them side by side with what they were. */
export async function openChanges(files: readonly UnseenFile[], documents: BaselineDocuments): Promise<void> {
  const resources = files.map(({ uri }) => {
    const live = vscode.Uri.parse(uri, true);
    return [live, documents.uriOf(live), live];
  });
  await vscode.commands.executeCommand("vscode.changes", "Changed by Reins", resources);
}
