// Changes that wait while the agent goes on, in the panel: their cards stay live after their calls have ended.
import assert from "node:assert/strict";
import type { MessageEntry } from "../../src/agent/types.ts";
import type { ProposalView } from "../../src/harness/proposals/types.ts";
import { usePanels } from "./fake-host.ts";
import { assistant, hunk, panelState, proposal, result, snapshot, toolCall, user } from "./transcripts.ts";

const other = proposal({ id: "proposal-2", toolCallId: "call-2", path: "src/auth/index.js" });

function call(id: string, view: ProposalView): MessageEntry[] {
  const details = { tool: "edit", path: view.path, uri: view.uri, proposal: view };
  return [
    assistant(`a-${id}`, [toolCall(id, "edit", { path: view.path })], { stopReason: "toolUse" }),
    result(id, "edit", { details }),
  ];
}

const messages = [
  user("u1", "Refresh the token in seconds."),
  ...call("call-edit", proposal()),
  ...call("call-2", other),
  assistant("a3", "Both are up for review."),
];

function review(details: Record<string, unknown>): MessageEntry {
  const message = { role: "app", kind: "review", text: "For the model.", details, timestamp: 1 };
  return { id: "r1", message } as MessageEntry;
}

function waiting(...views: readonly ProposalView[]) {
  return { decisions: views.map((each) => ({ type: "proposal" as const, proposal: each })) };
}

describe("a change that is reviewed later", () => {
  const open = usePanels();

  it("can be decided on in its card and above the composer, long after its call has ended", async () => {
    const panel = await open({
      snapshot: snapshot({ transcript: { messages }, panel: waiting(proposal(), other) }),
      height: 1200,
    });
    const card = panel.page.getByRole("region", { name: "Edit src/auth/refresh.js, waiting" });
    await card.getByRole("button", { name: "Accept the change at line 41" }).click();
    const also = panel.page.getByRole("list", { name: "Also waiting" });
    assert.deepEqual(await also.getByRole("listitem").allInnerTexts(), ["src/auth/index.js\n+3 −2\n1 hunk"]);
    await also.getByRole("button", { name: "src/auth/index.js" }).click();
    assert.deepEqual(await panel.waitForSent("openProposal"), [{ type: "openProposal", id: "proposal-2" }]);
    await panel.page.getByRole("button", { name: "All 2 files" }).click();
    await panel.waitForSent("reviewAll");
    assert.deepEqual(await panel.sentOf("decideProposal"), [
      { type: "decideProposal", id: "proposal-1", decision: { type: "acceptHunk", hunkId: "h1" } },
    ]);
  });

  it("shows what became of it, and one that a later change took in has nothing to press", async () => {
    const panel = await open({
      snapshot: snapshot({ transcript: { messages }, panel: waiting(proposal(), other) }),
    });
    const done = proposal({ hunks: [hunk("h1", { status: "rejected", reason: "no" })], state: "done" });
    await panel.post(
      snapshot({ transcript: { messages: [...messages, review({ proposal: done })] }, panel: waiting() }),
    );
    await panel.page.getByRole("region", { name: "Edit src/auth/refresh.js, rejected" }).waitFor();
    const joined = panel.page.getByRole("region", { name: "Edit src/auth/index.js, in a later change" });
    await joined.waitFor();
    assert.equal(await joined.getByRole("button", { name: /^(Accept|Reject)/ }).count(), 0);
    await panel.page.getByText("You rejected the change of src/auth/refresh.js").waitFor();
    assert.equal(await panel.page.getByText("For the model.").count(), 0);
  });

  it("is shown as cut off where it could not be reviewed any more", async () => {
    const lost = review({ lost: "proposal-1" });
    const panel = await open({ snapshot: snapshot({ transcript: { messages: [...messages, lost] } }) });
    await panel.page.getByRole("region", { name: "Edit src/auth/refresh.js, interrupted" }).waitFor();
    await panel.page.getByText("For the model.").waitFor();
  });

  it("is a mode beside asking and letting through, in a workspace that is not trusted too", async () => {
    const panel = await open({ snapshot: snapshot({ panel: panelState({ trusted: false }) }) });
    await panel.page.getByRole("button", { name: "What needs approval" }).click();
    await panel.page.getByRole("menuitemradio", { name: "Review later, go on meanwhile" }).click();
    assert.deepEqual(await panel.waitForSent("setApprovalMode"), [
      { type: "setApprovalMode", what: "edits", mode: "later" },
    ]);
    await panel.post({ type: "panel", panel: panelState({ approvalEdits: "later" }) });
    await panel.page.getByText("review later", { exact: true }).waitFor();
  });
});

describe("changes that were accepted unseen", () => {
  const open = usePanels();

  it("have a line above the composer, as long as there is something to look at", async () => {
    const panel = await open({ snapshot: snapshot({ panel: panelState({ unseenFiles: 2 }) }), width: 300 });
    const line = panel.page.getByRole("region", { name: "Changed without review" });
    for (const name of ["Review", "Keep", "Undo"]) await line.getByRole("button", { name }).click();
    assert.deepEqual(await panel.waitForSent("unseenChanges", 3), [
      { type: "unseenChanges", action: "review" },
      { type: "unseenChanges", action: "keep" },
      { type: "unseenChanges", action: "undo" },
    ]);
    await panel.post({ type: "panel", panel: panelState() });
    await line.waitFor({ state: "hidden" });
  });
});
