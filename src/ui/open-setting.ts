// Opens the user's settings.json at one setting, which is added there when it has none.
import * as vscode from "vscode";

export async function editSetting(id: string): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettingsJson", {
    revealSetting: { key: id, edit: true },
  });
}
