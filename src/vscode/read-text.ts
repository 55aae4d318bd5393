// Reads a file's text as the user sees it: the unsaved buffer, else the decoded bytes. Leaves changing it to
// apply-text.ts.
import * as vscode from "vscode";
import type { TextSnapshot } from "../harness/ports.ts";
import { UserError } from "../shared/errors.ts";
import { decodeFile } from "./text-codec.ts";
import type { Codec } from "./text-codec.ts";
import { fileError, placeName } from "./file-errors.ts";

/** What VS Code opens for extensions at most. */
const maxTextBytes = 50 * 1024 * 1024;

/** A snapshot, and what is needed to write it back. */
export interface ReadText {
  readonly snapshot: TextSnapshot;
  readonly codec: Codec;
  /** The document that is open for it, shown or not. */
  readonly document: vscode.TextDocument | undefined;
}

/** Rejects with a UserError for what is missing, a folder, binary or too large. */
export async function readText(uri: vscode.Uri): Promise<ReadText> {
  const document = openDocument(uri);
  if (document?.isUntitled) return readBuffer(document, false);
  if (document?.isDirty) return readBuffer(document, await diskIsLossy(document));
  // A clean buffer shows what is on disk, or will as soon as the watcher reports: the disk is the truth, and
  // only it has the line endings of a file that mixes them.
  const bytes = await readTextBytes(uri);
  const decoded = await decodeText(uri, bytes, document?.encoding);
  const snapshot = snapshotOf(uri, decoded.text, {
    dirty: false,
    encoding: decoded.codec.encoding,
    lossy: decoded.lossy,
  });
  return { snapshot, codec: decoded.codec, document };
}

/** The open document of a place, if there is one. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((each) => !each.isClosed && each.uri.toString() === key);
}

function readBuffer(document: vscode.TextDocument, lossy: boolean): ReadText {
  const codec = { encoding: document.encoding, bom: /bom$|^utf16/.test(document.encoding) };
  const facts = { dirty: true, encoding: document.encoding, lossy };
  return { snapshot: snapshotOf(document.uri, document.getText(), facts), codec, document };
}

/** The buffer was decoded from bytes that it cannot give back. */
async function diskIsLossy(document: vscode.TextDocument): Promise<boolean> {
  if (!document.getText().includes("\uFFFD")) return false;
  try {
    const bytes = await vscode.workspace.fs.readFile(document.uri);
    return (await decodeFile(document.uri, bytes, document.encoding)).lossy;
  } catch {
    // Gone from disk: then there are no bytes left that an edit could lose.
    return false;
  }
}

async function readTextBytes(uri: vscode.Uri): Promise<Uint8Array> {
  try {
    const stat = await vscode.workspace.fs.stat(uri);
    if (stat.size > maxTextBytes) throw new UserError(tooLarge(uri, stat.size));
    if (stat.type & vscode.FileType.Directory) throw vscode.FileSystemError.FileIsADirectory(uri);
    // Reading a pipe or a device would wait for ever.
    if (!(stat.type & vscode.FileType.File)) throw new UserError(`${placeName(uri)} is not a regular file.`);
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    throw fileError(error, uri, "read");
  }
}

async function decodeText(uri: vscode.Uri, bytes: Uint8Array, encoding: string | undefined) {
  try {
    return await decodeFile(uri, bytes, encoding);
  } catch {
    throw new UserError(
      `${placeName(uri)} is a binary file (${bytes.length} bytes): it cannot be read or edited as text. ` +
        `Use a command that understands its format.`,
    );
  }
}

function tooLarge(uri: vscode.Uri, size: number): string {
  const megabytes = (size / 1024 / 1024).toFixed(1);
  return `${placeName(uri)} is too large (${megabytes} MB; the limit is 50 MB). Use a command to look at parts of it.`;
}

function snapshotOf(
  uri: vscode.Uri,
  text: string,
  facts: { readonly dirty: boolean; readonly encoding: string; readonly lossy: boolean },
): TextSnapshot {
  return { uri: uri.toString(), text, version: versionOf(text), ...facts };
}

/** By content, so that a save or a touch without a change is no new version. */
function versionOf(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
    a ^= a >>> 15;
    b ^= b >>> 13;
  }
  return `${text.length.toString(36)}-${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
}
