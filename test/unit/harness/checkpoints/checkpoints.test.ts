import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { SessionWithFiles, edit, place, write } from "./session-with-files.ts";

async function opened(...args: ConstructorParameters<typeof SessionWithFiles>): Promise<SessionWithFiles> {
  const own = new SessionWithFiles(...args);
  await own.open();
  return own;
}

const message = (id: string) => ({ type: "message", id }) as const;

describe("Restoring files to a message", () => {
  it("changes edited files back, creates nothing anew, deletes created ones with their folders", async () => {
    const own = await opened({ "a.txt": "one\r\ntwo\r\n" });
    const first = await own.run(
      "change",
      [edit("a.txt", "two", "TWO"), write("new/deep/b.txt", "b\n")],
      [edit("a.txt", "one", "ONE")],
    );
    assert.equal(own.disk("a.txt"), "ONE\r\nTWO\r\n");
    const plan = await own.session.checkpoints.plan(message(first));
    assert.deepEqual(
      plan.files.map(({ path, action, changedSince, unsaved }) => [path, action, changedSince, unsaved]),
      [
        ["a.txt", "change", false, false],
        ["new/deep/b.txt", "delete", false, false],
      ],
    );
    const { restored, failed } = await own.restore(message(first));
    assert.deepEqual([restored, failed], [["a.txt", "new/deep/b.txt"], []]);
    assert.equal(own.disk("a.txt"), "one\r\ntwo\r\n");
    assert.equal(own.disk("new/deep/b.txt"), undefined);
    assert.equal(await own.ports.files.stat(place("new")), undefined);
  });

  it("can be undone, and the undoing too", async () => {
    const own = await opened({ "a.txt": "one" });
    const first = await own.run("change", [edit("a.txt", "one", "two"), write("b.txt", "b")]);
    const { restoreId } = await own.restore(message(first));
    assert.equal(own.session.checkpoints.lastRestore, restoreId);
    const undone = await own.restore({ type: "restore", id: restoreId });
    assert.deepEqual([own.disk("a.txt"), own.disk("b.txt")], ["two", "b"]);
    await own.restore({ type: "restore", id: undone.restoreId });
    assert.deepEqual([own.disk("a.txt"), own.disk("b.txt")], ["one", undefined]);
  });

  it("brings deleted files back, and moved ones to where they were", async () => {
    const own = await opened({ "a.txt": "one", "b.txt": "two" });
    const first = await own.run("tidy", [
      ["delete", { path: "a.txt" }],
      ["move", { from: "b.txt", to: "new/c.txt" }],
    ]);
    const now = () => ["a.txt", "b.txt", "new/c.txt"].map((path) => own.disk(path));
    assert.deepEqual(now(), [undefined, undefined, "two"]);
    const { restoreId } = await own.restore(message(first));
    assert.deepEqual(now(), ["one", "two", undefined]);
    assert.equal(await own.ports.files.stat(place("new")), undefined);
    await own.restore({ type: "restore", id: restoreId });
    assert.deepEqual(now(), [undefined, undefined, "two"]);
  });

  it("to a later message keeps what was done before it", async () => {
    const own = await opened({ "a.txt": "one" });
    const first = await own.run("change", [edit("a.txt", "one", "two")]);
    const second = await own.run("again", [edit("a.txt", "two", "three")]);
    await own.restore(message(second));
    assert.equal(own.disk("a.txt"), "two");
    await own.restore(message(first));
    assert.equal(own.disk("a.txt"), "one");
  });

  it("says which files others changed since, and leaves them unless told otherwise", async () => {
    const own = await opened({ "a.txt": "one", "b.txt": "one" });
    const first = await own.run("change", [edit("a.txt", "one", "two"), edit("b.txt", "one", "two")]);
    own.ports.files.write(place("a.txt"), "mine");
    own.ports.files.type(place("b.txt"), "mine, unsaved");
    const plan = await own.session.checkpoints.plan(message(first));
    assert.deepEqual(
      plan.files.map(({ changedSince, unsaved }) => [changedSince, unsaved]),
      [
        [true, false],
        [true, true],
      ],
    );
    assert.deepEqual((await own.restore(message(first))).restored, []);
    assert.equal(own.disk("a.txt"), "mine");
    const all = plan.files.map(({ uri }) => uri);
    const { restoreId } = await own.session.checkpoints.restore(plan, all);
    assert.equal(own.disk("a.txt"), "one");
    assert.equal((await own.ports.files.readText(place("b.txt"))).text, "one");
    await own.restore({ type: "restore", id: restoreId });
    assert.equal(own.disk("a.txt"), "mine");
    assert.equal(own.disk("b.txt"), "mine, unsaved");
  });

  it("leaves a file alone that changed after the plan was made, and says so", async () => {
    const own = await opened({ "a.txt": "one" });
    const first = await own.run("change", [edit("a.txt", "one", "two")]);
    const plan = await own.session.checkpoints.plan(message(first));
    own.ports.files.write(place("a.txt"), "mine");
    const { failed } = await own.session.checkpoints.restore(plan, [place("a.txt")]);
    assert.match(failed[0]?.why ?? "", /changed just now/);
    assert.equal(own.disk("a.txt"), "mine");
  });

  it("tells the user at once and the model with its next request", async () => {
    const own = await opened({ "a.txt": "one" });
    const first = await own.run("Make it\ntwo", [edit("a.txt", "one", "two")]);
    await own.restore(message(first));
    await own.session.flush();
    assert.match(own.lastTexts.at(-1) ?? "", /before “Make it two”: a\.txt \(changed back\)/);
    await own.run("and now?", [["read", { path: "a.txt" }]]);
    assert.match(JSON.stringify(own.requests.at(-1)), /The user put files back.*a\.txt/);
    const again = new SessionWithFiles({}, {}, own.ports);
    const session = await again.open();
    assert.deepEqual(session.transcript.messages, own.session.transcript.messages);
  });

  it("refuses while a run is on", async () => {
    const own = await opened({ "a.txt": "one" });
    const first = await own.run("change", [edit("a.txt", "one", "two")]);
    const plan = await own.session.checkpoints.plan(message(first));
    const running = own.run("go on", [["read", { path: "a.txt" }]]);
    await assert.rejects(own.session.checkpoints.restore(plan, [place("a.txt")]), /Reins is working/);
    await running;
    assert.equal(own.disk("a.txt"), "two");
  });

  it("works in a session that was opened again, and keeps permission bits", async () => {
    const own = await opened({ "run.sh": "one" });
    own.ports.images.setMode(place("run.sh"), 0o755);
    const first = await own.run("change", [edit("run.sh", "one", "two")]);
    own.kill();
    own.ports.images.setMode(place("run.sh"), 0o644);
    const again = new SessionWithFiles({}, {}, own.ports);
    await again.open();
    await again.restore(message(first));
    assert.equal(again.disk("run.sh"), "one");
    assert.equal(own.ports.images.mode(place("run.sh")), 0o755);
  });

  it("takes a file by its real place, however it was named", async () => {
    const own = await opened({ "a.txt": "one" });
    own.ports.files.link(place("link.txt"), place("a.txt"));
    const first = await own.run("change", [edit("a.txt", "one", "two")], [edit("link.txt", "two", "three")]);
    assert.equal(own.disk("a.txt"), "three");
    const plan = await own.session.checkpoints.plan(message(first));
    assert.equal(plan.files.length, 1);
    await own.restore(message(first));
    assert.equal(own.disk("a.txt"), "one");
  });

  it("goes on with the other files when one cannot be written", async () => {
    const own = await opened({ "a.txt": "one", "b.txt": "one" });
    const first = await own.run("change", [edit("a.txt", "one", "two"), edit("b.txt", "one", "two")]);
    own.ports.images.writeErrors.set(place("a.txt"), new Error("disk full"));
    const { restored, failed } = await own.restore(message(first));
    assert.deepEqual(restored, ["b.txt"]);
    assert.deepEqual(failed, [{ path: "a.txt", why: "disk full" }]);
    assert.equal(own.disk("a.txt"), "two");
  });
});

describe("The pre-image of a change", () => {
  it("is on disk before the first byte changes, and of each content there is one", async () => {
    const own = await opened({ "a.txt": "same", "b.txt": "same" });
    await own.run(
      "change",
      [edit("a.txt", "same", "other"), edit("b.txt", "same", "other")],
      [edit("a.txt", "other", "third")],
    );
    assert.equal(own.ports.blobs.names.length, 1);
    assert.equal(
      new TextDecoder().decode((await own.session.checkpoints.readBefore(place("a.txt"))) ?? undefined),
      "same",
    );
    assert.equal(await own.session.checkpoints.readBefore(place("c.txt")), undefined);
  });

  it("of a file that did not exist is that", async () => {
    const own = await opened();
    await own.run("create", [write("a.txt", "new")]);
    assert.equal(await own.session.checkpoints.readBefore(place("a.txt")), null);
    assert.deepEqual(
      own.session.checkpoints
        .changed()
        .map(({ path, created, deleted, covered }) => [path, created, deleted, covered]),
      [["a.txt", true, false, true]],
    );
  });

  it("that cannot be kept stops the change, with everything as it was", async () => {
    const own = await opened({ "a.txt": "one" });
    own.ports.blobs.writeError = new Error("No space left on device");
    await own.run("change", [edit("a.txt", "one", "two")]);
    assert.equal(own.disk("a.txt"), "one");
    assert.match(own.lastTexts.join("\n"), /No copy of a\.txt could be kept \(No space left on device\)/);
    own.ports.blobs.writeError = undefined;
    await own.run("again", [edit("a.txt", "one", "two")]);
    assert.equal(own.disk("a.txt"), "two");
  });

  it("is read only where it is undamaged", async () => {
    const own = await opened({ "a.txt": "one" });
    const first = await own.run("change", [edit("a.txt", "one", "two")]);
    own.ports.blobs.damage(own.ports.blobs.names[0] ?? "");
    const plan = await own.session.checkpoints.plan(message(first));
    assert.deepEqual(plan.files, []);
    assert.deepEqual(
      plan.uncovered.map(({ path, why }) => [path, why]),
      [["a.txt", "removed"]],
    );
  });

  it("goes when there is no room, the oldest first, and the user is told", async () => {
    const megabyte = "x".repeat(1024 * 1024 - 10);
    const own = await opened(
      { "a.txt": `${megabyte}1`, "b.txt": `${megabyte}2`, "c.txt": `${megabyte}3` },
      { checkpointMegabytes: 2 },
    );
    const messages: string[] = [];
    for (const path of ["a.txt", "b.txt", "c.txt"]) {
      messages.push(await own.run(path, [["read", { path }]], [write(path, "small")]));
      await own.session.flush();
      await own.ports.clock.advance(1000);
    }
    assert.ok(own.ports.blobs.names.length <= 2);
    assert.match(own.lastTexts.join("\n"), /kept for restoring went, to stay below 2 MB/);
    const plan = await own.session.checkpoints.plan(message(messages[0] ?? ""));
    assert.deepEqual(plan.uncovered.map(({ why }) => why).includes("removed"), true);
    assert.equal(
      plan.files.some(({ path }) => path === "c.txt"),
      true,
    );
  });

  it("is not kept at all where the user wants none", async () => {
    const own = await opened({ "a.txt": "one" }, { checkpointMegabytes: 0 });
    const first = await own.run("change", [edit("a.txt", "one", "two")]);
    assert.equal(own.disk("a.txt"), "two");
    assert.deepEqual(own.ports.blobs.names, []);
    const plan = await own.session.checkpoints.plan(message(first));
    assert.deepEqual(
      plan.uncovered.map(({ path }) => path),
      ["a.txt"],
    );
  });
});

describe("A command that changes files", () => {
  it("is seen: what a tool had read can be put back, the rest is named", async () => {
    const own = await opened({ "read.txt": "one", "unread.txt": "one", "same.txt": "one" });
    own.ports.commands.onRun = () => {
      for (const path of ["read.txt", "unread.txt"]) own.ports.files.write(place(path), "by a command");
      own.ports.files.write(place("made.txt"), "new");
      own.ports.fileWatch.fire(
        { uri: place("read.txt"), type: "changed" },
        { uri: place("unread.txt"), type: "changed" },
        { uri: place("made.txt"), type: "created" },
        { uri: place("same.txt"), type: "changed" },
        { uri: place(".git/index"), type: "changed" },
        { uri: place("gone.tmp"), type: "created" },
      );
      return Promise.resolve({});
    };
    const first = await own.run(
      "go",
      [
        ["read", { path: "read.txt" }],
        ["read", { path: "same.txt" }],
      ],
      [["bash", { command: "make" }]],
    );
    const plan = await own.session.checkpoints.plan(message(first));
    assert.deepEqual(
      plan.files.map(({ path, action, changedSince }) => [path, action, changedSince]),
      [["read.txt", "change", false]],
    );
    assert.deepEqual(
      plan.uncovered.map(({ path, why }) => [path, why]),
      [
        ["made.txt", "command"],
        ["unread.txt", "command"],
      ],
    );
    await own.restore(message(first));
    assert.equal(own.disk("read.txt"), "one");
  });

  it("is not blamed for what a tool or a save of the user changed meanwhile", async () => {
    const own = await opened({ "a.txt": "one", "b.txt": "one" });
    own.ports.commands.onRun = () => {
      own.ports.files.write(place("b.txt"), "saved by the user");
      own.ports.fileWatch.fire(
        { uri: place("a.txt"), type: "changed" },
        { uri: place("b.txt"), type: "saved" },
        { uri: place("b.txt"), type: "changed" },
      );
      return Promise.resolve({});
    };
    const first = await own.run(
      "go",
      [["read", { path: "b.txt" }], edit("a.txt", "one", "two")],
      [["bash", { command: "make" }]],
    );
    const plan = await own.session.checkpoints.plan(message(first));
    assert.deepEqual([plan.files.map(({ path }) => path), plan.uncovered], [["a.txt"], []]);
  });
});
