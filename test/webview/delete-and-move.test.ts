// What deleting and moving a file look like: asked about in the dock, and a small card in the transcript.
import assert from "node:assert/strict";
import { usePanels } from "./fake-host.ts";
import { approval, assistant, result, snapshot, toolCall } from "./transcripts.ts";

const asked = approval({
  ...{ id: "approval-2", toolCallId: "c3", kind: "delete", title: "Delete this file?" },
  ...{ subject: "old.js", why: "It has 12 lines, 340 bytes." },
});

const scene = snapshot({
  panel: { decisions: [asked] },
  transcript: {
    status: "running",
    messages: [
      assistant("a1", [
        toolCall("c1", "move", { from: "src/a.js", to: "lib/b.js" }),
        toolCall("c2", "delete", { path: "README.md" }),
        toolCall("c3", "delete", { path: "old.js" }),
      ]),
      result("c1", "move", {
        details: {
          ...{ tool: "move", path: "src/a.js", to: "lib/b.js", uri: "file:///work/lib/b.js" },
          gone: "file:///work/src/a.js",
        },
      }),
      result("c2", "delete", {
        isError: true,
        content: [{ type: "text", text: "README.md is read-only." }],
      }),
    ],
  },
});

describe("deleting and moving", () => {
  const open = usePanels();

  it("ask in the dock, with the place and what is lost", async () => {
    const panel = await open({ snapshot: scene, height: 1000 });
    const dock = panel.page.getByRole("region", { name: "Waiting for you: Delete this file?" });
    await dock.getByText("It has 12 lines, 340 bytes.").waitFor();
    assert.equal((await dock.getByLabel("What would be deleted").innerText()).trim(), "old.js");
    await dock.getByRole("button", { name: /^Allow once/ }).click();
    await panel.waitForSent("answerApproval");
    assert.deepEqual(await panel.sentOf("answerApproval"), [
      { type: "answerApproval", id: "approval-2", answer: { type: "allowOnce" } },
    ]);
  });

  it("have a card each: the new place opens, a failure says why", async () => {
    const panel = await open({ snapshot: scene, height: 1000 });
    const card = (name: string) => panel.page.getByRole("region", { name, exact: true });
    await card("Move src/a.js to lib/b.js, done").getByRole("button", { name: "Open lib/b.js" }).click();
    await panel.waitForSent("openFile");
    assert.deepEqual(await panel.sentOf("openFile"), [{ type: "openFile", uri: "file:///work/lib/b.js" }]);
    await card("Delete README.md, failed").getByText("README.md is read-only.").waitFor();
    await card("Delete old.js, waiting").waitFor();
  });
});
