// Sessions are there again tomorrow: each under its title, with everything that was said, and changed by nobody.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { reply } from "../support/provider-replies.ts";
import { openReins, until } from "./reins.ts";
import type { Reins } from "./reins.ts";

/** What the picker says beside a title. */
const age = /just now|\d+ minutes? ago/;

describe("Sessions", () => {
  let userDataDir: string;
  let reins: Reins;
  before(async () => {
    userDataDir = mkdtempSync(join(tmpdir(), "reins-e2e-"));
    reins = await openReins({ userDataDir });
  });
  after(async () => {
    await reins?.close();
    rmSync(userDataDir, { recursive: true, force: true, maxRetries: 5 });
  });
  afterEach(() => reins.assertNothingRefused());

  const asks = async (prompt: string, answer: string) => {
    reins.provider.enqueue(reply({ text: answer }));
    await reins.type(prompt);
    await reins.untilShownOnce(answer);
    await reins.untilIdle();
  };

  const newSession = async () => {
    await reins.window.runCommand("Reins: New Session");
    await reins.transcript.waitFor({ state: "hidden" });
  };

  /** Opens the picker and returns its rows. */
  const picker = async (): Promise<Locator> => {
    await (await reins.window.findCommand("Reins: Open Session")).click();
    const rows = reins.window.page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: age }).first().waitFor();
    return rows;
  };

  const titles = async (rows: Locator) =>
    (await rows.allInnerTexts()).map((text) => text.replace(age, "").trim());

  /** Name and bytes of every session's file. */
  const files = () => {
    const folder = join(userDataDir, "user/User/globalStorage/reins.reins/sessions");
    return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
  };

  it("are listed by their titles, the newest first", async () => {
    await asks("How does the cart add up?", "By a loop over its lines.");
    await newSession();
    await newSession();
    await asks("Who reads receipts?", "The accountant does.");
    const rows = await picker();
    assert.deepEqual(await titles(rows), ["Who reads receipts?", "How does the cart add up?"]);
    assert.equal(files().length, 2, "an empty session has no file");
  });

  it("are shown as they were when opened, which writes nothing", async () => {
    const before = files();
    const rows = reins.window.page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "How does the cart add up?" }).click();
    await reins.untilShownOnce("By a loop over its lines.");
    assert.ok(!(await reins.transcript.innerText()).includes("The accountant does."));
    await (await picker()).filter({ hasText: "Who reads receipts?" }).click();
    await reins.untilShownOnce("The accountant does.");
    await reins.untilShownOnce("Who reads receipts?");
    assert.deepEqual(files(), before);
  });

  it("keep the title they are given, and go on, after a restart", async () => {
    await reins.panel.locator("reins-header").getByRole("button", { name: "Who reads receipts?" }).click();
    const field = reins.panel.locator("reins-header").getByRole("textbox");
    await field.fill("Receipts");
    await field.press("Enter");
    await reins.panel.getByRole("heading", { name: "Receipts" }).waitFor();
    await until(
      () => reins.sessionEntries().some((entry) => entry["name"] === "Receipts"),
      () => "the title is not in the session's file",
    );
    const { provider, folder } = reins;
    const { port } = reins.window;
    await reins.window.close();
    reins = await openReins({ userDataDir, provider, folder, port });
    await reins.panel.getByRole("heading", { name: "Receipts" }).waitFor();
    await reins.untilShownOnce("The accountant does.");
    await asks("Anyone else?", "The tax office.");
    const asked = JSON.stringify(provider.requests.at(-1)?.body["messages"]);
    assert.match(asked, /Who reads receipts\?.*The accountant does\..*Anyone else\?/);
    const rows = await picker();
    assert.deepEqual(await titles(rows), ["Receipts", "How does the cart add up?"]);
    await rows.filter({ hasText: "How does the cart add up?" }).click();
    await reins.untilShownOnce("By a loop over its lines.");
  });
});
