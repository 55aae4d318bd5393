// Public bug reports about edits that are more than one call: what the user does between the model's read and the answer,
// other tabs, links, places outside of the workspace. One file and one call: see edits.test.ts.
import assert from "node:assert/strict";
import fs from "node:fs";
import * as vscode from "vscode";
import { EditsFixture } from "./edits-fixture.ts";
import { until } from "./editors.ts";
import { ReviewFixture } from "./review-fixture.ts";

const original = "one\ntwo\nthree\nfour\nfive\n";
const changed = "Changed f.txt (1 hunk). The user accepted it.";
const toONE = { path: "f.txt", edits: [{ oldText: "one", newText: "ONE" }] };

describe("edits and what the user does", function () {
  this.timeout(60_000);
  let review: ReviewFixture;
  let here: EditsFixture;
  before(() => {
    review = new ReviewFixture();
    here = new EditsFixture(review.disk, review.book);
  });
  afterEach(async () => {
    await review.restore();
    await here.restore();
  });
  after(() => review.dispose());

  const read = (path = "f.txt") => here.call("read", { path });
  const put = async (content = original, path = "f.txt") => {
    here.put(path, content);
    await read(path);
  };
  const accept = (id: string) => here.decide(id, { type: "acceptAll" });

  for (const state of ["closed", "open"] as const) {
    it(`an edit taken back outside of the editor does not come again, file ${state} (E26)`, async () => {
      await put("1\n2\n3");
      if (state === "open") await here.show("f.txt");
      await here.edit("f.txt", "2", "4");
      fs.writeFileSync(here.path("f.txt"), "1\n2\n3");
      const { text } = await here.edit("f.txt", "3", "1");
      assert.equal(here.text("f.txt"), "1\n2\n1");
      assert.match(text, /had changed since you last saw it/);
    });

    it(`a file that changed on disk while its proposal waited keeps that change, file ${state} (E26)`, async () => {
      await put();
      if (state === "open") await here.show("f.txt");
      const { id, answer } = await here.propose("edit", toONE);
      fs.writeFileSync(here.path("f.txt"), original.replace("five", "5"));
      await accept(id);
      assert.equal(here.text("f.txt"), original.replace("five", "5").replace("one", "ONE"));
      assert.match((await answer).text, /Meanwhile the user changed the file:\n@@ line 5 @@\n-five\n\+5/);
    });

    it(`a change of the very lines is a conflict, and no overwrite, file ${state} (E26)`, async () => {
      await put();
      if (state === "open") await here.show("f.txt");
      const { id, answer } = await here.propose("edit", toONE);
      fs.writeFileSync(here.path("f.txt"), original.replace("one", "1"));
      await assert.rejects(accept(id), /overlaps your own change/);
      await here.decide(id, { type: "rejectAll", reason: "mine is better" });
      assert.equal(here.text("f.txt"), original.replace("one", "1"));
      const { text, isError } = await answer;
      assert.deepEqual([isError, text.startsWith("The user rejected this: mine is better")], [true, true]);
    });
  }

  it("what is typed while a proposal waits is kept and told (E25)", async () => {
    await here.disk.set("files.autoSave", "off");
    await put();
    const { document } = await here.show("f.txt");
    const { id, answer } = await here.propose("edit", toONE);
    await here.type("f.txt", new vscode.Position(4, 0), "typed ");
    await until("it follows", () => here.book.get(id)?.documentText.includes("typed") === true);
    await accept(id);
    assert.equal(document.getText(), original.replace("one", "ONE").replace("five", "typed five"));
    assert.equal(here.text("f.txt"), original);
    assert.equal(
      (await answer).text,
      `${changed}\n\nMeanwhile the user changed the file:\n@@ line 5 @@\n-five\n+typed five\n\n` +
        `f.txt has unsaved changes of the user, so it was not saved: commands still see the old file.`,
    );
  });

  it("what the user makes of the proposal is what is written and told, and the next edit knows it (E29)", async () => {
    await put();
    const { id, answer } = await here.propose("edit", toONE);
    const editor = await review.proposedEditor(id);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 3), " mine"));
    await until("it follows", () => here.book.get(id)?.proposedText.startsWith("ONE mine") === true);
    await accept(id);
    assert.equal(here.text("f.txt"), original.replace("one", "ONE mine"));
    assert.equal(
      (await answer).text,
      `${changed}\n\nThe user changed your proposal before accepting it:\n@@ line 1 @@\n-ONE\n+ONE mine`,
    );
    assert.equal((await here.edit("f.txt", "ONE mine", "1")).text, changed);
  });

  it("two proposals for one file are reviewed as one, and both are written (E47)", async () => {
    await put();
    const first = await here.propose("edit", toONE);
    const second = await here.propose("edit", {
      path: "f.txt",
      edits: [{ oldText: "five", newText: "FIVE" }],
    });
    assert.equal(here.book.get(first.id), undefined);
    await accept(second.id);
    assert.equal(here.text("f.txt"), original.replace("one", "ONE").replace("five", "FIVE"));
    assert.equal(
      (await second.answer).text,
      "Changed f.txt (2 hunks). The user accepted it.\n\nWhat still waited of your earlier change of f.txt is part of this one.",
    );
  });

  it("stopping leaves no file, no folder, no tab and no unsaved document (E31)", async () => {
    await put();
    here.put("mine.txt", "mine\n");
    await here.show("mine.txt");
    const created = await here.propose("write", { path: "new/dir/f.txt", content: "x\n" });
    const edited = await here.propose("edit", toONE);
    await review.proposedEditor(created.id);
    here.abort.abort();
    assert.match((await created.answer).text, /stopped before the user decided/);
    assert.match((await edited.answer).text, /stopped before the user decided/);
    await until("our tabs are closed", () => review.labels().join() === "mine.txt");
    assert.equal(fs.existsSync(here.path("new")), false);
    assert.equal(here.text("f.txt"), original);
    assert.ok(vscode.workspace.textDocuments.every((document) => !document.isDirty));
  });

  it("a link stays a link, and what it leads to is edited, with its mode (E33)", async () => {
    here.put("real.sh", original, 0o750);
    fs.symlinkSync("real.sh", here.path("f.txt"));
    fs.linkSync(here.path("real.sh"), here.path("hard.sh"));
    await read();
    assert.equal((await here.edit("f.txt", "one", "ONE")).text, changed);
    assert.equal(fs.readlinkSync(here.path("f.txt")), "real.sh");
    for (const each of ["real.sh", "hard.sh"]) {
      assert.equal(here.text(each), original.replace("one", "ONE"));
      assert.equal(fs.statSync(here.path(each)).mode & 0o777, 0o750);
    }
  });

  it("outside of the workspace it is reviewed even with edits accepted unseen, and saved (E37)", async () => {
    await here.configure({ approvalEdits: "auto" });
    here.disk.put("other/f.txt", original);
    const path = here.disk.path("other/f.txt");
    await here.call("read", { path });
    const { id, answer } = await here.propose("edit", { ...toONE, path });
    assert.equal(here.book.get(id)?.view.path, path);
    await accept(id);
    assert.equal((await answer).text, `Changed ${path} (1 hunk). The user accepted it.`);
    assert.equal(here.disk.text("other/f.txt"), original.replace("one", "ONE"));
    assert.ok(vscode.workspace.textDocuments.every((document) => !document.isDirty));
  });

  it("a path with an @ that no file has is the one without (E46)", async () => {
    await put(original, "my docs/a b.txt");
    assert.match((await here.edit("@my docs/a b.txt", "one", "ONE")).text, /^Changed my docs\/a b\.txt/);
    await put(original, "@types/a.txt");
    await here.edit("@types/a.txt", "one", "1");
    assert.deepEqual(
      [here.text("my docs/a b.txt"), here.text("@types/a.txt")],
      [original.replace("one", "ONE"), original.replace("one", "1")],
    );
  });

  it("a diff of the same file, and its pinned tab, stay as they are (E48)", async () => {
    await put();
    const older = vscode.workspace.registerTextDocumentContentProvider("reins-test-older", {
      provideTextDocumentContent: () => "older\n",
    });
    await here.show("f.txt");
    await vscode.commands.executeCommand("workbench.action.pinEditor");
    const left = here.uri("f.txt").with({ scheme: "reins-test-older" });
    await vscode.commands.executeCommand("vscode.diff", left, here.uri("f.txt"), "f.txt (older)");
    const tabs = () =>
      vscode.window.tabGroups.all.flatMap(({ tabs: each }) => each.map((tab) => [tab.label, tab.isPinned]));
    const before = tabs();
    const { id, answer } = await here.propose("edit", toONE);
    await accept(id);
    assert.equal((await answer).text, changed);
    assert.equal(here.text("f.txt"), original.replace("one", "ONE"));
    await until("our tabs are closed", () => JSON.stringify(tabs()) === JSON.stringify(before));
    assert.deepEqual(
      vscode.workspace.textDocuments.flatMap((each) =>
        each.uri.scheme === left.scheme ? each.getText() : [],
      ),
      ["older\n"],
    );
    older.dispose();
  });

  it("a new file has the line ending of files.eol, a byte order mark if asked for, and its answer is plain (E04)", async () => {
    await here.disk.set("files.eol", "\r\n");
    const answer = await here.accepted("write", { path: "new/a.txt", content: "\ufeffa\nb\n" });
    assert.deepEqual(answer, { text: "Created new/a.txt. The user accepted it.", isError: false });
    assert.equal(here.bytes("new/a.txt").toString("latin1"), "\u00ef\u00bb\u00bfa\r\nb\r\n");
    assert.equal(
      (await here.edit("new/a.txt", "a\n", "A\n")).text,
      "Changed new/a.txt (1 hunk). The user accepted it.",
    );
  });

  it("what cannot be created is refused before anyone is asked (E11)", async () => {
    await here.disk.set("files.encoding", "windows1252");
    const { text, isError } = await here.accepted("write", { path: "a.txt", content: "→\n" });
    assert.match(text, /files\.encoding\) cannot hold/);
    assert.deepEqual([isError, fs.existsSync(here.path("a.txt"))], [true, false]);
  });

  for (const state of ["closed", "open"] as const) {
    it(`moving and deleting ask, and take the file as it is, file ${state} (E25)`, async () => {
      const bytes = Buffer.from("efbbbf610d0ae9", "hex");
      here.put("f.txt", bytes);
      if (state === "open") await here.show("f.txt");
      const moved = await here.call("move", { from: "f.txt", to: "sub/g.txt" });
      assert.match(moved.text, /^Moved f\.txt to sub\/g\.txt\./);
      assert.equal(here.bytes("sub/g.txt").equals(bytes), true);
      const deleted = await here.call("delete", { path: "sub/g.txt" });
      assert.equal(deleted.text, "Deleted sub/g.txt (7 bytes).");
      assert.equal(fs.existsSync(here.path("sub/g.txt")), false);
      assert.equal(here.asked.length, 2);
    });
  }

  it("a file with unsaved changes is neither moved nor deleted (E25)", async () => {
    await here.disk.set("files.autoSave", "off");
    here.put("f.txt", original);
    const { document } = await here.show("f.txt");
    await here.type("f.txt", new vscode.Position(0, 0), "typed ");
    for (const [tool, args] of [
      ["move", { from: "f.txt", to: "g.txt" }],
      ["delete", { path: "f.txt" }],
    ] as const) {
      assert.match((await here.call(tool, args)).text, /has unsaved changes of the user/);
    }
    assert.deepEqual([here.text("f.txt"), document.getText()], [original, `typed ${original}`]);
  });
});
