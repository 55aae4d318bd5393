// What a model, a tool or a file name says is text: it loads nothing and runs nothing.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { usePanels } from "./fake-host.ts";
import {
  approval,
  assistant,
  hunk,
  panelState,
  proposal,
  result,
  snapshot,
  toolCall,
  user,
} from "./transcripts.ts";

describe("what the panel refuses", () => {
  const open = usePanels();

  it("loads no image and no address from an answer (A22)", async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const text = [
      `![x](${base}/inline?d=SECRET)`,
      `![ref][r] <img src="${base}/html">`,
      `<svg><image href="${base}/svg"/><use href="${base}/use#a"/></svg>`,
      `<div style="background:url(${base}/css)">x</div><style>@import "${base}/import";</style>`,
      `<link rel="stylesheet" href="${base}/link"><iframe src="${base}/frame"></iframe>`,
      `[a link](${base}/link-text)`,
      `\n[r]: ${base}/reference`,
    ].join("\n\n");
    const panel = await open({
      snapshot: snapshot({
        transcript: { messages: [user("u", text), assistant("a", text)] },
        panel: { title: text },
      }),
      height: 1400,
    });
    await panel.page.getByText("image: x").first().waitFor();
    await panel.page.getByText("a link", { exact: true }).hover();
    // Whatever was to be requested would be before a request that is made now has its answer.
    await fetch(`${base}/last`);
    server.close();
    assert.deepEqual(requests, ["/last"]);
    assert.equal(await panel.page.locator("img, image, iframe, link, object, embed").count(), 0);
    assert.equal(await panel.page.locator("a[href]").count(), 0);
    assert.deepEqual(await panel.violations(), []);
  });

  it("runs no markup from answers, tools, diffs, titles or file names (A24)", async () => {
    const attack = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script><svg onload="window.pwned=1">`;
    const fence = '```"><script>window.pwned=1</script>\n' + attack + "\n```";
    const file = `${attack}.txt`;
    const change = proposal({
      path: file,
      hunks: [hunk("h", { oldLines: [attack], newLines: [attack], before: [attack], after: [attack] })],
    });
    const panel = await open({
      height: 3000,
      snapshot: snapshot({
        transcript: {
          status: "running",
          messages: [
            user("u", attack),
            assistant(
              "a0",
              `${attack}\n\n${fence}\n\n[x](javascript:window.pwned=1) [y](data:text/html,${attack}) \`${attack}\``,
            ),
            assistant("a1", [
              { type: "thinking", thinking: attack },
              toolCall("c1", "bash", { command: attack }),
              toolCall("c2", "read", { path: file }),
              toolCall("c3", attack, { text: attack }),
              toolCall("call-edit", "edit", { path: file }),
            ]),
            result("c1", "bash", {
              details: { tool: "bash", command: attack, cwd: "/", exitCode: 1, tail: attack },
              isError: true,
            }),
            result("c2", "read", { details: { tool: "read", path: file, uri: "file:///x" } }),
            result("c3", attack, { isError: true, content: [{ type: "text", text: attack }] }),
          ],
          queue: [{ id: "q", kind: "steering", message: { role: "user", content: attack, timestamp: 0 } }],
        },
        panel: {
          title: attack,
          problems: [attack],
          decisions: [
            approval({ title: attack, subject: attack, why: attack }),
            { type: "proposal", proposal: change },
          ],
        },
      }),
    });
    for (const fold of await panel.page.locator("summary").all()) await fold.click();
    await panel.page.getByText(attack).first().waitFor();
    const found = await panel.page.evaluate(() => ({
      pwned: "pwned" in window,
      elements: document.querySelectorAll("reins-panel script, reins-panel img, [onload], [onerror], [href]")
        .length,
    }));
    assert.deepEqual(found, { pwned: false, elements: 0 });
    assert.deepEqual(await panel.violations(), []);
  });

  it("hands links to the host: the web's and files', no other", async () => {
    const text =
      "[web](https://example.com/a?b=1) [file](file:///work/a.ts#L12) [mail](mailto:a@b.c) [rel](src/a.ts)";
    const panel = await open({ snapshot: snapshot({ transcript: { messages: [assistant("a", text)] } }) });
    for (const name of ["web", "file"]) await panel.page.getByRole("link", { name }).click();
    await panel.page.getByRole("link", { name: "web" }).press("Enter");
    assert.equal(await panel.page.getByRole("link").count(), 2);
    assert.deepEqual(await panel.waitForSent("openLink", 2), [
      { type: "openLink", url: "https://example.com/a?b=1" },
      { type: "openLink", url: "https://example.com/a?b=1" },
    ]);
    assert.deepEqual(await panel.sentOf("openFile"), [
      { type: "openFile", uri: "file:///work/a.ts", line: 12 },
    ]);
  });

  it("shows the tour as a tour", async () => {
    const model = { ref: "tour/tour", name: "Guided tour", provider: "tour", isTour: true, reasoning: false };
    const { page } = await open({ snapshot: { ...snapshot(), panel: panelState({ model }) } });
    await page.getByText("Guided tour — scripted, not a model").waitFor();
  });
});
