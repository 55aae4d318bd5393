// A person types into a file while the agent changes files, that one too: through a whole run, in each way of reviewing,
// editor, caret, scroll position and focus are theirs, and every key arrives (U11). What waits meanwhile is not lost.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSampleProject } from "../ide/sample-project.ts";
import { reply } from "../support/provider-replies.ts";
import { openReins, until } from "./reins.ts";
import type { Reins } from "./reins.ts";

const lines = Array.from({ length: 400 }, (_, n) => `line ${n + 1}`);
const original = `${lines.join("\n")}\n`;

/** In the page, because the tests are not compiled for one. */
const pageScripts = {
  watchFocus: `
    globalThis.focusTaken = [];
    document.addEventListener("focusin", ({ target }) => {
      if (!target.closest(".editor-instance")) globalThis.focusTaken.push(target.outerHTML.slice(0, 200));
    });`,
  focusTaken: `globalThis.focusTaken`,
  /** The active tabs of all groups, the first line that is shown, and whether the focus is in an editor. */
  whereTheyAre: `({
    tabs: [...document.querySelectorAll(".tab.active")].map((tab) => tab.getAttribute("data-resource-name")),
    firstLine: Math.min(...[...document.querySelectorAll(".editor-instance .line-numbers")].map((each) => Number(each.textContent))),
    focused: document.activeElement.closest(".editor-instance") !== null,
  })`,
};

describe("A person who types while the agent works", () => {
  let reins: Reins;

  before(async () => {
    const folder = makeSampleProject();
    writeFileSync(join(folder, "mine.txt"), original);
    reins = await openReins({
      folder,
      settings: { "reins.approval.commands": "auto", "files.autoSave": "off" },
    });
    await reins.window.openFile("mine.txt");
  });
  afterEach(function () {
    return reins.picture(this.currentTest);
  });
  after(() => reins?.close());

  it("is not disturbed where changes are applied without asking", async () => {
    const typed = await typeThroughRun("auto", "Apply without asking", () => shown("Finished auto."));
    await untilMine(withTyping(typed, "LINE 10 auto"));
    assert.equal(reins.disk("new-auto.txt"), "new\n");
  });

  it("is not disturbed where changes are reviewed later, which wait until they are decided, over a reload too", async () => {
    await reset();
    const typed = await typeThroughRun("later", "Review later, go on meanwhile", () =>
      shown("Finished later."),
    );
    await untilMine(withTyping(typed));
    await reins.reload();
    await reins.dock.getByText("1 of 2").waitFor();
    // No run is on, so this is the habit of those who send with it, and no answer.
    await reins.type("Half a prompt", "ControlOrMeta+Enter");
    await reins.window.runCommand("Reins: Focus Panel");
    await untilMine(withTyping(typed));
    await reins.dock.getByText("1 of 2").waitFor();
    assert.equal(await reins.composer.inputValue(), "Half a prompt");
    await reins.composer.fill("");
    for (let left = 2; left > 0; left -= 1) {
      await reins.dock.locator(".actions:not([aria-disabled])").waitFor();
      await reins.dock.getByRole("button", { name: /^Accept/ }).click();
      if (left > 1) await reins.dock.getByText("1 of 2").waitFor({ state: "hidden" });
    }
    await reins.dock.waitFor({ state: "hidden" });
    await untilMine(withTyping(typed, "LINE 10 later"));
    assert.equal(reins.disk("new-later.txt"), "new\n");
    await reins.untilShown("You accepted the change of mine.txt");
    reins.provider.enqueue(reply({ text: "So I was told." }));
    await reins.type("Were you told?");
    await reins.untilShown("So I was told.");
    await reins.untilIdle();
    assert.match(
      reins.provider.requests.at(-1)?.rawBody ?? "",
      /Changed mine\.txt \(1 hunk\)\. The user accepted it\./,
    );
  });

  it("is not disturbed where each change is asked about: it waits in the panel", async () => {
    await reset();
    const waits = async () => (await reins.dock.getByText("1 of 2").count()) > 0;
    const typed = await typeThroughRun("ask", "Review each hunk", waits);
    assert.equal(await reins.window.page.locator(".tab", { hasText: "proposed by Reins" }).count(), 0);
    await untilMine(withTyping(typed));
    await reins.window.runCommand("Reins: Stop");
    await reins.untilIdle();
    reins.assertNothingRefused();
  });

  const shown = async (text: string) => (await reins.transcript.getByText(text).count()) > 0;

  /** Runs the agent while keys go into line 200; resolves with how many, when `isDone` and some more were typed. */
  async function typeThroughRun(name: string, mode: string, isDone: () => Promise<boolean>): Promise<number> {
    const { page } = reins.window;
    await reins.button("What needs approval").click();
    await reins.panel.getByRole("menuitemradio", { name: mode }).click();
    enqueueRun(name);
    await reins.type("Go.");
    await reins.untilShown(`go-${name}`);
    await goToLine200();
    await page.evaluate(pageScripts.watchFocus);
    const before = await page.evaluate(pageScripts.whereTheyAre);
    writeFileSync(join(reins.folder, `go-${name}`), "");
    let typed = 0;
    const type = async (count: number) => {
      await page.keyboard.type("x".repeat(count), { delay: 60 });
      typed += count;
    };
    const end = Date.now() + 30_000;
    while (!(await isDone())) {
      assert.ok(Date.now() < end, "the run comes to its end");
      await type(5);
    }
    await type(30);
    await untilColumn("line 200".length + typed + 1);
    assert.deepEqual(await page.evaluate(pageScripts.whereTheyAre), before);
    assert.deepEqual(await page.evaluate(pageScripts.focusTaken), []);
    await page.keyboard.press("ControlOrMeta+S");
    return typed;
  }

  function enqueueRun(name: string): void {
    const edits = [{ oldText: "line 10\n", newText: `LINE 10 ${name}\n` }];
    reins.provider.enqueue(
      reply({
        calls: [{ name: "bash", arguments: { command: `until [ -e go-${name} ]; do sleep 0.05; done` } }],
      }),
      reply({ calls: [{ name: "read", arguments: { path: "mine.txt" } }] }),
      reply({
        calls: [
          { name: "edit", arguments: { path: "mine.txt", edits } },
          { name: "write", arguments: { path: `new-${name}.txt`, content: "new\n" } },
        ],
      }),
      reply({ calls: [{ name: "bash", arguments: { command: "echo checked" } }] }),
      reply({ text: `Finished ${name}.` }),
    );
  }

  async function goToLine200(): Promise<void> {
    const { page } = reins.window;
    await page.locator(".tab", { hasText: "mine.txt" }).first().click();
    await page.locator(".editor-instance .view-lines").first().click();
    await page.keyboard.press("Control+G");
    const input = page.locator(".quick-input-widget input").first();
    await input.fill(":200");
    await input.press("Enter");
    await page.locator(".statusbar-item", { hasText: "Ln 200, Col 1" }).waitFor();
    await page.keyboard.press("End");
    await untilColumn("line 200".length + 1);
  }

  async function untilColumn(column: number): Promise<void> {
    const place = reins.window.page.locator(".statusbar-item", { hasText: /^Ln / });
    await until(
      async () => (await place.innerText()).startsWith(`Ln 200, Col ${column}`),
      () => place.innerText(),
    );
  }

  /** Says what is different, not all of the file. */
  async function untilMine(expected: string): Promise<void> {
    const differs = () => {
      const now = reins.disk("mine.txt").split("\n");
      return expected
        .split("\n")
        .flatMap((line, n) => (now[n] === line ? [] : [`${now[n]} instead of ${line}`]));
    };
    await until(
      () => reins.disk("mine.txt") === expected,
      () => differs().slice(0, 5).join("; "),
    );
  }

  function withTyping(count: number, line10 = "line 10"): string {
    return original
      .replace("line 10\n", `${line10}\n`)
      .replace("line 200\n", `line 200${"x".repeat(count)}\n`);
  }

  /** The file as it was, on disk and in the editor. */
  async function reset(): Promise<void> {
    await reins.window.runCommand("View: Close All Editors");
    writeFileSync(join(reins.folder, "mine.txt"), original);
    await reins.window.openFile("mine.txt");
  }
});
