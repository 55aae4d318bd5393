// A session whose changes are reviewed later: the run goes on, decisions reach the model, and what waits outlives it.
import assert from "node:assert/strict";
import { until } from "../../../support/until.ts";
import { SessionWithFiles, edit, write } from "../checkpoints/session-with-files.ts";

const before = "one\ntwo\nthree\n";

async function open(): Promise<SessionWithFiles> {
  const here = new SessionWithFiles({ "a.txt": before }, { approvalEdits: "later", editDiagnostics: "off" });
  await here.open();
  return here;
}

function waiting(here: SessionWithFiles): string {
  const [proposal] = here.session.proposals.pending;
  assert.ok(proposal, "a change waits");
  return proposal.view.id;
}

async function reopened(here: SessionWithFiles): Promise<SessionWithFiles> {
  here.kill();
  const again = new SessionWithFiles({}, {}, here.ports);
  await again.open();
  return again;
}

const requestText = (here: SessionWithFiles, at: number) => JSON.stringify(here.requests.at(at));

describe("A session whose changes are reviewed later", () => {
  it("goes on at once, and tells the model with its next request what was decided in between", async () => {
    const here = await open();
    await here.run("Change it.", [edit("a.txt", "two", "TWO")], [write("new.txt", "n\n")]);
    assert.equal(here.session.transcript.lastEnd, "done");
    assert.equal(here.session.decisions.length, 2);
    assert.equal(here.disk("a.txt"), before);
    await here.session.proposals.decide(waiting(here), { type: "rejectAll", reason: "keep two" });
    await until(() => here.session.transcript.messages.at(-1)?.message.role === "app");
    await here.run("And now?");
    assert.match(requestText(here, -1), /waited for the user's review:\\nThe user rejected this: keep two/);
    assert.match(requestText(here, -1), /And now\?/);
  });

  it("tells it within a run that is on", async () => {
    const here = await open();
    here.ports.commands.onRun = async () => {
      await here.session.proposals.decide(waiting(here), { type: "acceptAll" });
      await new Promise(setImmediate); // What follows from it takes no longer, with everything in memory.
      return {};
    };
    await here.run("Change it.", [edit("a.txt", "two", "TWO")], [["bash", { command: "long" }]]);
    assert.match(requestText(here, -1), /Changed a\.txt \(1 hunk\)\. The user accepted it\./);
    assert.equal(here.disk("a.txt"), before.replace("two", "TWO"));
  });

  it("keeps what waits when the run is stopped, and when the window goes away", async () => {
    const here = await open();
    await here.run("Change it.", [edit("a.txt", "two", "TWO"), write("new.txt", "n\n")]);
    await here.session.stop();
    assert.equal(here.session.decisions.length, 2);

    const again = await reopened(here);
    await until(() => again.session.decisions.length === 2);
    assert.equal(again.disk("a.txt"), before);
    await again.session.proposals.decide(waiting(again), { type: "acceptAll" });
    await until(() => again.lastTexts.at(-1)?.startsWith("Changed a.txt") === true);
    assert.equal(again.disk("a.txt"), before.replace("two", "TWO"));
    const plan = await again.session.checkpoints.plan({
      type: "message",
      id: again.session.transcript.messages.find(({ message }) => message.role === "user")?.id ?? "",
    });
    assert.deepEqual(
      plan.files.map(({ path }) => path),
      ["a.txt"],
      "it can be taken back like any other",
    );

    const last = await reopened(again);
    await until(() => last.session.decisions.length === 1);
    assert.equal(last.session.proposals.pending[0]?.view.path, "new.txt");
  });

  it("does not apply what was accepted right before the window went away a second time", async () => {
    const here = await open();
    await here.run("Change it.", [edit("a.txt", "two", "TWO\n2")]);
    const decided = here.session.proposals.decide(waiting(here), { type: "acceptAll" });
    await until(() => here.disk("a.txt") !== before);
    here.kill();
    await decided.catch(() => undefined);
    const again = await reopened(here);
    await until(() => /is in the file already/.test(again.lastTexts.at(-1) ?? ""));
    await again.run("Go on.");
    assert.match(
      requestText(again, -1),
      /All that still waited of the change of a\.txt is in the file already/,
    );
    assert.deepEqual(again.session.decisions, []);
    assert.equal(again.disk("a.txt"), before.replace("two", "TWO\n2"));
  });

  it("neither deletes nor moves a file of which a change waits", async () => {
    const here = await open();
    await here.run("Change it.", [edit("a.txt", "two", "TWO")], [["delete", { path: "a.txt" }]]);
    assert.match(here.lastTexts.join("\n"), /It can be deleted or moved when they have decided/);
    assert.equal(here.disk("a.txt"), before);
  });
});
