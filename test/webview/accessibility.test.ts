// The panel for everyone: no axe violations in any kind of theme, names on every control, and everything by keyboard.
import assert from "node:assert/strict";
import { axeViolations } from "./axe.ts";
import { usePanels } from "./fake-host.ts";
import { finished, troubled, unpowered, working } from "./scenes.ts";
import { themes } from "./themes.ts";
import type { ThemeName } from "./themes.ts";
import { approval, events, panelState, snapshot } from "./transcripts.ts";

describe("the panel's accessibility", () => {
  const open = usePanels();
  const scenes = { working, finished, troubled, unpowered };
  // The names of an object literal are its keys' type.
  const names = Object.keys(themes) as ThemeName[];

  for (const theme of names) {
    it(`has no axe violations in the ${theme} theme (U14)`, async () => {
      for (const [name, scene] of Object.entries(scenes)) {
        const panel = await open({ theme, snapshot: scene(), height: 1600 });
        await panel.page.waitForFunction(() => !document.querySelector("reins-panel .panel :not(:defined)"));
        assert.deepEqual(await axeViolations(panel.page), [], `scene ${name}`);
        assert.deepEqual(await panel.violations(), []);
        await panel.page.context().close();
      }
    });
  }

  it("names the text boxes, which the toolkit would call “Text area” and “Text field”", async () => {
    const { page } = await open({ snapshot: working() });
    await page.getByRole("textbox", { name: "Steer Reins" }).waitFor();
    await page.getByRole("textbox", { name: "Why you reject it, for the model" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Text" }).count(), 0);
  });

  it("tells states apart by word", async () => {
    const { page } = await open({ snapshot: finished(), height: 1600 });
    for (const word of ["exit 0", "Rejected", "Stopped", "Failed", "1 of 2 accepted"])
      await page.locator(".badge", { hasText: word }).first().waitFor();
  });

  it("gives rows their place in the conversation", async () => {
    const { page } = await open({ snapshot: finished(), height: 1600 });
    await page.getByRole("feed", { name: "Conversation" }).waitFor();
    const last = page.getByRole("article").last();
    assert.equal(await last.getAttribute("aria-posinset"), await last.getAttribute("aria-setsize"));
  });

  it("announces what waits and how a run ended, politely, and never tokens", async () => {
    const panel = await open({ snapshot: snapshot({ transcript: { seq: 0 } }) });
    const live = panel.page.locator("[aria-live=polite]");
    await panel.post(events(1, { type: "agent_start" }, { type: "turn_start", turn: 1 }));
    assert.equal(await live.textContent(), "");
    await panel.post({ type: "panel", panel: panelState({ decisions: [approval()] }) });
    assert.match((await live.textContent()) ?? "", /^Waiting for you: Run this command\? npm test/);
    await panel.post({ type: "panel", panel: panelState() });
    await panel.post(events(3, { type: "agent_end", end: "done", messageIds: [] }));
    assert.equal(await live.textContent(), "Reins has finished");
  });

  it("reaches every control by Tab, with a visible focus", async () => {
    const { page } = await open({ snapshot: working(), height: 1600 });
    const reached = new Set<string>();
    let invisible = 0;
    for (let step = 0; step < 80; step += 1) {
      await page.keyboard.press("Tab");
      const focus = await page.evaluate(() => {
        const host = document.activeElement;
        const inner = host?.shadowRoot?.activeElement ?? host;
        if (!host || !inner || host === document.body) return undefined;
        const { outlineStyle, borderColor } = getComputedStyle(inner);
        const seen = outlineStyle !== "none" || inner.matches("textarea, input") || borderColor !== "";
        return { name: host.getAttribute("aria-label") ?? host.textContent.trim(), seen };
      });
      if (!focus) break;
      reached.add(focus.name);
      if (!focus.seen) invisible += 1;
    }
    assert.equal(invisible, 0);
    for (const name of [
      "New session",
      "Accept the change at line 41",
      "Say why you reject the change at line 41",
      "Steer Reins",
      "Stop",
    ])
      assert.ok(reached.has(name), `${name} is reached; reached: ${[...reached].join(" | ")}`);
    assert.ok([...reached].some((name) => name.startsWith("Allow once")));
  });

  it("moves in a menu by arrow keys and gives focus back on Escape", async () => {
    const panel = await open({ snapshot: snapshot() });
    const opener = panel.page.getByRole("button", { name: "Thinking: medium" });
    await opener.focus();
    await panel.page.keyboard.press("Enter");
    const focused = panel.page.locator(":popover-open [role=menuitemradio]:focus");
    await focused.waitFor();
    await panel.page.keyboard.press("ArrowDown");
    await panel.page.keyboard.press("Enter");
    assert.deepEqual(await panel.waitForSent("setThinkingLevel"), [
      { type: "setThinkingLevel", level: "high" },
    ]);
    await opener.click();
    await focused.waitFor();
    await panel.page.keyboard.press("Escape");
    await panel.page.waitForFunction(() => !document.querySelector(":popover-open"));
    assert.equal(await opener.evaluate((element) => element === document.activeElement), true);
  });

  for (const [width, zoom] of [
    [300, 1],
    [400, 2],
  ] as const) {
    it(`fits ${width} pixels at ${zoom * 100} % zoom without scrolling sideways`, async () => {
      for (const scene of Object.values(scenes)) {
        const panel = await open({ snapshot: scene(), width: width / zoom, height: 900 / zoom });
        const outside = await panel.page.evaluate(() =>
          [...document.querySelectorAll("body *")]
            .filter((element) => {
              const box = element.getBoundingClientRect();
              const scrolls = element.closest(
                "pre, .diff, .table, .clip, .path, .command, .sr-only, .narrow-hidden, [popover]",
              );
              return box.width > 0 && box.right > innerWidth + 0.5 && !scrolls;
            })
            .map((element) => element.outerHTML.slice(0, 120)),
        );
        assert.deepEqual(outside, []);
        assert.equal(
          await panel.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          true,
        );
        await panel.page.context().close();
      }
    });
  }

  it("stands still for people who asked for less motion", async () => {
    const { page } = await open({ snapshot: working(), reducedMotion: true });
    assert.equal(await page.locator("vscode-progress-ring:visible").count(), 0);
  });
});
