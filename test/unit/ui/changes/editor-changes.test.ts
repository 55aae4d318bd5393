// VS Code's numbers for changes: 1-based, and a side without lines is the line that it comes after, with the end 0.
import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  areDifferences,
  keepChange,
  undoChange,
} from "../../../../src/harness/checkpoints/baseline-lines.ts";
import { partAt, partOf } from "../../../../src/ui/changes/editor-changes.ts";

const numbered = (original: readonly [number, number], modified: readonly [number, number]) => ({
  ...{ originalStartLineNumber: original[0], originalEndLineNumber: original[1] },
  ...{ modifiedStartLineNumber: modified[0], modifiedEndLineNumber: modified[1] },
});

describe("The changes that VS Code names", () => {
  const base = "one\ntwo\nthree\nfour\n";
  const live = "ONE\ntwo\nnew\nnew\nthree\n";
  const named = [numbered([1, 1], [1, 1]), numbered([2, 0], [3, 4]), numbered([4, 4], [5, 0])];

  it("are lines of both texts: changed, added and removed ones", () => {
    const part = partOf(named, 1);
    assert.deepEqual(part, {
      changes: [
        { oldStart: 0, oldEnd: 1, newStart: 0, newEnd: 1 },
        { oldStart: 2, oldEnd: 2, newStart: 2, newEnd: 4 },
        { oldStart: 3, oldEnd: 4, newStart: 5, newEnd: 5 },
      ],
      index: 1,
    });
    assert.equal(areDifferences(base, live, part.changes), true);
    const [changed, added, removed] = part.changes;
    assert.ok(changed && added && removed);
    assert.equal(undoChange(base, live, changed), "one\ntwo\nnew\nnew\nthree\n");
    assert.equal(undoChange(base, live, added), "ONE\ntwo\nthree\n");
    assert.equal(undoChange(base, live, removed), "ONE\ntwo\nnew\nnew\nthree\nfour\n");
    assert.equal(keepChange(base, live, added), "one\ntwo\nnew\nnew\nthree\nfour\n");
  });

  it("are none where a command got something else", () => {
    assert.equal(partOf(undefined, undefined), undefined);
    assert.equal(partOf(named, undefined), undefined);
    assert.equal(partOf([...named, { originalStartLineNumber: 1 }], 0), undefined);
    assert.equal(partOf([null], 0), undefined);
  });

  it("are found at the cursor: on their lines, and beside lines that are gone", () => {
    const at = (line: number) => partAt(base, live, line)?.index;
    assert.deepEqual([0, 1, 2, 3, 4, 5].map(at), [0, undefined, 1, 1, 2, 2]);
    assert.equal(partAt(base, base, 0), undefined);
  });
});
