// Lets the user choose a model: those that can be used right away first, then those that need a key.
import * as vscode from "vscode";
import type { Secrets, Settings } from "../harness/ports.ts";
import type { CodingSession, Sessions } from "../harness/types.ts";
import { modelChoice } from "./panel-state.ts";

type Model = NonNullable<CodingSession["model"]>;

export interface ModelDeps {
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly secrets: Secrets;
}

interface ModelItem extends vscode.QuickPickItem {
  readonly model?: Model;
  readonly needsKey?: boolean;
}

/** What was chosen; `needsKey`: its provider has no key yet. */
export interface ChosenModel {
  readonly model: Model;
  readonly needsKey: boolean;
}

export async function pickModel(deps: ModelDeps): Promise<ChosenModel | undefined> {
  const chosen = await vscode.window.showQuickPick(modelItems(deps), {
    title: "Reins: Select Model",
    placeHolder: "Models of your providers; add more in the setting reins.providers",
    matchOnDescription: true,
  });
  return chosen?.model && { model: chosen.model, needsKey: chosen.needsKey ?? false };
}

/** Makes it the model of the open session, and of those to come. */
export async function useModel(deps: ModelDeps, model: Model): Promise<void> {
  const { ref } = modelChoice(model);
  deps.sessions.current.setModel(ref);
  await deps.settings.update({ model: ref });
}

/** Models that a person may choose; the tour is none. */
export function realModels(sessions: Sessions): readonly Model[] {
  return sessions.models().models.filter((model) => model.api !== "scripted");
}

/** Whether a request would need a key that is not there. Servers on this machine need none. */
export async function lacksKey(secrets: Secrets, model: Model): Promise<boolean> {
  if (model.baseUrl !== undefined && isLocal(model.baseUrl)) return false;
  return (await secrets.apiKey(model.provider)) === undefined;
}

async function modelItems(deps: ModelDeps): Promise<ModelItem[]> {
  const models = realModels(deps.sessions);
  const current = deps.sessions.current.model;
  const lacking = await Promise.all(models.map((model) => lacksKey(deps.secrets, model)));
  const ready = models.filter((_, index) => !lacking[index]);
  const others = models.filter((_, index) => lacking[index]);
  const item = (model: Model, needsKey: boolean): ModelItem => ({
    model,
    needsKey,
    label: `${isSame(model, current) ? "$(check) " : ""}${model.name}`,
    description: modelChoice(model).ref,
  });
  return [
    ...section(
      "Ready to use",
      ready.map((model) => item(model, false)),
    ),
    ...section(
      "Needs an API key",
      others.map((model) => item(model, true)),
    ),
  ];
}

function section(label: string, items: readonly ModelItem[]): ModelItem[] {
  return items.length ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items] : [];
}

function isSame(model: Model, other: Model | undefined): boolean {
  return other !== undefined && model.provider === other.provider && model.id === other.id;
}

function isLocal(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && ["localhost", "127.0.0.1", "[::1]"].includes(new URL(baseUrl).hostname);
}
