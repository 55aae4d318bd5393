// The conversation: complete after gaps and reloads, fast when it is long, and still where the reader left it.
import assert from "node:assert/strict";
import type { AgentEvent } from "../../src/agent/events.ts";
import { usePanels } from "./fake-host.ts";
import type { PanelPage } from "./fake-host.ts";
import {
  assistant,
  assistantMessage,
  events,
  panelState,
  result,
  snapshot,
  streamed,
  toolCall,
  user,
} from "./transcripts.ts";

describe("the transcript", () => {
  const open = usePanels();
  const text = "Some words of an answer with `code` in it.\n\n".repeat(6);
  const long = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      n % 2 ? assistant(`a${n}`, text) : user(`u${n}`, `Question ${n}`),
    );
  const scroller = (panel: PanelPage) => panel.page.locator(".scroller");
  const distance = (panel: PanelPage) =>
    scroller(panel).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  /** Where the row that is at the top of the viewport is, so that it can be compared later. */
  const anchor = (panel: PanelPage) =>
    scroller(panel).evaluate((element) => {
      const { top } = element.getBoundingClientRect();
      const rows = [...element.querySelectorAll<HTMLElement & { row: { key: string } }>("reins-row")];
      const row = rows.find((each) => each.getBoundingClientRect().bottom > top + 5);
      return { key: row?.row.key ?? "", top: row?.getBoundingClientRect().top ?? 0 };
    });
  const settle = (panel: PanelPage) => panel.post();
  /** Waits until the list has not moved for ten frames: a wheel turn is animated. */
  const stands = (panel: PanelPage) =>
    scroller(panel).evaluate(async (element) => {
      for (let same = 0, last = -1; same < 10;) {
        await new Promise(requestAnimationFrame);
        same = element.scrollTop === last ? same + 1 : 0;
        last = element.scrollTop;
      }
    });
  const message = (id: string, content: string): AgentEvent => ({
    type: "message_end",
    id,
    message: assistantMessage([{ type: "text", text: content }]),
  });

  it("shows a streamed text once, before and after it ends (U18)", async () => {
    const panel = await open({
      snapshot: snapshot({ transcript: { status: "running", messages: [user("u", "go")] } }),
    });
    const answer = "It is **done**. See `a.ts`.";
    const list = streamed("a1", answer, 3);
    await panel.post(events(1, ...list));
    const shown = panel.page.locator("reins-markdown");
    assert.equal(await shown.innerText(), "It is done. See a.ts.");
    const element = await shown.elementHandle();
    await panel.post(events(list.length + 1, message("a1", answer)));
    assert.equal(await shown.count(), 1);
    assert.equal(await shown.innerText(), "It is done. See a.ts.");
    assert.equal(
      await shown.evaluate((now, before) => now === before, element),
      true,
      "the row is not made anew",
    );
  });

  it("asks for a snapshot when an event is missing, once, and ignores what it already has", async () => {
    const panel = await open({ snapshot: snapshot({ transcript: { status: "running", seq: 5 } }) });
    await panel.post(events(4, message("old", "already here")));
    await panel.post(events(8, message("b", "after the gap")), events(9, message("c", "more")));
    assert.equal((await panel.waitForSent("ready", 2)).length, 2);
    await panel.page.waitForFunction(
      () => window.reinsTest.sent.filter((sent) => sent.type === "ready").length === 2,
    );
    await panel.post(
      snapshot({
        transcript: { seq: 9, messages: [assistant("b", "after the gap"), assistant("c", "more")] },
      }),
      events(9, message("c", "more")),
      events(10, message("d", "and on")),
    );
    assert.deepEqual(await panel.page.locator("reins-markdown").allInnerTexts(), [
      "after the gap",
      "more",
      "and on",
    ]);
  });

  it("opens in the middle of an answer and goes on with it (U15)", async () => {
    const streaming = {
      id: "a1",
      message: assistantMessage([{ type: "text", text: "Half an " }]),
      partialArguments: {},
    };
    const panel = await open({
      snapshot: snapshot({ transcript: { status: "running", seq: 3, streaming } }),
    });
    const delta: AgentEvent = {
      type: "message_update",
      id: "a1",
      delta: { type: "text_delta", index: 0, delta: "answer" },
    };
    await panel.post(events(4, delta));
    assert.deepEqual(await panel.page.locator("reins-markdown").allInnerTexts(), ["Half an answer"]);
  });

  it("shows what a tool call will do while its arguments stream in", async () => {
    const panel = await open({ snapshot: snapshot({ transcript: { status: "running" } }) });
    const delta = (change: Extract<AgentEvent, { type: "message_update" }>["delta"]): AgentEvent => ({
      type: "message_update",
      id: "a1",
      delta: change,
    });
    await panel.post(
      events(
        1,
        { type: "message_start", id: "a1", message: assistantMessage([]) },
        delta({ type: "toolcall_start", index: 0, id: "c1", name: "edit" }),
        delta({ type: "toolcall_delta", index: 0, delta: '{"path":"src/auth/ref' }),
      ),
    );
    await panel.page.locator(".badge", { hasText: "Preparing" }).waitFor();
    await panel.page.getByText("ref", { exact: true }).waitFor();
  });

  it("matches results to the calls of their own message, though ids repeat (U20)", async () => {
    const messages = [
      assistant("a1", [toolCall("call_0", "bash", { command: "first" })]),
      {
        ...result("call_0", "bash", { details: { tool: "bash", command: "first", cwd: "/", exitCode: 1 } }),
        id: "r1",
      },
      assistant("a2", [toolCall("call_0", "bash", { command: "second" })]),
      {
        ...result("call_0", "bash", { details: { tool: "bash", command: "second", cwd: "/", exitCode: 0 } }),
        id: "r2",
      },
    ];
    const { page } = await open({ snapshot: snapshot({ transcript: { messages } }) });
    await page.locator("section", { hasText: "first" }).getByText("exit 1").waitFor();
    await page.locator("section", { hasText: "second" }).getByText("exit 0").waitFor();
  });

  it("starts at the end and follows a growing answer", async () => {
    const panel = await open({
      snapshot: snapshot({ transcript: { status: "running", messages: long(40) } }),
    });
    await settle(panel);
    assert.ok((await distance(panel)) <= 2);
    const list = streamed("s", text.repeat(4), 200);
    let seq = 1;
    for (const event of list) await panel.post(events(seq++, event));
    await settle(panel);
    assert.ok((await distance(panel)) <= 2, `${await distance(panel)} px from the end`);
    assert.equal(await panel.page.getByRole("button", { name: "Jump to latest" }).count(), 0);
  });

  it("keeps what is being read where it is while things arrive (U05)", async () => {
    const panel = await open({
      snapshot: snapshot({ transcript: { status: "running", messages: long(60) } }),
    });
    await settle(panel);
    await scroller(panel).hover();
    await panel.page.mouse.wheel(0, -500);
    await panel.page.waitForFunction(() => !document.querySelector<HTMLElement>(".jump")?.hidden);
    await settle(panel);
    const before = await anchor(panel);
    const list: AgentEvent[] = [
      ...streamed("s", text.repeat(3), 100),
      message("s", text.repeat(3)),
      {
        type: "message_end",
        id: "t",
        message: assistantMessage([toolCall("c9", "bash", { command: "ls" })]),
      },
      { type: "agent_end", end: "done", messageIds: [] },
    ];
    let seq = 1;
    for (const event of list) await panel.post(events(seq++, event));
    const decisions = { decisions: [], title: "Renamed meanwhile" };
    await panel.post({ type: "panel", panel: panelState(decisions) });
    const after = await anchor(panel);
    assert.equal(after.key, before.key);
    assert.ok(Math.abs(after.top - before.top) <= 2, `moved by ${after.top - before.top} px`);
    await panel.page.getByRole("button", { name: "Jump to latest" }).click();
    await settle(panel);
    assert.ok((await distance(panel)) <= 2);
  });

  it("lets go of the end at the smallest scroll, and takes hold of it again near it", async () => {
    const panel = await open({ snapshot: snapshot({ transcript: { messages: long(60) } }) });
    await settle(panel);
    await scroller(panel).hover();
    await panel.page.mouse.wheel(0, -6);
    await panel.page.waitForFunction(() => !document.querySelector<HTMLElement>(".jump")?.hidden);
    await panel.post(events(1, message("m", text)));
    assert.ok((await distance(panel)) > 100, "what arrived is below the fold");
    await panel.page.mouse.wheel(0, (await distance(panel)) - 10);
    await panel.page.waitForFunction(() => document.querySelector<HTMLElement>(".jump")?.hidden);
    await panel.post(events(2, message("n", text)));
    assert.ok((await distance(panel)) <= 2);
  });

  it("keeps its place when a row above grows (U05)", async () => {
    const panel = await open({ snapshot: snapshot({ transcript: { messages: long(60) } }) });
    await settle(panel);
    await scroller(panel).hover();
    await panel.page.mouse.wheel(0, -400);
    await panel.page.waitForFunction(() => !document.querySelector<HTMLElement>(".jump")?.hidden);
    await stands(panel);
    const before = await anchor(panel);
    await scroller(panel).evaluate((element) => {
      const { top } = element.getBoundingClientRect();
      const above = [...element.querySelectorAll("reins-row")].filter(
        (row) => row.getBoundingClientRect().bottom < top,
      );
      const grown = document.createElement("div");
      grown.textContent = "late content";
      grown.setAttribute("style", "height: 120px");
      grown.style.height = "120px";
      above.at(-1)?.append(grown);
    });
    await settle(panel);
    const after = await anchor(panel);
    assert.equal(after.key, before.key);
    assert.ok(Math.abs(after.top - before.top) <= 2, `moved by ${after.top - before.top} px`);
  });

  it("follows again when the composer or the dock takes room at the end", async () => {
    const panel = await open({ snapshot: snapshot({ transcript: { messages: long(40) } }) });
    await panel.page.locator("vscode-text-area textarea").fill("a\n".repeat(12));
    await settle(panel);
    assert.ok((await distance(panel)) <= 2);
  });

  it("opens 10,000 messages fast and keeps few of them on the page (U01)", async () => {
    const panel = await open();
    const big = snapshot({ transcript: { messages: long(10_000) } });
    await panel.page.evaluate((json) => {
      Object.assign(window, { big: JSON.parse(json) as unknown });
    }, JSON.stringify(big));
    const took = await panel.page.evaluate(async () => {
      const start = performance.now();
      window.postMessage((window as unknown as { big: unknown }).big, "*");
      while (!document.querySelector("reins-row")) await new Promise(requestAnimationFrame);
      return performance.now() - start;
    });
    assert.ok(took < 10_000, `${Math.round(took)} ms`);
    await panel.page.waitForFunction(() => {
      const list = document.querySelector(".scroller");
      return list && list.scrollHeight - list.scrollTop - list.clientHeight <= 2;
    });
    assert.ok((await panel.page.locator("reins-row").count()) < 60);
    assert.equal(await panel.page.getByRole("article").last().getAttribute("aria-posinset"), "10000");
  });

  it("renders a settled row once, however much streams below it", async () => {
    const panel = await open({
      snapshot: snapshot({ transcript: { status: "running", messages: long(4) } }),
    });
    await settle(panel);
    await panel.page.evaluate(() => {
      const counter = { changes: 0 };
      Object.assign(window, { counter });
      const first = document.querySelector("reins-row");
      if (first)
        new MutationObserver((list) => (counter.changes += list.length)).observe(first, {
          subtree: true,
          childList: true,
          characterData: true,
        });
    });
    let seq = 1;
    for (const event of streamed("s", text, 20)) await panel.post(events(seq++, event));
    const changes = await panel.page.evaluate(
      () => (window as unknown as { counter: { changes: number } }).counter.changes,
    );
    assert.equal(changes, 0);
  });

  it("copies code and puts it at the cursor", async () => {
    const messages = [assistant("a", "```js\nconst a = 1;\n\nconst b = `<b>`;\n```")];
    const panel = await open({ snapshot: snapshot({ transcript: { messages } }) });
    await panel.page.getByRole("button", { name: "Copy code" }).click();
    await panel.page.getByRole("button", { name: "Insert at cursor" }).click();
    const code = "const a = 1;\n\nconst b = `<b>`;";
    assert.deepEqual(await panel.waitForSent("copy"), [{ type: "copy", text: code }]);
    assert.deepEqual(await panel.waitForSent("insertAtCursor"), [{ type: "insertAtCursor", text: code }]);
  });

  it("remembers what was unfolded while a row is scrolled away", async () => {
    const thinking = assistant("t", [{ type: "thinking", thinking: "First line\nsecond line of thought" }]);
    const panel = await open({ snapshot: snapshot({ transcript: { messages: [thinking, ...long(80)] } }) });
    await scroller(panel).evaluate((element) => (element.scrollTop = 0));
    await panel.page.getByRole("button", { name: /First line/ }).click();
    await panel.page.getByText("second line of thought").waitFor();
    await panel.page.locator("vscode-text-area textarea").click();
    await scroller(panel).evaluate((element) => (element.scrollTop = element.scrollHeight));
    await panel.page.waitForFunction(() => !document.querySelector(".thinking-text"));
    await scroller(panel).evaluate((element) => (element.scrollTop = 0));
    await panel.page.getByText("second line of thought").waitFor();
  });

  it("offers a way to power Reins, and the tour, while nothing is chosen", async () => {
    const panel = await open({ snapshot: snapshot({ panel: { model: undefined, hasFolder: false } }) });
    await panel.page.getByText("No folder is open").waitFor();
    for (const name of [
      ...[/^Anthropic/, /^OpenAI/, /^A model that is here/],
      ...[/^A compatible service/, /^Guided tour/],
    ])
      await panel.page.getByRole("button", { name }).click();
    const types = (await panel.sent())
      .map((sent) => sent.type)
      .filter((type) => !/^(composerState|panelFocus)$/.test(type));
    assert.deepEqual(types, ["ready", "setApiKey", "setApiKey", "selectModel", "openSettings", "startTour"]);
  });

  it("renames the session in place", async () => {
    const panel = await open({ snapshot: snapshot() });
    await panel.page.getByRole("button", { name: "Fix the refresh-token test" }).click();
    const field = panel.page.getByRole("textbox", { name: "Session title" });
    await field.fill("Refresh tokens");
    await field.press("Enter");
    assert.deepEqual(await panel.waitForSent("renameSession"), [
      { type: "renameSession", title: "Refresh tokens" },
    ]);
  });
});
