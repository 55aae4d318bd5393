// Deciding: the dock, the hunks of a change, and that nothing is answered by accident.
import assert from "node:assert/strict";
import type { ToWebview } from "../../src/protocol/to-webview.ts";
import { usePanels } from "./fake-host.ts";
import type { PanelPage } from "./fake-host.ts";
import { working } from "./scenes.ts";
import {
  approval,
  assistant,
  hunk,
  panelState,
  proposal,
  result,
  snapshot,
  toolCall,
} from "./transcripts.ts";

describe("decisions", () => {
  const open = usePanels();
  const button = (panel: PanelPage, name: string | RegExp) => panel.page.getByRole("button", { name });
  /** The clock of the page, so that the guard's time passes when the test says so. */
  const withClock = async (panel: PanelPage) => {
    await panel.page.clock.install();
    await panel.page.reload();
    await panel.page.waitForSelector("vscode-text-area");
    await panel.post();
    const later = (await panel.page.evaluate(() => Date.now())) + 60_000;
    await panel.page.clock.pauseAt(later);
    return panel;
  };
  /** Posts while the clock stands: it moves as far as it takes to paint. */
  const postByClock = async (panel: PanelPage, message: ToWebview) => {
    let posted = false;
    const posting = panel.post(message).then(() => (posted = true));
    while (!posted) await panel.page.clock.runFor(5);
    await posting;
  };

  it("allows and rejects a command, with the reason for the model", async () => {
    const panel = await open({ snapshot: snapshot({ panel: { decisions: [approval()] } }) });
    await button(panel, /^Allow once/).click();
    await panel.page.getByRole("textbox", { name: "Why you reject it" }).fill("use the dry run");
    await button(panel, /^Reject/).click();
    await panel.waitForSent("answerApproval", 2);
    assert.deepEqual(await panel.sentOf("answerApproval"), [
      { type: "answerApproval", id: "approval-1", answer: { type: "allowOnce" } },
      { type: "answerApproval", id: "approval-1", answer: { type: "reject", reason: "use the dry run" } },
    ]);
  });

  it("decides a whole change, and opens it in the editor", async () => {
    const decisions = [{ type: "proposal", proposal: proposal() }] as const;
    const panel = await open({ snapshot: snapshot({ panel: { decisions } }) });
    await button(panel, /^Review$/).click();
    await button(panel, /^Accept/).click();
    await panel.page.getByRole("textbox", { name: "Why you reject it" }).fill("too much");
    await panel.page.keyboard.press("Enter");
    await panel.waitForSent("decideProposal", 2);
    assert.deepEqual(await panel.sentOf("decideProposal"), [
      { type: "decideProposal", id: "proposal-1", decision: { type: "acceptAll" } },
      { type: "decideProposal", id: "proposal-1", decision: { type: "rejectAll", reason: "too much" } },
    ]);
    assert.deepEqual(await panel.sentOf("openProposal"), [{ type: "openProposal", id: "proposal-1" }]);
  });

  it("decides hunk by hunk in the card, with a reason if one is given", async () => {
    const panel = await open({ snapshot: working(), height: 1400 });
    await button(panel, "Accept the change at line 41").click();
    await button(panel, "Say why you reject the change at line 41").click();
    const field = panel.page.getByRole("textbox", { name: "Why you reject the change at line 41" });
    await field.fill("keep the name");
    await field.press("Enter");
    await button(panel, "Open the change at line 41 in the editor").click();
    await panel.waitForSent("openProposal");
    assert.deepEqual(await panel.sentOf("decideProposal"), [
      { type: "decideProposal", id: "proposal-1", decision: { type: "acceptHunk", hunkId: "h2" } },
      {
        type: "decideProposal",
        id: "proposal-1",
        decision: { type: "rejectHunk", hunkId: "h2", reason: "keep the name" },
      },
    ]);
  });

  it("shows the newest state of the hunks, each with its word", async () => {
    const panel = await open({ snapshot: working(), height: 1400 });
    const hunks = [hunk("h1", { status: "accepted", line: 18 }), hunk("h2", { status: "conflict" })];
    const decisions = [{ type: "proposal", proposal: proposal({ hunks }) }] as const;
    await panel.post({ type: "panel", panel: panelState({ decisions }) });
    await panel.page.locator(".hunk").getByText("conflict: the file changed here").waitFor();
    assert.equal(await panel.page.locator(".hunk vscode-button").count(), 0);
  });

  it("ignores answers for a moment when the user was just typing (A27)", async () => {
    const panel = await withClock(await open({ snapshot: snapshot({ transcript: { status: "running" } }) }));
    const { page } = panel;
    await page.locator("vscode-text-area textarea").click();
    await page.keyboard.type("yes");
    await postByClock(panel, { type: "panel", panel: panelState({ decisions: [approval()] }) });
    await page.keyboard.type(" and");
    assert.equal(
      await page.locator("vscode-text-area textarea").inputValue(),
      "yes and",
      "keys stay in the draft",
    );
    const allow = page.locator("vscode-button", { hasText: "Allow once" });
    await allow.evaluate((element: HTMLElement) => element.click());
    assert.deepEqual(await panel.sentOf("answerApproval"), []);
    await page.clock.runFor(450);
    await allow.evaluate((element: HTMLElement) => element.click());
    assert.equal((await panel.waitForSent("answerApproval")).length, 1);
  });

  it("does not take a double click for two answers (A27)", async () => {
    const two = [approval(), approval({ id: "approval-2" })];
    const panel = await withClock(await open({ snapshot: snapshot({ panel: { decisions: two } }) }));
    const allow = panel.page.locator("vscode-button", { hasText: "Allow once" });
    await allow.evaluate((element: HTMLElement) => element.click());
    await postByClock(panel, { type: "panel", panel: panelState({ decisions: two.slice(1) }) });
    await allow.evaluate((element: HTMLElement) => element.click());
    assert.equal((await panel.sentOf("answerApproval")).length, 1);
    await panel.page.clock.runFor(450);
    await allow.evaluate((element: HTMLElement) => element.click());
    assert.equal((await panel.waitForSent("answerApproval", 2)).length, 2);
  });

  it("never moves the focus when a decision appears (U12)", async () => {
    const panel = await open({ snapshot: snapshot({ transcript: { status: "running" } }) });
    await panel.page.locator("vscode-text-area textarea").click();
    await panel.post({ type: "panel", panel: panelState({ decisions: [approval()] }) });
    await panel.page.locator(".dock").waitFor();
    assert.equal(await panel.page.evaluate(() => document.activeElement?.localName), "vscode-text-area");
  });

  it("writes keys as the platform does", async () => {
    const parts = { panel: { decisions: [approval()], platform: "mac" } } as const;
    const mac = await open({ snapshot: snapshot(parts) });
    await button(mac, "Allow once ⌘⏎").waitFor();
  });

  it("offers what fixes an error, and only for the last one", async () => {
    const fixes = [
      ["auth", "Set API key", { type: "setApiKey", provider: "test" }],
      ["network", "Retry", { type: "continueRun" }],
      ["overloaded", "Retry", { type: "continueRun" }],
      ["rate_limit", "Retry", { type: "continueRun" }],
      ["bad_request", "Switch model", { type: "selectModel" }],
      ["context_overflow", "New session", { type: "newSession" }],
    ] as const;
    for (const [errorKind, name, expected] of fixes) {
      const failed = { stopReason: "error", errorKind, errorMessage: "It failed" } as const;
      const messages = [assistant("a1", [], failed), assistant("a2", [], failed)];
      const panel = await open({ snapshot: snapshot({ transcript: { messages, lastEnd: "error" } }) });
      const fix = panel.page.locator("main").getByRole("button", { name, exact: true });
      await fix.click();
      assert.equal(await fix.count(), 1);
      assert.deepEqual((await panel.sent()).at(-1), expected);
      await panel.page.context().close();
    }
  });

  it("asks at a limit whether the run goes on, and says what was used (W9)", async () => {
    const messages = [assistant("a1", "So far.")];
    const limit = { limit: "turns", used: 200, max: 200, raiseBy: 200 } as const;
    const panel = await open({ snapshot: snapshot({ transcript: { messages, lastEnd: "limit", limit } }) });
    const main = panel.page.locator("main");
    await main.getByText("This run has used 200 turns; its limit is 200 turns. Nothing is lost.").waitFor();
    const asked = [
      ["Continue for 200 turns more", { type: "continueRun" }],
      ["Stop", { type: "stop" }],
      ["Change limits", { type: "openSettings", query: "reins.limits" }],
    ] as const;
    for (const [name, expected] of asked) {
      await main.getByRole("button", { name, exact: true }).click();
      assert.deepEqual((await panel.sent()).at(-1), expected);
    }
    await panel.post({ type: "events", events: [{ type: "limit_dismissed", seq: 1 }] });
    await main.getByText("Paused at a limit").waitFor({ state: "detached" });
  });

  it("counts down to a retry, and forgets it when it is over (U21)", async () => {
    const retry = { attempt: 2, maxAttempts: 5, at: Date.now() + 30_000, error: "529: overloaded" };
    const failed = assistant("a1", [], { stopReason: "error", errorKind: "overloaded", errorMessage: "529" });
    const panel = await open({
      snapshot: snapshot({ transcript: { status: "running", messages: [failed] }, panel: { retry } }),
    });
    await panel.page.getByText(/Trying again in (30|29) s/).waitFor();
    assert.equal(
      await panel.page.locator(".card.error").count(),
      0,
      "the failed try is not shown as the end",
    );
    await panel.page.locator("main").getByRole("button", { name: "Try now" }).click();
    assert.equal((await panel.waitForSent("retryNow")).length, 1);
    await panel.page.locator("main").getByRole("button", { name: "Stop" }).click();
    assert.equal((await panel.waitForSent("stop")).length, 1);
    await panel.post({ type: "panel", panel: panelState() });
    assert.equal(await panel.page.getByText("Trying again").count(), 0);
  });

  it("continues an interrupted run", async () => {
    const messages = [assistant("a1", [toolCall("c1", "bash", { command: "sleep 9" })])];
    const panel = await open({
      snapshot: snapshot({ transcript: { messages }, panel: { interrupted: true } }),
    });
    await panel.page.locator(".badge", { hasText: "Interrupted" }).waitFor();
    await button(panel, "Continue").click();
    assert.equal((await panel.waitForSent("continueRun")).length, 1);
  });

  it("shows a command's live output, the way to its terminal, and the raw call", async () => {
    const args = { command: "npm test" };
    const messages = [assistant("a1", [toolCall("c1", "bash", args)])];
    const tool = { toolCallId: "c1", toolName: "bash", args, phase: "running", isError: false } as const;
    const output = "\u001b[32mok\u001b[0m 1\r\n10 %\r20 %\r\ndone";
    const panel = await open({
      snapshot: snapshot({ transcript: { status: "running", messages, activeTools: [{ ...tool, output }] } }),
    });
    assert.equal(await panel.page.locator("pre.output").textContent(), "ok 1\n20 %\ndone");
    await button(panel, "Show terminal").click();
    assert.deepEqual(await panel.waitForSent("showTerminal"), [{ type: "showTerminal", toolCallId: "c1" }]);
    const details = {
      tool: "bash",
      command: "npm test",
      cwd: "/",
      exitCode: 2,
      end: "exited",
      tail: "1 failing",
    };
    const done = result("c1", "bash", {
      isError: true,
      details,
      content: [{ type: "text", text: "exit code 2" }],
    });
    await panel.post(snapshot({ transcript: { messages: [...messages, done] } }));
    await panel.page.locator(".badge", { hasText: "exit 2" }).waitFor();
    await panel.page.getByText("Raw call").click();
    await panel.page.getByText("exit code 2").waitFor();
    await panel.page.getByText('"command": "npm test"').waitFor();
  });
});
