// Putting files back from the panel: from a message, and undoing it.
import assert from "node:assert/strict";
import { usePanels } from "./fake-host.ts";
import { assistant, snapshot, user } from "./transcripts.ts";

describe("restoring files", () => {
  const open = usePanels();

  it("starts from each message of the user, by mouse and by keyboard", async () => {
    const panel = await open({
      snapshot: snapshot({
        transcript: {
          messages: [
            user("u1", "First"),
            assistant("a1", "One."),
            user("u2", "Second"),
            assistant("a2", "Two."),
          ],
        },
      }),
    });
    const buttons = panel.page.getByRole("button", { name: "Restore files to here" });
    assert.equal(await buttons.count(), 2);
    await panel.page.getByText("First").hover();
    await buttons.first().click();
    await buttons.nth(1).focus();
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(
      (await panel.waitForSent("restoreFiles", 2)).map(({ messageId }) => messageId),
      ["u1", "u2"],
    );
  });

  it("is told in the transcript, with the way back", async () => {
    const text = "Files put back to what they were before “First”: a.ts (changed back).";
    const restored = {
      id: "n1",
      message: { role: "app", kind: "restore", text, details: { restoreId: "r1" }, timestamp: 0 },
    } as const;
    const panel = await open({
      snapshot: snapshot({
        transcript: { messages: [user("u1", "First"), assistant("a1", "One."), restored] },
      }),
    });
    await panel.page.getByText(text).waitFor();
    await panel.page.getByRole("button", { name: "Undo restore" }).click();
    assert.equal((await panel.waitForSent("undoRestore"))[0]?.restoreId, "r1");
  });
});
