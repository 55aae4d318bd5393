// Property: whatever a file holds and however a model spells its edits, either they are refused with an error that helps,
// or the new texts stand in their places and every other byte is what it was.
import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { applyEdits } from "../../../../src/harness/tools/apply-edits.ts";
import { UserError } from "../../../../src/shared/errors.ts";
import { runs } from "../../../support/properties.ts";
import { textOf, ToolBench, uri } from "../tools/tool-bench.ts";
import { editedFiles } from "./arbitrary-files.ts";
import type { EditedFile, PlacedEdit } from "./arbitrary-files.ts";

const plainEnds = (text: string) => text.replace(/\r\n?/g, "\n");
const byPlace = (edits: readonly PlacedEdit[]) => edits.toSorted((a, b) => a.start - b.start);

/** The blanks at the end of a place may go with it, where the line ends there. */
function checkResult({ text, edits }: EditedFile, result: string): void {
  let at = 0;
  let from = 0;
  for (const { start, end, newText, indent } of byPlace(edits)) {
    const before = text.slice(from, start);
    assert.equal(result.slice(at, at + before.length), before, "what is before an edit has changed");
    at += before.length;
    const place = /^[ \t]*<[^>]*>/.exec(result.slice(at))?.[0] ?? "";
    const expected = newText.replace(/^(?=.*\S)/gm, () => indent);
    assert.equal(plainEnds(place), expected, "the new text was not put in as it is");
    const ends = new Set(text.match(/\r\n|\r|\n/g) ?? ["\n"]);
    for (const lineEnd of place.match(/\r\n|\r|\n/g) ?? []) assert.ok(ends.has(lineEnd), "another line end");
    at += place.length;
    from = end - (/[ \t]*$/.exec(text.slice(start, end))?.[0].length ?? 0);
    const blanks = /^[ \t]*(?=[\r\n]|$)/.exec(text.slice(from))?.[0] ?? "";
    const kept = /^[ \t]*/.exec(result.slice(at))?.[0] ?? "";
    if (blanks === "") from = end;
    else if (kept.length < blanks.length) from += blanks.length - kept.length;
  }
  assert.equal(result.slice(at), text.slice(from), "what is after the last edit has changed");
}

describe("Any edits of any file", () => {
  it("leave every character outside of their places, and put the new texts in verbatim", () => {
    let applied = 0;
    fc.assert(
      fc.property(editedFiles, (file) => {
        fc.pre(file.edits.length > 0);
        checkResult(file, applyEdits(file.text, file.edits, "a.txt"));
        applied += 1;
      }),
      { numRuns: runs(500) },
    );
    assert.ok(applied > 100);
  });

  const encodings = fc.constantFrom(
    { encoding: undefined, bytes: (text: string) => Buffer.from(text) },
    { encoding: "utf8bom", bytes: (text: string) => Buffer.from(`\ufeff${text}`) },
    { encoding: "iso88591", bytes: (text: string) => Buffer.from(text, "latin1") },
  );

  it("leave every byte outside of their places on disk, in every encoding, and unsaved text unsaved", async () => {
    await fc.assert(
      fc.asyncProperty(editedFiles, encodings, fc.boolean(), async (file, { encoding, bytes }, dirty) => {
        const latin = encoding === "iso88591";
        const holds = (text: string) => !latin || !/[^\0-\xff]/.test(text);
        const text = latin
          ? file.text.replace(/[^\0-\xff‹›]/g, "?").replace(/‹(mark \d+)›/g, "«$1»")
          : file.text;
        const exact = (edit: PlacedEdit) => ({
          ...edit,
          oldText: text.slice(edit.start, edit.end),
          indent: "",
        });
        const edits = file.edits.map((edit) => (latin ? exact(edit) : edit));
        fc.pre(edits.length > 0 && !file.text.startsWith("\ufeff") && text.length === file.text.length);
        const bench = new ToolBench(
          { "a.txt": bytes(dirty ? "as it was" : text) },
          { approvalEdits: "auto", editUnread: true },
        );
        if (encoding !== undefined) bench.ports.files.setEncoding(uri("a.txt"), encoding);
        if (dirty) bench.ports.files.type(uri("a.txt"), text);
        const outcome = await bench.call("edit", {
          path: "a.txt",
          edits: edits.map(({ oldText, newText }) => ({ oldText, newText })),
        });
        const image = bench.ports.files.image(uri("a.txt"));
        const now = Buffer.from(image?.bytes ?? []);
        assert.equal(image?.dirty, dirty);
        if (outcome.isError === true) {
          assert.ok(
            edits.some(({ newText }) => !holds(newText)),
            textOf(outcome),
          );
          assert.deepEqual(now, bytes(text));
          return;
        }
        const decoded = latin ? now.toString("latin1") : now.toString("utf8");
        const mark = encoding === "utf8bom" ? "\ufeff" : "";
        assert.ok(decoded.startsWith(mark));
        checkResult({ text, edits }, decoded.slice(mark.length));
      }),
      { numRuns: runs(200) },
    );
  });

  it("are refused where a place occurs twice, with the line of each, whatever the spelling", () => {
    fc.assert(
      fc.property(editedFiles, fc.nat(11), (file, which) => {
        fc.pre(file.edits.length > 0);
        const edit = file.edits[which % file.edits.length];
        assert.ok(edit);
        const end = /\r\n|\r|\n/.exec(file.text)?.[0] ?? "\n";
        const copy = file.text.slice(edit.start, edit.end);
        const twice = `${file.text}${end}${copy}`;
        const line = (offset: number) => twice.slice(0, offset).split(/\r\n|\r|\n/).length;
        const lines = [line(edit.start), line(file.text.length + end.length)];
        assert.throws(
          () => applyEdits(twice, [edit], "a.txt"),
          (error) => {
            assert.ok(error instanceof UserError);
            const named = /occurs 2 times in a\.txt, at lines ([\d, ]+)/.exec(error.message)?.[1];
            assert.equal(named, lines.join(", "), error.message);
            return true;
          },
        );
      }),
    );
  });

  it("are refused as a whole where two overlap", () => {
    fc.assert(
      fc.property(editedFiles, fc.nat(11), fc.nat(20), (file, which, more) => {
        fc.pre(file.edits.length > 0);
        const edit = file.edits[which % file.edits.length];
        assert.ok(edit);
        const end = Math.min(file.text.length, edit.end + 1 + more);
        fc.pre(end > edit.end);
        const other = { oldText: file.text.slice(edit.start, end), newText: "other" };
        fc.pre(!/^\n/.test(file.text.slice(end)) && !/[ \t]$/.test(other.oldText));
        assert.throws(() => applyEdits(file.text, [edit, other], "a.txt"), /overlap in a\.txt. Merge them/);
      }),
    );
  });
});
