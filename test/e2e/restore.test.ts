// Proof of checkpoints: a change that was accepted survives a killed window, is put back from the panel after its list
// was seen, and comes back when that is undone.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { reply } from "../support/provider-replies.ts";
import type { Reins } from "./reins.ts";
import { openReins, until } from "./reins.ts";

describe("Files that Reins changed", () => {
  let reins: Reins;
  let original: string;
  const list = () => reins.window.page.locator(".quick-input-widget");
  const row = (name: string) => list().locator(".monaco-list-row", { hasText: name });
  const askForRestore = async () => {
    await reins.panel.locator(".prompt", { hasText: "Change and create." }).hover();
    await reins.button("Restore files to here").first().click();
    await row("src/cart.js").waitFor();
  };

  before(async () => {
    reins = await openReins();
    original = reins.disk("src/cart.js");
  });
  after(() => reins?.close());
  afterEach(() => reins.assertNothingRefused());

  it("are changed after the window was killed right behind the acceptance, and the session says so", async () => {
    const edits = [{ oldText: "return sum - discountPercent;", newText: "return sum - 1;" }];
    reins.provider.enqueue(
      reply({ calls: [{ name: "read", arguments: { path: "src/cart.js" } }] }),
      reply({ calls: [{ name: "write", arguments: { path: "made/new.txt", content: "new\n" } }] }),
      reply({ calls: [{ name: "edit", arguments: { path: "src/cart.js", edits } }] }),
    );
    await reins.type("Change and create.");
    await reins.dock.getByText("new.txt").waitFor();
    await reins.dock
      .getByRole("button", { name: /^Accept/ })
      .first()
      .click();
    await reins.dock.getByText("cart.js").waitFor();
    await reins.dock
      .getByRole("button", { name: /^Accept/ })
      .first()
      .click();
    await reins.untilDisk("src/cart.js", (text) => text.includes("return sum - 1;"));
    await reins.crash();
    await reins.untilShownOnce("Change and create.");
    assert.equal(
      reins.disk("src/cart.js"),
      original.replace("return sum - discountPercent;", "return sum - 1;"),
    );
    reins.provider.enqueue(reply({ text: "All there." }));
    const next = reins.provider.requests.length + 1;
    await reins.type("Go on.");
    await reins.untilShown("All there.");
    await reins.untilIdle();
    assert.match(reins.resultsOf(next), /Changed src\/cart\.js|in src\/cart\.js, the rest/);
  });

  it("are put back once the list was seen, but what the user changed since only when they choose it", async () => {
    await askForRestore();
    assert.match(await row("src/cart.js").innerText(), /will be changed back/);
    assert.match(await row("made/new.txt").innerText(), /will be deleted/);
    await reins.window.page.keyboard.press("Escape");
    await list().waitFor({ state: "hidden" });
    assert.equal(reins.disk("made/new.txt"), "new\n");
    writeFileSync(join(reins.folder, "made/new.txt"), "mine\n");
    await askForRestore();
    assert.match(await row("made/new.txt").innerText(), /changed since/);
    await list().getByText("OK", { exact: true }).click();
    await reins.untilDisk("src/cart.js", (text) => text === original);
    assert.equal(reins.disk("made/new.txt"), "mine\n");
    await reins.untilShown(/Files put back to what they were before/);
  });

  it("come back when that is undone, and the model is told", async () => {
    await reins.button("Undo restore").last().click();
    await row("src/cart.js").waitFor();
    await list().getByText("OK", { exact: true }).click();
    await reins.untilDisk("src/cart.js", (text) => text.includes("return sum - 1;"));
    reins.provider.enqueue(reply({ text: "I know." }));
    await reins.type("What happened?");
    await reins.untilShown("I know.");
    const request = JSON.stringify(reins.provider.requests.at(-1));
    await until(
      () => /The user put files back/.test(request),
      () => request.slice(-500),
    );
  });
});
