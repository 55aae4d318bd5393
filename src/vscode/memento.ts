// Small values of this workspace, kept by VS Code.
import type * as vscode from "vscode";
import type { Memento } from "../harness/ports.ts";

export class WorkspaceMemento implements Memento {
  private readonly state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.state = state;
  }

  get(key: string): string | undefined {
    const value = this.state.get<unknown>(key);
    return typeof value === "string" ? value : undefined;
  }

  async set(key: string, value: string | undefined): Promise<void> {
    await this.state.update(key, value);
  }
}
