// Saves a document through VS Code, so that save participants run and its editors know. Leaves editing it to
// apply-text.ts.
import * as vscode from "vscode";
import type { TextApplied } from "../harness/ports.ts";
import { errorText } from "../shared/errors.ts";
import { placeName } from "./file-errors.ts";
import { LaterChanges } from "./later-changes.ts";

/** How long a save that another one overtook (auto-save) may take to be done. */
const overtakenMs = 1_000;
/** How long save participants may take before it is said that it is not saved; they go on. */
const longestSaveMs = 20_000;

/** Documents whose only unsaved changes are ours, with their versions then: saving had failed. */
const unsavedByUs = new WeakMap<vscode.TextDocument, number>();

/** Whether nobody else has changed it since a save of ours failed. */
export function isUnsavedByUs(document: vscode.TextDocument): boolean {
  return unsavedByUs.get(document) === document.version;
}

/** Never rejects: when saving fails the buffer keeps the text, and `saveError` says why. */
export async function saveDocument(
  document: vscode.TextDocument,
  limitMs = longestSaveMs,
): Promise<TextApplied> {
  const changes = new LaterChanges(document);
  const failure = await saveWithin(document, limitMs);
  const later = changes.finish();
  const text = document.getText();
  unsavedByUs.delete(document);
  if (failure === undefined) return { text, saved: true, later };
  if (!later.some(({ by }) => by === "user")) unsavedByUs.set(document, document.version);
  const saveError =
    `${placeName(document.uri)} could not be saved (${failure}). ` +
    `The change is in its editor, unsaved: the user can save it from there.`;
  return { text, saved: false, saveError, later };
}

/** Why it is not saved; undefined when it is. */
async function saveWithin(document: vscode.TextDocument, limitMs: number): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<string>((resolve) => {
    const seconds = Math.ceil(limitMs / 1_000);
    const failure = `VS Code is still at it after ${seconds} s, so a formatter or another extension may hang`;
    timer = setTimeout(() => resolve(failure), limitMs);
  });
  try {
    return await Promise.race([saveTwice(document), tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/** `save` also gives false when auto-save, running at the same moment, was not done yet. */
async function saveTwice(document: vscode.TextDocument): Promise<string | undefined> {
  const failure = await trySave(document);
  return failure === undefined || (await isSavedSoon(document)) ? undefined : trySave(document);
}

async function trySave(document: vscode.TextDocument): Promise<string | undefined> {
  try {
    return (await document.save()) ? undefined : "VS Code could not write it";
  } catch (error) {
    return errorText(error);
  }
}

function isSavedSoon(document: vscode.TextDocument): Promise<boolean> {
  if (!document.isDirty) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (saved: boolean) => {
      listener.dispose();
      clearTimeout(timer);
      resolve(saved);
    };
    const listener = vscode.workspace.onDidSaveTextDocument((each) => {
      if (each === document) finish(true);
    });
    const timer = setTimeout(() => finish(!document.isDirty), overtakenMs);
  });
}
