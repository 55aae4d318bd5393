// What searches look like: as quiet as reads, and a list of places when someone wants to know.
import assert from "node:assert/strict";
import { axeViolations } from "./axe.ts";
import { usePanels } from "./fake-host.ts";
import { working } from "./scenes.ts";
import { assistant, result, snapshot, toolCall, user } from "./transcripts.ts";

describe("a search in the transcript", () => {
  const open = usePanels();

  it("is one line with its pattern and count, also where the panel is narrow", async () => {
    const { page } = await open({ snapshot: working(), width: 300, height: 1200 });
    const lines = page.locator("reins-row .line");
    await lines.nth(4).waitFor();
    const shown = (await lines.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
    assert.deepEqual(shown.slice(2), [
      "Search Date\\.now\\(\\) in src 3 in 2 files done",
      "Find **/*clock* none done",
      "List src/auth 2 done",
    ]);
    const wide = await lines.evaluateAll(
      (all) => all.filter((line) => line.scrollWidth > line.clientWidth).length,
    );
    assert.equal(wide, 0);
  });

  it("unfolds to its places, which open in the editor", async () => {
    const panel = await open({ snapshot: working(), width: 300, height: 1600 });
    await panel.page.getByRole("button", { name: /^Show search Date/ }).click();
    const hits = panel.page.getByRole("group", { name: "What was found" });
    assert.equal(await hits.getByRole("button", { name: /^Open src\/auth\/refresh\.js$/ }).count(), 1);
    await hits.getByRole("button", { name: /refresh\.js at line 87/ }).click();
    await hits.getByRole("button", { name: "Open src/session/expiry-of-a-session.js", exact: true }).click();
    assert.deepEqual(await panel.waitForSent("openFile", 2), [
      { type: "openFile", uri: "file:///work/src/auth/refresh.js", line: 87 },
      { type: "openFile", uri: "file:///work/src/session/expiry-of-a-session.js", line: 12 },
    ]);
    assert.deepEqual(await axeViolations(panel.page), []);
  });

  it("says what went wrong, and what was left out of a long list", async () => {
    const failed = "The pattern is not a regular expression: the ( at character 1 is not closed.";
    const hits = [{ path: "a.ts", uri: "file:///a.ts", line: 1, text: "x" }];
    const { page } = await open({
      snapshot: snapshot({
        transcript: {
          messages: [
            user("u", "go"),
            assistant("a", [
              toolCall("c1", "grep", { pattern: "(" }),
              toolCall("c2", "grep", { pattern: "x" }),
            ]),
            result("c1", "grep", { isError: true, content: [{ type: "text", text: failed }] }),
            result("c2", "grep", {
              details: { tool: "grep", pattern: "x", path: ".", count: 100, files: 1, more: true, hits },
            }),
          ],
        },
      }),
    });
    await page.getByText(failed).waitFor();
    await page.getByText("100+ in 1 file").waitFor();
    await page.getByRole("button", { name: "Show search x" }).click();
    await page.getByText("and 99 more, not all").waitFor();
  });
});
