// What checkpoints need of the real VS Code: whole files read as saving would leave them, put back byte for byte with
// editors following, and what happens to files in the workspace.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import type { FileEvent } from "../../src/harness/ports.ts";
import { fileFacts } from "../../src/node/file-facts.ts";
import { VsCodeFileImages } from "../../src/vscode/file-images.ts";
import { VsCodeFileWatch } from "../../src/vscode/file-watch.ts";
import { until } from "./editors.ts";
import { FilesFixture } from "./files-fixture.ts";

describe("The image of a file", () => {
  let disk: FilesFixture;
  const images = new VsCodeFileImages(fileFacts);
  const bytes = (text: string) => new TextEncoder().encode(text);
  before(() => (disk = new FilesFixture()));
  afterEach(() => disk.restore());
  after(() => disk.dispose());

  it("is its bytes with its permission bits, or nothing", async () => {
    const uri = disk.put("a.bin", new Uint8Array([0, 255, 13, 10]), 0o755);
    const image = await images.read(uri);
    assert.deepEqual(
      [Buffer.from(image?.bytes ?? []).toString("hex"), image?.mode, image?.dirty],
      [...["00ff0d0a", 0o755, false]],
    );
    assert.equal(await images.read(disk.uri("missing").toString()), undefined);
  });

  it("of a file with unsaved changes is what saving would write", async () => {
    const uri = disk.put("a.txt", "\ufeffone\r\n");
    const editor = await disk.show("a.txt");
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "typed "));
    const image = await images.read(uri);
    assert.equal(image?.dirty, true);
    assert.equal(
      Buffer.from(image.bytes).toString("hex"),
      Buffer.from("\ufefftyped one\r\n").toString("hex"),
    );
  });

  it("is put back byte for byte: closed, open, and deleted meanwhile, with its folder and mode", async () => {
    const uri = disk.put("deep/a.sh", "one\n", 0o755);
    const image = await images.read(uri);
    fs.writeFileSync(disk.path("deep/a.sh"), "two");
    await images.write(uri, image);
    assert.equal(disk.text("deep/a.sh"), "one\n");
    const editor = await disk.show("deep/a.sh");
    await images.write(uri, { bytes: bytes("three\r\n") });
    await until("the editor follows", () => editor.document.getText() === "three\r\n");
    assert.equal(editor.document.isDirty, false);
    fs.rmSync(disk.path("deep"), { recursive: true });
    await images.write(uri, image);
    assert.equal(disk.text("deep/a.sh"), "one\n");
    assert.equal(fs.statSync(disk.path("deep/a.sh")).mode & 0o777, 0o755);
  });

  it("over unsaved changes is an edit that undo takes back, and nothing formats the result", async () => {
    await disk.set("files.trimTrailingWhitespace", true);
    const uri = disk.put("a.txt", "one");
    const editor = await disk.show("a.txt");
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "mine "));
    await images.write(uri, { bytes: bytes("old  \n") });
    assert.equal(disk.text("a.txt"), "old  \n");
    await until(
      "the editor is saved",
      () => !editor.document.isDirty && editor.document.getText() === "old  \n",
    );
    for (let step = 0; step < 4 && !editor.document.getText().includes("mine"); step++)
      await vscode.commands.executeCommand("undo");
    assert.equal(editor.document.getText(), "mine one");
  });

  it("of nothing deletes the file, and its folder only when that is empty", async () => {
    const uri = disk.put("made/a.txt", "one");
    disk.put("made/b.txt", "two");
    const folder = disk.uri("made").toString();
    await images.write(uri, undefined);
    await images.write(uri, undefined);
    assert.equal(fs.existsSync(disk.path("made/a.txt")), false);
    await images.removeEmptyFolder(folder);
    assert.equal(disk.text("made/b.txt"), "two");
    await images.write(disk.uri("made/b.txt").toString(), undefined);
    await images.removeEmptyFolder(folder);
    await images.removeEmptyFolder(folder);
    assert.equal(fs.existsSync(disk.path("made")), false);
  });
});

describe("What happens to files in the workspace", () => {
  it("is told, and which of it was a save in this window", async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const watch = new VsCodeFileWatch();
    const file = path.join(folder.uri.fsPath, "watched.txt");
    const uri = vscode.Uri.file(file);
    const events: FileEvent[] = [];
    watch.onDidChange((batch) => events.push(...batch));
    const saw = (type: FileEvent["type"]) =>
      until(`${type} is told`, () =>
        events.some((event) => event.type === type && event.uri === uri.toString()),
      );
    const probe = path.join(folder.uri.fsPath, "probe.txt");
    const isWatching = () => {
      // VS Code begins to watch some time after it was asked to; what happens before is never told.
      fs.writeFileSync(probe, String(performance.now()));
      return events.length > 0;
    };
    try {
      await until("the folder is watched", isWatching);
      fs.writeFileSync(file, "by a command");
      await saw("created");
      const editor = await vscode.window.showTextDocument(uri);
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "saved "));
      await editor.document.save();
      await saw("saved");
      fs.rmSync(file);
      await saw("deleted");
    } finally {
      watch.dispose();
      fs.rmSync(file, { force: true });
      fs.rmSync(probe, { force: true });
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    }
  });
});
