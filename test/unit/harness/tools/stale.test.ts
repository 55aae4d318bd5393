// Files that changed between the model's read and its edit: what does not overlap is carried over, what does is refused
// with what is there now, and nothing is edited unseen.
import assert from "node:assert/strict";
import fc from "fast-check";
import { carryOver } from "../../../../src/harness/tools/carry-over.ts";
import { UserError } from "../../../../src/shared/errors.ts";
import { ReadRecords } from "../../../../src/harness/tools/read-records.ts";
import type { MessageEntry } from "../../../../src/agent/types.ts";
import type { JsonObject } from "../../../../src/shared/json.ts";
import { textOf, ToolBench, uri } from "./tool-bench.ts";

const lines = (...list: readonly string[]) => list.map((line) => `${line}\n`).join("");

describe("An edit of a file that changed since it was read", () => {
  it("is carried over where it does not overlap, also where its text now stands there twice (E26)", async () => {
    const bench = await read(lines("a", "b", "target", "c"));
    bench.ports.files.write(uri("a.txt"), lines("target", "new", "a", "b", "target", "c"));
    const outcome = await edit(bench, "target", "changed");
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), lines("target", "new", "a", "b", "changed", "c"));
    assert.match(textOf(outcome), /had changed since you last saw it; the edit was carried over/);
  });

  it("is refused where it overlaps, with the lines of now, and nothing is changed", async () => {
    const bench = await read(lines("a", "b", "target", "c"));
    const now = lines("0", "a", "b", "TARGET, by hand", "c");
    bench.ports.files.write(uri("a.txt"), now);
    const outcome = await edit(bench, "b\ntarget", "b\nchanged");
    assert.equal(outcome.isError, true);
    assert.equal(
      textOf(outcome),
      "a.txt has changed since you read it, in the very lines you want to edit. Nothing was changed. They are now:\n" +
        "1\t0\n2\ta\n3\tb\n4\tTARGET, by hand\n5\tc\nMake your edit on these lines.",
    );
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), now);
  });

  it("may be made on the text of now, if the model knows it from elsewhere", async () => {
    const bench = await read(lines("a", "b"));
    bench.ports.files.write(uri("a.txt"), lines("a", "from a command"));
    await edit(bench, "from a command", "edited");
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), lines("a", "edited"));
  });

  it("is carried over also after a very large file was read, whose text is not kept", () => {
    const reads = new ReadRecords();
    reads.remember("a", { version: "1", text: "small" });
    reads.remember("large", { version: "1", text: "x".repeat(10_000_001) });
    assert.deepEqual([reads.textOf("a"), reads.textOf("large")], ["small", undefined]);
    assert.equal(reads.state("large", "1"), "current");
    reads.remember("other", { version: "1", text: "y".repeat(9_999_999) });
    assert.deepEqual([reads.textOf("a"), reads.textOf("other")?.length], [undefined, 9_999_999]);
  });

  it("is refused as a whole new text, with what is new in the file", async () => {
    const bench = await read(lines("a", "b"));
    bench.ports.files.write(uri("a.txt"), lines("a", "by hand", "b"));
    const outcome = await bench.call("write", { path: "a.txt", content: "all new" });
    assert.match(textOf(outcome), /writing all of it would undo that.*\n@@ line 2 @@\n\+by hand\nEdit it/s);
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), lines("a", "by hand", "b"));
  });

  it("never loses a line of the file's or of the model's, whatever changed", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 10 })
      .map((list) => lines(...list));
    fc.assert(
      fc.property(text, text, text, (known, edited, now) => {
        let result: string;
        try {
          result = carryOver({ known, edited, now }, "a.txt");
        } catch (error) {
          assert.ok(error instanceof UserError);
          return;
        }
        if (now === known) assert.equal(result, edited);
        if (edited === known) assert.equal(result, now);
        const count = (of: string, line: string) => of.split("\n").filter((each) => each === line).length;
        for (const line of ["a", "b", "c", "d"]) {
          const expected = count(now, line) + count(edited, line) - count(known, line);
          assert.equal(count(result, line), expected, "both changes are in it, each once");
        }
      }),
    );
  });

  async function read(text: string) {
    const bench = new ToolBench({ "a.txt": text }, { approvalEdits: "auto" });
    await bench.call("read", { path: "a.txt" });
    return bench;
  }

  const edit = (bench: ToolBench, oldText: string, newText: string) =>
    bench.call("edit", { path: "a.txt", edits: [{ oldText, newText }] });
});

describe("An edit of a file that was not read", () => {
  it("is refused with advice, unless the user allows it", async () => {
    const bench = new ToolBench({ "a.txt": "a\n" }, { approvalEdits: "auto" });
    const args = { path: "a.txt", edits: [{ oldText: "a", newText: "b" }] };
    assert.match(textOf(await bench.call("edit", args)), /not read a\.txt .* reins\.edit\.allowUnread/);
    await bench.ports.settings.update({ editUnread: true });
    await bench.call("edit", args);
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), "b\n");
  });

  it("needs no reading again after a reload, if it is still what was read, or what an edit made of it", async () => {
    for (const tool of ["read", "edit"]) {
      const bench = new ToolBench({ "a.txt": "a\n" }, { approvalEdits: "auto" });
      let outcome = await bench.call("read", { path: "a.txt" });
      const edit = (oldText: string, newText: string) =>
        bench.call("edit", { path: "a.txt", edits: [{ oldText, newText }] });
      if (tool === "edit") outcome = await edit("a", "a2");
      bench.reads = new ReadRecords();
      bench.reads.restore([entry(outcome.details)]);
      const result = textOf(await edit(tool === "edit" ? "a2" : "a", "b"));
      assert.equal(result, "Changed a.txt (1 hunk).");
      bench.ports.files.write(uri("a.txt"), "other\n");
      bench.reads = new ReadRecords();
      bench.reads.restore([entry(outcome.details)]);
      assert.match(textOf(await edit("other", "more")), /had changed since you last saw it/);
    }
  });

  function entry(details: JsonObject | undefined): MessageEntry {
    const message = {
      role: "toolResult",
      toolCallId: "1",
      toolName: "read",
      content: [],
      isError: false,
    } as const;
    return { id: "1", message: { ...message, ...(details && { details }), timestamp: 1 } };
  }
});
