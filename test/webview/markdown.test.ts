// Streaming markdown: however a text is cut into pieces, the result is what rendering it at once gives; and it stays cheap.
import assert from "node:assert/strict";
import fc from "fast-check";
import { runs } from "../support/properties.ts";
import { usePanels } from "./fake-host.ts";
import type {} from "./markdown-entry.ts";

const blocks = [
  "# A heading\n\n",
  "Plain text with `code`, *emphasis*, **strong** and snake_case_name.\n\n",
  "Setext\n---\n\n",
  "- one\n- two\n  - nested\n\n  loose\n- three\n\n",
  "1. first\n2. second\n\n",
  "- [x] done\n- [ ] open\n\n",
  "```ts\nconst a: string = `x`;\n\n// two\n```\n\n",
  "````md\n```\ninner\n```\n````\n\n",
  "~~~\ntilde\n~~~\n",
  "    indented code\n\n",
  "> quote\n> more\n\n",
  "| a | b |\n| - | -: |\n| 1 | 2 |\n\n",
  "[link](https://example.com) and <b>html</b> &amp; ![image](https://example.com/a.png)\n\n",
  "[reference][r] and more\n\n[r]: https://example.com/r\n\n",
  "***\n",
  "text\r\nwith carriage returns\r\n\r\n",
  "unclosed **strong and `code",
  "```js\nunclosed fence\n",
];

describe("markdown", () => {
  const open = usePanels("test/webview/markdown-entry.ts");

  it("renders a streamed text exactly as the whole text (U18)", async () => {
    const { page } = await open();
    const documents = fc.sample(
      fc.tuple(
        fc.array(fc.constantFrom(...blocks), { minLength: 1, maxLength: 9 }).map((parts) => parts.join("")),
        fc.integer({ min: 1, max: 40 }),
      ),
      runs(150),
    );
    const different = await page.evaluate((list) => {
      const { markdownTest } = window;
      return list.filter(([text, size]) => {
        const ends = Array.from({ length: Math.ceil(text.length / size) }, (_, index) => (index + 1) * size);
        return markdownTest.stream(text, ends) !== markdownTest.whole(text);
      });
    }, documents);
    assert.deepEqual(different, []);
  });

  it("shows leading spaces, nested fences and an unclosed fence as they are (U19)", async () => {
    const { page } = await open();
    const art = "      /\\_/\\\n     ( o.o )\n";
    const show = (text: string) =>
      page.evaluate((source) => {
        window.markdownTest.whole(source);
        return [...document.querySelectorAll("pre")].map((pre) => pre.textContent);
      }, text);
    assert.deepEqual(await show(art), ["  /\\_/\\\n ( o.o )"]);
    assert.deepEqual(await show("````\n```\ninner\n```\n````\n\nafter"), ["```\ninner\n```"]);
    assert.deepEqual(await show("```js\nstill open"), ["still open"]);
  });

  it("shows an open fence's text while it grows, and hides a line that may close it", async () => {
    const { page } = await open();
    const seen = await page.evaluate(() => {
      const text = "Before\n\n```js\nlet a = 1;\nlet b = 2;\n```\nAfter";
      const steps: string[] = [];
      for (const end of [20, 25, 36, 38, 39, text.length]) {
        window.markdownTest.stream(text.slice(0, end), []);
        steps.push(document.querySelector("pre")?.textContent ?? "");
      }
      return steps;
    });
    assert.equal(seen.at(-1), "let a = 1;\nlet b = 2;");
  });

  it("keeps code and paths left to right inside text of either direction (U16)", async () => {
    const { page } = await open();
    const directions = await page.evaluate(() => {
      window.markdownTest.whole("مرحبا `src/a.ts` بالعالم\n\n```js\nlet a;\n```");
      const direction = (selector: string) => {
        const element = document.querySelector(selector);
        return element ? getComputedStyle(element).direction : "missing";
      };
      return [direction("p"), direction("p code"), direction("pre")];
    });
    assert.deepEqual(directions, ["rtl", "ltr", "ltr"]);
  });

  const big: { readonly [name: string]: string } = {
    "a 300 kB code block":
      "```js\n" + "const value = compute(1, 2, 3); // and so on\n".repeat(6_800) + "```\n",
    "a list of 2,000 items": Array.from({ length: 2000 }, (_, n) => `- item ${n} with some \`code\`\n`).join(
      "",
    ),
    "a table of 500 rows": "| a | b |\n| - | - |\n" + "| some text | more text |\n".repeat(500),
    "a paragraph of 100,000 combining characters": "e" + "\u0301".repeat(100_000),
  };
  for (const [name, text] of Object.entries(big)) {
    it(`streams ${name} without holding up the panel (U07)`, async () => {
      const { page } = await open();
      // Warms up the parser and the layout, which a panel has done long before.
      await page.evaluate(() => window.markdownTest.measure("warm `up`\n\n- a\n\n```js\nlet a;\n```\n", 4));
      const { longest, total } = await page.evaluate(
        (source) => window.markdownTest.measure(source, 150),
        text,
      );
      assert.ok(longest < 200 * slowness, `the longest step took ${Math.round(longest)} ms`);
      assert.ok(total < 3000 * slowness, `all steps took ${Math.round(total)} ms`);
    });
  }
});

/** The times above hold for an idle machine; a shared one gets some slack. */
const slowness = 6;
