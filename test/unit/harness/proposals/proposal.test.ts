import assert from "node:assert/strict";
import fc from "fast-check";
import { splitLines } from "../../../../src/harness/proposals/lines.ts";
import type { ProposalState } from "../../../../src/harness/proposals/proposal.ts";
import {
  acceptHunks,
  changeDocument,
  changeProposed,
  createProposal,
  documentTextOf,
  isOpen,
  proposedTextOf,
  rejectHunks,
} from "../../../../src/harness/proposals/proposal.ts";
import { runs } from "../../../support/properties.ts";
import { lineEdits, texts } from "./arbitrary-texts.ts";

const base = "one\ntwo\nthree\nfour\nfive\n";
const proposed = "ONE\ntwo\nthree\nfour\nFIVE\n";

function ids(state: ProposalState): string[] {
  return state.entries.filter(isOpen).map((entry) => entry.id);
}

function brief(state: ProposalState): string[] {
  return state.entries.map(
    ({ id, status, userEdited, oldLines, newLines }) =>
      `${id} ${status}${userEdited ? " (user)" : ""}: ${JSON.stringify(oldLines.join(""))} → ${JSON.stringify(newLines.join(""))}`,
  );
}

/** What must hold after every step. */
function checkInvariants(state: ProposalState): void {
  let line = 0;
  for (const entry of state.entries.filter(isOpen)) {
    assert.ok(entry.start >= line, `hunk ${entry.id} overlaps the one before it`);
    assert.deepEqual(state.document.slice(entry.start, entry.start + entry.oldLines.length), entry.oldLines);
    line = entry.start + entry.oldLines.length;
  }
  assert.deepEqual(splitLines(documentTextOf(state)), state.document, "no two lines were joined");
}

describe("Deciding on a proposal", () => {
  it("accepts one hunk into the document, and the proposed text stays what it is", () => {
    const state = acceptHunks(createProposal(base, proposed, false), new Set(["h1"]));
    assert.equal(documentTextOf(state), "ONE\ntwo\nthree\nfour\nfive\n");
    assert.equal(proposedTextOf(state), proposed);
    assert.deepEqual(brief(state), ['h1 accepted: "one\\n" → "ONE\\n"', 'h2 pending: "five\\n" → "FIVE\\n"']);
  });

  it("takes a rejected hunk out of the proposed text and keeps the reason", () => {
    const state = rejectHunks(createProposal(base, proposed, false), new Set(["h1"]), "keep it");
    assert.equal(documentTextOf(state), base);
    assert.equal(proposedTextOf(state), "one\ntwo\nthree\nfour\nFIVE\n");
    assert.equal(state.entries[0]?.reason, "keep it");
  });

  it("ends at the same text whatever the order of decisions", () => {
    fc.assert(
      fc.property(lineEdits, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), (edit, choices) => {
        const start = createProposal(edit.base, edit.next, false);
        const run = (order: readonly string[]): ProposalState =>
          order.reduce((state, id) => {
            const one = new Set([id]);
            const accept = choices[Number(id.slice(1))] ?? true;
            const next = accept ? acceptHunks(state, one) : rejectHunks(state, one, undefined);
            checkInvariants(next);
            return next;
          }, start);
        const forward = run(ids(start));
        const backward = run(ids(start).reverse());
        assert.equal(documentTextOf(forward), documentTextOf(backward));
        assert.equal(proposedTextOf(forward), documentTextOf(forward));
      }),
    );
  });

  it("offers an empty new file as something to accept", () => {
    const state = createProposal("", "", true);
    assert.deepEqual(ids(state), ["h1"]);
    assert.equal(acceptHunks(state, new Set(["h1"])).creates, false);
  });
});

describe("The user types into the real document while a proposal waits", () => {
  const start = createProposal(base, proposed, false);

  it("moves hunks along with text that was typed elsewhere", () => {
    const state = changeDocument(start, `new\n${base}`);
    assert.deepEqual(
      state.entries.map((entry) => entry.start),
      [1, 5],
    );
    assert.equal(proposedTextOf(state), `new\n${proposed}`);
  });

  it("follows typing in the neighbouring line", () => {
    const state = changeDocument(start, base.replace("two", "2"));
    assert.equal(proposedTextOf(state), proposed.replace("two", "2"));
    assert.deepEqual(ids(state), ["h1", "h2"]);
  });

  it("marks a hunk whose line was typed into as a conflict, and ends it when that is undone", () => {
    const state = changeDocument(start, base.replace("one", "one!"));
    assert.equal(state.entries[0]?.status, "conflict");
    assert.equal(documentTextOf(state), base.replace("one", "one!"));
    assert.equal(changeDocument(state, base).entries[0]?.status, "pending");
  });

  it("counts a hunk as accepted when the user typed the same", () => {
    const state = changeDocument(start, base.replace("five", "FIVE"));
    assert.equal(state.entries[1]?.status, "accepted");
  });

  it("ignores that the editor made mixed line ends uniform", () => {
    const mixed = createProposal("a\r\nb\nc\n", "a\r\nB\nc\n", false);
    const state = changeDocument(mixed, "a\r\nb\r\nc\r\n");
    assert.deepEqual(brief(state), ['h1 pending: "b\\r\\n" → "B\\r\\n"']);
  });

  it("keeps lines apart when text is appended after a last line without a line end", () => {
    const state = changeDocument(createProposal("a\n", "a\nb", false), "a\nuser");
    assert.equal(proposedTextOf(state), "a\nuser\nb");
  });

  it("turns a new file that appeared in the meantime into a conflict instead of overwriting it", () => {
    const state = changeDocument(createProposal("", "mine\n", true), "theirs\n");
    assert.deepEqual(brief(state), ['h1 conflict: "theirs\\n" → "mine\\n"']);
    assert.equal(state.creates, false);
  });

  it("never loses a line the user typed, wherever the hunks are", () => {
    const edits = fc.array(fc.record({ at: fc.nat(14), remove: fc.nat(1), count: fc.nat(2) }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(lineEdits, edits, (model, typing) => {
        const end = model.base.includes("\r\n") ? "\r\n" : "\n";
        let serial = 0;
        const lines = typing.reduce((all, { at, remove, count }) => {
          const typed = Array.from({ length: count }, () => `user ${serial++}${end}`);
          const last = all.at(-1);
          const closed = last?.endsWith("\n") === false ? all.with(-1, last + end) : all;
          return closed.toSpliced(at, remove, ...typed);
        }, splitLines(model.base));
        const start = createProposal(model.base, model.next, false);
        const state = changeDocument(start, lines.join(""));
        checkInvariants(state);
        assert.equal(documentTextOf(state), lines.join(""), "the user's document is taken as it is");
        const pending = new Set(state.entries.filter((e) => e.status === "pending").map((e) => e.id));
        const accepted = acceptHunks(state, pending);
        checkInvariants(accepted);
        const after = splitLines(documentTextOf(accepted));
        for (const line of lines.filter((l) => l.startsWith("user"))) assert.ok(after.includes(line), line);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("The user types into the proposed side", () => {
  const start = createProposal(base, proposed, false);

  it("E29: keeps the hunk's id and marks it as edited by the user", () => {
    const state = changeProposed(start, proposed.replace("ONE", "ONE!"));
    assert.deepEqual(brief(state), [
      'h1 pending (user): "one\\n" → "ONE!\\n"',
      'h2 pending: "five\\n" → "FIVE\\n"',
    ]);
    assert.deepEqual(state.entries[0]?.modelLines, ["ONE\n"]);
  });

  it("no longer calls it edited when the user typed it back", () => {
    const state = changeProposed(changeProposed(start, proposed.replace("ONE", "ONE!")), proposed);
    assert.deepEqual(brief(state), brief(start));
  });

  it("understands a hunk that was reverted with the diff editor's arrow as a rejection, and its undo", () => {
    const reverted = changeProposed(start, proposed.replace("ONE", "one"));
    assert.equal(reverted.entries[0]?.status, "rejected");
    assert.deepEqual(ids(reverted), ["h2"]);
    assert.deepEqual(brief(changeProposed(reverted, proposed)), brief(start));
  });

  it("takes a line the user added elsewhere as a hunk of the user", () => {
    const state = changeProposed(start, proposed.replace("three\n", "three\nmine\n"));
    assert.deepEqual(brief(state)[1], 'h3 pending (user): "" → "mine\\n"');
  });

  it("takes the line ends of the file, whatever the editor of the proposed side uses", () => {
    const crlf = createProposal("a\r\nb\r\n", "A\r\nb\r\n", false);
    assert.equal(changeProposed(crlf, "A\nb\n"), crlf);
    assert.equal(proposedTextOf(changeProposed(crlf, "AA\nb\n")), "AA\r\nb\r\n");
  });

  it("ends a conflict when the user wrote what it shall be", () => {
    const conflict = changeDocument(start, base.replace("one", "one!"));
    const state = changeProposed(conflict, proposedTextOf(conflict).replace("ONE", "ONE!"));
    assert.equal(state.entries[0]?.status, "pending");
  });
});

describe("Any sequence of decisions and typing", () => {
  // As an editor has them: a lone CR is a line end to VS Code, and never stays one beside LFs.
  const editorTexts = texts.map((text) => text.replaceAll(/\r(?!\n)/g, "\r\n"));
  const step = fc.oneof(
    fc.record({ do: fc.constantFrom("accept", "reject"), index: fc.nat(5) }),
    fc.record({ do: fc.constantFrom("document", "proposed"), text: editorTexts }),
    fc.record({
      do: fc.constantFrom("document line", "proposed line"),
      at: fc.nat(10),
      remove: fc.nat(2),
      line: fc.constantFrom("x\n", "b\n", "a\r\n"),
    }),
  );

  it("leaves hunks that fit the document and a proposed text made of them", () => {
    fc.assert(
      fc.property(lineEdits, fc.boolean(), fc.array(step, { maxLength: 8 }), (edit, creates, steps) => {
        let state = creates
          ? createProposal("", edit.next, true)
          : createProposal(edit.base, edit.next, false);
        for (const action of steps) {
          state = take(state, action);
          checkInvariants(state);
          assert.equal(new Set(state.entries.map((entry) => entry.id)).size, state.entries.length);
        }
        const all = new Set(ids(state));
        const target = proposedTextOf(state);
        assert.equal(documentTextOf(acceptHunks(state, all)), target);
      }),
      { numRuns: runs(400) },
    );
  });

  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  function take(state: ProposalState, action: Step): ProposalState {
    if ("index" in action) {
      const one = new Set([ids(state)[action.index] ?? ""]);
      return action.do === "accept" ? acceptHunks(state, one) : rejectHunks(state, one, "no");
    }
    const onDocument = action.do.startsWith("document");
    const change = onDocument ? changeDocument : changeProposed;
    if ("text" in action) return change(state, action.text);
    const lines = splitLines(onDocument ? documentTextOf(state) : proposedTextOf(state));
    return change(state, lines.toSpliced(action.at, action.remove, action.line).join(""));
  }
});
