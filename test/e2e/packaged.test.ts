// Proof 5: what `npm run package` makes, installed into a fresh profile, does the main job; and so does the extension
// in the web worker host, where commands are missing and both the person and the model are told so.
import assert from "node:assert/strict";
import { makePackage } from "../ide/make-package.ts";
import { enqueueReplies, fixTheFailingTest } from "./fix-failing-test.ts";
import { openReins } from "./reins.ts";
import type { Reins } from "./reins.ts";

describe("The package, installed into a fresh profile", () => {
  let reins: Reins;
  before(async () => {
    await makePackage();
    reins = await openReins({ extension: "vsix" });
    await reins.window.openFile("src/cart.js");
  });
  afterEach(function () {
    return reins?.picture(this.currentTest);
  });
  after(() => reins?.close());

  it("fixes the failing test", async () => {
    enqueueReplies(reins, { bash: true });
    await fixTheFailingTest(reins, { bash: true });
  });
});

describe("Reins in the web worker host", () => {
  let reins: Reins;
  before(async () => {
    reins = await openReins({ host: "web" });
    await reins.window.openFile("src/cart.js");
  });
  afterEach(function () {
    return reins?.picture(this.currentTest);
  });
  after(() => reins?.close());

  it("tells the person, before anything is asked, that there are no commands", async () => {
    await reins.panel.locator(".empty-note", { hasText: "Commands need a Node extension host" }).waitFor();
  });

  it("fixes the failing test without commands", async () => {
    enqueueReplies(reins, { bash: false });
    await fixTheFailingTest(reins, { bash: false });
  });

  it("tells the model that there are no commands", async () => {
    const { rawBody, body } = await reins.provider.request(1);
    assert.match(rawBody, /Commands need a Node extension host/);
    assert.doesNotMatch(JSON.stringify(body["tools"]), /"bash"/);
  });
});
