import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { PlannedFile } from "../../../../src/harness/checkpoints/types.ts";
import { restoreItems, uncoveredText } from "../../../../src/ui/checkpoints/restore-items.ts";

const file = (path: string, change: Partial<PlannedFile> = {}): PlannedFile => ({
  ...{ uri: `memory:/${path}`, path, action: "change", changedSince: false, unsaved: false },
  ...{ now: "1", then: "2" },
  ...change,
});
const plan = { point: { type: "message", id: "m" }, files: [], uncovered: [], more: 0 } as const;

describe("The list of a restore", () => {
  it("chooses what only Reins changed, and keeps what is the user's", () => {
    const files = [
      file("a"),
      file("b", { action: "delete", changedSince: true }),
      file("c", { action: "create" }),
      file("d", { changedSince: true, unsaved: true }),
    ];
    const items = restoreItems({ ...plan, files });
    assert.deepEqual(
      items.map(({ label, description, picked }) => [label, description, picked]),
      [
        ["a", "will be changed back", true],
        ["b", "will be deleted", false],
        ["c", "will be created again", true],
        ["d", "will be changed back", false],
      ],
    );
    assert.match(items[1]?.detail ?? "", /changed since by you or a program.*deleted with it/);
    assert.match(items[3]?.detail ?? "", /unsaved changes.*undo brings it back/);
  });

  it("names what cannot be put back, and why", () => {
    assert.equal(uncoveredText(plan), undefined);
    const uncovered = [
      { uri: "memory:/a", path: "a", why: "command" },
      { uri: "memory:/b", path: "b", why: "removed" },
      ...Array.from({ length: 9 }, (_, n) => ({
        uri: `memory:/c${n}`,
        path: `c${n}`,
        why: "command" as const,
      })),
    ] as const;
    assert.equal(
      uncoveredText({ ...plan, uncovered, more: 7 }),
      "Changed by commands, cannot be restored: a, c0, c1, c2, c3, c4, c5, c6, and 9 more · No copy is kept any more of: b",
    );
  });
});
