// Proof 3: what is typed while a run is on enters where it belongs, and Stop stops everything and loses nothing.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import type { ProviderRequest, ReplyCall } from "../support/provider-replies.ts";
import { reply } from "../support/provider-replies.ts";
import { assertEveryCallHasItsResult, sleeping } from "./aftermath.ts";
import { openReins, until } from "./reins.ts";
import type { Reins } from "./reins.ts";

let reins: Reins;

const ways: { what: string; stop: () => Promise<void> }[] = [
  { what: "Esc in the composer", stop: () => reins.composer.press("Escape") },
  {
    what: "the composer’s stop button",
    stop: () => reins.panel.locator("reins-composer").getByRole("button", { name: "Stop" }).click(),
  },
  { what: "the command’s own stop button", stop: () => reins.button("Stop the run").click() },
  { what: "the command in the palette", stop: () => reins.window.runCommand("Reins: Stop") },
];

describe("A run that is on", () => {
  before(async () => {
    reins = await openReins();
    await reins.window.openFile("src/cart.js");
  });
  after(() => reins?.close());
  afterEach(function () {
    return reins.picture(this.currentTest);
  });
  beforeEach(async () => {
    reins.provider.replies.length = 0;
    if (!(await reins.transcript.isVisible())) return;
    await reins.button("New session").first().click();
    await reins.transcript.waitFor({ state: "hidden" });
  });

  describe("with something typed meanwhile", typingMeanwhile);
  describe("stopped during a long command", stopping);
  describe("by keyboard alone", keyboardOnly);
});

function typingMeanwhile(): void {
  it("steers after its turn or follows at the end, and can be changed until then", async () => {
    const first = reins.provider.requests.length + 1;
    reins.provider.enqueue(
      reply({ text: "I’ll wait.", calls: [waitFor("go.txt")] }),
      reply({ text: "Turned as told." }),
      reply({ text: "And the rest." }),
      reply({ text: "Done with everything." }),
    );
    await reins.type("Wait for go.txt.");
    await allow("go.txt");
    await reins.type("Left instead");
    await reins.type("Then the tests", "Alt+Enter");
    await reins.type("A slip");
    await reins.type("And the docs", "Alt+Enter");
    await chip("And the docs").waitFor();
    await changeTheQueue();
    assert.equal(reins.provider.requests.length, first, "nothing is sent while the command runs");

    writeFileSync(join(reins.folder, "go.txt"), "");
    await reins.untilShown("Done with everything.");
    await reins.untilIdle();
    await reins.queue.waitFor({ state: "hidden" });
    const prompt = "Wait for go.txt.";
    const steered = [prompt, "[tool_result]", "Right instead"];
    assert.deepEqual(reins.provider.requests.slice(first - 1).map(userTexts), [
      [prompt],
      steered,
      [...steered, "And the docs"],
      [...steered, "And the docs", "Then the tests"],
    ]);
    reins.assertNothingRefused();
  });

  it("is not disturbed by Esc in a menu or in the text of a queued message", async () => {
    reins.provider.enqueue(reply({ calls: [waitFor("escaped.txt")] }), reply({ text: "It ran on." }));
    await reins.type("Wait for escaped.txt.");
    await allow("escaped.txt");
    await reins.type("Then more", "Alt+Enter");
    await reins.queue.getByRole("button", { name: "Change “Then more”" }).press("Enter");
    const item = reins.panel.getByRole("menuitem", { name: "Edit" });
    await item.press("Escape");
    await item.waitFor({ state: "hidden" });
    await reins.queue.getByRole("button", { name: "Edit: Then more" }).press("Enter");
    await reins.queue.getByRole("textbox").fill("Something else");
    await reins.queue.getByRole("textbox").press("Escape");
    await reins.queue.getByRole("button", { name: "Remove “Then more”" }).press("Enter");
    await reins.queue.waitFor({ state: "hidden" });
    writeFileSync(join(reins.folder, "escaped.txt"), "");
    await reins.untilShown("It ran on.");
    await reins.untilIdle();
    await reins.transcript.getByText("exit 0").waitFor();
  });
}

function stopping(): void {
  for (const [index, { what, stop }] of ways.entries()) {
    it(`by ${what} ends all its processes, gives unsent text back, and leaves a session that goes on`, async () => {
      const seconds = [98_700 + index, 98_800 + index] as const;
      const command = `bash -c 'sleep ${seconds[0]} & sleep ${seconds[1]}; wait'`;
      reins.provider.enqueue(
        reply({ text: "A long one.", calls: [{ name: "bash", arguments: { command } }] }),
      );
      await reins.type("Take long.");
      await allow(command);
      await until(
        () => sleeping(seconds).length === 2,
        () => "the command's children did not start",
      );
      await reins.type("Not sent yet");
      await reins.type("Nor this", "Alt+Enter");
      await chip("Nor this").waitFor();
      await reins.composer.pressSequentially("Half a thought");
      await stop();
      await reins.untilIdle();
      await until(
        () => sleeping(seconds).length === 0,
        () => `still there: ${sleeping(seconds).join("; ")}`,
      );
      await until(
        async () => (await reins.composer.inputValue()) === "Half a thought\nNot sent yet\n\nNor this",
        () => reins.composer.inputValue(),
      );
      await reins.queue.waitFor({ state: "hidden" });
      await reins.untilShown("Stopped");
      assertEveryCallHasItsResult(reins);

      const next = reins.provider.requests.length + 1;
      reins.provider.enqueue(reply({ text: "Short and fine." }));
      await reins.composer.fill("");
      await reins.type("Then a short one.");
      await reins.untilShown("Short and fine.");
      await reins.untilIdle();
      assert.match(reins.resultsOf(next), /stopped by the user/);
      reins.assertNothingRefused();
    });
  }

  it("not by Esc while an input method composes", async () => {
    reins.provider.enqueue(reply({ calls: [waitFor("composed.txt")] }), reply({ text: "It ran on." }));
    await reins.type("Wait for composed.txt.");
    await allow("composed.txt");
    await reins.type("A marker", "Alt+Enter");
    await chip("A marker").waitFor();
    await reins.composer.click();
    const devTools = await reins.window.context.newCDPSession(reins.window.page);
    await devTools.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
    assert.equal(await reins.composer.inputValue(), "にほ");
    // Once this is through, the host knows of the composition too. A mouse would end it.
    await reins.queue
      .getByRole("button", { name: "Remove “A marker”" })
      .evaluate((button) => (button as { click(): void }).click());
    await reins.queue.waitFor({ state: "hidden" });
    await reins.window.page.keyboard.press("Escape");
    writeFileSync(join(reins.folder, "composed.txt"), "");
    await reins.untilShown("It ran on.");
    await reins.untilIdle();
    await reins.transcript.getByText("exit 0").waitFor();
    await devTools.detach();
    await reins.composer.fill("");
  });
}

function keyboardOnly(): void {
  it("has commands and changes allowed and rejected without the caret leaving", async () => {
    const { page } = reins.window;
    const before = reins.disk("src/cart.js");
    const edits = (newText: string) => [{ oldText: "return sum - discountPercent;", newText }];
    reins.provider.enqueue(
      reply({ calls: [{ name: "bash", arguments: { command: "echo allowed by key" } }] }),
      reply({ calls: [{ name: "bash", arguments: { command: "echo must not run" } }] }),
      reply({ calls: [{ name: "read", arguments: { path: "src/cart.js" } }] }),
      reply({ calls: [{ name: "edit", arguments: { path: "src/cart.js", edits: edits("return 1;") } }] }),
      reply({ calls: [{ name: "edit", arguments: { path: "src/cart.js", edits: edits("return 2;") } }] }),
      reply({ text: "Done by key." }),
    );
    await page.locator(".editor-instance .view-lines").first().click();
    await focusPanelByKey();
    await page.keyboard.type("Do it.");
    await page.keyboard.press("Enter");
    await reins.dock.getByText("echo allowed by key").waitFor();
    await reins.answerByKey("ControlOrMeta+Enter");
    await reins.dock.getByText("echo must not run").waitFor();
    await reins.answerByKey("ControlOrMeta+Backspace");
    await reins.hunk(30).waitFor();
    await reins.answerByKey("ControlOrMeta+Backspace");
    await reins.transcript.getByText("return 2;").waitFor();
    await reins.dock.waitFor();
    assert.equal(reins.disk("src/cart.js"), before);
    await reins.answerByKey("ControlOrMeta+Enter");
    await reins.untilShown("Done by key.");
    await reins.untilIdle();
    await untilCaretInComposer();
    assert.equal(reins.disk("src/cart.js"), before.replace("return sum - discountPercent;", "return 2;"));
    assert.equal(await reins.transcript.getByText("must not run").count(), 1);
    reins.assertNothingRefused();

    await page.keyboard.press("Control+Alt+R");
    await page.locator(".editor-instance .monaco-editor.focused").waitFor();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("// typed into the editor\n");
    await reins.untilDisk("src/cart.js", (text) => text.startsWith("// typed into the editor\n"));
  });
}

/** Edits one, removes one and makes a follow-up of one and steering of another. */
async function changeTheQueue(): Promise<void> {
  await reins.queue.getByRole("button", { name: "Edit: Left instead" }).click();
  await reins.queue.getByRole("textbox").fill("Right instead");
  await reins.queue.getByRole("textbox").press("Enter");
  await chip("Right instead").waitFor();
  await reins.queue.getByRole("button", { name: "Remove “A slip”" }).click();
  await chip("A slip").waitFor({ state: "hidden" });
  await reins.queue.getByRole("button", { name: "Change “And the docs”" }).click();
  await reins.panel.getByRole("menuitem", { name: "Send after this turn" }).click();
  await chip("And the docs", "Steering").waitFor();
}

function chip(text: string, kind: "Steering" | "Follow-up" | "" = ""): Locator {
  return reins.queue.getByRole("listitem").filter({ hasText: new RegExp(`^\\s*${kind}.*${text}`, "s") });
}

/** A command that ends when a file is there. */
function waitFor(file: string): ReplyCall {
  return { name: "bash", arguments: { command: `until [ -e ${file} ]; do sleep 0.05; done; echo went on` } };
}

async function allow(command: string): Promise<void> {
  await reins.dock.getByText(command).waitFor();
  await reins.composer.click();
  await reins.answerByKey("ControlOrMeta+Enter");
  await reins.transcript.getByText("Running").waitFor();
}

/** What the person said, as a request carried it, in order. */
function userTexts({ body }: ProviderRequest): string[] {
  const messages = body["messages"] as { role: string; content: string | { type: string; text: string }[] }[];
  return messages
    .filter(({ role }) => role === "user")
    .flatMap(({ content }) =>
      typeof content === "string"
        ? [content]
        : content.map(({ type, text }) => (type === "text" ? text : `[${type}]`)),
    );
}

/** VS Code learns a moment after the click that the focus has left the panel; until then the key does nothing. */
async function focusPanelByKey(): Promise<void> {
  const press = async () => {
    await reins.window.page.keyboard.press("Control+Alt+R");
    await untilCaretInComposer(2000);
  };
  await until(
    () =>
      press().then(
        () => true,
        () => false,
      ),
    () => "the key does not show the panel",
  );
}

async function untilCaretInComposer(timeout = 30_000): Promise<void> {
  await reins.panel.locator("reins-composer textarea:focus").waitFor({ timeout });
}
