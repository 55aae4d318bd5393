// The commands for unseen changes: on the change, the file or all that VS Code's menus name, else at the cursor.
import * as vscode from "vscode";
import type { BaselineBook, ChangePart, UnseenFile } from "../../harness/checkpoints/types.ts";
import type { Disposable } from "../../shared/disposable.ts";
import { DisposableStore } from "../../shared/disposable.ts";
import { UserError } from "../../shared/errors.ts";
import { commandIds } from "../contributions.ts";
import type { ErrorReporter } from "../report-error.ts";
import type { UnseenChanges } from "./changes.ts";
import { partAt, partOf } from "./editor-changes.ts";

type Command = (changes: UnseenChanges, ...args: readonly unknown[]) => Promise<void>;

/** By id, for whoever registers them. Each rejects with a UserError when there is nothing to do, or it cannot be done. */
export const changeCommands: Readonly<Record<string, { readonly action: string; readonly run: Command }>> = {
  [commandIds.reviewChanges]: { action: "Showing the changes", run: review },
  [commandIds.keepAllChanges]: { action: "Keeping the changes", run: keepAll },
  [commandIds.undoAllChanges]: { action: "Undoing the changes", run: undoAll },
  [commandIds.keepFile]: { action: "Keeping the changes", run: keepFiles },
  [commandIds.undoFile]: { action: "Undoing the changes", run: undoFiles },
  [commandIds.keepChange]: { action: "Keeping the change", run: keepChange },
  [commandIds.undoChange]: { action: "Undoing the change", run: undoChange },
};

export function registerChangeCommands(changes: UnseenChanges, errors: ErrorReporter): Disposable {
  const owned = new DisposableStore();
  for (const [id, { action, run }] of Object.entries(changeCommands))
    owned.add(
      vscode.commands.registerCommand(id, (...args: readonly unknown[]) =>
        errors.run(action, () => run(changes, ...args)),
      ),
    );
  return owned;
}

async function review(changes: UnseenChanges): Promise<void> {
  requireFiles(changes);
  await changes.open();
}

function keepAll(changes: UnseenChanges): Promise<void> {
  const { book, files } = requireFiles(changes);
  book.keep(files.map(({ uri }) => uri));
  return Promise.resolve();
}

async function undoAll(changes: UnseenChanges): Promise<void> {
  const { files } = requireFiles(changes);
  const what = files.length === 1 ? "1 file" : `${files.length} files`;
  await undo(changes, files, { question: `Undo all changes of Reins in ${what}?` });
}

function keepFiles(changes: UnseenChanges, ...args: readonly unknown[]): Promise<void> {
  const { book, files } = requireFiles(changes);
  book.keep(namedFiles(files, args).map(({ uri }) => uri));
  return Promise.resolve();
}

async function undoFiles(changes: UnseenChanges, ...args: readonly unknown[]): Promise<void> {
  await undo(changes, namedFiles(requireFiles(changes).files, args));
}

function keepChange(changes: UnseenChanges, ...args: readonly unknown[]): Promise<void> {
  const { book, file, part } = namedChange(changes, args);
  book.keep([file.uri], part);
  return Promise.resolve();
}

async function undoChange(changes: UnseenChanges, ...args: readonly unknown[]): Promise<void> {
  const { file, part } = namedChange(changes, args);
  await undo(changes, [file], { part });
}

interface Undo {
  /** Asked in any case. */
  readonly question?: string;
  readonly part?: ChangePart;
}

/** A new file that the user wrote in is never deleted without a question. */
async function undo(
  { book }: UnseenChanges,
  files: readonly UnseenFile[],
  { question, part }: Undo = {},
): Promise<void> {
  const mixed = files.filter(({ created, touched }) => created && touched).map(({ path }) => path);
  const asked = question ?? `Undo the changes of Reins in ${files.map(({ path }) => path).join(", ")}?`;
  if ((question !== undefined || mixed.length > 0) && !(await confirm(asked, mixed))) return;
  const result = await book?.undo(
    files.map(({ uri }) => uri),
    part,
  );
  const failed = result?.failed ?? [];
  if (failed.length > 0) throw new UserError(failed.map(({ path, why }) => `${path}: ${why}`).join(" "));
}

async function confirm(question: string, mixed: readonly string[]): Promise<boolean> {
  const undoButton = "Undo";
  const lost =
    mixed.length > 0 ? `Deleted, with what you wrote in it since: ${mixed.join(", ")}.` : undefined;
  const detail = [lost, "What you typed elsewhere stays. “Reins: Undo Restore” takes this back."];
  const options = { modal: true, detail: detail.filter(Boolean).join("\n") };
  return (await vscode.window.showWarningMessage(question, options, undoButton)) === undoButton;
}

function requireFiles(changes: UnseenChanges): {
  readonly book: BaselineBook;
  readonly files: readonly UnseenFile[];
} {
  changes.takeTyping();
  const { book } = changes;
  const files = book?.files ?? [];
  if (book === undefined || files.length === 0)
    throw new UserError("No change of this session waits to be kept or undone.");
  return { book, files };
}

/** Those that the source control view was asked on, else the one in the active editor. */
function namedFiles(files: readonly UnseenFile[], args: readonly unknown[]): readonly UnseenFile[] {
  const named = args.flatMap(resourceUri);
  const uris = named.length > 0 ? named : [activeUri()];
  const found = files.filter((file) => uris.some((uri) => isAt(file, uri)));
  if (found.length > 0) return found;
  throw new UserError("Open a file that Reins changed, or choose it in the Source Control view.");
}

function namedChange(
  changes: UnseenChanges,
  [uri, all, index]: readonly unknown[],
): { readonly book: BaselineBook; readonly file: UnseenFile; readonly part: ChangePart } {
  const place = uri instanceof vscode.Uri ? uri : activeUri();
  const { book, files } = requireFiles(changes);
  const file = files.find((each) => isAt(each, place));
  const part = partOf(all, index) ?? (file && partAtCursor(book, file));
  if (file && part) return { book, file, part };
  throw new UserError("Put the cursor on a change of Reins: a line with a mark beside it.");
}

function partAtCursor(book: BaselineBook, { uri }: UnseenFile): ChangePart | undefined {
  const editor = vscode.window.activeTextEditor;
  const baseline = book.baselineOf(uri);
  if (!editor || baseline === undefined) return undefined;
  return partAt(baseline, editor.document.getText(), editor.selection.active.line);
}

function resourceUri(argument: unknown): vscode.Uri[] {
  if (typeof argument !== "object" || argument === null || !("resourceUri" in argument)) return [];
  return argument.resourceUri instanceof vscode.Uri ? [argument.resourceUri] : [];
}

function activeUri(): vscode.Uri | undefined {
  return vscode.window.activeTextEditor?.document.uri;
}

function isAt(file: UnseenFile, uri: vscode.Uri | undefined): boolean {
  return uri !== undefined && vscode.Uri.parse(file.uri, true).toString() === uri.toString();
}
