// Editors in the tests of both hosts: closing them, and waiting for what they show.
import * as vscode from "vscode";

/** Throws unsaved changes away. */
export async function closeEditors(): Promise<void> {
  for (let left = 50; left > 0 && tabCount() > 0; left--) {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  }
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
}

function tabCount(): number {
  return vscode.window.tabGroups.all.reduce((sum, group) => sum + group.tabs.length, 0);
}

/** Resolves when the condition holds. */
export async function until(what: string, holds: () => boolean, limitMs = 25_000): Promise<void> {
  const end = Date.now() + limitMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
