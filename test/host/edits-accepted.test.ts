// What accepting does in the real editor: one undoable edit for each decision, saved through VS Code with a formatter and
// an organiser of imports, and an answer that tells apart what the agent, the user and the formatter changed.
import assert from "node:assert/strict";
import fs from "node:fs";
import * as vscode from "vscode";
import { saveDocument } from "../../src/vscode/save-document.ts";
import { EditsFixture } from "./edits-fixture.ts";
import { until } from "./editors.ts";
import { ReviewFixture } from "./review-fixture.ts";
import { onSaving } from "./save-participants.ts";

const name = "f.saved";
const original = "import b\nimport a\n\n\none\ntwo\nthree\nfour\nfive\n";
const twoEdits = [
  { oldText: "one", newText: "ONE" },
  { oldText: "five", newText: "FIVE" },
];
const unsaved = `${name} has unsaved changes of the user, so it was not saved: commands still see the old file.`;
const changedTwice = `Changed ${name} (2 hunks). The user accepted it.`;

/** Moves everything below it by a line. */
const withoutDoubleBlanks = (text: string) => text.replace(/\n\n\n+/g, "\n\n");
const sortedImports = (text: string) => text.replace("import b\nimport a\n", "import a\nimport b\n");

describe("accepted edits", function () {
  this.timeout(60_000);
  let review: ReviewFixture;
  let here: EditsFixture;
  let participants: vscode.Disposable | undefined;
  before(() => {
    review = new ReviewFixture();
    here = new EditsFixture(review.disk, review.book);
  });
  afterEach(async () => {
    participants?.dispose();
    participants = undefined;
    review.errors.length = 0;
    await review.restore();
    await here.restore();
  });
  after(() => review.dispose());

  /** Read, and both edits proposed. */
  const propose = async (edits = twoEdits) => {
    await here.call("read", { path: name });
    return here.propose("edit", { path: name, edits });
  };
  const hunk = (id: string, nth: number) => here.book.get(id)?.view.hunks[nth]?.id ?? "";
  const accept = (id: string, nth: number) => here.decide(id, { type: "acceptHunk", hunkId: hunk(id, nth) });
  const undo = () => vscode.commands.executeCommand("undo");

  it("are one undo for each decision", async () => {
    here.put(name, original);
    const { document } = await here.show(name);
    const { id, answer } = await propose();
    await accept(id, 1);
    await accept(id, 0);
    assert.equal((await answer).text, changedTwice);
    assert.equal(here.text(name), original.replace("one", "ONE").replace("five", "FIVE"));
    await here.show(name);
    await undo();
    assert.equal(document.getText(), original.replace("five", "FIVE"));
    await undo();
    assert.equal(document.getText(), original);
  });

  it("go through format on save and organise imports, which move lines between the hunks", async () => {
    participants = await onSaving(here.disk, {
      format: withoutDoubleBlanks,
      organizeImports: sortedImports,
    });
    here.put(name, original);
    const { document } = await here.show(name);
    const { id, answer } = await propose();
    await accept(id, 0);
    const formatted = "import a\nimport b\n\nONE\ntwo\nthree\nfour\nfive\n";
    assert.equal(here.text(name), formatted);
    assert.deepEqual([document.getText(), document.isDirty], [formatted, false]);
    await accept(id, 1);
    assert.equal(here.text(name), formatted.replace("five", "FIVE"));
    const { text } = await answer;
    assert.ok(text.startsWith(`${changedTwice}\n\nSaving changed it further (formatter):\n@@ line`), text);
    assert.match(text, /^-import b$/m);
    assert.doesNotMatch(text, /The user changed|Meanwhile/);
    await here.show(name);
    await undo();
    assert.equal(document.getText(), formatted, "the formatter had nothing left to do");
  });

  it("leave a hunk as a conflict where the formatter changed its lines, and lose nothing", async () => {
    participants = await onSaving(here.disk, { format: (text) => text.replace(/^five$/m, "five;") });
    here.put(name, original);
    const { id, answer } = await propose();
    await accept(id, 0);
    assert.equal(here.book.get(id)?.view.hunks[1]?.status, "conflict");
    assert.equal(here.text(name), original.replace("one", "ONE").replace("five", "five;"));
    await accept(id, 1);
    assert.equal((await answer).text.startsWith(changedTwice), true);
    assert.equal(here.text(name), original.replace("one", "ONE").replace("five", "FIVE"));
  });

  it("create files that what runs on saving goes over too, and its part is told", async () => {
    participants = await onSaving(here.disk, {
      format: withoutDoubleBlanks,
      organizeImports: sortedImports,
    });
    const content = "import b\nimport a\none\n\n\n\ntwo\n";
    const { text } = await here.accepted("write", { path: "made/new.saved", content });
    assert.equal(here.text("made/new.saved"), "import a\nimport b\none\n\ntwo\n");
    assert.match(
      text,
      /^Created made\/new\.saved\. The user accepted it\.\n\nSaving changed it further \(formatter\):/,
    );
    const { document } = await here.show("made/new.saved");
    assert.equal(document.isDirty, false);
    const plain = await here.accepted("write", { path: "made/plain.saved", content: "import a\nplain\n" });
    assert.equal(plain.text, "Created made/plain.saved. The user accepted it.");
  });

  it("tell apart what the agent, the user on either side, and the formatter changed", async () => {
    participants = await onSaving(here.disk, { format: withoutDoubleBlanks });
    here.put(name, original);
    await here.show(name);
    const { id, answer } = await propose();
    here.book.proposedTextChanged(id, original.replace("one", "One").replace("five", "FIVE"));
    await here.type(name, new vscode.Position(6, 0), "typed ");
    await until("it follows", () => here.book.get(id)?.documentText.includes("typed three") === true);
    await here.document(name)?.save();
    await until("it follows the save", () => here.book.get(id)?.documentText === here.text(name));
    await here.decide(id, { type: "acceptAll" });
    const { text } = await answer;
    assert.equal(here.text(name), "import b\nimport a\n\nOne\ntwo\ntyped three\nfour\nFIVE\n");
    assert.match(text, /The user changed your proposal before accepting it:\n@@ line 4 @@\n-ONE\n\+One\n/);
    assert.match(text, /Meanwhile the user changed the file:\n(.*\n)*-three\n\+typed three/);
  });

  it("tell what the user types while a formatter runs as the user's", async () => {
    let typing: Promise<unknown> | undefined;
    participants = await onSaving(here.disk, {
      format: async (text) => {
        typing ??= Promise.resolve(vscode.commands.executeCommand("type", { text: "!" }));
        await typing;
        return text;
      },
      organizeImports: sortedImports,
    });
    here.put(name, original);
    const editor = await here.show(name);
    editor.selection = new vscode.Selection(6, 5, 6, 5);
    const { id, answer } = await propose();
    await here.decide(id, { type: "acceptAll" });
    const { text } = await answer;
    assert.match(text, /Meanwhile the user changed the file:\n@@ line 7 @@\n-three\n\+three!/);
    assert.match(text, /Saving changed it further \(formatter\):\n@@ line 1 @@\n.*import/);
    assert.doesNotMatch(text.slice(text.indexOf("Saving")), /three!/);
    assert.match(editor.document.getText(), /three!/);
  });

  for (const autoSave of ["off", "afterDelay", "onFocusChange", "onWindowChange"]) {
    it(`are saved and formatted where the file was clean, else left to the user (auto-save ${autoSave})`, async () => {
      await here.disk.set("files.autoSave", autoSave);
      participants = await onSaving(here.disk, { format: withoutDoubleBlanks });
      here.put(name, original);
      const { document } = await here.show(name);
      await here.call("read", { path: name });
      const first = await here.accepted("edit", { path: name, edits: twoEdits });
      assert.match(first.text, /Saving changed it further/);
      const formatted = withoutDoubleBlanks(original).replace("one", "ONE").replace("five", "FIVE");
      assert.deepEqual([here.text(name), document.isDirty], [formatted, false]);
      await here.type(name, new vscode.Position(0, 0), "typed\n\n\n\n");
      const second = await here.edit(name, "two", "TWO");
      const both = `typed\n\n\n\n${formatted.replace("two", "TWO")}`;
      // Auto-save after a delay runs no formatter.
      if (autoSave === "afterDelay") return until("all is saved", () => here.text(name) === both);
      assert.equal(document.getText(), both);
      assert.deepEqual([document.isDirty, here.text(name)], [true, formatted]);
      assert.ok(second.text.includes(unsaved), second.text);
    });
  }

  describe("whose saving fails", () => {
    it("because a save participant throws: are saved without it", async () => {
      participants = await onSaving(here.disk, {
        format: () => Promise.reject(new Error("the formatter is broken")),
      });
      here.put(name, original);
      const { id, answer } = await propose();
      await here.decide(id, { type: "acceptAll" });
      assert.equal((await answer).text, changedTwice);
      assert.equal(here.text(name), original.replace("one", "ONE").replace("five", "FIVE"));
    });

    it("because a save participant hangs: say so after a while, and the text is in the editor", async () => {
      let release: (text: string) => void = () => undefined;
      const hanging = new Promise<string>((resolve) => (release = resolve));
      participants = await onSaving(here.disk, { format: () => hanging });
      here.put(name, original);
      const { document } = await here.show(name);
      await here.type(name, new vscode.Position(0, 0), "new ");
      const applied = await saveDocument(document, 200);
      assert.equal(applied.saved, false);
      assert.match(
        applied.saveError ?? "",
        /still at it after 1 s, so a formatter or another extension may hang/,
      );
      assert.deepEqual([document.getText(), here.text(name)], [`new ${original}`, original]);
      release(document.getText());
      await until("it is saved in the end", () => here.text(name) === `new ${original}`);
    });

    it("because the file cannot be written: tell user and model, and the next hunk is saved again", async () => {
      let breaks = true;
      participants = await onSaving(here.disk, {
        format: (text) => {
          if (breaks) {
            fs.renameSync(here.path(name), here.path("aside"));
            fs.mkdirSync(here.path(name));
          }
          return text;
        },
      });
      here.put(name, original);
      const { document } = await here.show(name);
      const { id, answer } = await propose();
      await accept(id, 0);
      assert.deepEqual([document.getText(), document.isDirty], [original.replace("one", "ONE"), true]);
      breaks = false;
      fs.rmdirSync(here.path(name));
      fs.renameSync(here.path("aside"), here.path(name));
      await accept(id, 1);
      assert.equal(document.isDirty, false);
      assert.equal(here.text(name), original.replace("one", "ONE").replace("five", "FIVE"));
      assert.equal((await answer).text, changedTwice);
    });

    it("for good: the answer says why, and the buffer has the text", async () => {
      participants = await onSaving(here.disk, {
        format: (text) => {
          fs.rmSync(here.path(name), { recursive: true });
          fs.mkdirSync(here.path(name));
          return text;
        },
      });
      here.put(name, original);
      const { document } = await here.show(name);
      await here.call("read", { path: name });
      const { text, isError } = await here.accepted("edit", { path: name, edits: twoEdits });
      assert.equal(isError, true);
      assert.match(text, /has the change in the editor, but saving failed: .*could not be saved/);
      assert.equal(document.getText(), original.replace("one", "ONE").replace("five", "FIVE"));
    });

    it("because it became read-only, or is gone with its folder: told to both, nothing applied", async () => {
      here.put("sub/a.saved", original, 0o644);
      here.put("gone/a.saved", original);
      for (const [path, breakIt, why] of [
        ["sub/a.saved", () => fs.chmodSync(here.path("sub/a.saved"), 0o444), /read-only/],
        ["gone/a.saved", () => fs.rmSync(here.path("gone"), { recursive: true }), /does not exist/],
      ] as const) {
        await here.call("read", { path });
        const { id, answer } = await here.propose("edit", { path, edits: twoEdits });
        breakIt();
        await assert.rejects(here.decide(id, { type: "acceptAll" }), why);
        assert.equal(here.book.get(id)?.view.state, "pending");
        await here.decide(id, { type: "rejectAll" });
        assert.match((await answer).text, /The user tried to accept it before, which failed: /);
        assert.match((await answer).text, why);
      }
      assert.equal(here.text("sub/a.saved"), original);
    });
  });
});
