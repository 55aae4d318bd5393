// The models there are, read anew when the settings change: the catalogue, what `reins.providers` adds or overrides,
// and the guided tour. What the setting may hold is ai/models.ts' business.
import { findModel, resolveProviders } from "../ai/models.ts";
import type { ResolvedProviders } from "../ai/models.ts";
import type { Model } from "../ai/types.ts";
import type { Settings } from "./ports.ts";

export class ModelBook {
  private readonly settings: Settings;
  private cached: { readonly setting: string; readonly resolved: ResolvedProviders } | undefined;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  get available(): ResolvedProviders {
    const { providers } = this.settings.current();
    const setting = JSON.stringify(providers) ?? "";
    if (this.cached?.setting !== setting) this.cached = { setting, resolved: resolveProviders(providers) };
    return this.cached.resolved;
  }

  /** `ref` is `<provider>/<model id>`; "" finds nothing. */
  find(ref: string): Model | undefined {
    return ref === "" ? undefined : findModel(this.available, ref);
  }
}
