// Changes that wait while the agent goes on: what the call says, what is read meanwhile, a second change of the same
// file, what the model is told in the end, and that nothing is lost, applied unseen or applied twice.
import assert from "node:assert/strict";
import fc from "fast-check";
import { splitLines } from "../../../../src/harness/proposals/lines.ts";
import { fact } from "../../../../src/harness/session/entries.ts";
import type { SessionEntry } from "../../../../src/harness/session/entries.ts";
import { reopenWaiting, waitingProposals } from "../../../../src/harness/tools/waiting-proposals.ts";
import type { JsonObject } from "../../../../src/shared/json.ts";
import { until } from "../../../support/until.ts";
import { ToolBench, textOf, uri } from "./tool-bench.ts";

const text = "one\ntwo\nthree\nfour\nfive\nsix\n";

function setUp(files: { readonly [path: string]: string } = { "a.txt": text }) {
  return new ToolBench(files, { approvalEdits: "later" });
}

function edit(...edits: readonly [string, string][]): JsonObject {
  return { path: "a.txt", edits: edits.map(([oldText, newText]) => ({ oldText, newText })) };
}

async function readAndEdit(bench: ToolBench, ...edits: readonly [string, string][]) {
  await bench.call("read", { path: "a.txt" });
  return bench.call("edit", edit(...edits));
}

const told = (bench: ToolBench) => bench.writer.messages.map((message) => message.text);

/** What the session's file has: what was written, and what was told. */
function pathOf({ writer }: ToolBench): SessionEntry[] {
  const notices = writer.messages.map(({ kind, text: said, details }) =>
    fact("reins.notice", { kind, text: said, ...(details && { details }) }),
  );
  return [...writer.entries, ...notices].map((entry, i) => {
    return { ...entry, id: `${i}`, parentId: null, timestamp: "" };
  });
}

/** Of the one proposal that waits. */
function waiting(bench: ToolBench) {
  assert.equal(bench.proposals.pending.length, 1);
  const [proposal] = bench.proposals.pending;
  assert.ok(proposal);
  return proposal;
}

describe("a change that is reviewed later", () => {
  it("ends its call at once, changes nothing, and says that it is pending", async () => {
    const bench = setUp();
    const result = await readAndEdit(bench, ["two", "TWO"], ["five", "FIVE"]);
    assert.equal(
      textOf(result),
      "Proposed 2 hunks in a.txt; pending: the user reviews it later, and you will be told. Until then the file, and what you read of it, is without them. Go on, and do not propose it again.",
    );
    assert.equal(result.isError ?? false, false);
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), text);
    assert.equal(waiting(bench).proposedText, text.replace("two", "TWO").replace("five", "FIVE"));
  });

  it("is told to the model when all of it is decided, as exactly as one that was waited for", async () => {
    const bench = setUp();
    await readAndEdit(bench, ["two", "TWO"], ["five", "FIVE"]);
    const { view } = waiting(bench);
    await bench.proposals.decide(view.id, { type: "acceptHunk", hunkId: "h1" });
    assert.deepEqual(told(bench), [], "not before");
    await bench.proposals.decide(view.id, { type: "rejectHunk", hunkId: "h2", reason: "five is right" });
    await until(() => told(bench).length > 0);
    const [said = ""] = told(bench);
    assert.match(said, /^The user accepted 1 of 2 hunks in a\.txt\./);
    assert.match(said, /rejected the hunk at line 5 with this reason: five is right\n-five\n\+FIVE/);
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), text.replace("two", "TWO"));
    assert.equal(textOf(await bench.call("edit", edit(["TWO", "2"]))).startsWith("Proposed 1 hunk"), true);
  });

  it("is not in what is read meanwhile, and that is said", async () => {
    const bench = setUp();
    await readAndEdit(bench, ["two", "TWO"]);
    const read = textOf(await bench.call("read", { path: "a.txt" }));
    assert.match(read, /2\ttwo/);
    assert.match(read, /\[1 hunk of yours waits for the user's review; the text above is without that\.\]$/);
  });

  it("takes in a second change of the same file, on what was proposed or on what is there", async () => {
    const bench = setUp();
    await readAndEdit(bench, ["two", "TWO"]);
    const first = waiting(bench).view.id;
    await bench.call("edit", edit(["TWO", "2"], ["four", "FOUR"]));
    assert.notEqual(waiting(bench).view.id, first);
    const onFile = await bench.call("edit", edit(["three\nfour", "three\n4"]));
    assert.match(textOf(onFile), /These lines of a\.txt are part of your change that waits[\s\S]*FOUR/);
    assert.equal(onFile.isError, true);
    const fresh = await bench.call("edit", edit(["six", "SIX"]));
    assert.match(textOf(fresh), /What still waited of your earlier change of a\.txt is part of this one\./);
    const { view, proposedText } = waiting(bench);
    assert.equal(proposedText, "one\n2\nthree\nFOUR\nfive\nSIX\n");
    await bench.proposals.decide(view.id, { type: "acceptAll" });
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), proposedText);
  });

  it("keeps what the user decided and typed when another one takes it in, and tells it", async () => {
    const bench = setUp();
    await readAndEdit(bench, ["one", "ONE"], ["three", "THREE"], ["five", "FIVE"]);
    const { view } = waiting(bench);
    await bench.proposals.decide(view.id, { type: "acceptHunk", hunkId: "h1" });
    await bench.proposals.decide(view.id, { type: "rejectHunk", hunkId: "h2", reason: "no" });
    bench.proposals.proposedTextChanged(view.id, "ONE\ntwo\nthree\nfour\nFIVE!\nsix\n");
    const said = textOf(await bench.call("edit", edit(["six", "SIX"])));
    assert.match(said, /Of your earlier change of a\.txt the user accepted 1 of 3 hunks\./);
    assert.match(said, /rejected the hunk at line 3 with this reason: no/);
    assert.match(said, /changed what you had proposed at line 5; it waits as:\n\+FIVE!/);
    assert.equal(waiting(bench).proposedText, "ONE\ntwo\nthree\nfour\nFIVE!\nSIX\n");
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), text.replace("one", "ONE"));
    assert.deepEqual(told(bench), []);
  });

  it("that overlaps what the user changed meanwhile is not added to until they have decided", async () => {
    const bench = setUp();
    await readAndEdit(bench, ["two", "TWO"]);
    bench.ports.files.write(uri("a.txt"), text.replace("two", "mine"));
    const refused = await bench.call("edit", edit(["six", "SIX"]));
    assert.match(textOf(refused), /overlaps what the user changed meanwhile/);
    assert.equal(waiting(bench).view.hunks[0]?.status, "conflict");
  });

  it("goes on waiting when a further edit of it is wrong", async () => {
    const bench = setUp();
    await readAndEdit(bench, ["two", "TWO"]);
    const before = waiting(bench);
    const wrong = await bench.call("edit", edit(["nowhere", "x"]));
    assert.equal(wrong.isError, true);
    assert.deepEqual(waiting(bench), before);
  });

  it("goes on waiting when a further edit of it cannot be kept, and when the user types just then", async () => {
    const bench = setUp({ "a.txt": text });
    bench.ports.files.setEncoding(uri("a.txt"), "iso88591");
    await readAndEdit(bench, ["two", "TWO"]);
    const before = waiting(bench);
    const refused = await bench.call("edit", edit(["six", "\u6f22"]));
    assert.equal(refused.isError, true);
    assert.equal(waiting(bench).view.id, before.view.id);

    const joining = bench.call("edit", edit(["six", "SIX"]));
    bench.proposals.proposedTextChanged(before.view.id, text.replace("two", "TWO typed"));
    assert.equal((await joining).isError ?? false, false);
    assert.equal(waiting(bench).proposedText, text.replace("two", "TWO typed").replace("six", "SIX"));
  });

  it("is still known where the window went away before what took it in was", async () => {
    const bench = setUp();
    await readAndEdit(bench, ["two", "TWO"]);
    await bench.call("edit", edit(["six", "SIX"]));
    const kinds = bench.writer.entries.map((entry) => (entry.type === "custom" ? entry.customType : ""));
    assert.deepEqual(kinds, ["reins.proposal", "reins.proposal", "reins.proposalEnd"]);
  });

  it("is gone when a further edit takes it back", async () => {
    const bench = setUp();
    await readAndEdit(bench, ["two", "TWO"]);
    const back = textOf(await bench.call("edit", edit(["TWO", "two"])));
    assert.match(back, /^Nothing of your changes of a\.txt waits for review any more/);
    assert.deepEqual(bench.proposals.pending, []);
  });

  it("of a new file can be edited and written anew, and exists once it is accepted", async () => {
    const bench = setUp({});
    const created = await bench.call("write", { path: "new.txt", content: "a\nb\n" });
    assert.match(
      textOf(created),
      /^Proposed the new file new\.txt; pending: .* Until then it does not exist\./,
    );
    assert.match(
      textOf(await bench.call("read", { path: "new.txt" })),
      /does not exist yet: your new file waits/,
    );
    const edits = [{ oldText: "b", newText: "B" }];
    await bench.call("edit", { path: "new.txt", edits });
    assert.equal(waiting(bench).proposedText, "a\nB\n");
    assert.equal(waiting(bench).view.kind, "create");
    await bench.call("write", { path: "new.txt", content: "anew\n" });
    await bench.proposals.decide(waiting(bench).view.id, { type: "acceptAll" });
    assert.equal(bench.ports.files.onDisk(uri("new.txt")), "anew\n");
    await until(() => told(bench).length > 0);
    assert.deepEqual(told(bench), ["Created new.txt. The user accepted it."]);
  });

  it("waits beside a change that is accepted unseen, and follows it", async () => {
    const bench = setUp();
    await readAndEdit(bench, ["two", "TWO"]);
    await bench.ports.settings.update({ approvalEdits: "auto" });
    assert.match(textOf(await bench.call("edit", edit(["six", "SIX"]))), /^Changed a\.txt \(1 hunk\)\./);
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), text.replace("six", "SIX"));
    await bench.proposals.decide(waiting(bench).view.id, { type: "acceptAll" });
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), text.replace("six", "SIX").replace("two", "TWO"));
  });

  it("is waited for, with what waited before, when the user says so meanwhile", async () => {
    const bench = setUp();
    await readAndEdit(bench, ["two", "TWO"]);
    await bench.ports.settings.update({ approvalEdits: "ask" });
    const result = bench.call("edit", edit(["six", "SIX"]));
    await until(() => bench.proposals.pending[0]?.view.hunks.length === 2);
    await bench.proposals.decide(waiting(bench).view.id, { type: "acceptAll" });
    assert.match(textOf(await result), /^Changed a\.txt \(2 hunks\)\. The user accepted it\./);
    assert.equal(bench.ports.files.onDisk(uri("a.txt")), text.replace("six", "SIX").replace("two", "TWO"));
  });

  describe("after a reload", () => {
    const reload = async (bench: ToolBench) => {
      const path = JSON.parse(JSON.stringify(pathOf(bench))) as SessionEntry[];
      const after = new ToolBench({}, {}, bench.ports.files);
      await reopenWaiting(after.context, waitingProposals(path));
      return after;
    };

    it("waits again as it was, without what was decided, and is decided as before", async () => {
      const bench = setUp();
      await readAndEdit(bench, ["two", "TWO"], ["five", "FIVE"]);
      await bench.proposals.decide(waiting(bench).view.id, { type: "acceptHunk", hunkId: "h1" });
      const after = await reload(bench);
      const { view } = waiting(after);
      assert.deepEqual(
        view.hunks.map(({ newLines }) => newLines),
        [["FIVE"]],
      );
      await after.proposals.decide(view.id, { type: "acceptAll" });
      await until(() => told(after).length > 0);
      assert.equal(
        bench.ports.files.onDisk(uri("a.txt")),
        text.replace("two", "TWO").replace("five", "FIVE"),
      );
    });

    it("has what the user typed into it, a moment after the typing", async () => {
      const bench = setUp();
      await readAndEdit(bench, ["two", "TWO"]);
      const { view } = waiting(bench);
      for (const typed of ["TWO!", "TWO!!", "TWO!!!"])
        bench.proposals.proposedTextChanged(view.id, text.replace("two", typed));
      const written = bench.writer.entries.length;
      await bench.ports.clock.advance(500);
      assert.equal(bench.writer.entries.length, written + 1);
      const after = await reload(bench);
      assert.equal(waiting(after).proposedText, text.replace("two", "TWO!!!"));
      await after.proposals.decide(view.id, { type: "acceptAll" });
      await until(() => told(after).length > 0);
      assert.match(
        told(after).join(),
        /The user changed your proposal before accepting it:\n.*\n-TWO\n\+TWO!!!/,
      );
    });

    it("is not applied twice where it was accepted right before", async () => {
      const bench = setUp();
      await readAndEdit(bench, ["two", "TWO\n2"], ["five", "FIVE"]);
      bench.ports.files.write(uri("a.txt"), text.replace("two", "TWO\n2"));
      const after = await reload(bench);
      const { view, proposedText } = waiting(after);
      assert.deepEqual(
        view.hunks.map(({ newLines }) => newLines),
        [["FIVE"]],
      );
      assert.equal(proposedText, text.replace("two", "TWO\n2").replace("five", "FIVE"));
    });

    it("is given up, and said so, where its lines are others now or the file is gone", async () => {
      for (const now of [text.replace("two", "mine"), undefined]) {
        const bench = setUp();
        await readAndEdit(bench, ["two", "TWO"]);
        if (now === undefined) bench.ports.files.remove(uri("a.txt"));
        else bench.ports.files.write(uri("a.txt"), now);
        const after = await reload(bench);
        assert.deepEqual(after.proposals.pending, []);
        assert.match(told(after).join(), /What still waited of the change of a\.txt cannot be shown/);
        assert.deepEqual(waitingProposals([...pathOf(bench), ...pathOf(after)]), []);
      }
    });

    it("is left out where its record is damaged", () => {
      const data = {
        id: "x",
        toolCallId: "c",
        uri: "file:///a",
        path: "a",
        kind: "edit",
        hunks: [{ start: 0, oldLines: [1], newLines: [] }],
      };
      for (const broken of [data, { ...data, hunks: "" }, { ...data, hunks: [], uri: 1 }, null])
        assert.deepEqual(
          waitingProposals([
            {
              type: "custom",
              customType: "reins.proposal",
              data: broken as never,
              id: "1",
              parentId: null,
              timestamp: "",
            },
          ]),
          [],
        );
    });
  });

  it("loses and doubles nothing, whatever is proposed, typed and decided in whatever order", async () => {
    const line = fc.integer({ min: 0, max: 5 });
    const step = fc.oneof(
      fc.record({ type: fc.constant("edit" as const), line }),
      fc.record({ type: fc.constant("type" as const), line }),
      fc.record({ type: fc.constantFrom("accept" as const, "reject" as const), line }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const bench = setUp({ "a.txt": "l0\nl1\nl2\nl3\nl4\nl5\n" });
        const file = () => bench.ports.files.onDisk(uri("a.txt")) ?? "";
        let typed = 0;
        let number = 0;
        const accepted = new Set<string>();
        for (const { type, line: at } of steps) {
          const open = bench.proposals.pending[0];
          if (type === "edit") {
            await bench.call("read", { path: "a.txt" });
            const before = splitLines(open?.proposedText ?? file())[at] ?? "";
            number += 1;
            await bench.call("edit", edit([before.trimEnd(), `${before.trimEnd()}+m${number}.`]));
          } else if (type === "type") {
            const lines = splitLines(file());
            typed += 1;
            lines[at] = `${(lines[at] ?? "").trimEnd()}+u${typed}.\n`;
            bench.ports.files.write(uri("a.txt"), lines.join(""));
          } else if (open) {
            const hunk = open.view.hunks[at % Math.max(1, open.view.hunks.length)];
            if (hunk?.status !== "pending") continue;
            if (type === "accept")
              for (const made of hunk.newLines.join().match(/m\d+\./g) ?? []) accepted.add(made);
            const decision = { type: `${type}Hunk`, hunkId: hunk.id } as const;
            await bench.proposals.decide(open.view.id, decision).catch(() => accepted.clear());
          }
          for (let n = 1; n <= typed; n += 1)
            assert.equal(file().split(`u${n}.`).length, 2, "what the user typed is there once");
          for (let n = 1; n <= number; n += 1) {
            const there = file().split(`m${n}.`).length - 1;
            assert.ok(there <= 1, "no change is there twice");
            if (there === 1) assert.ok(accepted.has(`m${n}.`), "nothing is there that was not accepted");
          }
        }
      }),
    );
  });
});
