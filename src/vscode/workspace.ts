// The open folders and whether the user trusts them.
import * as vscode from "vscode";
import type { Workspace, WorkspaceFolder } from "../harness/ports.ts";
import { DisposableStore } from "../shared/disposable.ts";
import type { Disposable } from "../shared/disposable.ts";
import { Emitter } from "../shared/event.ts";

export class VsCodeWorkspace implements Workspace, Disposable {
  private readonly changed = new Emitter<void>();
  private readonly owned = new DisposableStore();
  readonly onDidChange = this.changed.event;

  constructor() {
    this.owned.add(this.changed);
    this.owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.changed.fire()));
    this.owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire()));
  }

  get folders(): readonly WorkspaceFolder[] {
    return (vscode.workspace.workspaceFolders ?? []).map((folder) => ({
      name: folder.name,
      uri: folder.uri.toString(),
      path: folder.uri.fsPath,
    }));
  }

  get trusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  dispose(): void {
    this.owned.dispose();
  }
}
