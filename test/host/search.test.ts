// Searching through VS Code's file systems, as in the browser and wherever there is no ripgrep. Runs in both hosts.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { searchFiles, searchText } from "../../src/harness/search/search.ts";
import type { SearchContext, TextSearch } from "../../src/harness/search/search.ts";
import { systemClock } from "../../src/vscode/clock.ts";
import { VsCodeFiles } from "../../src/vscode/files.ts";
import { VsCodeSearch } from "../../src/vscode/search.ts";
import { VsCodeWorkspace } from "../../src/vscode/workspace.ts";
import { closeEditors } from "./editors.ts";

const scheme = "reins-test-search";

/** Folders and files by path; `/slow` never answers. */
class Tree implements vscode.FileSystemProvider {
  readonly contents: { readonly [path: string]: string };
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  constructor(contents: { readonly [path: string]: string }) {
    this.contents = contents;
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const content = this.contents[uri.path];
    const times = { ctime: 0, mtime: 0 };
    if (content !== undefined) return { type: vscode.FileType.File, size: content.length, ...times };
    if (this.readDirectory(uri).length > 0) return { type: vscode.FileType.Directory, size: 0, ...times };
    throw vscode.FileSystemError.FileNotFound(uri);
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    const prefix = uri.path.replace(/\/?$/, "/");
    const found = new Map<string, vscode.FileType>();
    for (const path of Object.keys(this.contents)) {
      if (!path.startsWith(prefix)) continue;
      const [name = "", ...rest] = path.slice(prefix.length).split("/");
      found.set(name, rest.length > 0 ? vscode.FileType.Directory : vscode.FileType.File);
    }
    return [...found];
  }

  /** A file is asked for that never comes. */
  onSlow = (): void => undefined;

  readFile(uri: vscode.Uri): Uint8Array | Promise<Uint8Array> {
    if (uri.path.startsWith("/slow")) {
      this.onSlow();
      return new Promise(() => undefined);
    }
    const content = this.contents[uri.path];
    if (content === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return new TextEncoder().encode(content);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  writeFile(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
}

describe("searching without ripgrep", function () {
  const workspace = new VsCodeWorkspace();
  const context: SearchContext = {
    files: new VsCodeFiles(),
    workspace,
    search: new VsCodeSearch(() => Promise.resolve(undefined)),
    clock: systemClock,
  };
  const signal = new AbortController().signal;
  const search = (uri: vscode.Uri, change: Partial<TextSearch> = {}) =>
    searchText(
      context,
      {
        ...{ places: [{ uri: uri.toString(), isFolder: true }], pattern: "foo", literal: false },
        ...{ ignoreCase: false, context: 0, glob: undefined, limit: 100 },
        ...change,
      },
      signal,
    );
  const names = (root: vscode.Uri, found: readonly { readonly uri: string }[]) =>
    found.map(({ uri }) => vscode.Uri.parse(uri).path.slice(root.path.length + 1));
  after(() => workspace.dispose());

  it("finds text and files on a file system that has no search of its own", async () => {
    const tree = new Tree({
      "/w/.gitignore": "*.log\n",
      "/w/a b.txt": "x\nfoo ä\n",
      "/w/b/c.log": "foo\n",
      "/w/b/d.txt": "foo\n",
      "/w/bin": "foo\0",
    });
    const registration = vscode.workspace.registerFileSystemProvider(scheme, tree);
    const root = vscode.Uri.from({ scheme, path: "/w" });
    try {
      const found = await search(root);
      assert.deepEqual(names(root, found.files), ["a b.txt", "b/d.txt"]);
      assert.deepEqual(found.files[0]?.lines, [{ line: 2, text: "foo ä", match: true }]);
      const places = [{ uri: root.toString(), isFolder: true }];
      const files = await searchFiles(context, { places, pattern: "b/**", limit: 10 }, signal);
      assert.deepEqual(names(root, files.entries), ["b", "b/d.txt"]);
    } finally {
      registration.dispose();
    }
  });

  it("ends when it is stopped, even if a file never comes", async () => {
    const tree = new Tree({ "/slow/a": "foo" });
    const registration = vscode.workspace.registerFileSystemProvider(scheme, tree);
    const abort = new AbortController();
    tree.onSlow = () => abort.abort();
    const uri = vscode.Uri.from({ scheme, path: "/slow" }).toString();
    const running = searchText(
      context,
      {
        ...{ places: [{ uri, isFolder: true }], pattern: "foo", literal: true, ignoreCase: false },
        ...{ context: 0, glob: undefined, limit: 1 },
      },
      abort.signal,
    );
    await assert.rejects(running, /aborted/i);
    registration.dispose();
  });

  describe("in the workspace", () => {
    let root: vscode.Uri;
    const put = (name: string, text: string) =>
      vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root, name), new TextEncoder().encode(text));
    const files = () => vscode.workspace.getConfiguration("files");
    let autoSave: unknown;

    before(async () => {
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(folder);
      root = vscode.Uri.joinPath(folder.uri, "search-test");
      autoSave = files().inspect("autoSave")?.globalValue;
      await files().update("autoSave", "off", vscode.ConfigurationTarget.Global);
    });
    after(async () => {
      await closeEditors();
      await files().update("autoSave", autoSave, vscode.ConfigurationTarget.Global);
      await vscode.workspace.fs.delete(root, { recursive: true });
    });

    it("leaves out what the settings leave out, and sees what is not saved", async () => {
      await put("a.txt", "old foo\n");
      await put("b/c.txt", "foo\n");
      await put("node_modules/d/e.txt", "foo\n");
      const uri = vscode.Uri.joinPath(root, "a.txt");
      const document = await vscode.workspace.openTextDocument(uri);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(uri, document.lineAt(0).range, "new\nfoo 2");
      await vscode.workspace.applyEdit(edit);
      assert.ok(document.isDirty);
      const found = await search(root);
      assert.deepEqual(
        found.files.map(({ uri: each, unsaved, lines }) => [
          ...names(root, [{ uri: each }]),
          unsaved,
          ...lines.map(({ line, text }) => `${line} ${text}`),
        ]),
        [
          ["a.txt", true, "2 foo 2"],
          ["b/c.txt", false, "1 foo"],
        ],
      );
      const ignored = await search(vscode.Uri.joinPath(root, "node_modules"));
      assert.deepEqual(names(root, ignored.files), ["node_modules/d/e.txt"]);
    });
  });
});
