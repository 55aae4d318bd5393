// What the editor knows that searching needs: which places its disk has, what settings exclude, what is not saved.
import * as vscode from "vscode";
import type { Search, SearchEngine } from "../harness/search-ports.ts";

export class VsCodeSearch implements Search {
  private readonly findEngine: () => Promise<SearchEngine | undefined>;

  /** `findEngine`: for files on the extension host's own disk. */
  constructor(findEngine: () => Promise<SearchEngine | undefined>) {
    this.findEngine = findEngine;
  }

  /** The Node host runs where the workspace is, so what is remote for the window is on its own disk. */
  async engineFor(uri: string): Promise<SearchEngine | undefined> {
    const { scheme } = vscode.Uri.parse(uri, true);
    return scheme === "file" || scheme === "vscode-remote" ? this.findEngine() : undefined;
  }

  /** One with a condition (`when`) is about pairs of files in the explorer and counts as off. */
  excludes(folderUri: string | undefined): readonly string[] {
    const scope = folderUri === undefined ? undefined : vscode.Uri.parse(folderUri, true);
    const globs = ["files.exclude", "search.exclude"].flatMap((name) => {
      const value: unknown = vscode.workspace.getConfiguration(undefined, scope).get(name);
      if (typeof value !== "object" || value === null) return [];
      return Object.entries(value).flatMap(([glob, on]) => (on === true ? [glob] : []));
    });
    return [...new Set(globs)];
  }

  unsaved(): readonly { readonly uri: string; readonly text: string }[] {
    return vscode.workspace.textDocuments
      .filter((document) => document.isDirty && !document.isClosed && !document.isUntitled)
      .map((document) => ({ uri: document.uri.toString(), text: document.getText() }));
  }
}
