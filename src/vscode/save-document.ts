// Saves a document through VS Code, so that save participants run and its editors know. Leaves editing it to
// apply-text.ts.
import * as vscode from "vscode";
import type { TextApplied } from "../harness/ports.ts";
import { errorText } from "../shared/errors.ts";
import { placeName } from "./file-errors.ts";

/** How long a save that another one overtook (auto-save) may take to be done. */
const overtakenMs = 1_000;

/** Never rejects: when saving fails the buffer keeps the text, and `saveError` says why. */
export async function saveDocument(document: vscode.TextDocument): Promise<TextApplied> {
  // `save` also gives false when auto-save, running at the same moment, was not done yet.
  let failure = await trySave(document);
  if (failure !== undefined && !(await isSavedSoon(document))) failure = await trySave(document);
  else failure = undefined;
  const text = document.getText();
  if (failure === undefined) return { text, saved: true };
  const saveError =
    `${placeName(document.uri)} could not be saved (${failure}). ` +
    `The change is in its editor, unsaved: the user can save it from there.`;
  return { text, saved: false, saveError };
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
