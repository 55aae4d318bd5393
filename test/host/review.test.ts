// The review of proposals in the real editor: what opens and where, deciding by lens and key, typing on both sides,
// and that the disk keeps its bytes until a hunk is accepted, with auto-save on.
import assert from "node:assert/strict";
import fs from "node:fs";
import * as vscode from "vscode";
import { until } from "./editors.ts";
import { ReviewFixture } from "./review-fixture.ts";
import type { Waiting } from "./review-fixture.ts";

const original = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const proposed = "ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n";

describe("the review of proposals", function () {
  let here: ReviewFixture;
  before(() => {
    here = new ReviewFixture();
  });
  afterEach(async () => {
    await here.restore();
    assert.deepEqual(here.errors, []);
  });
  after(() => here.dispose());

  const run = (command: string) => here.run(`reins.${command}`);
  const moveTo = (editor: vscode.TextEditor, line: number) => {
    editor.selection = new vscode.Selection(line, 0, line, 0);
  };

  it("opens as a diff with lenses on each hunk, and changes no byte until one is accepted", async () => {
    await here.disk.set("files.autoSave", "afterDelay");
    await here.disk.set("files.autoSaveDelay", 50);
    here.disk.put("a.ts", original);
    const { id, outcome } = await here.propose("a.ts", proposed);
    const editor = await here.proposedEditor(id);
    assert.equal(editor.document.getText(), proposed);
    assert.equal(editor.document.languageId, "typescript");
    assert.deepEqual(
      (await here.lenses(id)).map((lens) => `${lens.range.start.line} ${lens.command?.title}`),
      [
        "0 $(check-all) Accept All 2 Hunks",
        "0 $(close-all) Reject All",
        "0 $(check) Accept",
        "0 $(close) Reject",
        "6 $(check) Accept",
        "6 $(close) Reject",
      ],
    );
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 3), "!"));
    await until("auto-save has saved the proposed side", () => !editor.document.isDirty);
    assert.equal(here.disk.text("a.ts"), original);

    await here.press(id, "Accept", 1);
    assert.equal(here.disk.text("a.ts"), original.replace("one", "ONE!"));
    await here.press(id, "Reject", 0);
    const { view } = await outcome;
    assert.deepEqual(
      view.hunks.map((hunk) => [hunk.status, hunk.userEdited]),
      [
        ["accepted", true],
        ["rejected", undefined],
      ],
    );
    assert.equal(here.disk.text("a.ts"), original.replace("one", "ONE!"));
    await until("the diff is closed", () => here.ownLabels().length === 0);
  });

  it("accepts and rejects the hunk at the cursor, and goes from hunk to hunk across files", async () => {
    here.disk.put("a.ts", original);
    here.disk.put("b.ts", original);
    const a = await here.propose("a.ts", proposed);
    const b = await here.propose("b.ts", proposed);
    await here.review.open(a.id);
    const at = () => {
      const editor = vscode.window.activeTextEditor;
      return `${editor?.document.uri.query === a.id ? "a" : "b"} ${editor?.selection.active.line}`;
    };
    await until("the first hunk has the cursor", () => at() === "a 0");
    for (const expected of ["a 6", "b 0", "b 6", "a 0"]) {
      await run("nextHunk");
      await until(`next is ${expected}`, () => at() === expected);
    }
    await run("previousHunk");
    await until("previous is b 6", () => at() === "b 6");
    await run("rejectHunk");
    await until(
      "the text follows",
      () => vscode.window.activeTextEditor?.document.getText() === original.replace("one", "ONE"),
    );
    await run("acceptHunk");
    assert.equal((await b.outcome).text, original.replace("one", "ONE"));
    await until("the next file is in front", () => at().startsWith("a"));
    await run("acceptAllHunks");
    assert.equal((await a.outcome).text, proposed);
    assert.deepEqual(
      [here.disk.text("a.ts"), here.disk.text("b.ts")],
      [proposed, original.replace("one", "ONE")],
    );
  });

  it("is undone in the real editor in one step", async () => {
    here.disk.put("a.ts", original);
    const editor = await here.disk.show("a.ts");
    const { id, outcome } = await here.propose("a.ts", proposed);
    await here.review.decide(id, { type: "acceptAll" });
    await outcome;
    assert.equal(here.disk.text("a.ts"), proposed);
    await here.disk.show("a.ts");
    await vscode.commands.executeCommand("undo");
    assert.equal(editor.document.getText(), original);
  });

  it("a hunk taken out on the proposed side is rejected, and undoing that brings it back", async () => {
    here.disk.put("a.ts", original);
    const { id } = await here.propose("a.ts", proposed);
    await here.review.open(id);
    const editor = await here.proposedEditor(id);
    // What the diff editor's arrow does.
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 3), "one"));
    const statuses = () =>
      here.book
        .get(id)
        ?.view.hunks.map((hunk) => hunk.status)
        .join();
    assert.equal(statuses(), "rejected,pending");
    await vscode.commands.executeCommand("undo");
    await until("it is back", () => statuses() === "pending,pending");
    assert.equal(editor.document.getText(), proposed);
  });

  it("a rejection elsewhere reaches a proposed side with unsaved typing, without losing the typing", async () => {
    await here.disk.set("files.autoSave", "off");
    here.disk.put("a.ts", original);
    const { id, outcome } = await here.propose("a.ts", proposed);
    const editor = await here.proposedEditor(id);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 3), "!"));
    const last = here.book.get(id)?.view.hunks[1];
    await here.book.decide(id, { type: "rejectHunk", hunkId: last?.id ?? "" });
    await until("it is shown", () => editor.document.getText() === original.replace("one", "ONE!"));
    assert.equal(editor.document.isDirty, true);
    await here.press(id, "Accept", 0);
    assert.equal((await outcome).text, original.replace("one", "ONE!"));
    await until("the diff is closed without a question", () => here.ownLabels().length === 0);
  });

  it("follows what the user types into the real file, and shows an overlap", async () => {
    await here.disk.set("files.autoSave", "off");
    here.disk.put("a.ts", original);
    const { id, outcome } = await here.propose("a.ts", proposed);
    const editor = await here.proposedEditor(id);
    const real = await vscode.workspace.openTextDocument(here.disk.uri("a.ts"));
    const type = async (line: number, text: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(real.uri, new vscode.Position(line, 0), text);
      assert.ok(await vscode.workspace.applyEdit(edit));
    };
    await type(3, "typed\n");
    const merged = proposed.replace("four", "typed\nfour");
    await until("the proposed side follows", () => editor.document.getText() === merged);
    await type(7, "mine ");
    await until("it overlaps", () => here.book.get(id)?.view.hunks[1]?.status === "conflict");
    assert.ok((await here.lenses(id)).some((lens) => lens.command?.title.includes("Overlaps your change")));
    await here.press(id, "Reject, Keep");
    await here.press(id, "Accept");
    assert.equal((await outcome).leftUnsaved, true);
    assert.equal(
      real.getText(),
      original.replace("one", "ONE").replace("four", "typed\nfour").replace("seven", "mine seven"),
    );
    assert.equal(here.disk.text("a.ts"), original);
  });

  it("closing the diff is no decision, and it does not open again by itself", async () => {
    here.disk.put("a.ts", original);
    const { id } = await here.propose("a.ts", proposed);
    await here.proposedEditor(id);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    assert.equal(here.book.get(id)?.view.state, "pending");
    const second = await here.propose("b.ts", "new\n");
    await here.proposedEditor(second.id);
    assert.deepEqual(here.labels(), ["b.ts (proposed by Reins)"]);
    await here.review.open(id);
    await here.proposedEditor(id);
  });

  it("a new file is compared with nothing, and exists only when it is accepted", async () => {
    const name = "new/中 文#1%20?&[x].ts";
    const { id, outcome } = await here.propose(name, "a\n");
    await here.proposedEditor(id);
    assert.equal(fs.existsSync(here.disk.path("new")), false);
    await here.press(id, "Accept");
    await outcome;
    assert.equal(here.disk.text(name), "a\n");
  });

  it("files.encoding does not matter to the proposed side", async () => {
    await here.disk.set("files.encoding", "gbk");
    here.disk.put("gbk.txt", Buffer.from("23b2e2cad40a613d310a", "hex"));
    const { id, outcome } = await here.propose("gbk.txt", "#测试\na=2\n");
    const editor = await here.proposedEditor(id);
    assert.equal(editor.document.getText(), "#测试\na=2\n");
    await here.press(id, "Accept");
    await outcome;
    assert.equal(here.disk.hex("gbk.txt"), "23b2e2cad40a613d320a");
  });

  it("a file with mixed line endings changes in the accepted lines only, also after typing (E03)", async () => {
    const mixed = "one\r\ntwo\r\nthree\nfour\nfive\nsix\nseven\n";
    here.disk.put("mixed.txt", mixed);
    const { id, outcome } = await here.propose(
      "mixed.txt",
      mixed.replace("one", "ONE").replace("seven", "SEVEN"),
    );
    const editor = await here.proposedEditor(id);
    await editor.edit((edit) => edit.insert(new vscode.Position(6, 5), "!"));
    assert.equal(here.book.get(id)?.view.hunks.length, 2);
    await here.press(id, "Reject", 1);
    await here.press(id, "Accept");
    await outcome;
    assert.equal(here.disk.text("mixed.txt"), mixed.replace("seven", "SEVEN!"));
  });

  describe("leaves the user where they are (U11)", () => {
    it("opens beside the editor they are in, when they pause, and takes neither focus nor keys", async () => {
      here.disk.put("a.ts", original);
      here.disk.put("mine.txt", "mine\n");
      const mine = await here.disk.show("mine.txt");
      await vscode.commands.executeCommand("type", { text: "x" });
      const { id } = await here.propose("a.ts", proposed);
      await vscode.commands.executeCommand("type", { text: "y" });
      assert.deepEqual(here.labels(), ["mine.txt"], "nothing opens while the user types");
      await here.proposedEditor(id);
      assert.equal(vscode.window.activeTextEditor, mine);
      await vscode.commands.executeCommand("type", { text: "z" });
      assert.equal(mine.document.getText(), "xyzmine\n");
      assert.equal(vscode.window.tabGroups.all.length, 2);
      await here.book.decide(id, { type: "acceptAll" });
      await until("the diff is closed", () => here.labels().length === 1);
      assert.equal(vscode.window.activeTextEditor, mine);
      await vscode.commands.executeCommand("type", { text: "!" });
      assert.equal(mine.document.getText(), "xyz!mine\n");
    });

    it("waits for them in the panel while they are there, and opens when they ask for it", async () => {
      here.disk.put("a.ts", original);
      here.disk.put("pinned.txt", "p\n");
      await here.disk.show("pinned.txt");
      await vscode.commands.executeCommand("workbench.action.pinEditor");
      here.panelFocused = true;
      const { id, outcome } = await here.propose("a.ts", proposed);
      here.panelFocused = false;
      here.disk.put("b.ts", original);
      const later = await here.propose("b.ts", proposed);
      await here.proposedEditor(later.id);
      assert.ok(!here.labels().some((label) => label.startsWith("a.ts")), "only what came later opened");
      await here.review.open(id);
      await here.proposedEditor(id);
      await here.book.decide(id, { type: "rejectAll" });
      await here.book.decide(later.id, { type: "rejectAll" });
      await outcome;
      await until("the diffs are closed", () => here.labels().length === 1);
      const [tab] = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      assert.deepEqual([tab?.label, tab?.isPinned], ["pinned.txt", true]);
    });

    it("shows one proposal at a time, the next when it is decided", async () => {
      here.disk.put("a.ts", original);
      here.disk.put("b.ts", original);
      const a = await here.propose("a.ts", proposed);
      const b = await here.propose("b.ts", proposed);
      await here.proposedEditor(a.id);
      assert.deepEqual(here.labels(), ["a.ts (proposed by Reins)"]);
      await here.book.decide(a.id, { type: "rejectAll" });
      await here.proposedEditor(b.id);
      await until("only that is open", () => here.labels().join() === "b.ts (proposed by Reins)");
    });
  });

  describe("of several files together", () => {
    const three = async () => {
      for (const name of ["a.ts", "b.ts"]) here.disk.put(name, original);
      here.panelFocused = true;
      const all = [
        await here.propose("a.ts", proposed),
        await here.propose("b.ts", proposed),
        await here.propose("c.ts", "new\n"),
      ];
      await run("reviewAll");
      await until("they are in one editor", () => here.ownLabels().join() === "Proposed by Reins (3 files)");
      return all as [Waiting, Waiting, Waiting];
    };

    it("opens in one editor with its lenses, where keys decide on the hunk at the cursor", async () => {
      const [a] = await three();
      assert.equal((await here.lenses(a.id)).length, 6);
      await here.proposedEditor(a.id);
      await until(
        "the first file has the caret",
        () => vscode.window.activeTextEditor?.document.uri.query === a.id,
      );
      moveTo(vscode.window.activeTextEditor!, 6);
      await run("acceptHunk");
      assert.equal(here.disk.text("a.ts"), original.replace("seven", "SEVEN"));
      assert.deepEqual(here.labels(), ["Proposed by Reins (3 files)"]);
    });

    it("all are accepted at once, those that came later and were not seen excepted, and it closes with the last", async () => {
      const all = await three();
      here.disk.put("d.ts", original);
      const unseen = await here.propose("d.ts", proposed);
      await run("acceptAllFiles");
      for (const { outcome } of all) assert.equal((await outcome).view.state, "done");
      assert.deepEqual(
        ["a.ts", "b.ts", "c.ts", "d.ts"].map((name) => here.disk.text(name)),
        [proposed, proposed, "new\n", original],
      );
      await here.book.decide(unseen.id, { type: "rejectAll" });
      await until("it is closed", () => here.ownLabels().length === 0);
    });

    it("nothing is decided by the command for all before they were shown", async () => {
      here.disk.put("a.ts", original);
      here.disk.put("b.ts", original);
      here.panelFocused = true;
      await here.propose("a.ts", proposed);
      await here.propose("b.ts", proposed);
      await run("rejectAllFiles");
      await until("they are shown", () => here.ownLabels().join() === "Proposed by Reins (2 files)");
      assert.equal(here.book.pending.length, 2);
      await run("rejectAllFiles");
      await until("they are closed", () => here.ownLabels().length === 0);
      assert.equal(here.disk.text("a.ts"), original);
    });
  });

  it("a failure to apply is said and loses nothing", async () => {
    const uri = here.disk.put("locked.txt", original, 0o444);
    const { id } = await here.propose("locked.txt", proposed);
    await assert.rejects(here.book.decide(id, { type: "acceptAll" }), /read-only/);
    assert.equal(here.book.get(id)?.view.state, "pending");
    assert.equal((await here.disk.files.readText(uri)).text, original);
  });

  it("a hunk at the cursor is decided on from the other side too", async () => {
    here.disk.put("a.ts", original);
    const { id, outcome } = await here.propose("a.ts", proposed);
    await here.review.open(id);
    const editor = await here.proposedEditor(id);
    moveTo(editor, 5);
    await run("rejectHunk");
    await until("the last is rejected", () => here.book.get(id)?.view.hunks[1]?.status === "rejected");
    await run("rejectAllHunks");
    assert.equal((await outcome).text, original);
  });
});
