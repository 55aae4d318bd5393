// Deletes and moves files through VS Code, so that its editors follow, its trash is used and its undo knows. Leaves
// asking for it to the harness.
import * as vscode from "vscode";
import type { FileInfo } from "../harness/ports.ts";
import { UserError } from "../shared/errors.ts";
import { exists, fileError, placeName } from "./file-errors.ts";
import { openNotebook } from "./notebooks.ts";
import { openDocument } from "./read-text.ts";

interface Known {
  readonly uri: vscode.Uri;
  /** Undefined: there is nothing. */
  readonly info: FileInfo | undefined;
}

/** Rejects with a UserError, with nothing changed, for what is missing, not empty, read-only, a link or unsaved. */
export async function deleteFile(uri: vscode.Uri, info: FileInfo | undefined): Promise<void> {
  const place = placeName(uri);
  refuseUnready({ uri, info }, "deleted");
  if (info?.type === "directory" && (await entries(uri)).length > 0) {
    throw new UserError(`${place} is a folder that is not empty. Delete the files in it first.`);
  }
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(uri, { recursive: false, ignoreIfNotExists: false });
  if ((await vscode.workspace.applyEdit(edit)) && !(await exists(uri, "read"))) return;
  throw new UserError(
    `VS Code could not delete ${place}: there may be no permission, or no trash. Ask the user to delete it.`,
  );
}

/** Rejects with a UserError, with nothing changed, as `deleteFile`, for folders, and where something is at `to`. */
export async function renameFile(from: Known, to: Known): Promise<void> {
  const [source, target] = [placeName(from.uri), placeName(to.uri)];
  refuseUnready(from, "moved");
  if (from.info?.type !== "file") {
    throw new UserError(
      `${source} is not a file, and only files are moved. Move the files in it one by one.`,
    );
  }
  if (to.info !== undefined || openDocument(to.uri)?.isDirty === true) {
    throw new UserError(`${target} exists already, so nothing was moved. Choose another name.`);
  }
  if (vscode.workspace.fs.isWritableFileSystem(to.uri.scheme) === false) {
    throw new UserError(`${target} is in a read-only file system. Choose another place.`);
  }
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(from.uri, to.uri, { overwrite: false, ignoreIfExists: false });
  const applied = await vscode.workspace.applyEdit(edit);
  const left = await exists(from.uri, "read");
  const arrived = await exists(to.uri, "read");
  if (arrived && (applied || !left)) return;
  throw notMoved(source, target, { left, arrived });
}

/** A file system may copy first and then delete, and stop in between. */
function notMoved(
  source: string,
  target: string,
  { left, arrived }: { readonly left: boolean; readonly arrived: boolean },
): UserError {
  if (left && arrived) {
    return new UserError(
      `Moving ${source} to ${target} stopped half-way: both are there now, and ${target} may not be complete. ` +
        `Compare them, then delete the one that is not wanted.`,
    );
  }
  if (!left) {
    return new UserError(
      `Moving ${source} to ${target} failed, and neither is there now. Ask the user to restore ${source} from before this message.`,
    );
  }
  return new UserError(
    `VS Code could not move ${source} to ${target}: there may be no permission, or a file where a folder should be. ` +
      `Choose another place, or ask the user.`,
  );
}

function refuseUnready({ uri, info }: Known, done: "deleted" | "moved"): void {
  const place = placeName(uri);
  if (info === undefined) {
    throw new UserError(`${place} does not exist. Check the path, or list the folder it should be in.`);
  }
  if (info.link === true) {
    throw new UserError(`${place} is a symbolic link, which is not ${done}. Ask the user to do it.`);
  }
  if (hasUnsavedChanges(uri)) {
    throw new UserError(
      `${place} has unsaved changes of the user, so it was not ${done}. Ask the user to save or discard them first.`,
    );
  }
  if (info.readonly) {
    throw new UserError(
      `${place} is read-only, so it was not ${done}. Ask the user to make it writable first.`,
    );
  }
}

function hasUnsavedChanges(uri: vscode.Uri): boolean {
  return openDocument(uri)?.isDirty === true || openNotebook(uri)?.isDirty === true;
}

async function entries(uri: vscode.Uri): Promise<readonly unknown[]> {
  try {
    return await vscode.workspace.fs.readDirectory(uri);
  } catch (error) {
    throw fileError(error, uri, "list");
  }
}
