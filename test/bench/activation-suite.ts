// Runs inside the extension host: how long VS Code's call of Reins' activation takes, loading the bundle included.
import * as vscode from "vscode";
import { extensionId } from "../../src/ui/contributions.ts";
import { markAsPrinted } from "../ide/test-result.ts";

/** Prints the milliseconds as one marked line. Rejects if Reins was active already, which would measure nothing. */
export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension(extensionId);
  if (!extension || extension.isActive) throw new Error("Reins must be there and not be active yet.");
  const started = performance.now();
  await extension.activate();
  console.log(markAsPrinted(String(performance.now() - started)));
}
