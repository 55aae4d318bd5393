// The extension's entry in a browser's worker host: package.json "browser".
import type * as vscode from "vscode";
import { activateReins } from "./extension.ts";
import type { Reins } from "./extension.ts";
import { createWebHost } from "./web/host.ts";

let reins: Reins | undefined;

export function activate(context: vscode.ExtensionContext): void {
  reins = activateReins(context, { web: true, createParts: () => createWebHost(context.globalStorageUri) });
}

export async function deactivate(): Promise<void> {
  await reins?.deactivate();
}
