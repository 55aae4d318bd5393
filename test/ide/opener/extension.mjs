// Opens Reins' panel once for each `npm start`: VS Code shows a contributed view by itself only to those who have
// opened it before. A panel that was closed afterwards stays closed when the window is reloaded.
import * as vscode from "vscode";

/** @param {vscode.ExtensionContext} context */
export async function activate(context) {
  const start = process.env.REINS_START;
  if (!start || context.globalState.get("start") === start) return;
  await context.globalState.update("start", start);
  await vscode.commands.executeCommand("reins.focusPanel");
}
