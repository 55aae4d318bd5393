// Putting files back, as the user does it: first the list of what would change, each file with its diff; then, for what
// they chose, the restore. What happens to files is the harness's business.
import * as vscode from "vscode";
import type { PlannedFile, RestorePlan, RestorePoint } from "../../harness/checkpoints/types.ts";
import type { CodingSession } from "../../harness/types.ts";
import { UserError } from "../../shared/errors.ts";
import { DisposableStore } from "../../shared/disposable.ts";
import { imageUri } from "./image-documents.ts";
import { restoreItems, uncoveredText } from "./restore-items.ts";
import type { RestoreItem } from "./restore-items.ts";

type FileItem = vscode.QuickPickItem & { readonly item?: RestoreItem };

const compareButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("diff"),
  tooltip: "Compare with what it becomes",
};
const compareAllButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("diff-multiple"),
  tooltip: "Compare all",
};

/** Rejects with a UserError when nothing can be put back, or when something could not be. */
export async function restoreFiles(session: CodingSession, point: RestorePoint): Promise<void> {
  const plan = await session.checkpoints.plan(point);
  if (plan.files.length === 0) {
    const uncovered = uncoveredText(plan);
    const why = uncovered === undefined ? "" : ` ${uncovered}.`;
    void vscode.window.showInformationMessage(`No file differs from what it was then.${why}`);
    return;
  }
  const chosen = await chooseFiles(plan);
  if (chosen === undefined || chosen.length === 0) return;
  const { failed } = await session.checkpoints.restore(
    plan,
    chosen.map(({ uri }) => uri),
  );
  if (failed.length > 0) throw new UserError(failed.map(({ path, why }) => `${path}: ${why}`).join(" "));
}

/** Lets the user choose the message to restore to. Does nothing when no file was changed in the session. */
export async function pickRestorePoint(session: CodingSession): Promise<RestorePoint | undefined> {
  const items = session.transcript.messages.flatMap(({ id, message }) => {
    if (message.role !== "user") return [];
    const count = session.checkpoints.changed(id).length;
    if (count === 0) return [];
    const text = typeof message.content === "string" ? message.content : "";
    const label = text.trim().replace(/\s+/g, " ").slice(0, 80) || "(message)";
    // A message may contain what a label would show as an icon.
    return [{ id, label: label.replace(/\$\(/g, "$\u200b("), description: `${count} changed since` }];
  });
  if (items.length === 0)
    throw new UserError("Nothing was changed in this session, so there is nothing to restore.");
  const chosen = await vscode.window.showQuickPick(items.reverse(), {
    title: "Reins: Restore Files to a Message",
    placeHolder: "Files become what they were before the message. The conversation stays.",
  });
  return chosen && { type: "message", id: chosen.id };
}

/** Undefined when it was dismissed. */
async function chooseFiles(plan: RestorePlan): Promise<readonly PlannedFile[] | undefined> {
  const owned = new DisposableStore();
  const pick = owned.add(vscode.window.createQuickPick<FileItem>());
  pick.title = plan.point.type === "restore" ? "Reins: Undo Restore" : "Reins: Restore Files to Here";
  pick.placeholder = "Enter restores what is checked. The conversation stays; a restore can be undone.";
  pick.canSelectMany = true;
  // The diffs take the focus.
  pick.ignoreFocusOut = true;
  pick.buttons = [compareAllButton];
  pick.items = fileItems(plan);
  pick.selectedItems = pick.items.filter(({ item }) => item?.picked === true);
  try {
    return await new Promise((resolve) => {
      owned.add(pick.onDidAccept(() => resolve(pick.selectedItems.flatMap(({ item }) => item?.file ?? []))));
      owned.add(pick.onDidHide(() => resolve(undefined)));
      owned.add(pick.onDidTriggerButton(() => void compareAll(plan)));
      owned.add(pick.onDidTriggerItemButton(({ item }) => void (item.item && compare(item.item.file))));
      pick.show();
    });
  } finally {
    owned.dispose();
  }
}

function fileItems(plan: RestorePlan): FileItem[] {
  const uncovered = uncoveredText(plan);
  const items = restoreItems(plan).map((item): FileItem => ({
    ...{ item, label: item.label, description: item.description, buttons: [compareButton] },
    ...(item.detail !== undefined && { detail: item.detail }),
  }));
  if (uncovered === undefined) return items;
  return [...items, { label: uncovered, kind: vscode.QuickPickItemKind.Separator }];
}

async function compare(file: PlannedFile): Promise<void> {
  const { now, then } = sides(file);
  const title = `${file.path} (now ↔ restored)`;
  await vscode.commands.executeCommand("vscode.diff", now, then, title, { preview: true });
}

async function compareAll({ files }: RestorePlan): Promise<void> {
  const resources = files.map((file) => {
    const { now, then } = sides(file);
    return [vscode.Uri.parse(file.uri, true), now, then];
  });
  await vscode.commands.executeCommand("vscode.changes", "Restore (now ↔ restored)", resources);
}

function sides({ uri, now, then }: PlannedFile): { readonly now: vscode.Uri; readonly then: vscode.Uri } {
  return { now: now === null ? imageUri(uri, null) : vscode.Uri.parse(uri, true), then: imageUri(uri, then) };
}
