// What files were, as read-only documents, for the diffs of a restore.
import * as vscode from "vscode";
import type { CheckpointBook } from "../../harness/checkpoints/types.ts";
import { isJsonObject } from "../../shared/json.ts";
import { checkpointScheme } from "../contributions.ts";

/** A document with a content of a file: by its SHA-256, or nothing (null). */
export function imageUri(fileUri: string, hash: string | null): vscode.Uri {
  const file = vscode.Uri.parse(fileUri, true);
  return vscode.Uri.from({
    ...{ scheme: checkpointScheme, path: file.path },
    query: JSON.stringify({ hash, file: fileUri }),
  });
}

export function registerImageDocuments(getBook: () => CheckpointBook | undefined): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(checkpointScheme, {
    provideTextDocumentContent: (uri) => imageText(getBook(), uri),
  });
}

async function imageText(book: CheckpointBook | undefined, uri: vscode.Uri): Promise<string> {
  const data: unknown = JSON.parse(uri.query);
  if (!isJsonObject(data) || typeof data.hash !== "string" || typeof data.file !== "string") return "";
  const bytes = await book?.readImage(data.hash);
  if (bytes === undefined) return "(This copy is not kept any more.)";
  try {
    return await vscode.workspace.decode(bytes, { uri: vscode.Uri.parse(data.file, true) });
  } catch {
    // VS Code decodes no binary files.
    return `(Binary, ${bytes.length} bytes)`;
  }
}
