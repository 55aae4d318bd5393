// The files of the workspace, over the VS Code API only, so for both hosts and every file system that VS Code
// reaches. Resolving links and permission bits need more than that: the Node host injects them.
import * as vscode from "vscode";
import type { Notebook } from "../harness/notebooks/types.ts";
import type {
  FileInfo,
  Files,
  FolderEntry,
  TextApplied,
  TextChange,
  TextSnapshot,
} from "../harness/ports.ts";
import { applyText, checkText } from "./apply-text.ts";
import { deleteFile, renameFile } from "./delete-and-rename.ts";
import { fileError, isMissing } from "./file-errors.ts";
import { unsavedNotebook } from "./notebooks.ts";
import { openDocument, readText } from "./read-text.ts";
import { isLockedBySetting } from "./readonly-setting.ts";

/** What only a host with access to the disk knows. Absent in the browser. */
export interface FileFacts {
  /** Symbolic links resolved. Rejects when there is nothing at the path. */
  realPath(fsPath: string): Promise<string>;
  /** Its permission bits let nobody write. */
  isReadOnly(fsPath: string): Promise<boolean>;
}

export class VsCodeFiles implements Files {
  private readonly facts: FileFacts | undefined;

  constructor(facts?: FileFacts) {
    this.facts = facts;
  }

  async stat(uri: string): Promise<FileInfo | undefined> {
    const place = vscode.Uri.parse(uri, true);
    try {
      const stat = await vscode.workspace.fs.stat(place);
      return {
        ...{ type: typeOf(stat.type), size: stat.size, readonly: await this.isReadOnly(place, stat) },
        ...(stat.type & vscode.FileType.SymbolicLink && { link: true }),
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw fileError(error, place, "read");
    }
  }

  async readBytes(uri: string): Promise<Uint8Array> {
    const place = vscode.Uri.parse(uri, true);
    try {
      return await vscode.workspace.fs.readFile(place);
    } catch (error) {
      throw fileError(error, place, "read");
    }
  }

  async readText(uri: string): Promise<TextSnapshot> {
    const document = await this.unsavedElsewhere(uri);
    if (document === undefined) return (await readText(vscode.Uri.parse(uri, true))).snapshot;
    const { snapshot } = await readText(document.uri);
    return { ...snapshot, uri, openAs: document.uri.toString() };
  }

  unsavedNotebook(uri: string): Notebook | undefined {
    return unsavedNotebook(vscode.Uri.parse(uri, true));
  }

  async list(uri: string): Promise<readonly FolderEntry[]> {
    const place = vscode.Uri.parse(uri, true);
    try {
      const entries = await vscode.workspace.fs.readDirectory(place);
      return entries.map(([name, type]) => ({
        name,
        type: typeOf(type),
        ...(type & vscode.FileType.SymbolicLink && { link: true }),
      }));
    } catch (error) {
      throw fileError(error, place, "list");
    }
  }

  async realUri(uri: string): Promise<string> {
    let place = vscode.Uri.parse(uri, true);
    if (!this.facts || !isOnDisk(place)) return uri;
    const missing: string[] = [];
    for (;;) {
      try {
        const real = vscode.Uri.file(await this.facts.realPath(place.fsPath));
        const resolved = place.with({ path: real.path });
        return vscode.Uri.joinPath(resolved, ...missing.reverse()).toString();
      } catch {
        const parent = vscode.Uri.joinPath(place, "..");
        if (parent.path === place.path) return uri;
        missing.push(place.path.slice(place.path.lastIndexOf("/") + 1));
        place = parent;
      }
    }
  }

  checkText(change: TextChange): Promise<void> {
    return checkText(change, this.mayNotWrite);
  }

  applyText(change: TextChange): Promise<TextApplied> {
    return applyText(change, this.mayNotWrite);
  }

  async deleteFile(uri: string): Promise<void> {
    await deleteFile(vscode.Uri.parse(uri, true), await this.stat(uri));
  }

  async renameFile(from: string, to: string): Promise<void> {
    const source = { uri: vscode.Uri.parse(from, true), info: await this.stat(from) };
    await renameFile(source, { uri: vscode.Uri.parse(to, true), info: await this.stat(to) });
  }

  private readonly mayNotWrite = async (uri: vscode.Uri): Promise<boolean> =>
    this.isReadOnly(uri, await vscode.workspace.fs.stat(uri));

  /** The document in which the user changes this very file under another name. */
  private async unsavedElsewhere(uri: string): Promise<vscode.TextDocument | undefined> {
    const place = vscode.Uri.parse(uri, true);
    if (openDocument(place)?.isDirty === true) return undefined;
    const unsaved = vscode.workspace.textDocuments.filter(
      (each) => each.isDirty && !each.isUntitled && each.uri.scheme === place.scheme,
    );
    if (unsaved.length === 0) return undefined;
    const real = await this.realUri(uri);
    for (const document of unsaved)
      if ((await this.realUri(document.uri.toString())) === real) return document;
    return undefined;
  }

  private async isReadOnly(uri: vscode.Uri, stat: vscode.FileStat): Promise<boolean> {
    if (((stat.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0) return true;
    if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return true;
    if (!(stat.type & vscode.FileType.File)) return false;
    if (await isLockedBySetting(uri)) return true;
    if (!this.facts || !isOnDisk(uri)) return false;
    return this.facts.isReadOnly(uri.fsPath).catch(() => false);
  }
}

/** The Node host runs where the workspace is, so what is remote for the window is on its own disk. */
function isOnDisk(uri: vscode.Uri): boolean {
  return uri.scheme === "file" || uri.scheme === "vscode-remote";
}

/** Symbolic links count as what they point at; one that points nowhere is `other`. */
function typeOf(type: vscode.FileType): FileInfo["type"] {
  if (type & vscode.FileType.File) return "file";
  return type & vscode.FileType.Directory ? "directory" : "other";
}
