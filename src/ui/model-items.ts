// What the model picker offers: models that can be used right away, those that need a key, providers that need an address,
// and a model that was typed and is in no list. Pure but for asking whether there are keys; the picker shows it.
import { needsKey } from "../harness/model-book.ts";
import type { Secrets } from "../harness/ports.ts";
import type { CodingSession, Sessions } from "../harness/types.ts";
import { modelChoice } from "./panel-state.ts";

export type Model = NonNullable<CodingSession["model"]>;

export type ModelEntry = {
  /** The same for the same thing, whatever else is in the list. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  /** Shown whatever was typed. */
  readonly always?: boolean;
} & (
  | { readonly model: Model; readonly lacksKey: boolean; readonly current: boolean }
  | { readonly model?: never }
);

export interface ModelSection {
  readonly title: string;
  readonly entries: readonly ModelEntry[];
}

export interface ModelItemsDeps {
  readonly sessions: Pick<Sessions, "models" | "findModel" | "current">;
  readonly secrets: Pick<Secrets, "apiKey">;
}

/** Sections without entries are left out. `typed` is what is in the picker's field. */
export async function modelSections(deps: ModelItemsDeps, typed: string): Promise<readonly ModelSection[]> {
  const listed = realModels(deps.sessions);
  const other = unlistedModel(deps.sessions, typed.trim());
  const lacking = await providersWithoutKey(deps.secrets, other ? [...listed, other] : listed);
  const entry = (model: Model): ModelEntry => modelEntry(deps, model, lacking.has(model.provider));
  const sections: ModelSection[] = [
    { title: "Not in the list", entries: other ? [{ ...entry(other), always: true }] : [] },
    { title: "Ready to use", entries: listed.filter(({ provider }) => !lacking.has(provider)).map(entry) },
    { title: "Needs an API key", entries: listed.filter(({ provider }) => lacking.has(provider)).map(entry) },
    { title: "Needs an address", entries: deps.sessions.models().unready.map(unreadyEntry) },
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}

/** Models that a person may choose; the tour is none. */
export function realModels(sessions: Pick<Sessions, "models">): readonly Model[] {
  return sessions.models().models.filter((model) => model.api !== "scripted");
}

/** Providers that a person may have a key for, in their order. */
export function keyProviders(sessions: Pick<Sessions, "models">): readonly string[] {
  const { providers } = sessions.models();
  const withModels = new Set(realModels(sessions).map(({ provider }) => provider));
  return providers.filter((each) => needsKey(each) || withModels.has(each.id)).map(({ id }) => id);
}

/** Whether a request would need a key that is not there. */
export async function lacksKey(secrets: Pick<Secrets, "apiKey">, model: Model): Promise<boolean> {
  return needsKey(model) && (await secrets.apiKey(model.provider)) === undefined;
}

function unlistedModel(sessions: ModelItemsDeps["sessions"], typed: string): Model | undefined {
  if (/\s/.test(typed)) return undefined;
  const model = sessions.findModel(typed);
  return model && !sessions.models().models.some((each) => isSame(each, model)) ? model : undefined;
}

/** Each provider is asked for once. */
async function providersWithoutKey(
  secrets: Pick<Secrets, "apiKey">,
  models: readonly Model[],
): Promise<ReadonlySet<string>> {
  const first = new Map(models.toReversed().map((model) => [model.provider, model]));
  const lacking = await Promise.all([...first.values()].map((model) => lacksKey(secrets, model)));
  return new Set([...first.keys()].filter((_, index) => lacking[index]));
}

function modelEntry({ sessions }: ModelItemsDeps, model: Model, withoutKey: boolean): ModelEntry {
  const { ref } = modelChoice(model);
  const current = sessions.current.model !== undefined && isSame(model, sessions.current.model);
  return { key: ref, label: model.name, description: ref, model, lacksKey: withoutKey, current };
}

function unreadyEntry({ id, name }: ReturnType<Sessions["models"]>["unready"][number]): ModelEntry {
  return { key: `${id}/`, label: name, description: `set reins.providers.${id}.baseUrl` };
}

function isSame(model: Model, other: Model): boolean {
  return model.provider === other.provider && model.id === other.id;
}
