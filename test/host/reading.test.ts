// What the read tool makes of files in the real editor: whatever encoding they have, however they are open, and
// whatever is wrong with them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import type { ToolOutcome } from "../../src/agent/types.ts";
import { createReadTool } from "../../src/harness/tools/read.ts";
import { ReadRecords } from "../../src/harness/tools/read-records.ts";
import { loadForEdit } from "../../src/harness/tools/text-file.ts";
import { describePlace } from "../../src/harness/tools/paths.ts";
import { VsCodeWorkspace } from "../../src/vscode/workspace.ts";
import { errorText } from "../../src/shared/errors.ts";
import type { JsonObject } from "../../src/shared/json.ts";
import { FilesFixture } from "./files-fixture.ts";

const gbk = Buffer.from("23B2E2CAD40A613D310A", "hex");

describe("reading in the editor", function () {
  this.timeout(60_000);
  let here: FilesFixture;
  let workspace: VsCodeWorkspace;
  before(() => {
    here = new FilesFixture();
    workspace = new VsCodeWorkspace();
  });
  afterEach(() => here.restore());
  after(() => {
    here.dispose();
    workspace.dispose();
  });

  const context = () => ({ files: here.files, workspace, reads: new ReadRecords() });
  const call = async (args: JsonObject): Promise<ToolOutcome> => {
    try {
      const control = new AbortController();
      return await createReadTool(context()).execute(args, {
        ...{ toolCallId: "c", signal: control.signal, onProgress: () => undefined },
        whileAsking: (pending) => pending,
      });
    } catch (error) {
      return { content: [{ type: "text", text: errorText(error) }], isError: true };
    }
  };
  const read = async (uri: string, args: JsonObject = {}): Promise<string> =>
    (await call({ path: uri, ...args })).content
      .map((block) => (block.type === "text" ? block.text : `<${block.mimeType}>`))
      .join("\n");

  describe("decodes", () => {
    const update = (value: string | undefined, scope: vscode.ConfigurationScope, language: boolean) =>
      vscode.workspace
        .getConfiguration("files", scope)
        .update("encoding", value, vscode.ConfigurationTarget.Global, language);

    it("by files.encoding of the language, and locks what it does not cover (E07)", async () => {
      const python = here.put("a.py", gbk);
      const other = here.put("a.txt", gbk);
      const scope = { languageId: "python" };
      await update("gbk", scope, true);
      try {
        assert.equal(await read(python), "1\t#测试\n2\ta=1");
        assert.match(
          await read(other),
          /^1\t#.*\ufffd.*\n2\ta=1\n\n\[Bytes that are not valid utf8 are shown/,
        );
        await assert.rejects(forEdit(other), /has bytes that are not valid utf8; saving it would lose them/);
        assert.equal((await forEdit(python)).encoding, "gbk");
      } finally {
        await update(undefined, scope, true);
      }
    });

    it("nothing that would be lost: shown, and locked, open and with unsaved changes too (E07, E09)", async () => {
      await here.set("files.autoSave", "off");
      const uri = here.put("lossy.txt", gbk);
      const shown = /^1\t.*\ufffd.*\n2\ta=1\n\n\[Bytes that are not valid utf8/;
      const editor = await here.show("lossy.txt");
      assert.match(await read(uri), shown);
      await assert.rejects(forEdit(uri), /saving it would lose them/);
      await editor.edit((edit) => edit.insert(new vscode.Position(1, 3), "2"));
      assert.match(await read(uri), /\n2\ta=12\n\n\[Unsaved changes .*\]\n\[Bytes that are not valid utf8/);
      await assert.rejects(forEdit(uri), /saving it would lose them/);
      assert.equal(here.hex("lossy.txt"), gbk.toString("hex"));
    });

    it("by files.encoding of the folder (E07)", async () => {
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(folder);
      const uri = vscode.Uri.joinPath(folder.uri, "folder-encoding.txt");
      const settings = vscode.workspace.getConfiguration("files", folder.uri);
      fs.writeFileSync(uri.fsPath, gbk);
      try {
        await settings.update("encoding", "gbk", vscode.ConfigurationTarget.WorkspaceFolder);
        assert.equal(await read("folder-encoding.txt"), "1\t#测试\n2\ta=1");
      } finally {
        await settings.update("encoding", undefined, vscode.ConfigurationTarget.WorkspaceFolder);
        fs.rmSync(uri.fsPath);
      }
    });

    it("by guessing, where the user has that on (E07)", async () => {
      await here.set("files.autoGuessEncoding", true);
      const text = "これは日本語の文章です。文字コードを推測します。\n".repeat(20);
      const bytes = await vscode.workspace.encode(text, { encoding: "shiftjis" });
      const uri = here.put("guessed.txt", bytes);
      assert.match(await read(uri, { limit: 1 }), /^1\tこれは日本語の文章です。/);
      const { encoding, lossy } = await here.files.readText(uri);
      assert.deepEqual([encoding, lossy], ["shiftjis", false]);
      await here.edit(uri, "文章", "言葉");
      const edited = await vscode.workspace.encode(text.replaceAll("文章", "言葉"), {
        encoding: "shiftjis",
      });
      assert.equal(here.hex("guessed.txt"), Buffer.from(edited).toString("hex"));
    });

    it("UTF-16 that ends in half a character, shown and locked (E10)", async () => {
      const uri = here.put("odd.txt", Buffer.from("fffe61000a00" + "6200".repeat(2000) + "62", "hex"));
      assert.match(
        await read(uri, { limit: 1 }),
        /^1\ta\n\n\[1 more .*\]\n\[Bytes that are not valid utf16le/,
      );
      await assert.rejects(forEdit(uri), /saving it would lose them/);
    });

    it("the bytes that UTF-8 allows and those that it does not exactly as VS Code (E09)", async () => {
      const padding = "20".repeat(600);
      const samples: readonly (readonly [hex: string, lossy: boolean])[] = [
        ["c3a9e282acf09f9880efbfbd", false],
        ["61efbbbf62efbfbeefbfbf", false],
        [`${padding}0061`, false],
        ["c080", true],
        ["eda080", true],
        ["f4908080", true],
        ["f0908d", true],
        ["8061", true],
      ];
      for (const [hex, lossy] of samples) {
        const bytes = Buffer.from(hex, "hex");
        const uri = here.put(`sample-${hex.slice(0, 20)}.txt`, bytes);
        const snapshot = await here.files.readText(uri);
        assert.deepEqual([snapshot.text, snapshot.lossy], [await vscode.workspace.decode(bytes), lossy], hex);
      }
    });

    for (const [name, hex] of [
      ["UTF-8", "efbbbf613d310a"],
      ["UTF-16, little-endian", "fffe61003d0031000a00"],
      ["UTF-16, big-endian", "feff0061003d0031000a"],
    ] as const) {
      it(`by a byte order mark, and does not show it: ${name} (E05, E10)`, async () => {
        assert.equal(await read(here.put("bom.txt", Buffer.from(hex, "hex"))), "1\ta=1");
      });
    }
  });

  describe("shows", () => {
    it("unsaved changes, and says so (E25)", async () => {
      await here.set("files.autoSave", "off");
      const uri = here.put("dirty.txt", "one\n");
      const editor = await here.show("dirty.txt");
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 3), " more"));
      assert.equal(await read(uri), "1\tone more\n\n[Unsaved changes in the editor are included.]");
    });

    it("unsaved changes also of an editor that has the file open through a link, where alone it is edited (E25)", async () => {
      await here.set("files.autoSave", "off");
      const uri = here.put("real.txt", "one\n");
      fs.symlinkSync("real.txt", here.path("link.txt"));
      const editor = await here.show("link.txt");
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 3), " more"));
      assert.equal(await read(uri), "1\tone more\n\n[Unsaved changes in the editor are included.]");
      await assert.rejects(
        forEdit(uri),
        /real\.txt has unsaved changes in an editor .* as .*link\.txt\. Edit it under/,
      );
      assert.equal((await forEdit(here.uri("link.txt").toString())).text, "one more\n");
      await here.edit(here.uri("link.txt").toString(), "one", "ONE");
      assert.deepEqual([editor.document.getText(), here.text("real.txt")], ["ONE more\n", "one\n"]);
    });

    it("a page of a file of nearly 50 MB, which is not edited (E43)", async () => {
      const uri = here.put("large.txt", "some text of a line, forty chars long..\n".repeat(1_300_000));
      const text = await read(uri, { offset: 1_299_999, limit: 1 });
      assert.match(
        text,
        /^1299999\tsome text.*\n\n\[1 more lines in the file\. Use offset=1300000 to continue\.\]$/,
      );
      await assert.rejects(
        forEdit(uri),
        /large\.txt is too large to edit \(49\.6 MiB; the limit is 20\.0 MiB\)/,
      );
    });
  });

  describe("names the next step for", () => {
    it("what is missing, a folder, a pipe, binary content, and what no editor opens (E40, E43, E44)", async () => {
      here.put("near.ts", "");
      assert.match(
        await read(here.uri("nera.ts").toString()),
        /does not exist\. Did you mean .*\/near\.ts\?$/,
      );
      const folder = path.basename(here.folder);
      const misspelt = vscode.Uri.file(`${path.dirname(here.folder)}/${folder}0/near.ts`).toString();
      assert.match(await read(misspelt), /neither does its folder\. (Did you mean|Check the path)/);
      assert.match(
        await read(vscode.Uri.file(here.folder).toString()),
        /is a folder\. Name a file\. It holds:\nnear\.ts$/,
      );
      execFileSync("mkfifo", [here.path("pipe")]);
      assert.match(
        await read(here.uri("pipe").toString()),
        /is not a regular file \(a device, pipe or socket\)/,
      );
      assert.match(
        await read(here.put("a.bin", Buffer.from([1, 0, 2]))),
        /is a binary file \(3 bytes\).*Use bash/,
      );
      const huge = here.put("huge.log", "");
      fs.truncateSync(here.path("huge.log"), 300 * 1024 * 1024);
      assert.match(await read(huge), /is too large to open \(300\.0 MiB\)\. Look at parts of it with bash/);
    });
  });

  describe("of a notebook", () => {
    const png =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const code = (source: string, outputs: readonly object[]) => ({
      ...{ cell_type: "code", metadata: {}, execution_count: 3, source, outputs },
    });
    const file = JSON.stringify({
      cells: [
        { cell_type: "markdown", metadata: {}, source: ["# Title\n", "Text"] },
        code("plot()", [
          { output_type: "stream", name: "stdout", text: ["done\n"] },
          { output_type: "display_data", data: { "image/png": png }, metadata: {} },
        ]),
      ],
      metadata: { language_info: { name: "python" } },
      ...{ nbformat: 4, nbformat_minor: 4 },
    });
    const cells = [
      "1\t[Cell 1: markdown]",
      "2\t# Title",
      "3\tText",
      "4\t[Cell 2: code, python, execution count 3]",
      "5\tplot()",
      "6\t[Output]",
      "7\tdone",
      "8\t[Output: image/png, 70 bytes]",
    ];
    const end = ["[Images follow, in order those of lines 8.]"];

    /** VS Code's own extension for notebooks, where the window has it; else one that reads what is needed here. */
    function serializer(): vscode.Disposable {
      if (vscode.extensions.getExtension("vscode.ipynb")) return new vscode.Disposable(() => undefined);
      return vscode.workspace.registerNotebookSerializer("jupyter-notebook", {
        deserializeNotebook: () => {
          const markdown = new vscode.NotebookCellData(
            vscode.NotebookCellKind.Markup,
            "# Title\nText",
            "markdown",
          );
          const plot = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "plot()", "python");
          plot.executionSummary = { executionOrder: 3 };
          plot.outputs = [
            new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.stdout("done\n")]),
            new vscode.NotebookCellOutput([
              new vscode.NotebookCellOutputItem(Buffer.from(png, "base64"), "image/png"),
            ]),
          ];
          return new vscode.NotebookData([markdown, plot]);
        },
        serializeNotebook: () => new Uint8Array(),
      });
    }

    it("shows the cells of the file, and those of an editor with unsaved changes alike (E39)", async () => {
      await here.set("files.autoSave", "off");
      const registered = serializer();
      const uri = here.put("nb.ipynb", file);
      const closed = [
        ...cells,
        "",
        "[Notebook with 2 cells. Line numbers are those of this view, not of its JSON. Edits of it are refused.]",
        ...end,
        "<image/png>",
      ];
      assert.deepEqual((await read(uri)).split("\n"), closed);

      const document = await vscode.workspace.openNotebookDocument(vscode.Uri.parse(uri));
      await vscode.window.showNotebookDocument(document);
      assert.deepEqual((await read(uri)).split("\n"), closed);

      const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, "new()", "python");
      const error = Object.assign(new Error("no"), {
        name: "ValueError",
        stack: "\u001b[31mtrace\u001b[0m: no",
      });
      added.outputs = [new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.error(error)])];
      const change = new vscode.WorkspaceEdit();
      change.set(document.uri, [vscode.NotebookEdit.insertCells(2, [added])]);
      assert.ok(await vscode.workspace.applyEdit(change));
      assert.deepEqual((await read(uri)).split("\n"), [
        ...cells,
        "9\t[Cell 3: code, python]",
        "10\tnew()",
        "11\t[Output: error]",
        "12\ttrace: no",
        "",
        "[Notebook with 3 cells. Line numbers are those of this view, not of its JSON. Edits of it are refused.]",
        ...end,
        "[Unsaved changes in the editor are included.]",
        "<image/png>",
      ]);
      await assert.rejects(forEdit(uri), /is a notebook\. .* Show the user the cell's new text/);
      await assert.rejects(here.files.deleteFile(uri), /unsaved/);
      assert.equal(here.text("nb.ipynb"), file);
      registered.dispose();
    });
  });

  async function forEdit(uri: string) {
    return loadForEdit(await describePlace(uri, context()), here.files);
  }
});
