// Every command of the palette does what its title says, and none ends in an error message.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { reply } from "../support/provider-replies.ts";
import type { ReplyCall } from "../support/provider-replies.ts";
import { openReins, until } from "./reins.ts";
import type { Reins } from "./reins.ts";

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly category: string; readonly title: string }[];
  };
}

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Manifest;
const path = "src/cart.js";
const places = [
  { oldText: "line.quantity = quantity;", newText: "line.quantity += quantity;" },
  { oldText: "count + line.quantity", newText: "line.quantity + count" },
  { oldText: "return sum - discountPercent;", newText: "return sum;" },
];

describe("Each command of the palette", () => {
  let reins: Reins;
  let original = "";
  const ran = new Set<string>();

  before(async () => {
    reins = await openReins();
    original = reins.disk(path);
    await reins.window.openFile(path);
  });
  afterEach(function () {
    return reins.picture(this.currentTest);
  });
  after(() => reins?.close());

  /** Does not wait for the box to close: some commands ask in the same place. */
  async function start(title: string): Promise<void> {
    ran.add(title);
    await (await reins.window.findCommand(`Reins: ${title}`)).click();
  }

  async function run(title: string): Promise<void> {
    ran.add(title);
    await reins.window.runCommand(`Reins: ${title}`);
  }

  const asked = (title: string): Locator =>
    reins.window.page.locator(".quick-input-widget", { hasText: title }).locator("input").first();
  const choice = (label: string | RegExp): Locator =>
    reins.window.page.locator(".quick-input-list .monaco-list-row", { hasText: label }).first();

  async function cancel(title: string): Promise<void> {
    await asked(title).press("Escape");
    await asked(title).waitFor({ state: "hidden" });
  }

  it("Focus Panel puts the caret into the composer", async () => {
    await reins.window.page.locator(".editor-instance .view-lines").first().click();
    await run("Focus Panel");
    await reins.panel.locator("reins-composer textarea:focus").waitFor();
  });

  it("Add Selection to Chat puts the file, or the selected lines, into the composer", async () => {
    const { page } = reins.window;
    await page.locator(".editor-instance .view-lines").first().click();
    await page.keyboard.press("ControlOrMeta+Home");
    await run("Add Selection to Chat");
    await untilComposed(reins, `@${path}\n`);
    await reins.panel.locator("reins-composer textarea:focus").waitFor();
    await page.locator(".editor-instance .view-lines").first().click();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await run("Add Selection to Chat");
    const [first, second] = original.split("\n");
    await untilComposed(reins, `@${path}\n@${path}#L1-L2\n\`\`\`javascript\n${first}\n${second}\n\`\`\`\n`);
    await reins.composer.fill("");
  });

  it("Select Model… offers the models and changes nothing when cancelled", async () => {
    await start("Select Model…");
    await choice("Test model").waitFor();
    await cancel("Reins: Select Model");
    await reins.button("Model: Test model").waitFor();
  });

  it("Set API Key… asks for a provider, then for its key, and keeps nothing when cancelled", async () => {
    await start("Set API Key…");
    await choice("anthropic").click();
    await asked("API key for anthropic").waitFor();
    await cancel("API key for anthropic");
    await start("Set API Key…");
    await choice("anthropic").waitFor();
    assert.equal(await choice("has a key").count(), 0);
    await cancel("Set API Key");
  });

  it("Show Log shows the log", async () => {
    await run("Show Log");
    await reins.window.page.locator(".output-view").first().waitFor();
  });

  it("Next, Previous, Accept and Reject Hunk work on a proposal, then Accept All", async () => {
    reins.provider.enqueue(
      reply({ calls: [{ name: "read", arguments: { path } }] }),
      reply({ calls: [edit(places)] }),
      reply({ text: "Accepted two of three." }),
    );
    await reins.type("Change three places.");
    await reins.hunk(11).waitFor();
    await run("Next Hunk");
    await untilCursorAt(reins, 11); // It waited in the panel, where the caret was.
    await run("Next Hunk");
    await untilCursorAt(reins, 24);
    await run("Next Hunk");
    await untilCursorAt(reins, 30);
    await run("Previous Hunk");
    await untilCursorAt(reins, 24);
    await run("Reject Hunk");
    await reins.hunk(24).waitFor({ state: "hidden" });
    await run("Next Hunk");
    await untilCursorAt(reins, 30);
    await run("Accept Hunk");
    await reins.untilDisk(path, (text) => text === changed(original, places[2]));
    await run("Accept All Hunks of the File");
    await reins.untilDisk(path, (text) => text === changed(original, places[0], places[2]));
    await reins.untilShown("Accepted two of three.");
    await reins.untilIdle();
  });

  it("Reject All leaves the file alone; Allow and Reject decide what the panel shows", async () => {
    const before = reins.disk(path);
    reins.provider.enqueue(
      reply({ calls: [edit([{ oldText: "return sum;", newText: "return 0;" }])] }),
      reply({ calls: [edit([{ oldText: "return sum;", newText: "return sum / 1;" }])] }),
      reply({ calls: [{ name: "bash", arguments: { command: "echo must not run" } }] }),
      reply({ text: "So be it." }),
    );
    await reins.type("Change one place.");
    await reins.transcript.getByText("return 0;").waitFor();
    await run("Reject All Hunks of the File"); // Nothing is decided on unseen: it is shown first.
    await reins.window.page.locator(".tab", { hasText: "proposed by Reins" }).waitFor();
    await run("Reject All Hunks of the File");
    await reins.transcript.getByText("return sum / 1;").waitFor();
    assert.equal(reins.disk(path), before);
    await run("Allow");
    await reins.untilDisk(path, (text) => text === before.replace("return sum;", "return sum / 1;"));
    await reins.dock.getByText("echo must not run").waitFor();
    await run("Reject");
    await reins.untilShown("So be it.");
    await reins.untilShown("You rejected this; it did not run");
    await reins.untilIdle();
  });

  it("Review All Files Together opens what waits; all of it is accepted, or rejected, at once", async () => {
    const before = reins.disk(path);
    const write = (name: string) => ({ name: "write", arguments: { path: name, content: "new\n" } });
    const together = reins.window.page.locator(".tab", { hasText: "Proposed by Reins (2 files)" });
    const both = () =>
      reply({ calls: [edit([{ oldText: "return sum", newText: "return 0 + sum" }]), write("new.txt")] });
    reins.provider.enqueue(both(), both(), reply({ text: "Both times decided." }));
    await reins.type("Change two files.");
    for (const title of ["Reject All Hunks of All Files", "Accept All Hunks of All Files"]) {
      await reins.dock.getByText("1 of 2").waitFor();
      await run("Review All Files Together");
      await together.waitFor();
      assert.equal(reins.disk(path), before);
      await run(title);
      await together.waitFor({ state: "hidden" });
    }
    await reins.untilShown("Both times decided.");
    await reins.untilIdle();
    assert.equal(reins.disk(path), before.replace("return sum", "return 0 + sum"));
    assert.equal(reins.disk("new.txt"), "new\n");
  });

  it("Stop ends a command, Continue goes on", async () => {
    reins.provider.enqueue(
      reply({ calls: [{ name: "bash", arguments: { command: "sleep 98901" } }] }),
      reply({ text: "Going on." }),
    );
    await reins.type("Take long.");
    await reins.dock.getByText("sleep 98901").waitFor();
    await run("Allow");
    await reins.transcript.getByText("Running").waitFor();
    await run("Stop");
    await reins.untilIdle();
    await run("Continue");
    await reins.untilShown("Going on.");
    await reins.untilIdle();
  });

  it("Try Again Now cuts the wait after a failure short", async () => {
    const busy = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const failed = { type: "http", status: 529, body: busy, headers: { "retry-after": "50" } } as const;
    reins.provider.enqueue(failed, reply({ text: "Now it works." }));
    await reins.type("Are you there?");
    await reins.transcript.getByText(/Trying again in \d+ s/).waitFor();
    await run("Try Again Now");
    await reins.untilShown("Now it works.");
    await reins.untilIdle();
  });

  it("Show Last Request shows what was sent", async () => {
    await run("Show Last Request");
    await reins.window.page.locator(".tab", { hasText: "Last request of" }).waitFor();
    await reins.window.page.locator(".view-line", { hasText: "/v1/messages" }).first().waitFor();
  });

  it("Restore Files to a Message… puts files back, Undo Restore takes that back", async () => {
    const before = reins.disk(path);
    const { page } = reins.window;
    const confirm = async () => {
      await choice(path).waitFor();
      await page.locator(".quick-input-widget").getByText("OK", { exact: true }).click();
    };
    await start("Restore Files to a Message…");
    await choice("Change three places.").click();
    await confirm();
    await reins.untilDisk(path, (text) => text === original);
    await start("Undo Restore");
    await confirm();
    await reins.untilDisk(path, (text) => text === before);
  });

  it("New Session starts afresh, Open Session… brings an earlier one back, Start Guided Tour begins", async () => {
    await run("New Session");
    await reins.transcript.waitFor({ state: "hidden" });
    await start("Open Session…");
    await choice("Change three places.").waitFor();
    await choice("Change three places.").click();
    await reins.untilShown("Going on.");
    await run("Start Guided Tour");
    await reins.untilShown("Welcome to Reins.");
    await run("New Session");
    await reins.transcript.waitFor({ state: "hidden" });
  });

  it("was run here or in a proof of its own, and none reported an error", async () => {
    const titles = manifest.contributes.commands.map(({ title }) => title);
    const elsewhere = globSync("*.test.ts", { cwd: new URL(".", import.meta.url) })
      .map((name) => readFileSync(new URL(name, import.meta.url), "utf8"))
      .join("");
    const missing = titles.filter((title) => !ran.has(title) && !elsewhere.includes(`"Reins: ${title}`));
    assert.deepEqual(missing, []);
    await reins.window.runCommand("Notifications: Show Notifications");
    await reins.window.page.locator(".notifications-center").waitFor();
    assert.deepEqual(await reins.window.page.locator(".notification-list-item").allInnerTexts(), []);
    reins.assertNothingRefused();
  });
});

function edit(edits: readonly { readonly oldText: string; readonly newText: string }[]): ReplyCall {
  return { name: "edit", arguments: { path, edits } };
}

function changed(text: string, ...edits: ((typeof places)[number] | undefined)[]): string {
  return edits.reduce((now, each) => (each ? now.replace(each.oldText, each.newText) : now), text);
}

async function untilComposed(reins: Reins, text: string): Promise<void> {
  await until(
    async () => (await reins.composer.inputValue()) === text,
    () => reins.composer.inputValue(),
  );
}

async function untilCursorAt(reins: Reins, line: number): Promise<void> {
  await reins.window.page
    .locator(".editor.modified .monaco-editor.focused, .editor.modified.focused")
    .waitFor();
  await reins.window.page.locator(".statusbar-item", { hasText: `Ln ${line},` }).waitFor();
}
