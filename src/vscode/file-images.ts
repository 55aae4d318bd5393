// Whole files as bytes, read and put back through VS Code, so that its editors know; on every file system it reaches.
import * as vscode from "vscode";
import type { FileImage, FileImages } from "../harness/ports.ts";
import { UserError } from "../shared/errors.ts";
import { fileError, isMissing, placeName } from "./file-errors.ts";
import { openDocument, readText } from "./read-text.ts";
import { decodeFile, encodeText } from "./text-codec.ts";

/** Permission bits, which only a host with access to the disk knows. */
export interface FileModes {
  /** Rejects when there is nothing at the path. */
  mode(fsPath: string): Promise<number>;
  setMode(fsPath: string, mode: number): Promise<void>;
}

export class VsCodeFileImages implements FileImages {
  private readonly modes: FileModes | undefined;

  constructor(modes?: FileModes) {
    this.modes = modes;
  }

  async read(uri: string): Promise<(FileImage & { readonly dirty: boolean }) | undefined> {
    const place = vscode.Uri.parse(uri, true);
    const unsaved = await unsavedBytes(place);
    try {
      const bytes = unsaved ?? (await vscode.workspace.fs.readFile(place));
      const mode = await this.modeOf(place);
      return { bytes, dirty: unsaved !== undefined, ...(mode !== undefined && { mode }) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw fileError(error, place, "read");
    }
  }

  async write(uri: string, image: FileImage | undefined): Promise<void> {
    const place = vscode.Uri.parse(uri, true);
    try {
      if (image === undefined) return await remove(place);
      if (!(await exists(place))) await create(place, image.bytes);
      else await replace(place, image.bytes);
      await this.setMode(place, image.mode);
    } catch (error) {
      throw fileError(error, place, "write");
    }
  }

  async removeEmptyFolder(uri: string): Promise<void> {
    const place = vscode.Uri.parse(uri, true);
    try {
      if ((await vscode.workspace.fs.readDirectory(place)).length > 0) return;
      await vscode.workspace.fs.delete(place, { recursive: false });
    } catch (error) {
      if (!isMissing(error)) throw fileError(error, place, "write");
    }
  }

  private async modeOf(place: vscode.Uri): Promise<number | undefined> {
    if (!this.modes || !isOnDisk(place)) return undefined;
    return this.modes.mode(place.fsPath).catch(() => undefined);
  }

  private async setMode(place: vscode.Uri, mode: number | undefined): Promise<void> {
    if (mode === undefined || !this.modes || !isOnDisk(place)) return;
    if ((await this.modeOf(place)) !== mode) await this.modes.setMode(place.fsPath, mode);
  }
}

/** What saving would write; undefined where nothing is unsaved, or where it could not be saved as it is. */
async function unsavedBytes(place: vscode.Uri): Promise<Uint8Array | undefined> {
  if (openDocument(place)?.isDirty !== true) return undefined;
  const { snapshot, codec } = await readText(place);
  return snapshot.dirty ? encodeText(snapshot.text, codec) : undefined;
}

async function exists(place: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(place);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function create(place: vscode.Uri, contents: Uint8Array): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(place, { contents, overwrite: false });
  await apply(edit, place);
}

async function remove(place: vscode.Uri): Promise<void> {
  if (!(await exists(place))) return;
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(place, { recursive: false, ignoreIfNotExists: true });
  await apply(edit, place);
}

/** A clean document follows its file. In one with unsaved changes it is an edit, so that undo brings them back. */
async function replace(place: vscode.Uri, bytes: Uint8Array): Promise<void> {
  const document = openDocument(place);
  if (document?.isDirty === true) await replaceBuffer(document, bytes);
  const now = await vscode.workspace.fs.readFile(place);
  const same = now.length === bytes.length && now.every((byte, index) => byte === bytes[index]);
  if (!same) await vscode.workspace.fs.writeFile(place, bytes);
}

async function replaceBuffer(document: vscode.TextDocument, bytes: Uint8Array): Promise<void> {
  const { text } = await decodeFile(document.uri, bytes, document.encoding);
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  await apply(edit, document.uri);
  if (!(await document.save()) && document.isDirty)
    throw new UserError(
      `${placeName(document.uri)} is put back in its editor, but VS Code could not save it. Save it from there.`,
    );
}

async function apply(edit: vscode.WorkspaceEdit, place: vscode.Uri): Promise<void> {
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new UserError(
    `VS Code could not put ${placeName(place)} back: there may be no permission, or something is in its place. Ask the user to change that, then try again.`,
  );
}

/** The Node host runs where the workspace is, so what is remote for the window is on its own disk. */
function isOnDisk(uri: vscode.Uri): boolean {
  return uri.scheme === "file" || uri.scheme === "vscode-remote";
}
