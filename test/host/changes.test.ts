// Looking at unseen changes afterwards in the real editor: what files are compared with, keeping and undoing with the
// arguments of VS Code's menus, in one step of undo, and when the source control is there at all.
import assert from "node:assert/strict";
import fs from "node:fs";
import * as vscode from "vscode";
import { Checkpoints } from "../../src/harness/checkpoints/checkpoints.ts";
import { editorLines } from "../../src/harness/checkpoints/baseline-lines.ts";
import { lineChanges } from "../../src/harness/proposals/lines.ts";
import { fileFacts } from "../../src/node/file-facts.ts";
import { changeCommands } from "../../src/ui/changes/commands.ts";
import { UnseenChanges } from "../../src/ui/changes/changes.ts";
import { commandIds } from "../../src/ui/contributions.ts";
import { systemClock } from "../../src/vscode/clock.ts";
import { VsCodeFileImages } from "../../src/vscode/file-images.ts";
import { memoryPorts } from "../support/memory-ports.ts";
import { countingIds, openLog, storeOf } from "../support/session-builders.ts";
import { until } from "./editors.ts";
import { FilesFixture } from "./files-fixture.ts";

const numbers = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const changed = "one\nTWO\nthree\nfour\nfive\nSIX\nseven\n";

describe("Unseen changes in VS Code", function () {
  const disk = new FilesFixture();
  const told: string[] = [];
  let checkpoints: Checkpoints;
  let changes: UnseenChanges;

  beforeEach(async () => {
    await disk.set("files.autoSave", "off");
    told.length = 0;
    const memory = memoryPorts();
    const ports = {
      ...memory,
      files: disk.files,
      images: new VsCodeFileImages(fileFacts),
      clock: systemClock,
    };
    const session = openLog(memory, storeOf(memory).create("session"));
    checkpoints = new Checkpoints({
      ...{ ports, session, createId: countingIds(), requireIdle: () => undefined },
      tell: ({ text }) => told.push(text),
    });
    changes = new UnseenChanges({
      clock: systemClock,
      ids: { scheme: "reins-test-baseline", sourceControl: "reins-test" },
    });
    changes.follow(checkpoints.baselines);
  });
  afterEach(async () => {
    changes.dispose();
    checkpoints.dispose();
    await disk.restore();
  });
  after(() => disk.dispose());

  /** As a tool whose edits are accepted without being looked at. */
  async function write(name: string, text: string): Promise<vscode.Uri> {
    const uri = disk.uri(name);
    const exists = fs.existsSync(disk.path(name));
    const base = exists ? await disk.files.readText(uri.toString()) : undefined;
    await checkpoints.files.applyText({ uri: uri.toString(), base, text, unseen: true });
    return uri;
  }

  const baseline = async (uri: vscode.Uri) => vscode.workspace.openTextDocument(changes.documents.uriOf(uri));
  const run = (id: string, ...args: readonly unknown[]) => changeCommands[id]?.run(changes, ...args);
  const listed = () =>
    checkpoints.baselines.files.map(({ uri }) => vscode.Uri.parse(uri).path.split("/").at(-1));

  /** What VS Code's inline diff of a file gives to its commands. */
  async function peekArguments(uri: vscode.Uri, index: number): Promise<readonly unknown[]> {
    const [base, live] = [await baseline(uri), await vscode.workspace.openTextDocument(uri)];
    const numbered = lineChanges(editorLines(base.getText()), editorLines(live.getText())).map((change) => ({
      originalStartLineNumber: change.oldStart + (change.oldStart === change.oldEnd ? 0 : 1),
      originalEndLineNumber: change.oldStart === change.oldEnd ? 0 : change.oldEnd,
      modifiedStartLineNumber: change.newStart + (change.newStart === change.newEnd ? 0 : 1),
      modifiedEndLineNumber: change.newStart === change.newEnd ? 0 : change.newEnd,
    }));
    return [uri, numbered, index];
  }

  it("are compared with what the file was; what the user types elsewhere is in both", async () => {
    disk.put("a.txt", numbers);
    const editor = await disk.show("a.txt");
    const uri = await write("a.txt", changed);
    const document = await baseline(uri);
    assert.equal(document.getText(), numbers);
    await editor.edit((edit) => edit.insert(new vscode.Position(3, 0), "mine "));
    await until("the typing is in the baseline", () => document.getText().includes("mine four"));
    assert.equal(document.getText(), numbers.replace("four", "mine four"));
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await until("it went again", () => document.getText() === numbers);
  });

  it("are undone one by one: the file is saved, and one step of undo takes it back", async () => {
    disk.put("a.txt", numbers);
    const editor = await disk.show("a.txt");
    const uri = await write("a.txt", changed);
    await run(commandIds.undoChange, ...(await peekArguments(uri, 1)));
    const undone = changed.replace("SIX", "six");
    assert.deepEqual([editor.document.getText(), editor.document.isDirty], [undone, false]);
    assert.equal(disk.text("a.txt"), undone);
    assert.deepEqual(told, [`One edit was undone in ${disk.path("a.txt")} (line 6).`]);
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand("undo");
    await until("the change is back", () => editor.document.getText() === changed);
    const document = await baseline(uri);
    await until("it is there to look at again", () => document.getText() === numbers);
  });

  it("are undone in a file with unsaved changes, which stay, and stay unsaved", async () => {
    disk.put("a.txt", numbers);
    const editor = await disk.show("a.txt");
    const uri = await write("a.txt", changed);
    await editor.edit((edit) => edit.insert(new vscode.Position(3, 0), "mine "));
    changes.takeTyping();
    await run(commandIds.undoFile, { resourceUri: uri });
    assert.equal(editor.document.getText(), numbers.replace("four", "mine four"));
    assert.equal(editor.document.isDirty, true);
    assert.equal(disk.text("a.txt"), changed);
    assert.deepEqual(listed(), []);
  });

  it("are kept one by one, and the file stays what it is", async () => {
    disk.put("a.txt", numbers);
    const editor = await disk.show("a.txt");
    const uri = await write("a.txt", changed);
    const document = await baseline(uri);
    await run(commandIds.keepChange, ...(await peekArguments(uri, 0)));
    await until("it is in the baseline", () => document.getText() === numbers.replace("two", "TWO"));
    editor.selection = new vscode.Selection(5, 0, 5, 0);
    await run(commandIds.keepChange);
    await until("nothing differs", () => document.getText() === changed);
    assert.deepEqual([listed(), disk.text("a.txt")], [[], changed]);
    await assert.rejects(async () => run(commandIds.keepChange), /No change of this session waits/);
  });

  it("are refused when the file is no longer the one that the arguments are about", async () => {
    disk.put("a.txt", numbers);
    const editor = await disk.show("a.txt");
    const uri = await write("a.txt", changed);
    const outdated = await peekArguments(uri, 0);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "mine\n"));
    await assert.rejects(async () => run(commandIds.undoChange, ...outdated), /changed just now/);
    await assert.rejects(async () => run(commandIds.keepChange, ...outdated), /changed just now/);
    assert.equal(editor.document.getText(), `mine\n${changed}`);
  });

  it("of a new file are all of it; undoing deletes it, and is undone as a restore", async () => {
    const uri = await write("made/new.txt", "a\nb\n");
    assert.equal((await baseline(uri)).getText(), "");
    await run(commandIds.undoChange, ...(await peekArguments(uri, 0)));
    assert.equal(fs.existsSync(disk.path("made")), false);
    assert.deepEqual(listed(), []);
    const plan = await checkpoints.plan({ type: "restore", id: checkpoints.lastRestore ?? "" });
    await checkpoints.restore(
      plan,
      plan.files.map((file) => file.uri),
    );
    assert.deepEqual([disk.text("made/new.txt"), listed()], ["a\nb\n", ["new.txt"]]);
  });

  it("show the source control only while there are some, and are gone with a deleted file", async () => {
    assert.equal(changes.isShown, false);
    disk.put("a.txt", numbers);
    const uri = await write("a.txt", changed);
    await write("b.txt", "b\n");
    assert.equal(changes.isShown, true);
    await run(commandIds.keepFile, { resourceUri: disk.uri("b.txt") });
    assert.deepEqual(listed(), ["a.txt"]);
    await checkpoints.files.deleteFile(uri.toString());
    assert.equal(changes.isShown, false);
  });

  it("open together, each beside what it was", async () => {
    disk.put("a.txt", numbers);
    await write("a.txt", changed);
    await write("b.txt", "b\n");
    await run(commandIds.reviewChanges);
    await until("they are open", () =>
      vscode.window.tabGroups.activeTabGroup.tabs.some(({ label }) => label.startsWith("Changed by Reins")),
    );
  });
});
