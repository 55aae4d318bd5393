// One item in the status bar: idle, working, or waiting for the user. A click focuses the panel.
import * as vscode from "vscode";
import type { CodingSession } from "../harness/types.ts";
import type { Disposable } from "../shared/disposable.ts";
import { isWorking } from "./context-keys.ts";
import { commandIds } from "./contributions.ts";

export class StatusBar implements Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor() {
    this.item = vscode.window.createStatusBarItem("reins.status", vscode.StatusBarAlignment.Right, 100);
    this.item.name = "Reins";
    this.item.command = commandIds.focusPanel;
    this.show("$(circle-outline) Reins", "Reins is idle");
    this.item.show();
  }

  sessionChanged(session: CodingSession): void {
    const waiting = session.decisions.length;
    if (waiting > 0) {
      this.show(`$(bell-dot) Reins: ${waiting} waiting`, `Reins waits for you: ${count(waiting)}`);
      this.item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
      return;
    }
    this.item.backgroundColor = undefined;
    if (isWorking(session)) this.show("$(sync~spin) Reins", "Reins is working");
    else if (session.interrupted) this.show("$(debug-pause) Reins", "Reins was interrupted and can continue");
    else this.show("$(circle-outline) Reins", "Reins is idle");
  }

  dispose(): void {
    this.item.dispose();
  }

  private show(text: string, description: string): void {
    this.item.text = text;
    this.item.tooltip = `${description}. Click to focus the panel.`;
    this.item.accessibilityInformation = { label: description, role: "button" };
  }
}

/** For people: how many decisions. */
export function count(decisions: number): string {
  return decisions === 1 ? "1 decision" : `${decisions} decisions`;
}
