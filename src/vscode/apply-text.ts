// Changes a file's text: as one minimal, undoable edit of the live document, saved through VS Code where it was
// clean; nothing is changed when it cannot be done exactly. Leaves deciding and merging to the harness.
import * as vscode from "vscode";
import type { LaterChange, TextApplied, TextChange } from "../harness/ports.ts";
import { mergeTexts } from "../harness/proposals/rebase.ts";
import { ChangedMeanwhileError, UserError } from "../shared/errors.ts";
import { hasMixedLineEndings, withLineEnding } from "./line-endings.ts";
import { createText, encodeNew } from "./create-text.ts";
import { fileError, placeName } from "./file-errors.ts";
import { openNotebook } from "./notebooks.ts";
import { minimalReplacements } from "./minimal-edit.ts";
import { readText } from "./read-text.ts";
import type { ReadText } from "./read-text.ts";
import { isUnsavedByUs, saveDocument } from "./save-document.ts";
import { encodeText } from "./text-codec.ts";

/** How often an edit is tried while the user types. */
const mostTries = 20;

/** How long a clean document may lag behind its file before the file is written past it. */
const reloadWaitMs = 2_000;

type IsReadOnly = (uri: vscode.Uri) => Promise<boolean>;

/** Rejects with a UserError, with nothing changed, when the text is not `base` any more or cannot be kept. */
export async function applyText(change: TextChange, isReadOnly: IsReadOnly): Promise<TextApplied> {
  const uri = vscode.Uri.parse(change.uri, true);
  if (change.base === undefined) return createText(uri, change.text);
  const current = await readChangeable(uri, change.text, isReadOnly);
  if (current.snapshot.text !== change.base.text) throw changedMeanwhile(uri);
  const document = await exactDocument(uri, current);
  if (document === undefined) return writeBytes(uri, change.text, current);
  const { othersUnsaved, typed } = await editDocument(document, change.base.text, change.text);
  const applied: TextApplied = othersUnsaved
    ? { text: document.getText(), saved: false, later: [] }
    : await saveDocument(document);
  return withoutLater({ ...applied, later: [...typed, ...(applied.later ?? [])] }, change.text);
}

/** Rejects with a UserError as `applyText` would, whatever the text is now. */
export async function checkText({ uri, base, text }: TextChange, isReadOnly: IsReadOnly): Promise<void> {
  const place = vscode.Uri.parse(uri, true);
  if (base === undefined) await encodeNew(place, text);
  else await readChangeable(place, text, isReadOnly);
}

/** Where the text is what was asked for, there is nothing to tell apart. */
function withoutLater({ later, ...applied }: TextApplied, wanted: string): TextApplied {
  return applied.text === wanted || later === undefined ? applied : { ...applied, later };
}

async function readChangeable(uri: vscode.Uri, text: string, isReadOnly: IsReadOnly): Promise<ReadText> {
  refuseNotebook(uri);
  const current = await readText(uri);
  await refuseUnkept(uri, text, current);
  if (!current.document?.isUntitled && (await isReadOnly(uri).catch(() => false))) {
    throw new UserError(`${placeName(uri)} is read-only. Ask the user to make it writable first.`);
  }
  return current;
}

/** The notebook editor has its own model: the file's text under it would be lost or fought over. */
function refuseNotebook(uri: vscode.Uri): void {
  if (openNotebook(uri)) {
    throw new UserError(
      `${placeName(uri)} is open in the notebook editor, so its text cannot be edited. Ask the user to close it first.`,
    );
  }
}

async function refuseUnkept(uri: vscode.Uri, text: string, current: ReadText): Promise<void> {
  const place = placeName(uri);
  if (current.snapshot.lossy) {
    throw new UserError(
      `${place} has bytes that are not ${current.codec.encoding}, and editing would lose them. ` +
        `Ask the user to reopen it with the right encoding or to set files.encoding.`,
    );
  }
  if ((await encodeText(text, current.codec)) === undefined) {
    throw new UserError(
      `The new text has characters that ${place} cannot hold in its encoding (${current.codec.encoding}). ` +
        `Use other characters, or ask the user to convert the file to UTF-8.`,
    );
  }
}

/**
 * The live document, if editing and saving it changes nothing else. Undefined where it would: an editor knows one
 * line ending per file and would rewrite every line of a file that mixes them, and it always writes the byte
 * order mark of UTF-16; also where the document still shows an older state of the file.
 */
async function exactDocument(uri: vscode.Uri, current: ReadText): Promise<vscode.TextDocument | undefined> {
  if (current.snapshot.dirty) return current.document;
  if (hasMixedLineEndings(current.snapshot.text)) return undefined;
  if (current.codec.encoding.startsWith("utf16") && !current.codec.bom) return undefined;
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.encoding !== current.codec.encoding) return undefined;
  return (await hasText(document, current.snapshot.text)) ? document : undefined;
}

function hasText(document: vscode.TextDocument, text: string): Promise<boolean> {
  if (document.getText() === text) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (found: boolean) => {
      listener.dispose();
      clearTimeout(timer);
      resolve(found);
    };
    const listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && document.getText() === text) finish(true);
    });
    const timer = setTimeout(() => finish(false), reloadWaitMs);
  });
}

/** The file is clean, so a document that shows it reloads, and keeps that as a step of its undo stack. */
async function writeBytes(uri: vscode.Uri, text: string, current: ReadText): Promise<TextApplied> {
  const bytes = await encodeText(text, current.codec);
  const now = await readText(uri);
  if (bytes === undefined || now.snapshot.dirty || now.snapshot.text !== current.snapshot.text) {
    throw changedMeanwhile(uri);
  }
  try {
    await vscode.workspace.fs.writeFile(uri, bytes);
    return { text, saved: true };
  } catch (error) {
    throw fileError(error, uri, "write");
  }
}

interface Edited {
  /** It had unsaved changes of others in the moment of the edit. */
  readonly othersUnsaved: boolean;
  /** What the user typed since the text was looked at, if anything. */
  readonly typed: readonly LaterChange[];
}

/**
 * What is typed in the very moment stays: the edit is made on the text of now. Between looking at that and VS Code's own
 * check of the version nothing is awaited, so that no key can come in between.
 */
async function editDocument(document: vscode.TextDocument, base: string, text: string): Promise<Edited> {
  const ending = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  const asked = withLineEnding(text, ending);
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const now = document.getText();
    const merged = mergeTexts(base, asked, now);
    if (typeof merged !== "string") break;
    const othersUnsaved = document.isDirty && !isUnsavedByUs(document);
    const edit = new vscode.WorkspaceEdit();
    for (const each of minimalReplacements(now, merged)) {
      const range = new vscode.Range(document.positionAt(each.start), document.positionAt(each.end));
      edit.replace(document.uri, range, each.text);
    }
    // VS Code refuses the edit when the user typed since.
    if (edit.size === 0 || (await vscode.workspace.applyEdit(edit)))
      return { othersUnsaved, typed: merged === asked ? [] : [{ by: "user", before: asked, after: merged }] };
  }
  throw changedMeanwhile(document.uri);
}

function changedMeanwhile(uri: vscode.Uri): ChangedMeanwhileError {
  return new ChangedMeanwhileError(
    `${placeName(uri)} has changed since it was read. Read it again, then repeat the change.`,
  );
}
