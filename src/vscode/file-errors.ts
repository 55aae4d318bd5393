// What goes wrong with files, as texts that name the place and the next step.
import * as vscode from "vscode";
import { errorText, UserError } from "../shared/errors.ts";

/** A place for people: relative to its workspace folder, else its path. */
export function placeName(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri, (vscode.workspace.workspaceFolders?.length ?? 0) > 1);
}

/** Turns what a file operation threw into a UserError; one that is one already is returned as it is. */
export function fileError(error: unknown, uri: vscode.Uri, action: "read" | "write" | "list"): UserError {
  if (error instanceof UserError) return error;
  const place = placeName(uri);
  switch (errorCode(error)) {
    case "FileNotFound":
    case "FileNotADirectory":
      return new UserError(`${place} does not exist. Check the path, or list the folder it should be in.`);
    case "FileIsADirectory":
      return new UserError(`${place} is a folder, not a file. List it, or name a file in it.`);
    case "NoPermissions":
      return new UserError(`There is no permission to ${action} ${place}. Ask the user to change that.`);
    default:
      return new UserError(
        `${place} could not be ${pastOf[action]} (${errorText(error)}). Try again, or ask the user.`,
      );
  }
}

/** Whether there is nothing at the place (a file where a folder should be counts as nothing). */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "FileNotFound" || code === "FileNotADirectory";
}

/** Rejects with a UserError when that cannot be told; `action` is what it was wanted for. */
export async function exists(uri: vscode.Uri, action: "read" | "write"): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw fileError(error, uri, action);
  }
}

const pastOf = { read: "read", write: "written", list: "listed" } as const;

function errorCode(error: unknown): string | undefined {
  return error instanceof vscode.FileSystemError ? error.code : undefined;
}
