// API keys: from VS Code's secret storage, else from the environment. Never from a setting.
import type * as vscode from "vscode";
import { envKeyName } from "../ai/models.ts";
import type { Secrets } from "../harness/ports.ts";
import type { Disposable } from "../shared/disposable.ts";
import { Emitter } from "../shared/event.ts";

const prefix = "reins.apiKey.";

export class VsCodeSecrets implements Secrets, Disposable {
  private readonly storage: vscode.SecretStorage;
  private readonly env: (name: string) => string | undefined;
  private readonly onKey: (key: string) => void;
  private readonly changed = new Emitter<void>();
  private readonly listener: vscode.Disposable;
  readonly onDidChange = this.changed.event;

  /** `env` reads an environment variable; a browser has none. `onKey` gets every key before it is given to anybody. */
  constructor(
    storage: vscode.SecretStorage,
    env: (name: string) => string | undefined,
    onKey: (key: string) => void,
  ) {
    this.storage = storage;
    this.env = env;
    this.onKey = onKey;
    this.listener = storage.onDidChange((event) => {
      if (event.key.startsWith(prefix)) this.changed.fire();
    });
  }

  async apiKey(provider: string): Promise<string | undefined> {
    const key = (await this.storage.get(prefix + provider)) ?? (this.env(envKeyName(provider)) || undefined);
    if (key !== undefined) this.onKey(key);
    return key;
  }

  async setApiKey(provider: string, key: string | undefined): Promise<void> {
    if (key !== undefined) this.onKey(key);
    if (key === undefined) await this.storage.delete(prefix + provider);
    else await this.storage.store(prefix + provider, key);
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }
}
