// Makes a new text file with the folders on its way, as an undoable step. Leaves existing files to apply-text.ts.
import * as vscode from "vscode";
import type { TextApplied } from "../harness/ports.ts";
import { UserError } from "../shared/errors.ts";
import { saveCreated } from "./save-participants.ts";
import { withLineEnding } from "./line-endings.ts";
import { exists, placeName } from "./file-errors.ts";
import { bomEncoding } from "./text-codec.ts";

const mark = "\ufeff";
const utf8Mark = [0xef, 0xbb, 0xbf];

/**
 * The file gets `files.encoding`, and `files.eol` where that is set and the text has plain line feeds only.
 * Rejects with a UserError, with nothing changed, when something is there already or the text cannot be encoded.
 */
export async function createText(uri: vscode.Uri, given: string): Promise<TextApplied> {
  const place = placeName(uri);
  const { text, contents } = await encodeNew(uri, given);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents, overwrite: false });
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new UserError(
      `${place} could not be created: there may be no permission, or a file where a folder should be. ` +
        `Choose another place, or ask the user.`,
    );
  }
  const saved = await saveCreated(uri, text);
  if (saved && saved.text !== text) return saved;
  return { ...(saved ?? { saved: true }), text, ...(text !== given && { later: [] }) };
}

/** What a new file will hold, as text and bytes. Rejects as `createText` where that is known before. */
export async function encodeNew(
  uri: vscode.Uri,
  given: string,
): Promise<{ readonly text: string; readonly contents: Uint8Array }> {
  const place = placeName(uri);
  if (await exists(uri, "write")) {
    throw new UserError(`${place} exists already. Read it, then edit it or write all of it.`);
  }
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) {
    throw new UserError(`${place} is in a read-only file system. Choose another place.`);
  }
  const text = withConfiguredEnding(uri, given.startsWith(mark) ? given.slice(1) : given);
  const contents = withMark(await vscode.workspace.encode(text, { uri }), given.startsWith(mark));
  if (text !== "" && (await vscode.workspace.decode(contents, { uri })) !== text) {
    throw new UserError(
      `The text has characters that the encoding set for ${place} (files.encoding) cannot hold. Use other characters.`,
    );
  }
  return { text, contents };
}

/** The byte order mark that a text asks for, in UTF-8; other encodings have one or none by themselves. */
function withMark(bytes: Uint8Array, wanted: boolean): Uint8Array {
  if (!wanted || bomEncoding(bytes) !== undefined) return bytes;
  const marked = new Uint8Array(bytes.length + utf8Mark.length);
  marked.set(utf8Mark);
  marked.set(bytes, utf8Mark.length);
  return marked;
}

function withConfiguredEnding(uri: vscode.Uri, text: string): string {
  const ending = vscode.workspace.getConfiguration("files", uri).get<string>("eol");
  return ending === "\r\n" && !text.includes("\r") ? withLineEnding(text, ending) : text;
}
