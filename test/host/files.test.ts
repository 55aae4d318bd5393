// Files in the real editor: bytes before and after an edit, for every way in which a file can be unusual.
import assert from "node:assert/strict";
import fs from "node:fs";
import * as vscode from "vscode";
import { ChangedMeanwhileError } from "../../src/shared/errors.ts";
import { applyText } from "../../src/vscode/apply-text.ts";
import { until } from "./editors.ts";
import { FilesFixture } from "./files-fixture.ts";

const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");

describe("files", function () {
  let here: FilesFixture;
  before(() => {
    here = new FilesFixture();
  });
  afterEach(() => here.restore());
  after(() => here.dispose());

  describe("keeps the bytes around an edit", () => {
    for (const open of [false, true]) {
      const state = open ? "open" : "closed";
      const put = async (name: string, content: string | Uint8Array) => {
        const uri = here.put(`${state}/${name}`, content);
        if (open) await here.show(`${state}/${name}`);
        return uri;
      };

      it(`CRLF, file ${state} (E01)`, async () => {
        const uri = await put("crlf.txt", "a\r\nb\r\nc\r\n");
        const applied = await here.edit(uri, "b\r\n", "B\n");
        assert.equal(here.text(`${state}/crlf.txt`), "a\r\nB\r\nc\r\n");
        assert.deepEqual(applied, { text: "a\r\nB\r\nc\r\n", saved: true, later: [] });
      });

      it(`mixed line endings, file ${state} (E03)`, async () => {
        const lines = Array.from({ length: 100 }, (_, n) => `line ${n + 1}${n < 50 ? "\r\n" : "\n"}`);
        const uri = await put("mixed.txt", lines.join(""));
        await here.edit(uri, "line 75\n", "changed\n");
        lines[74] = "changed\n";
        assert.equal(here.text(`${state}/mixed.txt`), lines.join(""));
      });

      it(`a byte order mark, file ${state} (E05)`, async () => {
        const uri = await put("bom.txt", bytes("EFBBBF 61 3D 31 0A"));
        assert.equal((await here.files.readText(uri)).text, "a=1\n");
        await here.edit(uri, "a=1", "a=2");
        assert.equal(here.hex(`${state}/bom.txt`), "efbbbf613d320a");
      });

      it(`UTF-16 with CRLF, file ${state} (E10)`, async () => {
        const uri = await put("utf16.txt", bytes("FFFE 6100 0D00 0A00 6200 0D00 0A00"));
        assert.equal((await here.files.readText(uri)).text, "a\r\nb\r\n");
        await here.edit(uri, "b", "c");
        assert.equal(here.hex(`${state}/utf16.txt`), "fffe61000d000a0063000d000a00");
      });

      it(`UTF-16 without a mark, file ${state} (E10)`, async () => {
        const uri = await put("utf16-bare.txt", bytes("6100 0D00 0A00 6200 0D00 0A00"));
        await here.edit(uri, "b", "c");
        assert.equal(here.hex(`${state}/utf16-bare.txt`), "61000d000a0063000d000a00");
      });

      it(`no newline at the end, file ${state} (E12)`, async () => {
        const uri = await put("no-newline.txt", "a\nb");
        await here.edit(uri, "b", "c");
        assert.equal(here.text(`${state}/no-newline.txt`), "a\nc");
      });

      it(`an unusual name, file ${state} (W11)`, async () => {
        const uri = await put("中 文#1%20?&[x].ts", "a\n");
        await here.edit(uri, "a", "ä");
        assert.equal(here.text(`${state}/中 文#1%20?&[x].ts`), "ä\n");
      });
    }

    it("its mode bits (E33)", async () => {
      await here.edit(here.put("run.sh", "echo a\n", 0o755), "a", "b");
      assert.equal(fs.statSync(here.path("run.sh")).mode & 0o777, 0o755);
      await here.edit(here.put("mixed.sh", "echo a\r\necho c\n", 0o755), "a", "b");
      assert.equal(fs.statSync(here.path("mixed.sh")).mode & 0o777, 0o755);
    });
  });

  describe("decodes as VS Code does", () => {
    const gbk = bytes("23 B2E2 CAD4 0A 61 3D 31 0A");

    it("with files.encoding (E07)", async () => {
      await here.set("files.encoding", "gbk");
      const uri = here.put("gbk.txt", gbk);
      const read = await here.files.readText(uri);
      assert.deepEqual([read.text, read.encoding, read.lossy], ["#测试\na=1\n", "gbk", false]);
      await here.edit(uri, "a=1", "a=2");
      assert.equal(here.hex("gbk.txt"), "23b2e2cad40a613d320a");
    });

    it("in an editor reopened with another encoding (E07)", async () => {
      const uri = here.put("gbk-open.txt", gbk);
      await vscode.workspace.openTextDocument(vscode.Uri.parse(uri), { encoding: "gbk" });
      await here.edit(uri, "a=1", "a=2");
      assert.equal(here.hex("gbk-open.txt"), "23b2e2cad40a613d320a");
    });

    it("and refuses what it cannot keep (E07, E09)", async () => {
      const unknown = here.put("unknown.txt", gbk);
      assert.equal((await here.files.readText(unknown)).lossy, true);
      await assert.rejects(here.edit(unknown, "a=1", "a=2"), /bytes that are not utf8/);
      assert.equal(here.hex("unknown.txt"), gbk.toString("hex"));

      const lines = Array.from({ length: 1000 }, () => "plain\n").join("");
      const far = Buffer.concat([Buffer.from(lines), bytes("99 0A")]);
      const uri = here.put("far.txt", far);
      const base = await here.files.readText(uri);
      const text = base.text.replace("plain", "PLAIN");
      await assert.rejects(here.files.applyText({ uri, base, text }), /would lose them/);
      assert.equal(here.hex("far.txt"), far.toString("hex"));
    });

    it("and refuses text that the encoding cannot hold, open or closed (E11)", async () => {
      await here.set("files.encoding", "windows1252");
      const uri = here.put("latin.txt", bytes("E9 0A"));
      for (const to of ["→", "😀"]) {
        await assert.rejects(here.edit(uri, "é", to), /cannot hold in its encoding \(windows1252\)/);
      }
      await here.show("latin.txt");
      await assert.rejects(here.edit(uri, "é", "→"), /cannot hold/);
      assert.equal(vscode.window.activeTextEditor?.document.isDirty, false);
      assert.equal(here.hex("latin.txt"), "e90a");
      await assert.rejects(here.create("new-latin.txt", "→"), /cannot hold/);
      assert.equal(fs.existsSync(here.path("new-latin.txt")), false);
    });
  });

  describe("with unsaved changes", () => {
    it("reads the buffer, edits it, and leaves it unsaved and undoable (E25)", async () => {
      await here.set("files.autoSave", "off");
      const uri = here.put("dirty.txt", "one\ntwo\n");
      const editor = await here.show("dirty.txt");
      await editor.edit((edit) => edit.insert(new vscode.Position(1, 3), " EDITED"));
      const read = await here.files.readText(uri);
      assert.deepEqual([read.text, read.dirty], ["one\ntwo EDITED\n", true]);
      const applied = await here.edit(uri, "one", "ONE");
      assert.deepEqual(applied, { text: "ONE\ntwo EDITED\n", saved: false });
      assert.equal(here.text("dirty.txt"), "one\ntwo\n");
      await vscode.commands.executeCommand("undo");
      assert.equal(editor.document.getText(), "one\ntwo EDITED\n");
      await vscode.commands.executeCommand("undo");
      assert.equal(editor.document.getText(), "one\ntwo\n");
    });

    it("edits a document that was never saved (E25, W12)", async () => {
      const document = await vscode.workspace.openTextDocument({ content: "one\n" });
      await vscode.window.showTextDocument(document);
      const applied = await here.edit(document.uri.toString(), "one", "two");
      assert.deepEqual(applied, { text: "two\n", saved: false });
      assert.equal(document.getText(), "two\n");
    });
  });

  describe("refuses, with nothing changed", () => {
    it("a text that changed since it was read (E26)", async () => {
      const uri = here.put("stale.txt", "1\n2\n3");
      const base = await here.files.readText(uri);
      fs.writeFileSync(here.path("stale.txt"), "1\nx\n3");
      await assert.rejects(here.files.applyText({ uri, base, text: "1\n4\n3" }), /has changed since/);
      assert.equal(here.text("stale.txt"), "1\nx\n3");
    });

    it("to take back what is typed while it is looked at (E25)", async () => {
      const uri = here.put("typed.txt", "1\n2\n3");
      const { document } = await here.show("typed.txt");
      const type = async (text: string) => {
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 0), text);
        assert.ok(await vscode.workspace.applyEdit(edit));
      };
      await type("mine ");
      const base = await here.files.readText(uri);
      const applyWhileTyping = (text: string, wanted: string) =>
        applyText({ uri, base: { ...base, text }, text: wanted }, async () => {
          await type("more ");
          return false;
        });
      const applied = await applyWhileTyping(base.text, "mine 1\n2\n4");
      const merged = "more mine 1\n2\n4";
      assert.deepEqual(applied, {
        ...{ text: merged, saved: false },
        later: [{ by: "user", before: "mine 1\n2\n4", after: merged }],
      });
      await assert.rejects(applyWhileTyping(merged, "ONE\n2\n4"), ChangedMeanwhileError);
      assert.equal(document.getText(), `more ${merged}`);
    });

    it("read-only files, by mode and by setting (E34)", async () => {
      const byMode = here.put("mode.txt", "a\n", 0o444);
      assert.equal((await here.files.stat(byMode))?.readonly, true);
      await assert.rejects(here.edit(byMode, "a", "b"), /read-only/);
      await here.set("files.readonlyInclude", { "**/locked.txt": true });
      const bySetting = here.put("locked.txt", "a\n");
      await assert.rejects(here.edit(bySetting, "a", "b"), /read-only/);
      assert.deepEqual([here.text("mode.txt"), here.text("locked.txt")], ["a\n", "a\n"]);
      assert.equal(fs.statSync(here.path("mode.txt")).mode & 0o777, 0o444);
      assert.ok(vscode.workspace.textDocuments.every((document) => !document.isDirty));
    });

    it("a notebook that is open as one (E39)", async () => {
      // VS Code's own extension for notebooks, where the window has it; else one cell will do.
      const ownSerializer = vscode.extensions.getExtension("vscode.ipynb")
        ? undefined
        : vscode.workspace.registerNotebookSerializer("jupyter-notebook", {
            deserializeNotebook: () => new vscode.NotebookData([]),
            serializeNotebook: () => new Uint8Array(),
          });
      const cell = { cell_type: "code", source: ["1"], metadata: {}, outputs: [], execution_count: null };
      const text = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
      const uri = here.put("nb.ipynb", text);
      await vscode.window.showNotebookDocument(
        await vscode.workspace.openNotebookDocument(vscode.Uri.parse(uri)),
      );
      await assert.rejects(here.edit(uri, '"1"', '"2"'), /open in the notebook editor/);
      assert.equal(here.text("nb.ipynb"), text);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
      ownSerializer?.dispose();
    });

    it("what is missing, a folder, binary or not a regular file", async () => {
      const missing = here.uri("none.txt").toString();
      assert.equal(await here.files.stat(missing), undefined);
      await assert.rejects(here.files.readText(missing), /none\.txt does not exist/);
      await assert.rejects(here.files.readText(vscode.Uri.file(here.folder).toString()), /is a folder/);
      await assert.rejects(here.files.readText(here.put("a.bin", bytes("0001 0203"))), /binary/);
      const link = here.uri("broken").toString();
      fs.symlinkSync("nowhere", here.path("broken"));
      await assert.rejects(here.files.readText(link), /does not exist|not a regular file/);
    });
  });

  describe("on disk and in the buffer at the same time", () => {
    it("an outside change wins over a clean buffer that has not reloaded yet (E26)", async () => {
      const uri = here.put("outside.txt", "1\n2\n3");
      const editor = await here.show("outside.txt");
      await here.edit(uri, "2", "4");
      fs.writeFileSync(here.path("outside.txt"), "1\n2\n3");
      const applied = await here.edit(uri, "3", "1");
      assert.equal(applied.text, "1\n2\n1");
      assert.equal(here.text("outside.txt"), "1\n2\n1");
      await until("the editor shows it", () => editor.document.getText() === "1\n2\n1");
    });

    it("outside the workspace it is saved too (E37)", async () => {
      const uri = here.put("other/f.txt", "a\n");
      assert.equal((await here.edit(uri, "a", "b")).saved, true);
      assert.equal(here.text("other/f.txt"), "b\n");
      assert.ok(vscode.workspace.textDocuments.every((document) => !document.isDirty));
    });

    it("one undo takes all of one change back, in an open editor", async () => {
      const uri = here.put("undo.txt", "a\nkeep\nb\nkeep\n");
      const editor = await here.show("undo.txt");
      const base = await here.files.readText(uri);
      await here.files.applyText({ uri, base, text: "A\nkeep\nB\nmore\nkeep\n" });
      assert.equal(here.text("undo.txt"), "A\nkeep\nB\nmore\nkeep\n");
      await vscode.commands.executeCommand("undo");
      assert.equal(editor.document.getText(), "a\nkeep\nb\nkeep\n");
    });

    it("what a formatter makes of it on saving is returned (E28)", async () => {
      await here.set("editor.formatOnSave", true);
      const formatter = vscode.languages.registerDocumentFormattingEditProvider(
        { pattern: "**/format.txt" },
        {
          provideDocumentFormattingEdits(document) {
            const at = document.getText().indexOf("'");
            const range = new vscode.Range(document.positionAt(at), document.positionAt(at + 1));
            return at < 0 ? [] : [vscode.TextEdit.replace(range, '"')];
          },
        },
      );
      const applied = await here.edit(here.put("format.txt", "a\n"), "a", "'");
      formatter.dispose();
      const later = [{ by: "save", before: "'\n", after: '"\n' }];
      assert.deepEqual(applied, { text: '"\n', saved: true, later });
      assert.equal(here.text("format.txt"), '"\n');
    });

    it("no editor is opened and the active one stays (U11)", async () => {
      const uri = here.put("hidden.txt", "a\n");
      here.put("shown.txt", "s\n");
      await here.show("shown.txt");
      await here.edit(uri, "a", "b");
      await here.create("hidden/new.txt", "n\n");
      const labels = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
      assert.deepEqual(labels, ["shown.txt"]);
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, here.path("shown.txt"));
    });
  });

  describe("creates", () => {
    it("files byte for byte, with their folders (E12, E33)", async () => {
      for (const [name, text] of [
        ["x/y/three.txt", "x\n\n\n"],
        ["newline.txt", "\n"],
        ["empty.txt", ""],
        ["bare.txt", "a"],
        ["crlf-new.txt", "a\r\nb\r\n"],
      ] as const) {
        assert.deepEqual(await here.create(name, text), { text, saved: true });
        assert.equal(here.text(name), text);
      }
      assert.equal(fs.statSync(here.path("empty.txt")).mode & 0o777, 0o666 & ~process.umask());
    });

    it("with files.eol, and keeps CRLF when all of a file is rewritten (E04)", async () => {
      await here.set("files.eol", "\r\n");
      assert.equal((await here.create("eol.txt", "a\nb\n")).text, "a\r\nb\r\n");
      assert.equal(here.text("eol.txt"), "a\r\nb\r\n");
      await here.set("files.eol", "\n");
      const uri = here.put("keeps.txt", "a\r\nb\r\n");
      const base = await here.files.readText(uri);
      await here.files.applyText({ uri, base, text: "x\ny\nz\n" });
      assert.equal(here.text("keeps.txt"), "x\r\ny\r\nz\r\n");
    });

    it("nothing over what is there, or under a file", async () => {
      here.put("there.txt", "a\n");
      await assert.rejects(here.create("there.txt", "b\n"), /exists already/);
      await assert.rejects(here.create("there.txt/b.txt", "b\n"), /could not be created/);
      assert.equal(here.text("there.txt"), "a\n");
    });
  });

  it("an emptied file has no bytes, and an empty one takes text", async () => {
    const uri = here.put("emptied.txt", "a\n");
    await here.edit(uri, "a\n", "");
    assert.equal(here.hex("emptied.txt"), "");
    const base = await here.files.readText(uri);
    await here.files.applyText({ uri, base, text: "new" });
    assert.equal(here.text("emptied.txt"), "new");
  });

  it("links are resolved up to the nearest parent that exists", async () => {
    here.put("real/f.txt", "a\n");
    fs.symlinkSync("real", here.path("linked"));
    const real = async (name: string) =>
      vscode.Uri.parse(await here.files.realUri(here.uri(name).toString())).fsPath;
    assert.equal(await real("linked/f.txt"), here.path("real/f.txt"));
    assert.equal(await real("linked/new/g.txt"), here.path("real/new/g.txt"));
  });

  it("a folder is listed with the kinds of its entries", async () => {
    here.put("listed/f.txt", "a\n");
    fs.mkdirSync(here.path("listed/sub"));
    const entries = await here.files.list(here.uri("listed").toString());
    assert.deepEqual(
      [...entries].sort((a, b) => a.name.localeCompare(b.name)),
      [
        { name: "f.txt", type: "file" },
        { name: "sub", type: "directory" },
      ],
    );
  });
});
