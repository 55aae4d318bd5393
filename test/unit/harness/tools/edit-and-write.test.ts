import assert from "node:assert/strict";
import type { ToolOutcome } from "../../../../src/agent/types.ts";
import type { JsonObject } from "../../../../src/shared/json.ts";
import { codeCell, notebookJson } from "../../../support/notebooks.ts";
import { until } from "../../../support/until.ts";
import { ToolBench, textOf, uri } from "./tool-bench.ts";

const base = "one\ntwo\nthree\nfour\nfive\n";
const acceptAll = { type: "acceptAll" } as const;
const twoEdits = [
  { oldText: "one", newText: "ONE" },
  { oldText: "five", newText: "FIVE" },
];

async function readFirst(
  files: { readonly [path: string]: string | Uint8Array } = { "a.txt": base },
): Promise<ToolBench> {
  const bench = new ToolBench(files);
  for (const path of Object.keys(files)) await bench.call("read", { path });
  return bench;
}

describe("The edit tool", () => {
  it("proposes all edits of a call at once and says what was accepted", async () => {
    const bench = await readFirst();
    const outcome = await bench.decide("edit", { path: "a.txt", edits: twoEdits }, acceptAll);
    assert.equal(textOf(outcome), "Changed a.txt (2 hunks). The user accepted it.");
    assert.equal(outcome.isError, false);
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), "ONE\ntwo\nthree\nfour\nFIVE\n");
    const shown = bench.progress.map((p) => p.details?.["proposal"]).filter((p) => p !== undefined);
    assert.deepEqual(shown.at(-1), outcome.details?.["proposal"]);
  });

  it("A29: tells the model which hunk was rejected and why", async () => {
    const bench = await readFirst();
    const outcome = await bench.decide(
      "edit",
      { path: "a.txt", edits: twoEdits },
      { type: "acceptHunk", hunkId: "h2" },
      { type: "rejectHunk", hunkId: "h1", reason: "keep it low" },
    );
    assert.equal(
      textOf(outcome),
      "The user accepted 1 of 2 hunks in a.txt.\n\nThe user rejected the hunk at line 1 with this reason: keep it low\n-one\n+ONE",
    );
    assert.equal(outcome.isError, false);
  });

  it("A29: leaves the file alone when all is rejected", async () => {
    const bench = await readFirst();
    const outcome = await bench.decide(
      "edit",
      { path: "a.txt", edits: twoEdits },
      { type: "rejectAll", reason: "use tabs" },
    );
    assert.equal(textOf(outcome), "The user rejected this: use tabs\na.txt is unchanged.");
    assert.equal(outcome.isError, true);
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), base);
  });

  it("E28: tells what a formatter did, and the next edit works on that text without reading again", async () => {
    const bench = await readFirst({ "a.js": "start\n" });
    bench.ports.files.onSave = (_uri, text) => text.replaceAll("'", '"').replace('x"\n', 'x";\n');
    const edits = [{ oldText: "start", newText: "const a = 'x'" }];
    const outcome = await bench.decide("edit", { path: "a.js", edits }, acceptAll);
    assert.match(textOf(outcome), /formatter\):\n@@ line 1 @@\n-const a = 'x'\n\+const a = "x";/);
    const again = [{ oldText: 'const a = "x";', newText: "done" }];
    await bench.decide("edit", { path: "a.js", edits: again }, acceptAll);
    assert.equal(bench.ports.files.onDisk(uri("a.js")), "done\n");
  });

  it("E29: tells what the user changed before accepting", async () => {
    const bench = await readFirst();
    const outcome = bench.call("edit", { path: "a.txt", edits: twoEdits });
    await until(() => bench.proposals.pending.length > 0);
    const [open] = bench.proposals.pending;
    bench.proposals.proposedTextChanged(open?.view.id ?? "", open?.proposedText.replace("ONE", "One") ?? "");
    await bench.proposals.decide(open?.view.id ?? "", acceptAll);
    assert.match(
      textOf(await outcome),
      /changed your proposal before accepting it:\n@@ line 1 @@\n-ONE\n\+One/,
    );
  });

  it("E25: works on unsaved changes, keeps them, and says that nothing was saved", async () => {
    const bench = new ToolBench({ "a.txt": "one\ntwo\n" });
    bench.ports.files.type(uri("a.txt"), "one\ntwo EDITED\n");
    await bench.call("read", { path: "a.txt" });
    const edits = [{ oldText: "one", newText: "ONE" }];
    const outcome = await bench.decide("edit", { path: "a.txt", edits }, acceptAll);
    assert.equal((await bench.ports.files.readText(uri("a.txt"))).text, "ONE\ntwo EDITED\n");
    assert.match(textOf(outcome), /unsaved changes of the user, so it was not saved/);
  });

  it("E26: works on the current text of a file that changed since it was read, and says so", async () => {
    const bench = await readFirst({ "a.txt": "1\n2\n3" });
    await bench.decide("edit", { path: "a.txt", edits: [{ oldText: "2", newText: "4" }] }, acceptAll);
    bench.ports.files.write(uri("a.txt"), "1\n2\n3");
    const outcome = await bench.decide(
      "edit",
      { path: "a.txt", edits: [{ oldText: "3", newText: "1" }] },
      acceptAll,
    );
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), "1\n2\n1");
    assert.match(textOf(outcome), /had changed since you last saw it/);
  });

  it("W15: refuses to edit what was never read", async () => {
    const bench = new ToolBench({ "a.txt": base });
    const outcome = await bench.call("edit", { path: "a.txt", edits: twoEdits });
    assert.match(textOf(outcome), /not read a\.txt in this session\. Read it first/);
  });

  const shapes: readonly [string, JsonObject][] = [
    ["as JSON text", { edits: JSON.stringify([twoEdits[0]]) }],
    ["as one object", { edits: twoEdits[0]! }],
    ["beside the path", { oldText: "one", newText: "ONE" }],
    ["with invented fields", { edits: [{ ...twoEdits[0], note: "x" }], mode: "fast" }],
  ];
  for (const [name, args] of shapes) {
    it(`takes edits ${name}`, async () => {
      const bench = await readFirst();
      const outcome = await bench.decide("edit", { path: "a.txt", ...args }, acceptAll);
      assert.equal(bench.ports.files.onDisk(uri("a.txt")), base.replace("one", "ONE"), textOf(outcome));
    });
  }

  const refused: readonly [string, string | Uint8Array, string, RegExp][] = [
    ["E40: binary content", Uint8Array.from([1, 0, 2]), "a.bin", /binary file/],
    ["E09: bytes that would be lost", Uint8Array.from([0x6f, 0x6e, 0x65, 0x99]), "a.txt", /not valid utf8/],
    ["E39: a notebook", "{}", "a.ipynb", /is a notebook/],
  ];
  for (const [name, content, path, expected] of refused) {
    it(`refuses ${name}`, async () => {
      const bench = await readFirst({ [path]: content });
      assert.match(textOf(await bench.call("edit", { path, edits: [twoEdits[0]!] })), expected);
    });
  }

  it("E31: is stopped with nothing applied", async () => {
    const bench = await readFirst();
    const outcome = bench.call("edit", { path: "a.txt", edits: twoEdits });
    await until(() => bench.proposals.pending.length > 0);
    bench.abort.abort();
    assert.equal(
      textOf(await outcome),
      "The run was stopped before the user decided. The change of a.txt was not applied.",
    );
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), base);
  });
});

describe("Notebooks (E39)", () => {
  const whole = notebookJson([codeCell("x = 1")]);

  it("are not edited or written over as text, through a link neither, and nothing is changed", async () => {
    const bench = new ToolBench({ "Nb.IPYNB": whole });
    bench.ports.files.link(uri("link.json"), uri("Nb.IPYNB"));
    for (const path of ["Nb.IPYNB", "link.json"]) {
      await bench.call("read", { path });
      const edits = [{ oldText: "x = 1", newText: "x = 2" }];
      for (const outcome of [
        await bench.call("edit", { path, edits }),
        await bench.call("write", { path, content: "{}" }),
      ])
        assert.match(textOf(outcome), /is a notebook\. .* refused\. Show the user the cell's new text/);
    }
    assert.equal(bench.ports.files.onDisk(uri("Nb.IPYNB")), whole);
  });

  it("of any other kind are not edited either while an editor has them, unsaved, as cells", async () => {
    const bench = new ToolBench({ "a.nnb": "{}" });
    bench.ports.files.notebooks.set("memory:/work/a.nnb", { cells: [] });
    assert.match(
      textOf(await bench.call("read", { path: "a.nnb" })),
      /^\(The notebook has no cells\.\)\n\[Unsaved/,
    );
    const edits = [{ oldText: "{", newText: "[" }];
    assert.match(textOf(await bench.call("edit", { path: "a.nnb", edits })), /is a notebook/);
  });

  it("are created only whole", async () => {
    const bench = new ToolBench();
    for (const content of ['{"cells": [', "[]", '{"nbformat": 3}']) {
      const outcome = await bench.call("write", { path: "new.ipynb", content });
      assert.match(
        textOf(outcome),
        /would be no notebook, so it was not written\. It.* Write Jupyter's format 4/,
      );
    }
    await bench.decide("write", { path: "new.ipynb", content: whole }, acceptAll);
    assert.equal(bench.ports.files.onDisk(uri("new.ipynb")), whole);
  });
});

describe("The write tool", () => {
  const write = (bench: ToolBench, path: string, content: string): Promise<ToolOutcome> =>
    bench.decide("write", { path, content }, acceptAll);

  const contents = ["x\n\n\n", "\n", "", "line one  \nline two\n", "a\r\nb"];
  for (const content of contents) {
    it(`E12, E13: creates a file of exactly ${JSON.stringify(content)}`, async () => {
      const bench = new ToolBench();
      assert.equal(
        textOf(await write(bench, "new/a.txt", content)),
        "Created new/a.txt. The user accepted it.",
      );
      assert.equal(bench.ports.files.onDisk(uri("new/a.txt")), content);
    });
  }

  const rewrites: readonly [string, string, string, string][] = [
    ["E04: keeps CRLF", "a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n"],
    ["E05: keeps the byte order mark", "\ufeffa\n", "b\n", "\ufeffb\n"],
    ["E05: adds no byte order mark to the text", "a\n", "\ufeffb\n", "b\n"],
    ["E12: empties a file", "a\n", "", ""],
  ];
  for (const [name, before, content, after] of rewrites) {
    it(`${name} of an existing file`, async () => {
      const bench = await readFirst({ "a.txt": before });
      await write(bench, "a.txt", content);
      assert.equal(bench.ports.files.onDisk(uri("a.txt")), after);
    });
  }

  it("shows a rewrite as the hunks that differ", async () => {
    const bench = await readFirst();
    void bench.call("write", { path: "a.txt", content: base.replace("three", "3") });
    await until(() => bench.proposals.pending.length > 0);
    const view = bench.proposals.pending[0]?.view;
    assert.deepEqual([view?.added, view?.removed, view?.hunks.length], [1, 1, 1]);
    bench.abort.abort();
  });

  it("refuses to replace what was never read, or has changed since", async () => {
    const bench = new ToolBench({ "a.txt": base });
    assert.match(textOf(await bench.call("write", { path: "a.txt", content: "x" })), /you have not read it/);
    await bench.call("read", { path: "a.txt" });
    bench.ports.files.write(uri("a.txt"), "changed\n");
    assert.match(
      textOf(await bench.call("write", { path: "a.txt", content: "x" })),
      /changed since you last saw it/,
    );
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), "changed\n");
  });

  it("says so when nothing would change", async () => {
    const bench = await readFirst();
    assert.match(
      textOf(await bench.call("write", { path: "a.txt", content: base })),
      /already has exactly this text/,
    );
  });
});

describe("Edits with approval set to auto", () => {
  it("are applied at once inside the workspace", async () => {
    const bench = new ToolBench({}, { approvalEdits: "auto" });
    assert.equal(textOf(await bench.call("write", { path: "a.txt", content: "x" })), "Created a.txt.");
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), "x");
  });

  it("E37, A17, A19: still ask outside of it, through links, and for files that run code", async () => {
    for (const [path, shown] of [
      ["../other/f.txt", "/other/f.txt"],
      ["outbox/new.txt", "/outside/new.txt"],
      [".vscode/tasks.json", ".vscode/tasks.json"],
    ] as const) {
      const bench = new ToolBench({}, { approvalEdits: "auto" });
      bench.ports.files.link(uri("outbox"), "memory:///outside");
      void bench.call("write", { path, content: "x" });
      await until(() => bench.proposals.pending.length === 1);
      assert.equal(bench.proposals.pending[0]?.view.path, shown);
      bench.abort.abort();
    }
  });

  it("E34: are refused before anyone is asked where they could not be applied", async () => {
    const bench = await readFirst();
    bench.ports.files.makeReadonly(uri("a.txt"));
    const outcome = await bench.call("edit", { path: "a.txt", edits: twoEdits });
    assert.match(textOf(outcome), /read-only/);
    assert.equal(outcome.isError, true);
  });

  it("tell why accepting failed, when the user then rejects", async () => {
    const bench = await readFirst();
    const outcome = bench.call("edit", { path: "a.txt", edits: twoEdits });
    await until(() => bench.proposals.pending.length > 0);
    const id = bench.proposals.pending[0]?.view.id ?? "";
    bench.ports.files.makeReadonly(uri("a.txt"));
    await assert.rejects(bench.proposals.decide(id, acceptAll), /read-only/);
    await bench.proposals.decide(id, { type: "rejectAll" });
    assert.match(
      textOf(await outcome),
      /is unchanged\.\n\nThe user tried to accept it before, which failed: .*read-only/,
    );
  });

  it("do not tell of a failed save that was made up for meanwhile", async () => {
    const bench = await readFirst();
    const outcome = bench.call("edit", { path: "a.txt", edits: twoEdits });
    await until(() => bench.proposals.pending.length > 0);
    const id = bench.proposals.pending[0]?.view.id ?? "";
    bench.ports.files.saveError = "The disk is full.";
    await bench.proposals.decide(id, { type: "acceptHunk", hunkId: "h1" });
    bench.ports.files.saveError = undefined;
    // As a save by the user leaves it.
    bench.ports.files.remove(uri("a.txt"));
    bench.ports.files.write(uri("a.txt"), base.replace("one", "ONE"));
    await bench.proposals.decide(id, { type: "rejectHunk", hunkId: "h2" });
    assert.doesNotMatch(textOf(await outcome), /saving failed|unsaved/);
  });

  it("E34: fail as a whole when they cannot be applied", async () => {
    const bench = new ToolBench({ "a.txt": base }, { approvalEdits: "auto" });
    await bench.call("read", { path: "a.txt" });
    bench.ports.files.makeReadonly(uri("a.txt"));
    const outcome = await bench.call("edit", { path: "a.txt", edits: twoEdits });
    assert.equal(outcome.isError, true);
    assert.match(textOf(outcome), /read-only/);
  });
});
