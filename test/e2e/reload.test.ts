// Proof 4: the window goes away in the middle of things. What was shown is shown again, once, and the session goes on.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../ide/processes.ts";
import { gate, reply } from "../support/provider-replies.ts";
import { Reins, openReins, until } from "./reins.ts";

let reins: Reins;

const ways = [
  { what: "A window that is reloaded", goAway: () => reins.reload() },
  { what: "A window whose server and extension host are killed", goAway: () => reins.crash() },
];

for (const { what, goAway } of ways) {
  describe(what, () => {
    before(async () => {
      reins = await openReins();
    });
    after(() => reins?.close());
    beforeEach(async () => {
      if (await reins.transcript.isVisible()) await reins.button("New session").first().click();
      await reins.transcript.waitFor({ state: "hidden" });
    });
    afterEach(() => reins.assertNothingRefused());

    it("in the middle of a reply shows what had arrived, and the run goes on when told to", async () => {
      const held = gate();
      reins.provider.enqueue(
        reply({
          thinking: "They want a story.",
          text: ["The first half of it. ", held.promise, "The second half."],
        }),
      );
      await reins.type("Tell me a story.");
      await reins.untilShown("The first half of it.");
      await untilOnDisk("The first half of it.");
      await goAway();
      held.open();
      await reins.untilShownOnce("The first half of it.");
      await reins.untilShownOnce("Tell me a story.");
      await reins.untilShownOnce("They want a story.");
      await reins.untilShownOnce("This run was cut off");
      await continues();
    });

    it("in the middle of a command shows its output, ends its process, and tells the model", async () => {
      const command =
        "echo $$ > pid.txt; echo first line; printf 'second %s\\n' line; until [ -e go.txt ]; do sleep 0.1; done; printf 'ran %s\\n' on";
      reins.provider.enqueue(
        reply({ text: "I’ll wait.", calls: [{ name: "bash", arguments: { command } }] }),
      );
      await reins.type("Wait for go.txt.");
      await reins.dock.getByRole("button", { name: /^Allow once/ }).click();
      await reins.untilShown("second line");
      await untilOnDisk("second line");
      const pid = Number(reins.disk("pid.txt"));
      assert.ok(isAlive(pid));
      await goAway();
      await until(
        () => !isAlive(pid),
        () => "the command is still there",
      );
      writeFileSync(join(reins.folder, "go.txt"), "");
      await reins.untilShownOnce("I’ll wait.");
      await reins.untilShownOnce("second line");
      await reins.untilShownOnce("This run was cut off");
      const next = reins.provider.requests.length + 1;
      await continues();
      const told = reins.resultsOf(next);
      assert.match(told, /Interrupted/);
      assert.match(told, /second line/);
      assert.doesNotMatch(told, /ran on/);
    });

    it("while a proposal waits leaves the file alone, shows the change, and tells the model", async () => {
      const before = reins.disk("src/cart.js");
      const edits = [{ oldText: "return sum - discountPercent;", newText: "return sum - 1;" }];
      reins.provider.enqueue(
        reply({ calls: [{ name: "read", arguments: { path: "src/cart.js" } }] }),
        reply({ text: "One change.", calls: [{ name: "edit", arguments: { path: "src/cart.js", edits } }] }),
      );
      await reins.type("Change it.");
      await reins.hunk(30).waitFor();
      await untilOnDisk(`"kind":"edit"`); // The proposal as the panel shows it, not only the call.
      await goAway();
      await reins.untilShownOnce("This run was cut off");
      await reins.untilShownOnce("return sum - 1;");
      assert.equal(reins.disk("src/cart.js"), before);
      await reins.dock.waitFor({ state: "hidden" });
      const next = reins.provider.requests.length + 1;
      await continues();
      assert.match(reins.resultsOf(next), /Interrupted.*src\/cart.js/);
      assert.equal(reins.disk("src/cart.js"), before);
    });

    it("with a draft has it in the composer again", async () => {
      await reins.composer.click();
      await reins.composer.pressSequentially("Half a thou");
      await untilKept("Half a thou");
      await goAway();
      await until(
        async () => (await reins.composer.inputValue()) === "Half a thou",
        () => reins.composer.inputValue(),
      );
      await reins.composer.fill("");
    });
  });
}

describe("A panel that is hidden in the middle of a reply", () => {
  before(async () => {
    reins = await openReins();
  });
  after(() => reins?.close());

  it("shows everything once when it is back, and what waits can be decided (U15)", async () => {
    const held = gate();
    reins.provider.enqueue(
      reply({
        text: ["The first half. ", held.promise, "The second half."],
        calls: [{ name: "bash", arguments: { command: "echo done" } }],
      }),
      reply({ text: "That was all." }),
    );
    await reins.type("Tell me a story.");
    await reins.untilShown("The first half.");
    await reins.window.page.keyboard.press("ControlOrMeta+Alt+B");
    await reins.composer.waitFor({ state: "hidden" });
    held.open();
    await reins.window.page.locator(".statusbar-item", { hasText: "1 waiting" }).waitFor();
    await reins.window.page.keyboard.press("ControlOrMeta+Alt+B");
    await reins.untilShownOnce("The first half. The second half.");
    await reins.untilShownOnce("echo done");
    await reins.dock.getByRole("button", { name: /^Allow once/ }).click();
    await reins.untilShownOnce("That was all.");
    await reins.untilIdle();
    await reins.untilShownOnce("Tell me a story.");
    reins.assertNothingRefused();
  });

  it("in two windows goes on in a copy where it was overtaken, and says so (S09)", async () => {
    const other = new Reins(await reins.window.another(), reins.provider, reins.folder);
    await other.showPanel();
    await other.untilShownOnce("That was all.");
    reins.provider.enqueue(reply({ text: "Here I am." }));
    await reins.type("First window?");
    await reins.untilShownOnce("Here I am.");
    reins.provider.enqueue(reply({ text: "And here am I." }));
    await other.type("Second window?");
    await other.untilShownOnce("And here am I.");
    await other.untilShownOnce("This session is also open in another window");
    await reins.untilIdle();
    reins.assertNothingRefused();
    assert.ok(!(await reins.transcript.innerText()).includes("Second window?"));
    await other.window.page.close();
  });
});

/** Of what a killed process had shown within the last tenth of a second nothing can be known. */
function untilOnDisk(text: string): Promise<void> {
  return until(
    () => reins.sessionEntries().some((entry) => JSON.stringify(entry).includes(text)),
    () => `${text} is not in the session's file`,
  );
}

/** VS Code keeps what extensions give it in the browser, a moment later. */
function untilKept(text: string): Promise<void> {
  return until(
    async () => JSON.stringify(await reins.window.page.evaluate(browserStorage)).includes(text),
    () => `${text} is not in the browser's storage`,
  );
}

/** Runs in the page. */
const browserStorage = `(async () => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const found = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      found.push(await done(database.transaction(store).objectStore(store).getAll()));
    database.close();
  }
  return found;
})()`;

/** The run goes on by its button, and another prompt is answered after it. */
async function continues(): Promise<void> {
  reins.provider.enqueue(reply({ text: "Here is the rest." }), reply({ text: "And here is more." }));
  await reins.button("Continue").click();
  await reins.untilShownOnce("Here is the rest.");
  await reins.untilIdle();
  await reins.type("Go on.");
  await reins.untilShownOnce("And here is more.");
  await reins.untilIdle();
}
