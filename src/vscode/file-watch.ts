// What happens to files in the workspace, as VS Code's own watcher sees it (so `files.watcherExclude` counts), and
// which of it was a save in this window.
import * as vscode from "vscode";
import type { FileEvent, FileWatch } from "../harness/ports.ts";
import type { Disposable } from "../shared/disposable.ts";
import { Emitter } from "../shared/event.ts";

/** Events are handed on together after this time. */
const batchMs = 50;

export class VsCodeFileWatch implements FileWatch, Disposable {
  private readonly happened = new Emitter<readonly FileEvent[]>();
  private watcher: vscode.Disposable | undefined;
  private waiting: FileEvent[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly onDidChange: FileWatch["onDidChange"] = (listener) => {
    this.watcher ??= this.start();
    return this.happened.event(listener);
  };

  dispose(): void {
    clearTimeout(this.timer);
    this.watcher?.dispose();
    this.happened.dispose();
  }

  private start(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*");
    const add = (type: FileEvent["type"]) => (uri: vscode.Uri) => this.add({ uri: uri.toString(), type });
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(add("created")),
      watcher.onDidChange(add("changed")),
      watcher.onDidDelete(add("deleted")),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => add("saved")(uri)),
    );
  }

  private add(event: FileEvent): void {
    this.waiting.push(event);
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.happened.fire(this.waiting.splice(0));
    }, batchMs);
  }
}
