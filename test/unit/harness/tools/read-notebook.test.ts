// Notebooks as the model reads them: cells, outputs, images and pages, whatever is in the file.
import assert from "node:assert/strict";
import fc from "fast-check";
import { parseNotebook } from "../../../../src/harness/notebooks/parse.ts";
import { maxResultBytes } from "../../../../src/harness/tools/truncate.ts";
import type { Json, JsonObject } from "../../../../src/shared/json.ts";
import {
  codeCell,
  displayed,
  failed,
  markdownCell,
  notebookJson,
  smallPng,
  stream,
} from "../../../support/notebooks.ts";
import { ToolBench, textOf, uri } from "./tool-bench.ts";

async function read(content: string | Uint8Array, args: JsonObject = {}): Promise<string> {
  return textOf(await new ToolBench({ "nb.ipynb": content }).call("read", { path: "nb.ipynb", ...args }));
}

/** The lines of a reading, without what stands below them: no line of it is empty, as each has its number. */
function numberedLines(text: string): string[] {
  return text.replace(/\n\n\[.*$/s, "").split("\n");
}

function shownLines(text: string): string[] {
  return numberedLines(text).map((line) => line.replace(/^\d+\t/, ""));
}

describe("Reading a notebook", () => {
  it("shows cells with number, type, language and execution count, sources in full, outputs as text", async () => {
    const notebook = notebookJson([
      markdownCell(["# Title\n", "\n", "Text\n"]),
      codeCell("import x\nx.go()", [stream(["done\n"])], 7),
      codeCell([], [], null),
      { cell_type: "raw", metadata: {}, source: "as it is" },
      { ...(codeCell("select 1") as JsonObject), metadata: { vscode: { languageId: "sql" } } },
    ]);
    assert.equal(
      await read(notebook),
      [
        "1\t[Cell 1: markdown]",
        "2\t# Title",
        "3\t",
        "4\tText",
        "5\t",
        "6\t[Cell 2: code, python, execution count 7]",
        "7\timport x",
        "8\tx.go()",
        "9\t[Output]",
        "10\tdone",
        "11\t[Cell 3: code, python]",
        "12\t[Cell 4: raw]",
        "13\tas it is",
        "14\t[Cell 5: code, sql]",
        "15\tselect 1",
        "",
        "[Notebook with 5 cells. Line numbers are those of this view, not of its JSON. Edits of it are refused.]",
      ].join("\n"),
    );
  });

  it("pages through cells and outputs with one count of lines", async () => {
    const notebook = notebookJson([codeCell("a\nb", [stream("c\nd\n")]), markdownCell("e")]);
    const end =
      "[Notebook with 2 cells. Line numbers are those of this view, not of its JSON. Edits of it are refused.]";
    assert.equal(
      await read(notebook, { offset: 3, limit: 2 }),
      `3\tb\n4\t[Output]\n\n[4 more lines in the notebook. Use offset=5 to continue.]\n${end}`,
    );
    assert.equal(await read(notebook, { offset: 5 }), `5\tc\n6\td\n7\t[Cell 2: markdown]\n8\te\n\n${end}`);
    assert.equal(
      await read(notebook, { offset: 99 }),
      "offset 99 is beyond the end of nb.ipynb, which has 8 lines as read.",
    );
  });

  it("tells the panel which cells were shown", async () => {
    const notebook = notebookJson([codeCell("a"), codeCell("b"), codeCell("c")]);
    const bench = new ToolBench({ "nb.ipynb": notebook });
    const outcome = await bench.call("read", { path: "nb.ipynb", offset: 4, limit: 2 });
    assert.deepEqual(outcome.details, {
      tool: "read",
      path: "nb.ipynb",
      uri: "memory:/work/nb.ipynb",
      cells: { total: 3, first: 2, last: 3 },
    });
  });

  it("shows streams and errors without escape sequences, of a traceback the end", async () => {
    const traceback = ["\u001b[0;31mValueError\u001b[0m", ...Array.from({ length: 40 }, (_, i) => `at ${i}`)];
    const outputs = [
      stream("10%\r100%\n\u001b[32mok\u001b[0m\n"),
      stream("careful", "stderr"),
      failed(traceback),
    ];
    const lines = shownLines(await read(notebookJson([codeCell("go()", outputs)])));
    assert.deepEqual(lines.slice(2, 9), [
      "[Output]",
      "100%",
      "ok",
      "[Output: stderr]",
      "careful",
      "[Output: error]",
      "[… 12 more lines before these]",
    ]);
    assert.deepEqual([lines.length, ...lines.slice(-2)], [39, "at 39", "ValueError: no"]);
  });

  it("shows of each output one form, and names those that are not shown", async () => {
    const outputs = [
      displayed({ "text/html": "<table>", "text/plain": ["a  b\n", "1  2"] }),
      displayed({ "text/html": "<b>only</b>", "application/x-thing": { deep: [1] } }),
      displayed({ "text/latex": "$x$" }),
      displayed({}),
      { output_type: "new\u001b[31m kind" },
    ];
    assert.deepEqual(shownLines(await read(notebookJson([codeCell("", outputs)]))).slice(1), [
      "[Output]",
      "a  b",
      "1  2",
      "[Output: text/html, application/x-thing, not shown]",
      "[Output: text/latex]",
      "$x$",
      "[Output: of no known type, not shown]",
      "[Output: of no known type, not shown]",
    ]);
  });

  it("gives images as images, and only those that providers take", async () => {
    const outputs = [
      displayed({ "image/png": `${smallPng}\n`, "text/plain": "<Figure>" }),
      displayed({ "image/png": "bm90IGFuIGltYWdl" }),
      displayed({ "image/jpeg": "%%%" }),
      displayed({ "image/svg+xml": "<svg/>" }),
    ];
    assert.equal(
      await read(notebookJson([codeCell("plot()", outputs)])),
      [
        "1\t[Cell 1: code, python]",
        "2\tplot()",
        "3\t[Output: image/png, 70 bytes]",
        "4\t[Output: image/png, 12 bytes, not shown: it is not a valid image]",
        "5\t[Output: image/jpeg, 2 bytes, not shown: it is not a valid image]",
        "6\t[Output: image/svg+xml, not shown]",
        "",
        "[Notebook with 1 cell. Line numbers are those of this view, not of its JSON. Edits of it are refused.]",
        "[Images follow, in order those of lines 3.]",
        "<image/png>",
      ].join("\n"),
    );
  });

  it("leaves images out that are too many or too large, and says how to see them", async () => {
    const many = notebookJson([codeCell("", Array(7).fill(displayed({ "image/png": smallPng })))]);
    const text = await read(many);
    assert.match(
      text,
      /those of lines 2, 3, 4, 5, 6\.\]\n\[Left out, to be read with offset=7: the images from/,
    );
    assert.equal(text.match(/<image\/png>/g)?.length, 5);
    assert.match(await read(many, { offset: 7 }), /those of lines 7, 8\.\]\n<image\/png>\n<image\/png>$/);
    const start = smallPng.slice(0, 64);
    const image = (bytes: number) => displayed({ "image/png": start.padEnd((bytes / 3) * 4, "A") });
    const large = await read(
      notebookJson([codeCell("", [image(3_000_000), image(1_500_000), image(4_500_000)])]),
    );
    assert.match(large, /those of lines 2\.\]\n\[Left out, to be read with offset=3/);
    assert.match(large, /4\tt?\[Output: image\/png, 4\.3 MiB, not shown: at most 3\.6 MiB can be\]/);
  });

  it("keeps outputs short, however long they are", async () => {
    const long = "x".repeat(1_000_000);
    const outputs = [
      stream(`${"line\n".repeat(100_000)}`),
      stream(long),
      stream(`${"50%\r".repeat(100_000)}100%\n`),
      failed([`${long}\n`.repeat(3)]),
      ...Array<Json>(50).fill(stream("again\n")),
    ];
    const lines = shownLines(await read(notebookJson([codeCell("", outputs)])));
    assert.deepEqual(lines.slice(30, 33), ["line", "line", "[… 99970 more lines after these]"]);
    assert.equal(lines[33], "[Output]");
    assert.equal(lines[34], `${"x".repeat(400)}…`);
    assert.deepEqual(lines.slice(35, 37), ["[Output]", "100%"]);
    assert.equal(lines.at(-1), "[… 34 more outputs of this cell]");
    assert.ok(lines.every((line) => line.length <= 401));
  });

  it("counts exactly what it leaves out of a traceback", async () => {
    for (const count of [1, 2, 28, 29, 30, 31]) {
      const traceback = ["", ...Array.from({ length: count }, (_, i) => `at ${i}`)];
      const lines = shownLines(await read(notebookJson([codeCell("", [failed(traceback)])]))).slice(2);
      const all = [...traceback, "ValueError: no"];
      const out = all.length - 30;
      const expected =
        out <= 0 ? all : [`[… ${out} more ${out === 1 ? "line" : "lines"} before these]`, ...all.slice(out)];
      assert.deepEqual(lines, expected);
    }
  });

  it("says what a notebook without cells is, and reads an empty file as one", async () => {
    assert.equal(await read(notebookJson([])), "(The notebook has no cells.)");
    assert.match(await read(notebookJson([]), { offset: 2 }), /which has 0 lines as read/);
    assert.equal(await read(""), "(The file is empty.)");
  });

  it("E25: shows the cells of an editor with unsaved changes, and says so", async () => {
    const bench = new ToolBench({ "nb.ipynb": notebookJson([codeCell("old")]) });
    const cell = { type: "code", language: "python", source: "new", outputs: [] } as const;
    bench.ports.files.notebooks.set(uri("nb.ipynb").replace("///", "/"), { cells: [cell] });
    const outcome = await bench.call("read", { path: "nb.ipynb" });
    assert.match(
      textOf(outcome),
      /^1\t\[Cell 1: code, python\]\n2\tnew\n\n.*\n\[Unsaved changes in the editor are included\.\]$/,
    );
    assert.equal(outcome.details?.["unsaved"], true);
  });

  it("shows unsaved changes of the JSON in a text editor, too, and bytes that do not decode", async () => {
    const bench = new ToolBench({ "nb.ipynb": "{}" });
    bench.ports.files.type(uri("nb.ipynb"), notebookJson([codeCell("typed")]));
    assert.match(textOf(await bench.call("read", { path: "nb.ipynb" })), /2\ttyped\n\n.*\n\[Unsaved changes/);
    const bytes = Buffer.from(notebookJson([codeCell("a?b")])).map((byte) => (byte === 0x3f ? 0x99 : byte));
    assert.match(await read(bytes), /2\ta\ufffdb\n\n.*\n\[Bytes that are not valid utf8/);
  });

  const broken: readonly (readonly [name: string, text: string, note: RegExp])[] = [
    [
      "conflict markers",
      '<<<<<<< HEAD\n{"cells": []}\n',
      /\[Shown as text, not as cells\. It is not valid JSON \(.*\)\. Ask/,
    ],
    ["other JSON", "[1]", /Its JSON is no notebook\. Ask the user to repair or restore it\.\]$/],
    ["no version", '{"cells": []}', /It does not say which format/],
    ["format 3", '{"nbformat": 3, "worksheets": []}', /Jupyter's format 3, and only .* jupyter nbconvert/],
    ["no cells", '{"nbformat": 4}', /It has no list of cells/],
    ["a cell without source", notebookJson([codeCell("a"), { cell_type: "code" }]), /Its cell 2 has no type/],
  ];
  for (const [name, text, note] of broken) {
    it(`shows the text where there are no cells to show, and says why: ${name}`, async () => {
      const shown = await read(text);
      assert.ok(shown.startsWith(`1\t${text.split("\n", 1)[0]}`), shown);
      assert.match(shown, note);
    });
  }

  it("reads a file of another name as its text", async () => {
    const bench = new ToolBench({ "nb.json": notebookJson([]) });
    assert.match(textOf(await bench.call("read", { path: "nb.json" })), /^1\t\{\n2\t "cells": \[\],/);
  });
});

describe("Any notebook", () => {
  const textish = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.string({ unit: "binary" })),
    fc.jsonValue(),
  );
  const record = (shape: { [key: string]: fc.Arbitrary<unknown> }) => fc.record(shape, { requiredKeys: [] });
  const output = record({
    output_type: fc.constantFrom("stream", "display_data", "execute_result", "error", "odd"),
    name: fc.constantFrom("stdout", "stderr"),
    text: textish,
    data: fc.oneof(
      fc.dictionary(fc.constantFrom("text/plain", "image/png", "text/html", "__proto__"), textish),
      fc.jsonValue(),
    ),
    ...{ ename: textish, evalue: textish, traceback: textish },
  });
  const cell = record({
    cell_type: fc.constantFrom("code", "markdown", "raw", "heading"),
    source: textish,
    metadata: fc.jsonValue(),
    outputs: fc.oneof(fc.array(output), fc.jsonValue()),
    execution_count: fc.oneof(fc.integer(), fc.jsonValue()),
  });
  const notebook = record({
    nbformat: fc.oneof({ weight: 8, arbitrary: fc.constant(4) }, fc.jsonValue()),
    cells: fc.oneof({ weight: 8, arbitrary: fc.array(fc.oneof(cell, cell, fc.jsonValue())) }, fc.jsonValue()),
    metadata: fc.jsonValue(),
  });
  const texts = fc.oneof(
    notebook.map((value) => JSON.stringify(value)),
    fc.json(),
    fc.string(),
  );

  it("is cells or a problem with the next step, and nothing is thrown", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { notebook: parsed, problem } = parseNotebook(text);
        if (problem !== undefined) assert.match(`${problem.what}|${problem.next}`, /^(It|Its) .*\.\|.+\.$/s);
        else assert.ok(parsed.cells.every((each) => typeof each.source === "string"));
      }),
    );
    assert.ok(parseNotebook("[".repeat(200_000)).problem);
    assert.ok(parseNotebook(`{"nbformat":4,"cells":${"[".repeat(50_000)}${"]".repeat(50_000)}}`).problem);
  });

  it("is read page by page without a gap, each page within the limits", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 40 }), async (text, limit) => {
        const bench = new ToolBench({ "nb.ipynb": text });
        const whole = textOf(await bench.call("read", { path: "nb.ipynb" }));
        assert.ok(Buffer.byteLength(whole) < maxResultBytes + 2_000);
        if (whole.startsWith("(")) return;
        const paged: string[] = [];
        for (let offset = 1; offset > 0;) {
          const page = textOf(await bench.call("read", { path: "nb.ipynb", offset, limit }));
          paged.push(...numberedLines(page));
          offset = Number(/\n\n\[.* Use offset=(\d+) to continue\.\]/.exec(page)?.[1] ?? 0);
        }
        assert.deepEqual(paged, numberedLines(whole));
        assert.ok(paged.every((line, i) => line.startsWith(`${i + 1}\t`)));
      }),
      { numRuns: 40 },
    );
  });
});
