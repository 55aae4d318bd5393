// Accessibility as axe-core sees it, on the page of an open panel.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** One line per violation and element; empty when there is none. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Evaluated through the debugger, which the page's policy does not reach.
  await page.evaluate(`if (!window.axe) { ${source} }`);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} — ${node.failureSummary?.slice(0, 400) ?? ""}`),
    );
  });
}
