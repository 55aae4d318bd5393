// The ripgrep that this VS Code brings: it is found, and searches as the walker does.
import assert from "node:assert/strict";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { searchFiles, searchText } from "../../src/harness/search/search.ts";
import type { SearchContext, TextSearch } from "../../src/harness/search/search.ts";
import { Ripgrep } from "../../src/node/ripgrep.ts";
import { findRipgrep } from "../../src/node/ripgrep-binary.ts";
import { systemClock } from "../../src/vscode/clock.ts";
import { VsCodeFiles } from "../../src/vscode/files.ts";
import { VsCodeSearch } from "../../src/vscode/search.ts";
import { VsCodeWorkspace } from "../../src/vscode/workspace.ts";
import { FilesFixture } from "./files-fixture.ts";

describe("searching with VS Code's ripgrep", function () {
  const fixture = new FilesFixture();
  const workspace = new VsCodeWorkspace();
  const signal = new AbortController().signal;
  let binary: string | undefined;

  before(async () => {
    binary = await findRipgrep({ appRoot: vscode.env.appRoot, env: {} });
  });
  afterEach(() => fixture.restore());
  after(() => {
    workspace.dispose();
    fixture.dispose();
  });

  const context = (engine?: Ripgrep): SearchContext => ({
    files: new VsCodeFiles(),
    workspace,
    search: new VsCodeSearch(() => Promise.resolve(engine)),
    clock: systemClock,
  });
  const search = (change: Partial<TextSearch> = {}): TextSearch => ({
    ...{ places: [{ uri: fixture.uri("").toString(), isFolder: true }], pattern: "foo\\d", literal: false },
    ...{ ignoreCase: false, context: 1, glob: undefined, limit: 100 },
    ...change,
  });

  it("finds it in the application's folder", () => {
    assert.ok(binary?.startsWith(vscode.env.appRoot), String(binary));
    assert.match(dirname(binary ?? ""), /ripgrep/);
  });

  it("finds what the walker finds, unsaved text and excluded files included", async () => {
    await fixture.set("files.autoSave", "off");
    await fixture.set("search.exclude", { "**/gen": true, "**/*.map": true });
    fixture.put(".gitignore", "*.log\n!keep.log\n");
    fixture.put("a.txt", "1\nfoo1\r\n3\n");
    fixture.put("keep.log", "foo2");
    fixture.put("x.log", "foo3");
    fixture.put("gen/a.txt", "foo4");
    fixture.put("sub/.ignore", "b.txt\n");
    fixture.put("sub/b.txt", "foo5");
    fixture.put("sub/c.txt", "foo6\n");
    fixture.put("sub/c.txt.map", "foo7\n");
    const editor = await fixture.show("sub/c.txt");
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "typed foo8\n"));
    assert.ok(binary !== undefined);
    const engine = new Ripgrep(binary);
    const quick = await searchText(context(engine), search(), signal);
    const slow = await searchText(context(), search(), signal);
    assert.deepEqual(quick.files, slow.files);
    assert.deepEqual(
      quick.files.map(({ uri, unsaved, lines }) => [
        uri.slice(fixture.uri("").toString().length + 1),
        unsaved,
        ...lines.map(({ line, text, match }) => `${line}${match ? ":" : "-"}${text}`),
      ]),
      [
        ["a.txt", false, "1-1", "2:foo1", "3-3"],
        ["keep.log", false, "1:foo2"],
        ["sub/c.txt", true, "1:typed foo8", "2:foo6"],
      ],
    );
    const named = { places: search().places, pattern: "*.txt", limit: 10 };
    const files = await searchFiles(context(engine), named, signal);
    assert.deepEqual(files, await searchFiles(context(), named, signal));
    assert.equal(files.entries.length, 2);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });
});
