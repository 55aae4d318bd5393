// Makes a new text file with the folders on its way, as an undoable step. Leaves existing files to apply-text.ts.
import * as vscode from "vscode";
import type { TextApplied } from "../harness/ports.ts";
import { UserError } from "../shared/errors.ts";
import { withLineEnding } from "./line-endings.ts";
import { exists, placeName } from "./file-errors.ts";

/**
 * The file gets `files.encoding`, and `files.eol` where that is set and the text has plain line feeds only.
 * Rejects with a UserError, with nothing changed, when something is there already or the text cannot be encoded.
 */
export async function createText(uri: vscode.Uri, given: string): Promise<TextApplied> {
  const place = placeName(uri);
  if (await exists(uri, "write")) {
    throw new UserError(`${place} exists already. Read it, then edit it or write all of it.`);
  }
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) {
    throw new UserError(`${place} is in a read-only file system. Choose another place.`);
  }
  const text = withConfiguredEnding(uri, given);
  const contents = await vscode.workspace.encode(text, { uri });
  if (text !== "" && (await vscode.workspace.decode(contents, { uri })) !== text) {
    throw new UserError(
      `The text has characters that the encoding set for ${place} (files.encoding) cannot hold. Use other characters.`,
    );
  }
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents, overwrite: false });
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new UserError(
      `${place} could not be created: there may be no permission, or a file where a folder should be. ` +
        `Choose another place, or ask the user.`,
    );
  }
  return { text, saved: true };
}

function withConfiguredEnding(uri: vscode.Uri, text: string): string {
  const ending = vscode.workspace.getConfiguration("files", uri).get<string>("eol");
  return ending === "\r\n" && !text.includes("\r") ? withLineEnding(text, ending) : text;
}
