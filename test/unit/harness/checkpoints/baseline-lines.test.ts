// What the review afterwards computes: baselines that follow the user's typing, and changes kept or undone one by one.
import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import {
  areDifferences,
  editorLines,
  keepChange,
  rebaseBaseline,
  undoChange,
} from "../../../../src/harness/checkpoints/baseline-lines.ts";
import { lineChanges, sameContent, splitLines } from "../../../../src/harness/proposals/lines.ts";
import type { LineChange } from "../../../../src/harness/proposals/lines.ts";

const changesOf = (base: string, live: string): LineChange[] =>
  lineChanges(bare(editorLines(base)), bare(editorLines(live)));
const bare = (lines: readonly string[]) => lines.map((line) => line.replace(/[\r\n]+$/, ""));
const first = (base: string, live: string): LineChange => {
  const [change] = changesOf(base, live);
  assert.ok(change);
  return change;
};

/** What is left once a change is kept, or else undone: those below it have moved. */
function others(changes: readonly LineChange[], done: LineChange, keep: boolean): LineChange[] {
  const grown = done.newEnd - done.newStart - (done.oldEnd - done.oldStart);
  const [old, now] = keep ? [grown, 0] : [0, -grown];
  return changes
    .filter((change) => change !== done)
    .map((change) => {
      if (change.oldStart < done.oldStart) return change;
      const { oldStart, oldEnd, newStart, newEnd } = change;
      return {
        oldStart: oldStart + old,
        oldEnd: oldEnd + old,
        newStart: newStart + now,
        newEnd: newEnd + now,
      };
    });
}

describe("The baseline of a file", () => {
  const base = "one\ntwo\nthree\nfour\nfive\n";
  const last = "one\nTWO\nthree\nfour\nfive\n";

  it("is what the file was, while nobody else changed it", () => {
    assert.equal(rebaseBaseline({ base, last, live: last }), base);
  });

  it("has what the user typed elsewhere, so that only Reins' change differs", () => {
    const live = "zero\none\nTWO\nthree\nfour\nFIVE\nsix\n";
    assert.equal(rebaseBaseline({ base, last, live }), "zero\none\ntwo\nthree\nfour\nFIVE\nsix\n");
  });

  it("stays what it was where the user typed into Reins' change", () => {
    const live = "one\nTWO, mine\nthree\nfour\nfive, mine\n";
    assert.equal(rebaseBaseline({ base, last, live }), "one\ntwo\nthree\nfour\nfive, mine\n");
  });

  it("is the file itself once the user took the change back, and differs again when they undo that", () => {
    assert.equal(rebaseBaseline({ base, last, live: base }), base);
    assert.equal(rebaseBaseline({ base, last, live: last }), base);
  });

  it("of a new file has only what the user added before and after Reins' lines", () => {
    assert.equal(rebaseBaseline({ base: "", last: "a\nb\n", live: "a\nb\nmine\n" }), "mine\n");
    assert.equal(rebaseBaseline({ base: "", last: "a\nb\n", live: "a\nB\n" }), "");
  });

  it("does not mind another kind of line ends", () => {
    const live = last.replaceAll("\n", "\r\n");
    assert.equal(rebaseBaseline({ base, last, live }), base.replaceAll("\n", "\r\n"));
  });
});

describe("A change between a baseline and a file", () => {
  it("is undone at a missing last line end, at both ends, and in an empty file", () => {
    const cases: readonly (readonly [string, string])[] = [
      ["a", "a\nb"],
      ["a", "a\n"],
      ["a\n", "a"],
      ["", "a\nb\n"],
      ["a\nb\n", ""],
      ["a\nb", "b"],
      ["b\r\nc\r\n", "a\r\nb\r\nc\r\n"],
    ];
    for (const [base, live] of cases) {
      assert.equal(undoChange(base, live, first(base, live)), base, JSON.stringify([base, live]));
      assert.equal(keepChange(base, live, first(base, live)), live, JSON.stringify([base, live]));
    }
  });

  it("belongs to the texts only together with all others, blanks at the ends of lines apart", () => {
    const base = "a\nb\nc\nd\n";
    const live = "A\nb\nc\nD\n";
    const changes = changesOf(base, live);
    assert.equal(changes.length, 2);
    assert.equal(areDifferences(base, live, changes), true);
    assert.equal(areDifferences(base, live.replace("b\n", "  b \n"), changes), true);
    assert.equal(areDifferences(base, live, changes.slice(1)), false);
    assert.equal(areDifferences(base, live.replace("c\n", "x\n"), changes), false);
    assert.equal(areDifferences(base, `typed\n${live}`, changes), false);
    assert.equal(areDifferences(base, live, [...changes].reverse()), false);
  });

  const text = fc
    .array(fc.constantFrom("a\n", "b\n", "c\n", "d\n", "\n", "e\r\n"), { maxLength: 12 })
    .chain((lines) => fc.constantFrom("", "end").map((end) => lines.join("") + end));

  it("kept or undone in any order: what is left are the others, until both texts are the same", () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.tuple(fc.boolean(), fc.nat())), (start, end, choices) => {
        let [base, live] = [start, end];
        for (const [keep, choice] of choices) {
          const changes = changesOf(base, live);
          const change = changes[choice % changes.length];
          if (!change) break;
          assert.equal(areDifferences(base, live, changes), true);
          if (keep) base = keepChange(base, live, change);
          else live = undoChange(base, live, change);
          assert.equal(areDifferences(base, live, others(changes, change, keep)), true);
        }
        for (;;) {
          const change = changesOf(base, live)[0];
          if (!change) break;
          live = undoChange(base, live, change);
        }
        assert.deepEqual(bare(editorLines(live)), bare(editorLines(base)));
      }),
    );
  });

  it("leaves, once all are undone, what the user typed elsewhere in its place", () => {
    const lines = Array.from({ length: 12 }, (_, n) => `line ${n}\n`);
    const places = fc.uniqueArray(fc.nat({ max: 11 }), { maxLength: 5 });
    fc.assert(
      fc.property(places, places, fc.boolean(), (byReins, byUser, typedAbove) => {
        const mine = byUser.filter((n) => !byReins.includes(n));
        const last = lines.map((line, n) => (byReins.includes(n) ? `reins ${n}\n` : line));
        const edited = last.map((line, n) => (mine.includes(n) ? `mine ${n}\n` : line));
        const live = [...(typedAbove ? ["new\n"] : []), ...edited].join("");
        const baseline = rebaseBaseline({ base: lines.join(""), last: last.join(""), live });
        const expected = lines.map((line, n) => (mine.includes(n) ? `mine ${n}\n` : line));
        // Lines of the user right beside Reins' belong to one change; they are on one side only then.
        const apart = mine.every((n) => !byReins.includes(n - 1) && !byReins.includes(n + 1));
        if (apart && !(typedAbove && byReins.includes(0)))
          assert.equal(baseline, [...(typedAbove ? ["new\n"] : []), ...expected].join(""));
        const kept = splitLines(live).filter((line) => /mine|new/.test(line));
        assert.ok(
          apart
            ? sameContent(
                splitLines(baseline).filter((line) => /mine|new/.test(line)),
                kept,
              )
            : true,
        );
      }),
    );
  });
});
