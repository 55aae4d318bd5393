// Property: whatever Reins, the user and reloads did to a file, only Reins' unseen changes differ from its baseline, and
// keeping and undoing them changes nothing else.
import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { editorLines } from "../../../../src/harness/checkpoints/baseline-lines.ts";
import { lineChanges } from "../../../../src/harness/proposals/lines.ts";
import { runs } from "../../../support/properties.ts";
import { until } from "../../../support/until.ts";
import { SessionWithFiles, edit, place } from "./session-with-files.ts";

const file = place("a.txt");
/** Apart from each other, so that each is a change of its own. */
const linesOfReins = [0, 4, 8];
const linesOfUser = [2, 6, 10];

const action = fc.record({
  type: fc.constantFrom("reins", "reins", "user", "user", "keep", "undo", "keepAll", "reopen"),
  which: fc.nat({ max: 2 }),
});

describe("The baseline of a file with a history", () => {
  it("differs from the file in what Reins changed unseen, and in nothing else", async function () {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 9 }), async (actions) => {
        const known = new History();
        let own = new SessionWithFiles({ "a.txt": known.live.join("") });
        await own.open();
        for (const [step, { type, which }] of actions.entries()) {
          if (type === "reopen") own = await reopened(own);
          else await act(own, known, { type, which, text: `step ${step}\n` });
          check(own, known);
        }
        await own.session.checkpoints.baselines.undo([file]);
        assert.equal(own.disk("a.txt"), known.base.join(""));
      }),
      { numRuns: runs(80) },
    );
  });
});

/** What the texts must be. */
class History {
  base = Array.from({ length: 12 }, (_, n) => `line ${n}\n`);
  live = [...this.base];

  /** The lines that differ, in order. */
  get open(): number[] {
    return linesOfReins.filter((n) => this.base[n] !== this.live[n]);
  }
}

async function act(
  own: SessionWithFiles,
  known: History,
  { type, which, text }: { readonly type: string; readonly which: number; readonly text: string },
): Promise<void> {
  const { baselines } = own.session.checkpoints;
  if (type === "reins") {
    const line = linesOfReins[which] ?? 0;
    await own.run("go", [edit("a.txt", known.live[line] ?? "", text)]);
    known.live[line] = text;
  } else if (type === "user") {
    const line = linesOfUser[which] ?? 0;
    known.base[line] = known.live[line] = text;
    own.ports.files.write(file, known.live.join(""));
    own.ports.fileWatch.fire({ uri: file, type: "changed" });
    await until(() => baselines.baselineOf(file)?.includes(text) !== false);
  } else if (type === "keepAll") {
    baselines.keep([file]);
    known.base = [...known.live];
  } else {
    await decide(own, known, { keep: type === "keep", which });
  }
}

async function decide(
  own: SessionWithFiles,
  known: History,
  { keep, which }: { readonly keep: boolean; readonly which: number },
): Promise<void> {
  const { baselines } = own.session.checkpoints;
  const line = known.open[which];
  if (line === undefined) return;
  const changes = lineChanges(editorLines(known.base.join("")), editorLines(known.live.join("")));
  const part = { changes, index: which };
  if (keep) {
    baselines.keep([file], part);
    known.base[line] = known.live[line] ?? "";
  } else {
    await baselines.undo([file], part);
    known.live[line] = known.base[line] ?? "";
  }
}

function check(own: SessionWithFiles, known: History): void {
  const isOpen = known.open.length > 0;
  const baseline = own.session.checkpoints.baselines.baselineOf(file);
  assert.equal(baseline, isOpen ? known.base.join("") : undefined);
  assert.equal(own.disk("a.txt"), known.live.join(""));
}

async function reopened(own: SessionWithFiles): Promise<SessionWithFiles> {
  await own.session.flush();
  own.kill();
  const later = new SessionWithFiles({}, {}, own.ports);
  await later.open();
  await later.session.checkpoints.baselines.load();
  return later;
}
