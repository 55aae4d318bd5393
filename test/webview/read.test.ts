// What reading looks like: one quiet line, with the part that was read.
import assert from "node:assert/strict";
import type { JsonObject } from "../../src/shared/json.ts";
import { usePanels } from "./fake-host.ts";
import { assistant, result, snapshot, toolCall } from "./transcripts.ts";

const readings: readonly (readonly [path: string, details: JsonObject, line: string])[] = [
  ["a.ts", { firstLine: 3, lastLine: 9, totalLines: 20 }, "Read a.ts 3–9 done"],
  ["b.ts", { firstLine: 1, lastLine: 2, totalLines: 2, unsaved: true }, "Read b.ts 1–2 unsaved done"],
  ["whole.ipynb", { cells: { total: 12, first: 1, last: 12 } }, "Read whole.ipynb 12 cells done"],
  ["one.ipynb", { cells: { total: 1, first: 1, last: 1 } }, "Read one.ipynb 1 cell done"],
  ["none.ipynb", { cells: { total: 0, first: 0, last: 0 } }, "Read none.ipynb 0 cells done"],
  ["part.ipynb", { cells: { total: 12, first: 3, last: 7 } }, "Read part.ipynb cells 3–7 of 12 done"],
  ["cell.ipynb", { cells: { total: 12, first: 3, last: 3 } }, "Read cell.ipynb cell 3 of 12 done"],
];

describe("reading", () => {
  const open = usePanels();

  it("says which lines of a text, or which cells of a notebook, were read", async () => {
    const calls = readings.map(([path], i) => toolCall(`c${i}`, "read", { path }));
    const results = readings.map(([path, details], i) =>
      result(`c${i}`, "read", { details: { tool: "read", path, uri: `file:///work/${path}`, ...details } }),
    );
    const transcript = { messages: [assistant("a1", calls), ...results] };
    const panel = await open({ snapshot: snapshot({ transcript }), height: 1000 });
    const lines = panel.page.locator(".line").filter({ hasText: "Read" });
    await lines.nth(readings.length - 1).waitFor();
    const texts = (await lines.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
    assert.deepEqual(
      texts,
      readings.map(([, , line]) => line),
    );
  });
});
