// Changes that nobody looked at before they were made, looked at afterwards: what differs, what keeping and undoing
// does, and what a later window knows of it.
import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { editorLines } from "../../../../src/harness/checkpoints/baseline-lines.ts";
import type { ChangePart } from "../../../../src/harness/checkpoints/types.ts";
import { lineChanges } from "../../../../src/harness/proposals/lines.ts";
import { until } from "../../../support/until.ts";
import { SessionWithFiles, edit, place, write } from "./session-with-files.ts";

const numbers = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

async function opened(...args: ConstructorParameters<typeof SessionWithFiles>): Promise<SessionWithFiles> {
  const own = new SessionWithFiles(...args);
  await own.open();
  return own;
}

async function reopened(own: SessionWithFiles): Promise<SessionWithFiles> {
  await own.session.flush();
  own.kill();
  const later = await opened({}, {}, own.ports);
  await later.session.checkpoints.baselines.load();
  return later;
}

const book = (own: SessionWithFiles) => own.session.checkpoints.baselines;
const listed = (own: SessionWithFiles) => book(own).files.map(({ path }) => path);
const baseline = (own: SessionWithFiles, path: string) => book(own).baselineOf(place(path));

/** As the editor's diff names it. */
function part(own: SessionWithFiles, path: string, index: number): ChangePart {
  const live = own.ports.files.image(place(path));
  const text = new TextDecoder().decode(live?.bytes);
  return { changes: lineChanges(editorLines(baseline(own, path) ?? ""), editorLines(text)), index };
}

describe("Unseen changes", () => {
  it("are there afterwards, against what the file was before the first one", async () => {
    const own = await opened({ "b.txt": numbers });
    await own.run("go", [edit("b.txt", "two", "TWO"), write("a.txt", "new\n")]);
    await own.run("on", [edit("b.txt", "six", "SIX")]);
    assert.deepEqual(book(own).files, [
      { uri: place("a.txt"), path: "a.txt", created: true, touched: false },
      { uri: place("b.txt"), path: "b.txt", created: false, touched: false },
    ]);
    assert.deepEqual([baseline(own, "a.txt"), baseline(own, "b.txt")], ["", numbers]);
  });

  it("are none where the user decided on the proposal", async () => {
    const own = await opened({ "a.txt": numbers }, { approvalEdits: "ask" });
    const { session } = own;
    session.onDidChange(() => {
      for (const { view } of session.proposals.pending)
        void session.proposals.decide(view.id, { type: "acceptAll" });
    });
    await own.run("go", [edit("a.txt", "two", "TWO")]);
    assert.equal(own.disk("a.txt"), numbers.replace("two", "TWO"));
    assert.deepEqual(listed(own), []);
  });

  it("are not mixed with what the user types while they are saved, but take in what saving makes of them", async () => {
    const own = await opened({ "a.txt": numbers });
    own.ports.files.onSave = (_, text) => text.replace("TWO", "Two");
    own.ports.files.typedWhileSaving = (text) => text.replace("five", "five, mine");
    await own.run("go", [edit("a.txt", "two", "TWO")]);
    assert.equal(baseline(own, "a.txt"), numbers.replace("five", "five, mine"));
    own.ports.files.typedWhileSaving = undefined;
    await book(own).undo([place("a.txt")]);
    const { text } = await own.ports.files.readText(place("a.txt"));
    assert.equal(text, numbers.replace("five", "five, mine"));
  });

  it("are not mixed with what the user types, saved or not, and with what others write", async () => {
    const own = await opened({ "a.txt": numbers });
    await own.run("go", [edit("a.txt", "two", "TWO")]);
    const typed = numbers.replace("two", "TWO").replace("five", "five, mine");
    own.ports.files.type(place("a.txt"), typed);
    book(own).noteText(place("a.txt"), () => typed);
    assert.equal(baseline(own, "a.txt"), numbers.replace("five", "five, mine"));
    const formatted = typed.replace("seven", "SEVEN");
    own.ports.files.remove(place("a.txt"));
    own.ports.files.write(place("a.txt"), formatted);
    own.ports.fileWatch.fire({ uri: place("a.txt"), type: "changed" });
    await until(() => baseline(own, "a.txt")?.includes("SEVEN") === true);
    await own.run("on", [edit("a.txt", "four", "FOUR")]);
    assert.equal(baseline(own, "a.txt"), numbers.replace("five", "five, mine").replace("seven", "SEVEN"));
  });

  it("are gone with the file, and when nothing differs any more", async () => {
    const own = await opened({ "a.txt": numbers });
    await own.run("go", [edit("a.txt", "two", "TWO"), write("b.txt", "b")]);
    await own.run("on", [edit("a.txt", "TWO", "two"), ["delete", { path: "b.txt" }]]);
    assert.deepEqual(listed(own), []);
  });

  it("follow a file that is moved", async () => {
    const own = await opened({ "a.txt": numbers });
    await own.run("go", [edit("a.txt", "two", "TWO")]);
    await own.run("on", [["move", { from: "a.txt", to: "sub/b.txt" }]]);
    assert.deepEqual([listed(own), baseline(own, "sub/b.txt")], [["sub/b.txt"], numbers]);
    const later = await reopened(own);
    assert.deepEqual([listed(later), baseline(later, "sub/b.txt")], [["sub/b.txt"], numbers]);
  });

  it("of a change that failed are none", async () => {
    const own = await opened({ "a.txt": numbers });
    own.ports.files.makeReadonly(place("a.txt"));
    await own.run("go", [edit("a.txt", "two", "TWO")]);
    assert.deepEqual(listed(own), []);
    assert.deepEqual(listed(await reopened(own)), []);
  });
});

describe("Keeping unseen changes", () => {
  it("one by one moves the baseline, and changes no file", async () => {
    const own = await opened({ "a.txt": numbers });
    await own.run("go", [edit("a.txt", "two", "TWO"), edit("a.txt", "six", "SIX\nSIX")]);
    const before = own.disk("a.txt");
    book(own).keep([place("a.txt")], part(own, "a.txt", 1));
    assert.equal(baseline(own, "a.txt"), numbers.replace("six", "SIX\nSIX"));
    book(own).keep([place("a.txt")], part(own, "a.txt", 0));
    assert.deepEqual([listed(own), own.disk("a.txt")], [[], before]);
  });

  it("all at once; what comes later is compared with that", async () => {
    const own = await opened({ "a.txt": numbers });
    await own.run("go", [edit("a.txt", "two", "TWO"), write("b.txt", "b\n")]);
    book(own).keep(book(own).files.map(({ uri }) => uri));
    assert.deepEqual(listed(own), []);
    await own.run("on", [edit("a.txt", "three", "THREE"), edit("b.txt", "b", "B")]);
    assert.deepEqual(
      [baseline(own, "a.txt"), baseline(own, "b.txt")],
      [numbers.replace("two", "TWO"), "b\n"],
    );
    assert.equal(book(own).files[1]?.created, false);
  });

  it("is refused for a change that is no longer the one shown", async () => {
    const own = await opened({ "a.txt": numbers });
    await own.run("go", [edit("a.txt", "two", "TWO")]);
    const shown = part(own, "a.txt", 0);
    await own.run("on", [edit("a.txt", "one", "ONE\nONE")]);
    assert.throws(() => book(own).keep([place("a.txt")], shown), /changed just now/);
    assert.equal((await book(own).undo([place("a.txt")], shown)).failed.length, 1);
    assert.equal(own.disk("a.txt"), numbers.replace("two", "TWO").replace("one", "ONE\nONE"));
  });
});

describe("Undoing unseen changes", () => {
  it("takes one out, leaves the others and what the user typed, and tells the model", async () => {
    const own = await opened({ "a.txt": numbers });
    await own.run("go", [edit("a.txt", "two", "TWO"), edit("a.txt", "six", "SIX")]);
    own.ports.files.write(place("a.txt"), `mine\n${own.disk("a.txt")}`);
    own.ports.fileWatch.fire({ uri: place("a.txt"), type: "changed" });
    await until(() => baseline(own, "a.txt")?.startsWith("mine") === true);
    const { restored, failed } = await book(own).undo([place("a.txt")], part(own, "a.txt", 0));
    assert.deepEqual([restored, failed], [["a.txt"], []]);
    assert.equal(own.disk("a.txt"), `mine\n${numbers.replace("six", "SIX")}`);
    assert.equal(baseline(own, "a.txt"), `mine\n${numbers}`);
    await own.run("next");
    assert.match(
      JSON.stringify(own.requests.at(-1)),
      /The user put files back.*One edit was undone in a\.txt \(line 3\)\./,
    );
  });

  it("leaves unsaved changes unsaved", async () => {
    const own = await opened({ "a.txt": numbers });
    await own.run("go", [edit("a.txt", "two", "TWO")]);
    const typed = `${own.disk("a.txt")}mine\n`;
    own.ports.files.type(place("a.txt"), typed);
    await book(own).undo([place("a.txt")]);
    assert.deepEqual(
      [await own.ports.files.readText(place("a.txt")).then(({ text, dirty }) => [text, dirty]), listed(own)],
      [[`${numbers}mine\n`, true], []],
    );
  });

  it("of everything puts files back and deletes new ones with their folders; a restore undoes it", async () => {
    const own = await opened({ "a.txt": numbers });
    await own.run("go", [edit("a.txt", "two", "TWO"), write("new/deep/b.txt", "b\n")]);
    const all = book(own).files.map(({ uri }) => uri);
    const { restoreId } = await book(own).undo(all);
    assert.deepEqual([own.disk("a.txt"), own.disk("new/deep/b.txt"), listed(own)], [numbers, undefined, []]);
    assert.equal(await own.ports.files.stat(place("new")), undefined);
    assert.match(
      own.lastTexts.at(-1) ?? "",
      /Edits were undone in a\.txt \(line 2\), new\/deep\/b\.txt \(deleted\)/,
    );
    await own.restore({ type: "restore", id: restoreId });
    assert.deepEqual([own.disk("a.txt"), own.disk("new/deep/b.txt")], [numbers.replace("two", "TWO"), "b\n"]);
    assert.deepEqual(listed(own), ["a.txt", "new/deep/b.txt"]);
  });

  it("says which files it could not change, and does the others", async () => {
    const own = await opened({ "a.txt": numbers, "b.txt": numbers });
    await own.run("go", [edit("a.txt", "two", "TWO"), edit("b.txt", "two", "TWO")]);
    own.ports.files.makeReadonly(place("a.txt"));
    const { restored, failed } = await book(own).undo([place("a.txt"), place("b.txt")]);
    assert.deepEqual([restored, failed.map(({ path }) => path)], [["b.txt"], ["a.txt"]]);
    assert.deepEqual(listed(own), ["a.txt"]);
  });

  it("works while a run is on, and the run hears of it", async () => {
    const own = await opened({ "a.txt": numbers });
    own.ports.commands.onRun = async () => {
      await book(own).undo([place("a.txt")]);
      return {};
    };
    await own.run("go", [edit("a.txt", "two", "TWO")], [["bash", { command: "make" }]]);
    assert.equal(own.disk("a.txt"), numbers);
    assert.match(JSON.stringify(own.requests.at(-1)), /Edits were undone in a\.txt/);
  });
});

describe("A later window", () => {
  it("knows the baselines, whatever was kept, typed and restored before", async () => {
    const own = await opened({ "a.txt": numbers, "b.txt": numbers, "c.txt": numbers, "d.txt": numbers });
    await own.run("go", [
      ...["a.txt", "b.txt", "c.txt", "d.txt"].map((path) => edit(path, "two", "TWO")),
      write("e.txt", "e\n"),
    ]);
    own.ports.files.write(place("b.txt"), `${own.disk("b.txt")}mine\n`);
    own.ports.fileWatch.fire({ uri: place("b.txt"), type: "changed" });
    await until(() => baseline(own, "b.txt")?.endsWith("mine\n") === true);
    book(own).keep([place("c.txt")]);
    await own.run("on", [edit("d.txt", "six", "SIX")]);
    book(own).keep([place("d.txt")], part(own, "d.txt", 1));
    const later = await reopened(own);
    assert.deepEqual(
      book(later).files.map(({ path, created, touched }) => [path, created, touched]),
      [
        ["a.txt", false, false],
        ["b.txt", false, true],
        ["d.txt", false, false],
        ["e.txt", true, false],
      ],
    );
    assert.deepEqual(
      ["a.txt", "b.txt", "d.txt"].map((path) => baseline(later, path)),
      [numbers, `${numbers}mine\n`, numbers.replace("six", "SIX")],
    );
  });

  it("knows what the formatter made of a change when it was saved", async () => {
    const own = await opened({ "a.txt": numbers });
    own.ports.files.onSave = (_, text) => text.replace("TWO  ", "TWO");
    await own.run("go", [edit("a.txt", "two", "TWO  ")]);
    assert.equal(own.disk("a.txt"), numbers.replace("two", "TWO"));
    const later = await reopened(own);
    assert.deepEqual([baseline(later, "a.txt"), book(later).files[0]?.touched], [numbers, false]);
  });

  it("knows of a change that the window died of, made or not", async () => {
    for (const made of [true, false]) {
      const own = await opened({ "a.txt": numbers });
      const { files } = own.ports;
      const died = new Promise<void>((resolve) => {
        const apply = files.applyText.bind(files);
        files.applyText = async (change) => {
          if (made) await apply(change);
          resolve();
          return new Promise(() => undefined);
        };
      });
      void own.run("go", [edit("a.txt", "two", "TWO")]);
      await died;
      own.kill();
      const later = await opened({}, {}, own.ports);
      await book(later).load();
      assert.equal(baseline(later, "a.txt"), made ? numbers : undefined);
    }
  });

  it("compares with all that changed where it cannot know who did it", async () => {
    const own = await opened({ "a.txt": numbers });
    await own.run("go", [edit("a.txt", "two", "TWO")]);
    await own.session.flush();
    own.kill();
    own.ports.files.write(place("a.txt"), `${numbers}mine\n`);
    const later = await opened({}, {}, own.ports);
    await book(later).load();
    assert.equal(baseline(later, "a.txt"), numbers);
  });

  it("has nothing to look at where no copies are kept", async () => {
    const own = await opened({ "a.txt": numbers }, { checkpointMegabytes: 0 });
    await own.run("go", [edit("a.txt", "two", "TWO")]);
    assert.equal(baseline(own, "a.txt"), numbers);
    assert.deepEqual(listed(await reopened(own)), []);
  });
});
