import assert from "node:assert/strict";
import { Proposals } from "../../../../src/harness/proposals/proposals.ts";
import type { ProposalInput } from "../../../../src/harness/proposals/proposals.ts";
import type { ProposalOutcome } from "../../../../src/harness/proposals/review-log.ts";
import type { ProposalView } from "../../../../src/harness/proposals/types.ts";
import { UserError } from "../../../../src/shared/errors.ts";
import { MemoryFiles } from "../../../support/memory-files.ts";
import { until } from "../../../support/until.ts";

const uri = "memory:///work/a.txt";
const base = "one\ntwo\nthree\nfour\nfive\n";
const proposed = "ONE\ntwo\nthree\nfour\nFIVE\n";

interface Started {
  readonly files: MemoryFiles;
  readonly book: Proposals;
  readonly id: string;
  readonly views: ProposalView[];
  readonly outcome: Promise<ProposalOutcome>;
  readonly abort: AbortController;
}

async function propose(
  change: Partial<ProposalInput> = {},
  files = new MemoryFiles({ [uri]: base }),
): Promise<Started> {
  const book = new Proposals(files);
  const abort = new AbortController();
  const views: ProposalView[] = [];
  const snapshot = (await files.stat(uri)) === undefined ? undefined : await files.readText(uri);
  const outcome = book.propose(
    { toolCallId: "call", uri, path: "a.txt", kind: "edit", base: snapshot, text: proposed, ...change },
    { signal: abort.signal, auto: false, onChange: (view) => views.push(view) },
  );
  await until(() => book.pending.length === 1 || views.at(-1)?.state === "done");
  return { files, book, id: book.pending[0]?.view.id ?? "", views, outcome, abort };
}

function statuses(view: ProposalView | undefined): string[] {
  return view?.hunks.map((hunk) => hunk.status) ?? [];
}

describe("Proposals that wait for the user", () => {
  it("leave the file alone until a hunk is accepted, then apply only that hunk", async () => {
    const { files, book, id, outcome, views } = await propose();
    assert.equal(files.onDisk(uri), base);
    await book.decide(id, { type: "acceptHunk", hunkId: "h1" });
    assert.equal(files.onDisk(uri), "ONE\ntwo\nthree\nfour\nfive\n");
    await book.decide(id, { type: "rejectHunk", hunkId: "h2", reason: "not five" });
    const result = await outcome;
    assert.equal(files.onDisk(uri), "ONE\ntwo\nthree\nfour\nfive\n");
    assert.deepEqual(statuses(result.view), ["accepted", "rejected"]);
    assert.equal(result.view.hunks[1]?.reason, "not five");
    assert.equal(result.view.state, "done");
    assert.deepEqual(book.pending, []);
    assert.deepEqual(views.at(-1), result.view);
  });

  it("apply everything as one change when all is accepted", async () => {
    const { files, book, id, outcome } = await propose();
    await book.decide(id, { type: "acceptAll" });
    await outcome;
    assert.equal(files.onDisk(uri), proposed);
    assert.equal(files.calls.filter((call) => call.startsWith("applyText")).length, 1);
  });

  it("are tried again while the user types in between, on the text that is there then", async () => {
    const { files, book, id, outcome } = await propose();
    let typed = 0;
    files.beforeApply = () => {
      if (typed < 5) files.write(uri, base.replace("three", `three${"x".repeat(++typed)}`));
    };
    await book.decide(id, { type: "acceptAll" });
    await outcome;
    assert.equal(files.onDisk(uri), proposed.replace("three", "threexxxxx"));
  });

  it("are not forced on a text that never stays, nor on lines that the user changes in between", async () => {
    const { files, book, id } = await propose();
    let typed = 0;
    files.beforeApply = () => files.write(uri, base.replace("three", `three${"x".repeat(++typed)}`));
    await assert.rejects(book.decide(id, { type: "acceptAll" }), /changed in the meantime/);
    files.beforeApply = () => {
      files.write(uri, base.replace("one", "mine"));
      files.beforeApply = undefined;
    };
    await assert.rejects(book.decide(id, { type: "acceptHunk", hunkId: "h1" }), /overlaps your own change/);
    assert.equal(files.onDisk(uri), base.replace("one", "mine"));
    assert.deepEqual(statuses(book.get(id)?.view), ["conflict", "pending"]);
  });

  it("decide once, however often and however fast a key is pressed", async () => {
    const { files, book, id, outcome } = await propose();
    const accept = { type: "acceptHunk", hunkId: "h1" } as const;
    await Promise.all([
      book.decide(id, accept),
      book.decide(id, accept),
      book.decide(id, { type: "acceptAll" }),
    ]);
    await outcome;
    await book.decide(id, { type: "rejectAll" });
    assert.equal(files.onDisk(uri), proposed);
    assert.equal(files.calls.filter((call) => call.startsWith("applyText")).length, 2);
  });

  it("create a file only on acceptance, with its folders", async () => {
    const { files, book, id, outcome } = await propose({ kind: "create" }, new MemoryFiles());
    assert.equal(files.onDisk(uri), undefined);
    await book.decide(id, { type: "acceptAll" });
    assert.equal((await outcome).view.state, "done");
    assert.equal(files.onDisk(uri), proposed);
  });

  it("E12: create an empty file", async () => {
    const { files, book, id } = await propose({ kind: "create", text: "" }, new MemoryFiles());
    await book.decide(id, { type: "acceptAll" });
    assert.equal(files.onDisk(uri), "");
  });

  it("never overwrite a file that appeared while its creation waited", async () => {
    const { files, book, id } = await propose({ kind: "create" }, new MemoryFiles());
    files.write(uri, "theirs\n");
    await assert.rejects(book.decide(id, { type: "acceptAll" }), UserError);
    assert.equal(files.onDisk(uri), "theirs\n");
    assert.deepEqual(statuses(book.get(id)?.view), ["conflict"]);
  });

  it("E26: follow a file that changed underneath, without bringing old text back", async () => {
    const { files, book, id, outcome } = await propose();
    files.write(uri, `zero\n${base}`);
    await book.decide(id, { type: "acceptAll" });
    assert.equal(files.onDisk(uri), `zero\n${proposed}`);
    assert.match((await outcome).userTyped, /\+zero/);
  });

  it("do not overwrite a change of the same line: the hunk becomes a conflict the user decides on", async () => {
    const { files, book, id } = await propose();
    files.type(uri, base.replace("one", "one!"));
    await assert.rejects(book.decide(id, { type: "acceptHunk", hunkId: "h1" }), /overlaps your own change/);
    await book.decide(id, { type: "acceptAll" });
    assert.equal((await files.readText(uri)).text, "one!\ntwo\nthree\nfour\nFIVE\n");
    await book.decide(id, { type: "acceptHunk", hunkId: "h1" });
    assert.equal((await files.readText(uri)).text, proposed);
  });

  it("E25: keep unsaved changes unsaved, and say so", async () => {
    const files = new MemoryFiles({ [uri]: base });
    files.type(uri, base.replace("two", "two EDITED"));
    const { book, id, outcome } = await propose({ text: proposed.replace("two", "two EDITED") }, files);
    await book.decide(id, { type: "acceptAll" });
    assert.equal((await outcome).leftUnsaved, true);
    assert.equal(files.onDisk(uri), base);
  });

  it("E28: tell what a formatter made of it, and go on with the formatted text", async () => {
    const files = new MemoryFiles({ [uri]: base });
    files.onSave = (_uri, text) => text.replace(/^ONE$/m, "ONE;");
    const { book, id, outcome } = await propose({}, files);
    await book.decide(id, { type: "acceptHunk", hunkId: "h1" });
    await book.decide(id, { type: "acceptHunk", hunkId: "h2" });
    const result = await outcome;
    assert.equal(result.text, "ONE;\ntwo\nthree\nfour\nFIVE\n");
    assert.deepEqual(result.formatted, ["@@ line 1 @@\n-ONE\n+ONE;"]);
    assert.equal(result.userTyped, "");
  });

  it("E28: tell apart what saving did and what the user typed meanwhile", async () => {
    const { files, book, id, outcome } = await propose();
    const apply = files.applyText.bind(files);
    files.applyText = async (change) => {
      const formatted = proposed.replace("ONE", "ONE;");
      const typed = `${formatted}six\n`;
      files.onSave = () => typed;
      const later = [
        { by: "save", before: proposed, after: formatted },
        { by: "user", before: formatted, after: typed },
      ] as const;
      return { ...(await apply(change)), later };
    };
    await book.decide(id, { type: "acceptAll" });
    const { formatted, userTyped } = await outcome;
    assert.deepEqual(formatted, ["@@ line 1 @@\n-ONE\n+ONE;"]);
    assert.equal(userTyped, "@@ line 6 @@\n+six");
  });

  it("E29: apply what the user made of the proposal, and tell the difference", async () => {
    const { files, book, id, outcome } = await propose();
    book.proposedTextChanged(id, proposed.replace("FIVE", "Five"));
    await book.decide(id, { type: "acceptAll" });
    assert.equal(files.onDisk(uri), "ONE\ntwo\nthree\nfour\nFive\n");
    assert.deepEqual((await outcome).userEdits, ["@@ line 5 @@\n-FIVE\n+Five"]);
  });

  it("end when the last hunk was reverted with the diff editor's arrow", async () => {
    const { files, book, id, outcome } = await propose();
    book.proposedTextChanged(id, base);
    assert.deepEqual(statuses((await outcome).view), ["rejected", "rejected"]);
    assert.equal(files.onDisk(uri), base);
  });

  it("take typing while a change is being applied", async () => {
    const { files, book, id, outcome } = await propose();
    const apply = files.applyText.bind(files);
    files.applyText = async (change) => {
      book.documentTextChanged(id, change.text);
      book.proposedTextChanged(id, proposed.replace("FIVE", "V"));
      return apply(change);
    };
    await book.decide(id, { type: "acceptHunk", hunkId: "h1" });
    await book.decide(id, { type: "acceptAll" });
    assert.equal((await outcome).text, "ONE\ntwo\nthree\nfour\nV\n");
    assert.equal((await outcome).userTyped, "");
  });

  it("keep what was typed into the proposal while applying failed", async () => {
    const { files, book, id, abort } = await propose();
    files.applyText = () => {
      book.proposedTextChanged(id, proposed.replace("FIVE", "V"));
      return Promise.reject(new UserError("The disk is gone."));
    };
    await assert.rejects(book.decide(id, { type: "acceptHunk", hunkId: "h1" }), /The disk is gone/);
    assert.equal(book.get(id)?.proposedText, proposed.replace("FIVE", "V"));
    abort.abort();
  });

  it("E34: keep a hunk open that could not be applied, and say why", async () => {
    const { files, book, id, abort } = await propose();
    files.makeReadonly(uri);
    await assert.rejects(book.decide(id, { type: "acceptAll" }), /read-only/);
    assert.deepEqual(statuses(book.get(id)?.view), ["pending", "pending"]);
    assert.equal(files.onDisk(uri), base);
    abort.abort();
  });

  it("report a save that failed", async () => {
    const { files, book, id, outcome } = await propose();
    files.saveError = "The disk is full.";
    await book.decide(id, { type: "acceptAll" });
    assert.equal((await outcome).saveError, "The disk is full.");
  });

  it("E31: are cancelled by stop, with nothing further applied", async () => {
    const { files, book, id, outcome, abort } = await propose();
    await book.decide(id, { type: "acceptHunk", hunkId: "h1" });
    abort.abort();
    await book.decide(id, { type: "acceptAll" });
    const result = await outcome;
    assert.equal(result.view.state, "cancelled");
    assert.deepEqual(statuses(result.view), ["accepted", "pending"]);
    assert.equal(files.onDisk(uri), "ONE\ntwo\nthree\nfour\nfive\n");
    assert.equal(book.get(id), undefined);
  });

  it("are the same objects until they change, so that looking at many costs nothing", async () => {
    const { book, id } = await propose();
    const [before] = book.pending;
    assert.equal(book.pending[0], before);
    book.documentTextChanged(id, `zero\n${base}`);
    assert.notEqual(book.pending[0], before);
    assert.equal(book.pending[0]?.documentText, `zero\n${base}`);
  });

  it("tell their listeners when they come, change and go", async () => {
    const { book, id, outcome } = await propose();
    const told: (string | undefined)[] = [];
    book.onDidChange((changed) => told.push(book.get(changed)?.view.state));
    book.documentTextChanged(id, `new\n${base}`);
    await book.decide(id, { type: "rejectAll" });
    await outcome;
    assert.deepEqual(told, ["pending", undefined]);
  });
});

describe("A proposal that is accepted by itself", () => {
  const accept = (files: MemoryFiles, seen: string[] = []): Promise<ProposalOutcome> => {
    const book = new Proposals(files);
    book.onDidChange((id) => seen.push(id));
    return files
      .readText(uri)
      .then((snapshot) =>
        book.propose(
          { toolCallId: "call", uri, path: "a.txt", kind: "edit", base: snapshot, text: proposed },
          { signal: new AbortController().signal, auto: true, onChange: () => undefined },
        ),
      );
  };

  it("is applied at once and never shown", async () => {
    const files = new MemoryFiles({ [uri]: base });
    const seen: string[] = [];
    assert.equal((await accept(files, seen)).view.state, "done");
    assert.equal(files.onDisk(uri), proposed);
    assert.deepEqual(seen, []);
  });

  it("fails as a whole when it cannot be applied", async () => {
    const files = new MemoryFiles({ [uri]: base });
    files.makeReadonly(uri);
    await assert.rejects(accept(files), /read-only/);
    assert.equal(files.onDisk(uri), base);
  });
});
