// Asks for a provider's API key and keeps it where keys belong.
import * as vscode from "vscode";
import { keyProviders, realModels } from "./model-items.ts";
import type { ModelDeps } from "./model-picker.ts";
import { useModel } from "./model-picker.ts";

interface ProviderItem extends vscode.QuickPickItem {
  readonly provider: string;
}

/** For the given provider, else for the one the user picks. True when there is a key now. */
export async function setApiKey(deps: ModelDeps, provider?: string): Promise<boolean> {
  const chosen = provider ?? (await pickProvider(deps));
  if (chosen === undefined) return false;
  const key = await askForKey(chosen);
  if (key === undefined) return false;
  await deps.secrets.setApiKey(chosen, key || undefined);
  if (key) await chooseFirstModel(deps, chosen);
  return key !== "";
}

async function pickProvider(deps: ModelDeps): Promise<string | undefined> {
  const items = keyProviders(deps.sessions).map(async (provider): Promise<ProviderItem> => {
    const hasKey = (await deps.secrets.apiKey(provider)) !== undefined;
    return { provider, label: provider, description: hasKey ? "has a key" : "" };
  });
  const chosen = await vscode.window.showQuickPick(Promise.all(items), {
    title: "Reins: Set API Key",
    placeHolder: "Whose key? Others can be added in the setting reins.providers",
  });
  return chosen?.provider;
}

/** Undefined: cancelled. Empty: the stored key shall go. */
async function askForKey(provider: string): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: `Reins: API key for ${provider}`,
    prompt:
      "Kept in the secret storage of VS Code, never in a setting or a file. Leave it empty to remove it.",
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (/\s/.test(text.trim()) ? "A key has no spaces in it." : undefined),
  });
  return key?.trim();
}

/** With a key and no model there would still be nothing to talk to. */
async function chooseFirstModel(deps: ModelDeps, provider: string): Promise<void> {
  if (deps.sessions.current.model !== undefined) return;
  const first = realModels(deps.sessions).find((model) => model.provider === provider);
  if (first) await useModel(deps, first);
}
