// Which hunk a key means.
import assert from "node:assert/strict";
import type { HunkStatus, HunkView } from "../../../../src/harness/proposals/types.ts";
import type { OpenProposal } from "../../../../src/harness/types.ts";
import { hunkAt, neighbourHunk } from "../../../../src/ui/review/hunk-navigation.ts";

function hunk(id: string, line: number, lines: number, status: HunkStatus = "pending"): HunkView {
  const newLines = Array.from({ length: lines }, () => "x");
  const around = { before: [], after: [] };
  return { id, status, line, proposedLine: line, oldLines: ["o"], newLines, ...around };
}

function proposal(id: string, hunks: readonly HunkView[]): OpenProposal {
  const label = { id, toolCallId: id, uri: `file:///${id}`, path: id, kind: "edit" as const };
  return {
    view: { ...label, added: 0, removed: 0, hunks, state: "pending" },
    documentText: "",
    proposedText: "",
  };
}

describe("the hunk that is meant", () => {
  const a = proposal("a", [hunk("a1", 2, 3), hunk("a2", 10, 1, "accepted"), hunk("a3", 20, 0)]);
  const b = proposal("b", [hunk("b1", 5, 1, "conflict")]);

  it("is the open one at the cursor, else the nearest", () => {
    const at = (line: number | undefined) => hunkAt(a, { id: "a", line, side: "proposed" })?.id;
    const expected = ["a1", "a1", "a1", "a1", "a1", "a3", "a3", "a3"];
    assert.deepEqual([1, 2, 4, 10, 12, 13, 20, 99].map(at), expected);
    assert.equal(at(undefined), "a1");
  });

  it("is found on the document's side by its lines there", () => {
    assert.equal(hunkAt(a, { id: "a", line: 11, side: "document" })?.id, "a1");
    assert.equal(hunkAt(a, { id: "a", line: 12, side: "document" })?.id, "a3");
  });

  it("is the next or previous one across files and around", () => {
    const go = (id: string, line: number | undefined, direction: "next" | "previous") =>
      neighbourHunk([a, b], { id, line, side: "proposed" }, direction)?.hunkId;
    assert.deepEqual(
      [go("a", 1, "next"), go("a", 2, "next"), go("a", 20, "next"), go("b", 5, "next")],
      ["a1", "a3", "b1", "a1"],
    );
    assert.deepEqual(
      [go("b", 5, "previous"), go("a", 20, "previous"), go("a", 2, "previous")],
      ["a3", "a1", "b1"],
    );
    assert.equal(go("b", undefined, "next"), "b1");
  });

  it("is the first or last one when the cursor is in no proposal, and none when none is open", () => {
    assert.deepEqual(neighbourHunk([a, b], undefined, "next"), { id: "a", hunkId: "a1" });
    assert.deepEqual(neighbourHunk([a, b], undefined, "previous"), { id: "b", hunkId: "b1" });
    assert.equal(neighbourHunk([], undefined, "next"), undefined);
  });
});
