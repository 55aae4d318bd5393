// What the panel says of the chosen model, its thinking level, and of settings that are wrong.
import assert from "node:assert/strict";
import { usePanels } from "./fake-host.ts";
import { snapshot } from "./transcripts.ts";

describe("the model's settings in the panel", () => {
  const open = usePanels();

  it("show the thinking level that is used, and offer only those the model has", async () => {
    const panel = await open({
      snapshot: snapshot({
        panel: { thinkingLevel: "max", thinking: { levels: ["low", "high"], used: "high" } },
      }),
    });
    await panel.page.getByRole("button", { name: "Thinking: high" }).click();
    await panel.page.getByText("it has no “max”, “high” is used").waitFor();
    const offered = panel.page.locator(":popover-open [role=menuitemradio]");
    assert.deepEqual(
      (await offered.allInnerTexts()).map((text) => text.trim()),
      ["low", "high"],
    );
    await offered.first().click();
    assert.deepEqual(await panel.waitForSent("setThinkingLevel"), [
      { type: "setThinkingLevel", level: "low" },
    ]);
  });

  it("name what is wrong in the settings, and lead to the place", async () => {
    const problem = "reins.providers.azure.baseUrl is missing: set it to https://<resource>.";
    const panel = await open({ snapshot: snapshot({ panel: { problems: [problem] } }) });
    await panel.page.getByText("1 problem in your settings").click();
    await panel.page.getByText(problem).waitFor();
    await panel.page.getByRole("button", { name: "Open settings.json" }).click();
    assert.deepEqual(await panel.waitForSent("editSetting"), [
      { type: "editSetting", setting: "reins.providers" },
    ]);
  });
});
