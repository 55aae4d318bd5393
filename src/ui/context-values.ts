// Values of context keys, each told to VS Code only when it changes: what follows typing must not send a command a key.
import * as vscode from "vscode";
import type { ContextKey } from "./contributions.ts";

/** One for each owner of keys. */
export class ContextValues {
  private readonly values = new Map<ContextKey, boolean>();

  set(key: ContextKey, value: boolean): void {
    if (this.values.get(key) === value) return;
    this.values.set(key, value);
    void vscode.commands.executeCommand("setContext", key, value);
  }
}
