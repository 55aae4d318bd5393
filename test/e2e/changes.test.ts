// Proof of looking afterwards at edits that were accepted unseen: the inline diff with Keep and Undo for each change, the
// list in the Source Control view, the commands, and what the model hears of it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { reply } from "../support/provider-replies.ts";
import type { Reins } from "./reins.ts";
import { openReins, until } from "./reins.ts";

const path = "src/cart.js";
const edits = [
  { oldText: "line.quantity = quantity;", newText: "line.quantity += quantity;" },
  { oldText: "count + line.quantity", newText: "line.quantity + count" },
  { oldText: "return sum - discountPercent;", newText: "return sum;" },
];

describe("Edits that were accepted unseen", () => {
  let reins: Reins;
  let original = "";

  before(async () => {
    reins = await openReins({ settings: { "reins.approval.edits": "auto" } });
    original = reins.disk(path);
    await reins.window.openFile(path);
  });
  afterEach(function () {
    return reins.picture(this.currentTest);
  });
  after(() => reins?.close());
  afterEach(() => reins.assertNothingRefused());

  const page = () => reins.window.page;
  const peek = () => page().locator(".dirty-diff");
  const action = (label: string) => peek().locator(`a.action-label[aria-label^="${label}"]`);
  const group = () => page().locator(".scm-view .monaco-list-row", { hasText: "Changed by Reins" });
  const file = (name: string) => page().locator(".scm-view .monaco-list-row", { hasText: name });
  const inline = (row: ReturnType<typeof file>, label: string) =>
    row.locator(`a.action-label[aria-label^="${label}"]`);
  const dialog = () => page().locator(".monaco-dialog-box");
  const changed = (...which: readonly number[]) =>
    which.reduce((text, n) => text.replace(edits[n]?.oldText ?? "", edits[n]?.newText ?? ""), original);

  /** With REINS_PICTURES, a folder, for looking at them. */
  async function shot(name: string): Promise<void> {
    const folder = process.env["REINS_PICTURES"];
    if (folder) await page().screenshot({ path: join(folder, `${name}.png`) });
  }

  /** A run that changes these places. */
  async function letItEdit(prompt: string, ...which: readonly number[]): Promise<void> {
    const chosen = edits.filter((_, n) => which.includes(n));
    reins.provider.enqueue(
      reply({ calls: [{ name: "read", arguments: { path } }] }),
      reply({ calls: [{ name: "edit", arguments: { path, edits: chosen } }] }),
      reply({ text: `Done: ${prompt}` }),
    );
    await reins.type(prompt);
    await reins.untilShown(`Done: ${prompt}`);
    await reins.untilIdle();
  }

  async function letItChangeSum(newText: string): Promise<void> {
    const args = { path, edits: [{ oldText: "return sum;", newText }] };
    reins.provider.enqueue(
      reply({ calls: [{ name: "edit", arguments: args }] }),
      reply({ text: `Done: ${newText}` }),
    );
    await reins.type(newText);
    await reins.untilShown(`Done: ${newText}`);
    await reins.untilIdle();
  }

  async function goTo(line: number): Promise<void> {
    await page().locator(".editor-instance .view-lines").first().click();
    await page().keyboard.press("Control+G");
    const input = page().locator(".quick-input-widget input").first();
    await input.waitFor();
    await input.fill(`:${line}`);
    await input.press("Enter");
    await page()
      .locator(".statusbar-item", { hasText: `Ln ${line},` })
      .waitFor();
  }

  /** Opens the inline diff at a line, once it is about this many changes of Reins: VS Code compares in its own time. */
  async function peekAt(line: number, count: number): Promise<void> {
    const title = peek().getByText(new RegExp(`of ${count} changes?$`));
    for (;;) {
      await goTo(line - 1);
      await page().keyboard.press("Alt+F3");
      const shown = Promise.all(
        [title, action("Keep Change")].map((each) => each.waitFor({ timeout: 3000 })),
      );
      const isShown = await shown.then(
        () => true,
        () => false,
      );
      if (isShown) return;
      await page().keyboard.press("Escape");
    }
  }

  it("show in an inline diff, beside that of git, where each is kept or undone", async () => {
    const create = { name: "write", arguments: { path: "src/new.js", content: "export {};\n" } };
    reins.provider.enqueue(reply({ calls: [create] }), reply({ text: "Created." }));
    await reins.type("Create.");
    await reins.untilShown("Created.");
    await reins.untilIdle();
    await letItEdit("Edit.", 0, 1, 2);
    assert.equal(reins.disk(path), changed(0, 1, 2));
    await peekAt(11, 3);
    await action("Undo Change").waitFor();
    await shot("changes-peek");
    await action("Keep Change").click();
    await page().keyboard.press("Escape");
    await peekAt(24, 2);
    assert.equal(reins.disk(path), changed(0, 1, 2));
    await action("Undo Change").click();
    await reins.untilDisk(path, (text) => text === changed(0, 2));
    await reins.untilShown(`One edit was undone in ${path} (line 24).`);
  });

  it("are taken back by one step of undo, with what was undone", async () => {
    await page().locator(".editor-instance .view-lines").first().click();
    await page().keyboard.press("ControlOrMeta+Z");
    await reins.untilDisk(path, (text) => text === changed(0, 1, 2));
    await until(
      async () => {
        await page().keyboard.press("ControlOrMeta+Shift+Z"); // With nothing to redo it does nothing.
        return reins.disk(path) === changed(0, 2);
      },
      () => reins.disk(path),
    );
  });

  it("are told to the model when undone", async () => {
    reins.provider.enqueue(reply({ text: "I know." }));
    await reins.type("Go on.");
    await reins.untilShown("I know.");
    const request = JSON.stringify(reins.provider.requests.at(-1));
    assert.match(request, /The user put files back.*One edit was undone in src\/cart\.js \(line 24\)/);
  });

  it("are listed in the Source Control view, each with Keep and Undo", async () => {
    await reins.window.runCommand("Source Control: Focus on Changes View");
    await group().waitFor();
    await file("new.js").first().waitFor();
    await shot("changes-scm");
    const row = file("new.js").filter({ has: page().locator('a[aria-label^="Keep Changes of the File"]') });
    await row.first().hover();
    await inline(row, "Keep Changes of the File").first().click();
    await row.first().waitFor({ state: "hidden" });
    await reins.window.runCommand("Reins: Review Changes");
    await page().locator(".tab", { hasText: "Changed by Reins" }).waitFor();
    await page().locator(".multiDiffEntry", { hasText: "cart.js" }).waitFor();
    await shot("changes-review");
  });

  it("are kept and undone by commands, at the cursor and in the file", async () => {
    await reins.window.openFile(path);
    await reins.window.runCommand("Reins: Keep Changes of the File");
    await group().waitFor({ state: "hidden" });
    await letItEdit("Again.", 1);
    await group().waitFor();
    await goTo(24);
    await reins.window.runCommand("Reins: Undo Change");
    await reins.untilDisk(path, (text) => text === changed(0, 2));
    await group().waitFor({ state: "hidden" });
    await letItEdit("Once more.", 1);
    await group().waitFor();
    await goTo(24);
    await reins.window.runCommand("Reins: Keep Change");
    await group().waitFor({ state: "hidden" });
    assert.equal(reins.disk(path), changed(0, 1, 2));
  });

  it("are all undone once that was confirmed", async () => {
    await letItChangeSum("return sum / 2;");
    await group().waitFor();
    await reins.window.runCommand("Reins: Undo All Changes");
    await dialog().getByText("Undo all changes of Reins in 1 file?").waitFor();
    await shot("changes-dialog");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    assert.match(reins.disk(path), /sum \/ 2/);
    await reins.window.runCommand("Reins: Undo All Changes");
    await dialog().getByRole("button", { name: "Undo" }).click();
    await reins.untilDisk(path, (text) => text === changed(0, 1, 2));
    await group().waitFor({ state: "hidden" });
  });

  it("are there after a reload: undone in one file, and gone once all are kept", async () => {
    await letItChangeSum("return sum / 3;");
    await reins.reload();
    await reins.untilShown("Done: return sum / 3;");
    await reins.window.openFile(path);
    await reins.window.runCommand("Source Control: Focus on Changes View");
    await group().waitFor();
    await goTo(1);
    await reins.window.runCommand("Reins: Undo Changes of the File");
    await reins.untilDisk(path, (text) => text === changed(0, 1, 2));
    await group().waitFor({ state: "hidden" });
    await letItChangeSum("return sum / 4;");
    await group().waitFor();
    await reins.window.runCommand("Reins: Keep All Changes");
    await group().waitFor({ state: "hidden" });
    assert.match(reins.disk(path), /sum \/ 4/);
  });
});
