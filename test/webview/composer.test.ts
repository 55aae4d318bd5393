// Writing: what sends, what does not, and that nothing written is lost.
import assert from "node:assert/strict";
import { usePanels } from "./fake-host.ts";
import type { PanelPage } from "./fake-host.ts";
import { events, panelState, snapshot, transcript, user } from "./transcripts.ts";

describe("the composer", () => {
  const open = usePanels();
  const box = (panel: PanelPage) => panel.page.locator("vscode-text-area textarea");
  const running = snapshot({ transcript: { status: "running", messages: [user("u1", "go")] } });

  it("sends with Enter, follows up with Alt+Enter, and breaks the line with Shift+Enter", async () => {
    const panel = await open({ snapshot: running });
    await box(panel).click();
    await panel.page.keyboard.type("one");
    await panel.page.keyboard.press("Shift+Enter");
    await panel.page.keyboard.type("two");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await panel.waitForSent("prompt"), [{ type: "prompt", text: "one\ntwo" }]);
    assert.equal(await box(panel).inputValue(), "");
    await panel.page.keyboard.type("later");
    await panel.page.keyboard.press("Alt+Enter");
    assert.deepEqual(await panel.waitForSent("followUp"), [{ type: "followUp", text: "later" }]);
  });

  it("leaves the keys of VS Code's keybindings alone", async () => {
    const panel = await open({ snapshot: running });
    await box(panel).click();
    await panel.page.keyboard.type("text");
    for (const key of ["Control+Enter", "Meta+Enter", "Control+Backspace", "Escape"])
      await panel.page.keyboard.press(key);
    const sent = (await panel.sent()).map((message) => message.type);
    assert.deepEqual(
      sent.filter((type) => !["ready", "panelFocus", "composerState", "draft"].includes(type)),
      [],
    );
  });

  it("never sends the Enter of an input method (U09)", async () => {
    const panel = await open({ snapshot: snapshot() });
    await box(panel).click();
    const client = await panel.page.context().newCDPSession(panel.page);
    await client.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
    await panel.waitForSent("composerState");
    assert.equal((await panel.sentOf("composerState")).at(-1)?.composing, true);
    const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
    await client.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
    await client.send("Input.insertText", { text: "日本" });
    await client.send("Input.dispatchKeyEvent", { type: "keyUp", ...enter });
    assert.deepEqual(await panel.sentOf("prompt"), []);
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await panel.waitForSent("prompt"), [{ type: "prompt", text: "日本" }]);
  });

  it("knows both orders in which browsers end a composition (U09)", async () => {
    const panel = await open({ snapshot: snapshot() });
    await box(panel).fill("text");
    const press = (steps: readonly string[]) =>
      box(panel).evaluate((element, list) => {
        for (const step of list) {
          const [type = "", code = "13", composing] = step.split(" ");
          const init = { key: "Enter", keyCode: Number(code), isComposing: composing === "composing" };
          element.dispatchEvent(
            type.startsWith("composition")
              ? new CompositionEvent(type, { bubbles: true, composed: true })
              : new KeyboardEvent(type, { ...init, bubbles: true, composed: true }),
          );
        }
      }, steps);
    await press(["compositionstart", "keydown 229 composing", "compositionend"]);
    await press(["compositionstart", "compositionend", "keydown 229", "keyup 13"]);
    await press(["compositionstart", "compositionend", "keydown 13", "keyup 13"]);
    assert.deepEqual(await panel.sentOf("prompt"), []);
    await press(["compositionstart", "keydown 13 composing", "compositionend", "keydown 13"]);
    assert.equal((await panel.waitForSent("prompt")).length, 1);
  });

  it("tells the host whether it is empty, composing and focused, for the keybindings", async () => {
    const panel = await open({ snapshot: snapshot() });
    await box(panel).click();
    await panel.page.keyboard.type("a");
    await panel.page.waitForFunction(() => {
      const last = window.reinsTest.sent.findLast((message) => message.type === "composerState");
      return last?.type === "composerState" && !last.empty && last.focused && !last.composing;
    });
  });

  it("keeps a draft through a reload before the host has it (U03)", async () => {
    const panel = await open({ snapshot: snapshot() });
    await box(panel).click();
    await panel.page.keyboard.type("half a tho");
    await panel.page.reload();
    await panel.page.waitForFunction(
      () =>
        document.querySelector("vscode-text-area")?.shadowRoot?.querySelector("textarea")?.value ===
        "half a tho",
    );
  });

  it("tells the host the draft of the session it belongs to, and restores another's (U03)", async () => {
    const panel = await open({ snapshot: snapshot({ draft: "from the host" }) });
    await panel.page.waitForFunction(
      () => document.querySelector("vscode-text-area")?.shadowRoot?.querySelector("textarea")?.value,
    );
    assert.equal(await box(panel).inputValue(), "from the host");
    await box(panel).fill("first session");
    await panel.post(snapshot({ panel: { sessionId: "session-2" }, draft: "second session" }));
    assert.equal(await box(panel).inputValue(), "second session");
    const drafts = await panel.waitForSent("draft");
    assert.deepEqual(drafts.at(-1), { type: "draft", sessionId: "session-1", text: "first session" });
  });

  it("keeps the text when a new snapshot of the same session arrives", async () => {
    const panel = await open({ snapshot: snapshot() });
    await box(panel).fill("still writing");
    await panel.post(snapshot({ draft: "old" }));
    assert.equal(await box(panel).inputValue(), "still writing");
  });

  it("adds what the host puts in after what is there, even before it is ready", async () => {
    const panel = await open();
    await panel.post({ type: "insertText", text: "@src/a.ts" }, snapshot({ draft: "Look at" }));
    await panel.page.waitForFunction(
      () =>
        document.querySelector("vscode-text-area")?.shadowRoot?.querySelector("textarea")?.value ===
        "Look at\n@src/a.ts",
    );
    await panel.post({ type: "focusComposer" });
    assert.equal(await panel.page.evaluate(() => document.activeElement?.localName), "vscode-text-area");
  });

  it("goes through earlier prompts with Up and Down, and comes back to the draft", async () => {
    const messages = [user("u1", "first"), user("u2", "second\nline")];
    const panel = await open({ snapshot: snapshot({ transcript: { messages } }) });
    await box(panel).click();
    await panel.page.keyboard.type("draft");
    await panel.page.keyboard.press("ArrowUp");
    assert.equal(await box(panel).inputValue(), "draft", "only at the edge of the text");
    await panel.page.keyboard.press("Home");
    const seen: string[] = [];
    for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowDown"]) {
      await panel.page.keyboard.press(key);
      seen.push(await box(panel).inputValue());
    }
    assert.deepEqual(seen, ["second\nline", "first", "first", "second\nline", "draft"]);
  });

  const paste = async (panel: PanelPage, text: string) => {
    await panel.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await box(panel).click();
    await panel.page.evaluate((content) => navigator.clipboard.writeText(content), text);
    await panel.page.keyboard.press("Control+V");
  };

  it("takes a long paste as the text it is (U17)", async () => {
    const panel = await open({ snapshot: snapshot() });
    const text = "line\twith tab\r\n".repeat(1000) + "end";
    await paste(panel, text);
    await panel.page.keyboard.press("Enter");
    const [prompt] = await panel.waitForSent("prompt");
    assert.equal(prompt?.text, text.replace(/\r\n/g, "\n"));
  });

  it("refuses a paste that would hold up the panel, and says what to do instead (U17)", async () => {
    const panel = await open({ snapshot: snapshot() });
    await box(panel).fill("before");
    await paste(panel, "word ".repeat(400_000));
    await panel.page.getByText("Save it as a file and name its path").waitFor();
    assert.equal(await box(panel).inputValue(), "before");
  });

  it("keeps the text when there is no model to send it to, and says so", async () => {
    const panel = await open({ snapshot: snapshot({ panel: { model: undefined } }) });
    await box(panel).fill("hello");
    await box(panel).press("Enter");
    await panel.page.getByText("Choose how to power Reins first").waitFor();
    assert.equal(await box(panel).inputValue(), "hello");
    assert.deepEqual(await panel.sentOf("prompt"), []);
  });

  it("grows to 40 % of the panel and no further", async () => {
    const panel = await open({ snapshot: snapshot(), height: 800 });
    const height = async () => (await box(panel).boundingBox())?.height ?? 0;
    const small = await height();
    await box(panel).fill("a\n".repeat(6));
    const grown = await height();
    await box(panel).fill("a\n".repeat(200));
    assert.ok(grown > small && (await height()) <= 321, `${small} < ${grown} and ${await height()} <= 320`);
  });

  it("shows Stop while a run is on, Send once there is text, and neither stale (U21)", async () => {
    const panel = await open({ snapshot: snapshot() });
    const stop = panel.page.getByRole("button", { name: "Stop", exact: true });
    await panel.post(events(1, { type: "agent_start" }));
    await stop.click();
    assert.equal((await panel.waitForSent("stop")).length, 1);
    await box(panel).fill("steer");
    await panel.page.getByRole("button", { name: "Steer", exact: true }).click();
    assert.deepEqual(await panel.waitForSent("prompt"), [{ type: "prompt", text: "steer" }]);
    await panel.post(events(2, { type: "agent_end", end: "aborted", messageIds: [] }));
    assert.equal(await stop.count(), 0);
  });

  it("never takes focus by itself (U12)", async () => {
    const panel = await open({ snapshot: running });
    await panel.post(
      events(1, { type: "turn_start", turn: 2 }, { type: "agent_end", end: "done", messageIds: [] }),
      { type: "panel", panel: panelState({ title: "Other" }) },
    );
    assert.equal(await panel.page.evaluate(() => document.activeElement === document.body), true);
  });

  it("lets queued messages be edited, switched, moved and removed", async () => {
    const message = (content: string) => ({ role: "user", content, timestamp: 0 }) as const;
    const queue = [
      { id: "q1", kind: "steering", message: message("one") },
      { id: "q2", kind: "steering", message: message("two") },
    ] as const;
    const panel = await open({
      snapshot: { ...running, transcript: transcript({ status: "running", queue }) },
    });
    const pick = async (chip: string, item: string) => {
      await panel.page.getByRole("button", { name: `Change “${chip}”` }).click();
      await panel.page.getByRole("menuitem", { name: item }).click();
    };
    await pick("two", "Move earlier");
    await pick("one", "Move later");
    await pick("one", "Send when the run ends");
    await panel.page.getByRole("button", { name: "Remove “two”" }).click();
    await panel.page.getByRole("button", { name: "Edit: one" }).click();
    const field = panel.page.getByRole("textbox", { name: "Queued message" });
    await field.fill("one, better");
    await field.press("Enter");
    await panel.waitForSent("editQueued", 2);
    assert.deepEqual(await panel.sentOf("moveQueued"), [
      { type: "moveQueued", id: "q2", before: "q1" },
      { type: "moveQueued", id: "q1" },
    ]);
    assert.deepEqual(await panel.sentOf("editQueued"), [
      { type: "editQueued", id: "q1", kind: "followUp" },
      { type: "editQueued", id: "q1", text: "one, better" },
    ]);
    assert.deepEqual(await panel.sentOf("removeQueued"), [{ type: "removeQueued", id: "q2" }]);
  });
});
