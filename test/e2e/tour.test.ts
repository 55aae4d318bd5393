// Proof 2: the guided tour, from an empty profile: no key, no model, no network.
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeSampleProject } from "../ide/sample-project.ts";
import { openWindow } from "../ide/window.ts";
import { startProviderServer } from "../support/provider-server.ts";
import { Reins } from "./reins.ts";

const file = "reins-tour.md";
const firstBox = "- [ ] a proposal with two hunks\n";
const reason = "No files in the root, please";
const undecided = "Delete this file whenever you like.\n";

describe("The guided tour", () => {
  let reins: Reins;
  /** Where the window asked for anything. */
  const hosts = new Set<string>();

  before(async () => {
    const folder = makeSampleProject();
    reins = new Reins(await openWindow({ folder }), await startProviderServer(), folder);
    reins.window.context.on("request", (request) => hosts.add(new URL(request.url()).hostname));
    await reins.showPanel();
  });
  afterEach(function () {
    return reins.picture(this.currentTest);
  });
  after(() => reins?.close());

  it("is offered where nothing is set up, and shows everything through the real loop", async () => {
    await reins.panel.getByRole("button", { name: /^Guided tour/ }).click();
    await reins.panel.getByRole("button", { name: "Model: Guided tour" }).waitFor();
    await reins.untilShown("You are talking to a script, not to a model");
    await acceptTheFile(reins);
    await decideTwoHunks(reins);
    await allowTheCommand(reins);
    await reins.untilShown("That was the whole loop");
    await reins.untilShown("Esc in this panel");
    await reins.untilIdle();
  });

  it("goes on sensibly when its first proposal is rejected with a reason", async () => {
    rmSync(join(reins.folder, file));
    await reins.window.runCommand("Reins: Start Guided Tour");
    await reins.dock.getByText(file).waitFor();
    await reins.dock.getByRole("textbox").fill(reason);
    await reins.dock.getByRole("textbox").press("Enter");
    await reins.untilShown("the reason that you type when you reject goes to the model, word for word");
    await reins.untilShown(`rejected: ${reason}`);
    await reins.untilIdle();
    assert.equal(existsSync(join(reins.folder, file)), false);
    const results = JSON.stringify(
      reins.sessionEntries().filter((entry) => JSON.stringify(entry).includes('"toolResult"')),
    );
    assert.ok(results.includes(reason), "the result that a model would get has the reason");

    await reins.type("And now?");
    await reins.untilShown("That was the guided tour");
    await reins.untilIdle();
  });

  it("asks nothing of the network", () => {
    // VS Code's service worker answers for this name, which is nobody's, from the loopback server.
    const outside = [...hosts].filter(
      (host) => !/^(127\.0\.0\.1)?$|\.vscode-resource\.vscode-cdn\.net$/.test(host),
    );
    assert.deepEqual(outside, []);
    assert.ok(hosts.has("127.0.0.1"));
    assert.equal(reins.provider.requests.length, 0);
  });
});

async function acceptTheFile(reins: Reins): Promise<void> {
  await reins.dock.getByText(file).waitFor();
  assert.equal(
    await reins.window.page.locator(".tab", { hasText: file }).count(),
    0,
    "it waits in the panel",
  );
  await reins.dock.getByRole("button", { name: "Review" }).click();
  await reins.window.page.locator(".tab", { hasText: file }).waitFor();
  assert.equal(existsSync(join(reins.folder, file)), false, "nothing is on disk before it is accepted");
  await reins.dock.getByRole("button", { name: /^Accept/ }).click();
  await reins.untilShown("Reading inside your folder asks nothing");
  assert.match(reins.disk(file), /^# The Reins tour\n/);
}

/** The first by its key in the diff, the second in the card. */
async function decideTwoHunks(reins: Reins): Promise<void> {
  const { page } = reins.window;
  await reins.dock.getByText("2 hunks to decide").waitFor();
  await reins.dock.getByRole("button", { name: "Review" }).click();
  const before = reins.disk(file);
  await page.locator(".editor.modified .view-line", { hasText: "decided one by one" }).first().click();
  await page.keyboard.press("Control+Alt+Y");
  const decided = before.replace(firstBox, "- a proposal with two hunks, decided one by one\n");
  await reins.untilDisk(file, (text) => text === decided);
  await reins.button(/^Reject the change at line 20/).click();
  await reins.untilShown("Now a harmless command");
  assert.equal(reins.disk(file), decided);
  assert.ok(decided.endsWith(undecided));
}

async function allowTheCommand(reins: Reins): Promise<void> {
  const { page } = reins.window;
  await reins.dock.getByText("Hello from the Reins tour").waitFor();
  await reins.composer.click();
  await reins.answerByKey("ControlOrMeta+Enter");
  await reins.untilShown("working on step 2");
  await page.locator(".terminal-wrapper").first().waitFor();
  await reins.untilShown(/exit 0/);
}
