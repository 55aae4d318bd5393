// The notebook that an editor shows, as cells: for what its file does not have yet. Changing notebooks is nobody's
// business here.
import * as vscode from "vscode";
import type { CellOutput, Notebook, NotebookCell } from "../harness/notebooks/types.ts";
import { errorOutputText, errorType, stderrType, stdoutType } from "../harness/notebooks/types.ts";
import { toBase64 } from "../harness/tools/content-kind.ts";
import { isJsonObject } from "../shared/json.ts";

/** The document that a notebook editor has for a place. */
export function openNotebook(uri: vscode.Uri): vscode.NotebookDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.notebookDocuments.find((each) => !each.isClosed && each.uri.toString() === key);
}

/** Undefined where none is open, or where it is as its file. */
export function unsavedNotebook(uri: vscode.Uri): Notebook | undefined {
  const document = openNotebook(uri);
  return document?.isDirty ? { cells: document.getCells().map(cellOf) } : undefined;
}

function cellOf({ kind, document, executionSummary, outputs }: vscode.NotebookCell): NotebookCell {
  const source = document.getText();
  if (kind === vscode.NotebookCellKind.Markup) return { type: "markdown", source, outputs: [] };
  // The Jupyter serializer's way of keeping the raw ones.
  if (document.languageId === "raw") return { type: "raw", source, outputs: [] };
  return {
    ...{ type: "code", source, language: document.languageId },
    executionCount: executionSummary?.executionOrder,
    outputs: outputs.map(outputOf),
  };
}

function outputOf({ items }: vscode.NotebookCellOutput): CellOutput {
  return new Map(items.map((item) => [item.mime, contentOf(item)]));
}

function contentOf({ mime, data }: vscode.NotebookCellOutputItem): string {
  if (mime.startsWith("image/")) return toBase64(data);
  const isText = mime.startsWith("text/") || [stdoutType, stderrType, "application/json"].includes(mime);
  if (isText) return new TextDecoder().decode(data);
  return mime === errorType ? errorText(new TextDecoder().decode(data)) : "";
}

/** Written by VS Code's `NotebookCellOutputItem.error`, but any extension may have done without that. */
function errorText(json: string): string {
  try {
    const error: unknown = JSON.parse(json);
    if (!isJsonObject(error)) return json;
    const [name = "", message = "", stack = ""] = ["name", "message", "stack"].map((key) =>
      typeof error[key] === "string" ? error[key] : "",
    );
    return errorOutputText(name, message, stack);
  } catch {
    return json;
  }
}
