// The extension's entry on the Node host (desktop, remote, code-server): package.json "main".
import * as vscode from "vscode";
import { activateReins } from "./extension.ts";
import type { Reins } from "./extension.ts";
import { createNodeHost } from "./node/host.ts";

let reins: Reins | undefined;

export function activate(context: vscode.ExtensionContext): void {
  reins = activateReins(context, {
    web: false,
    createParts: (log) => createNodeHost(context.globalStorageUri.fsPath, vscode.env.appRoot, log),
  });
}

export async function deactivate(): Promise<void> {
  await reins?.deactivate();
}
