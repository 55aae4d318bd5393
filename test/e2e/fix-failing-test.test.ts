// Proof 1 of the main job, in the Node host, with auto-save on as it is by default in a browser.
import { enqueueReplies, fixTheFailingTest } from "./fix-failing-test.ts";
import { openReins } from "./reins.ts";
import type { Reins } from "./reins.ts";

describe("Fixing the failing test", () => {
  let reins: Reins;
  before(async () => {
    reins = await openReins();
    await reins.window.openFile("src/cart.js");
  });
  afterEach(function () {
    return reins.picture(this.currentTest);
  });
  after(() => reins?.close());

  it("reviews two proposals, runs the tests in a terminal, and leaves every byte accounted for", async () => {
    enqueueReplies(reins, { bash: true });
    await fixTheFailingTest(reins, { bash: true });
  });

  it("takes an accepted change back with one undo", async () => {
    const { page } = reins.window;
    const fixed = reins.disk("src/cart.js");
    await reins.window.openFile("src/cart.js");
    await page.locator(".editor-instance .view-lines").first().click();
    await page.keyboard.press("ControlOrMeta+Z");
    await reins.untilDisk("src/cart.js", (text) => !text.includes("percentOf(sum"));
    await page.keyboard.press("ControlOrMeta+Shift+Z");
    await reins.untilDisk("src/cart.js", (text) => text === fixed);
  });
});
