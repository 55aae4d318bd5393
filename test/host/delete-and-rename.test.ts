// Deleting and moving in the real editor: the file closed, open, with unsaved changes, and taken back by undo.
import assert from "node:assert/strict";
import fs from "node:fs";
import * as vscode from "vscode";
import { until } from "./editors.ts";
import { FilesFixture } from "./files-fixture.ts";

describe("deleting and moving files", function () {
  let here: FilesFixture;
  before(() => {
    here = new FilesFixture();
  });
  afterEach(() => here.restore());
  after(() => here.dispose());

  const exists = (name: string) => fs.existsSync(here.path(name));
  const hasTab = (uri: string) =>
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri),
    );

  for (const open of [false, true]) {
    const state = open ? "open" : "closed";

    it(`deletes a file that is ${state}, and its editor with it`, async () => {
      const uri = here.put("a.txt", "one\n");
      if (open) await here.show("a.txt");
      await here.files.deleteFile(uri);
      assert.equal(exists("a.txt"), false);
      assert.equal(await here.files.stat(uri), undefined);
      await until("its editor is closed", () => !hasTab(uri));
    });

    it(`moves a file that is ${state} into a new folder, bytes as they were, and its editor follows`, async () => {
      const bytes = Buffer.from("efbbbf610d0ae9", "hex");
      const uri = here.put("a.txt", bytes, 0o755);
      const to = here.uri("new/deep/b.txt").toString();
      if (open) await here.show("a.txt");
      await here.files.renameFile(uri, to);
      assert.deepEqual([exists("a.txt"), here.hex("new/deep/b.txt")], [false, bytes.toString("hex")]);
      assert.equal(fs.statSync(here.path("new/deep/b.txt")).mode & 0o777, 0o755);
      await until("its editor followed", () => !hasTab(uri) && hasTab(to) === open);
    });
  }

  it("a move is taken back by one undo in the editor", async () => {
    const uri = here.put("a.txt", "one\n");
    await here.show("a.txt");
    await here.files.renameFile(uri, here.uri("b.txt").toString());
    await here.show("b.txt");
    await vscode.commands.executeCommand("undo");
    await until("it is back", () => exists("a.txt") && !exists("b.txt"));
    assert.equal(here.text("a.txt"), "one\n");
  });

  it("deletes an empty folder, and none with something in it", async () => {
    here.put("folder/a.txt", "one");
    const folder = here.uri("folder").toString();
    await assert.rejects(
      here.files.deleteFile(folder),
      /folder is a folder that is not empty\. Delete the files/,
    );
    assert.equal(here.text("folder/a.txt"), "one");
    fs.rmSync(here.path("folder/a.txt"));
    await here.files.deleteFile(folder);
    assert.equal(exists("folder"), false);
  });

  it("refuses a file with unsaved changes, which stay", async () => {
    await here.set("files.autoSave", "off");
    const uri = here.put("a.txt", "one\n");
    const editor = await here.show("a.txt");
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "typed "));
    const to = here.uri("b.txt").toString();
    await assert.rejects(
      here.files.deleteFile(uri),
      /unsaved changes of the user.*save or discard them first/,
    );
    await assert.rejects(here.files.renameFile(uri, to), /unsaved changes of the user/);
    assert.deepEqual([here.text("a.txt"), exists("b.txt")], ["one\n", false]);
    assert.equal(editor.document.getText(), "typed one\n");
  });

  it("refuses what is missing, read-only, a link, a folder to move, and a place that is taken", async () => {
    const uri = here.put("a.txt", "one\n");
    const taken = here.put("b.txt", "two\n");
    const missing = here.uri("no.txt").toString();
    await assert.rejects(here.files.deleteFile(missing), /does not exist/);
    await assert.rejects(here.files.renameFile(missing, taken), /does not exist/);
    await assert.rejects(here.files.renameFile(uri, taken), /b\.txt exists already/);
    await assert.rejects(here.files.renameFile(here.uri("").toString(), missing), /only files are moved/);
    fs.symlinkSync(here.path("a.txt"), here.path("link.txt"));
    await assert.rejects(here.files.deleteFile(here.uri("link.txt").toString()), /symbolic link/);
    fs.chmodSync(here.path("b.txt"), 0o444);
    await assert.rejects(here.files.deleteFile(taken), /read-only/);
    await here.set("files.readonlyInclude", { "**/a.txt": true });
    await assert.rejects(here.files.renameFile(uri, missing), /read-only/);
    assert.deepEqual([here.text("a.txt"), here.text("b.txt"), exists("no.txt")], ["one\n", "two\n", false]);
  });
});
