// The models there are: the catalogue, what was found, what `reins.providers` adds or overrides, and the guided tour. Read
// anew when the settings or what was found change. What the setting may hold is ai/models.ts' business.
import { findModel, mayBeFound, resolveProviders } from "../ai/models.ts";
import type { ResolvedProviders } from "../ai/models.ts";
import { isLocalServer } from "../ai/provider-host.ts";
import type { Model, StreamOptions } from "../ai/types.ts";
import { DisposableStore } from "../shared/disposable.ts";
import type { Disposable } from "../shared/disposable.ts";
import { Emitter } from "../shared/event.ts";
import type { Clock, HarnessPorts, ModelSource, Settings } from "./ports.ts";

/** A source that answers later is not lost: its models join when they are there. */
const patienceMs = 5_000;

export class ModelBook implements Disposable {
  private readonly settings: Settings;
  private readonly sources: readonly ModelSource[];
  private readonly clock: Clock;
  private readonly owned = new DisposableStore();
  private readonly changed = this.owned.add(new Emitter<void>());
  /** Other models were found. Settings tell of their changes themselves. */
  readonly onDidChange = this.changed.event;
  private cached: { readonly setting: string; readonly resolved: ResolvedProviders } | undefined;
  private looking: Promise<void> | undefined;

  constructor({ settings, modelSources, clock }: Pick<HarnessPorts, "settings" | "modelSources" | "clock">) {
    this.settings = settings;
    this.clock = clock;
    this.sources = modelSources;
    for (const source of modelSources) this.owned.add(source.onDidChange(() => this.foundOthers()));
  }

  get available(): ResolvedProviders {
    const { providers } = this.settings.current();
    const setting = JSON.stringify(providers) ?? "";
    if (this.cached?.setting !== setting) {
      const found = this.sources.flatMap((source) => source.models);
      this.cached = { setting, resolved: resolveProviders(providers, found) };
    }
    return this.cached.resolved;
  }

  /** `ref` is `<provider>/<model id>`; "" finds nothing. */
  find(ref: string): Model | undefined {
    return ref === "" ? undefined : findModel(this.available, ref);
  }

  /** Whether looking again could find this model, or tell more of it. */
  mayBeFound(ref: string): boolean {
    return this.sources.length > 0 && mayBeFound(this.available, ref);
  }

  /** Looks again for servers and the editor's models. Who asks while it looks gets what it finds. Never rejects. */
  refresh(): Promise<void> {
    this.looking ??= Promise.all(this.sources.map((source) => source.refresh()))
      .then(() => undefined)
      .finally(() => (this.looking = undefined));
    return this.looking;
  }

  /** Looks again, but waits no longer than somebody who has pressed Enter would. Never rejects. */
  async lookBriefly(): Promise<void> {
    let limit: Disposable | undefined;
    const waited = new Promise<void>((resolve) => (limit = this.clock.schedule(patienceMs, resolve)));
    await Promise.race([this.refresh(), waited]);
    limit?.dispose();
  }

  /** How long this model may take: what its provider's settings say, else the general ones, else the model layer's defaults. */
  timeouts({ provider }: Model): Pick<StreamOptions, "connectTimeoutMs" | "idleTimeoutMs"> {
    const own = this.available.timeouts.get(provider);
    const general = this.settings.current();
    const connect = own?.connectTimeoutSeconds ?? general.connectTimeoutSeconds;
    const idle = own?.idleTimeoutSeconds ?? general.idleTimeoutSeconds;
    return {
      ...(connect !== undefined && { connectTimeoutMs: connect * 1_000 }),
      ...(idle !== undefined && { idleTimeoutMs: idle * 1_000 }),
    };
  }

  dispose(): void {
    this.owned.dispose();
  }

  private foundOthers(): void {
    this.cached = undefined;
    this.changed.fire();
  }
}

/** Whether its provider asks for a key as a rule: not the editor's own models, nor servers on this machine or nearby. */
export function needsKey(provider: Pick<Model, "api" | "baseUrl">): boolean {
  return provider.baseUrl !== undefined && !isLocalServer(provider);
}
