// Lets the user choose a model. What is known is there at once; what is found meanwhile joins, with the typed text and the
// selection kept. What is offered is model-items.ts' business.
import * as vscode from "vscode";
import type { Secrets, Settings } from "../harness/ports.ts";
import type { Sessions } from "../harness/types.ts";
import { DisposableStore } from "../shared/disposable.ts";
import { settingIds } from "./contributions.ts";
import { modelSections } from "./model-items.ts";
import type { Model, ModelEntry, ModelSection } from "./model-items.ts";
import { editSetting } from "./open-setting.ts";
import { modelChoice } from "./panel-state.ts";

export interface ModelDeps {
  readonly sessions: Sessions;
  readonly settings: Settings;
  readonly secrets: Secrets;
}

interface ModelItem extends vscode.QuickPickItem {
  readonly entry?: ModelEntry;
}

/** What was chosen; `needsKey`: its provider has no key yet. */
export interface ChosenModel {
  readonly model: Model;
  readonly needsKey: boolean;
}

export async function pickModel(deps: ModelDeps): Promise<ChosenModel | undefined> {
  const owned = new DisposableStore();
  const pick = owned.add(vscode.window.createQuickPick<ModelItem>());
  pick.title = "Reins: Select Model";
  pick.placeholder = "Choose a model, or type <provider>/<model id>";
  pick.matchOnDescription = true;
  pick.keepScrollPosition = true;
  pick.buttons = [{ iconPath: new vscode.ThemeIcon("gear"), tooltip: `Edit ${settingIds.providers}` }];
  try {
    const entry = await chooseEntry(deps, pick, owned);
    if (!entry) return undefined;
    if (entry.model) return { model: entry.model, needsKey: entry.lacksKey };
    await editSetting(settingIds.providers);
    return undefined;
  } finally {
    owned.dispose();
  }
}

/** Makes it the model of the open session, and of those to come. */
export async function useModel(deps: ModelDeps, model: Model): Promise<void> {
  const { ref } = modelChoice(model);
  deps.sessions.current.setModel(ref);
  await deps.settings.update({ model: ref });
}

/** Undefined when it was dismissed. */
async function chooseEntry(
  deps: ModelDeps,
  pick: vscode.QuickPick<ModelItem>,
  owned: DisposableStore,
): Promise<ModelEntry | undefined> {
  let latest = 0;
  const fill = async () => {
    const turn = (latest += 1);
    const sections = await modelSections(deps, pick.value);
    if (turn === latest) offer(pick, sections);
  };
  const chosen = new Promise<ModelEntry | undefined>((resolve) => {
    owned.add(pick.onDidAccept(() => resolve(pick.selectedItems[0]?.entry)));
    owned.add(pick.onDidHide(() => resolve(undefined)));
    owned.add(
      pick.onDidTriggerButton(() => {
        pick.hide();
        void editSetting(settingIds.providers);
      }),
    );
    let typedReference = false;
    owned.add(
      pick.onDidChangeValue((value) => {
        // Only a reference to a model changes what is offered; VS Code filters by itself.
        const before = typedReference;
        typedReference = value.includes("/");
        if (before || typedReference) void fill();
      }),
    );
    owned.add(deps.sessions.onDidChangeModels(() => void fill()));
  });
  await fill();
  pick.busy = true;
  pick.show();
  void deps.sessions.refreshModels().then(() => (pick.busy = false));
  const entry = await chosen;
  latest = Infinity;
  return entry;
}

/** Whoever has moved to an entry stays there; at first it is the model in use. */
function offer(pick: vscode.QuickPick<ModelItem>, sections: readonly ModelSection[]): void {
  const active = pick.activeItems[0]?.entry?.key;
  const items = sections.flatMap(({ title, entries }): ModelItem[] => [
    { label: title, kind: vscode.QuickPickItemKind.Separator },
    ...entries.map(toItem),
  ]);
  if (sameItems(pick.items, items)) return;
  const isFirst = pick.items.length === 0;
  pick.items = items;
  const kept = items.find(({ entry }) =>
    isFirst ? entry?.model !== undefined && entry.current : entry !== undefined && entry.key === active,
  );
  if (kept) pick.activeItems = [kept];
}

function toItem(entry: ModelEntry): ModelItem {
  const mark = entry.model && entry.current ? "$(check) " : "";
  return {
    entry,
    label: `${mark}${entry.label}`,
    description: entry.description,
    alwaysShow: entry.always ?? false,
  };
}

function sameItems(before: readonly ModelItem[], after: readonly ModelItem[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
