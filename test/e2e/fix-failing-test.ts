// The main job, by clicking and typing: two reads, a proposal with one hunk accepted and one rejected with a reason, a
// second proposal accepted after a change by hand, the tests in the terminal, a summary. Run by three suites.
import assert from "node:assert/strict";
import { reply } from "../support/provider-replies.ts";
import { until } from "./reins.ts";
import type { Reins } from "./reins.ts";

const grown = "if (line) line.quantity += quantity;";
const unrounded = "return sum - (sum * discountPercent) / 100;";
const rounded = "return sum - percentOf(sum, discountPercent);";

export const reason = "Round to whole cents, AGENTS.md says so";

export function enqueueReplies({ provider }: Reins, options: { readonly bash: boolean }): void {
  provider.enqueue(
    reply({
      thinking: "Two files tell what is wrong.",
      text: "I’ll read the cart and its tests.",
      calls: [
        { name: "read", arguments: { path: "src/cart.js" } },
        { name: "read", arguments: { path: "test/cart.test.js" } },
      ],
    }),
    reply({
      text: "Two things are wrong.",
      calls: [
        {
          name: "edit",
          arguments: {
            path: "src/cart.js",
            edits: [
              { oldText: "if (line) line.quantity = quantity;", newText: grown },
              { oldText: "return sum - discountPercent;", newText: unrounded },
            ],
          },
        },
      ],
    }),
    reply({
      text: "Then with the helper that rounds.",
      calls: [
        {
          name: "edit",
          arguments: {
            path: "src/cart.js",
            edits: [
              { oldText: "import { formatPrice }", newText: "import { formatPrice, percentOf }" },
              { oldText: "return sum - discountPercent;", newText: rounded },
            ],
          },
        },
      ],
    }),
    ...(options.bash ? [reply({ calls: [{ name: "bash", arguments: { command: "node --test" } }] })] : []),
    reply({ text: "All tests pass: quantities **add up** and discounts are rounded." }),
  );
}

/** Needs `src/cart.js` open in an editor. */
export async function fixTheFailingTest(reins: Reins, options: { readonly bash: boolean }): Promise<void> {
  const before = reins.disk("src/cart.js");
  await reins.type("Make the tests pass.");
  await decideFirstProposal(reins, before);
  await decideSecondProposal(reins);
  if (options.bash) await allowTheTests(reins);
  await reins.untilShown("All tests pass");
  await reins.untilIdle();
  assertRequests(reins, options);
  await untilSession(reins, options);
}

async function decideFirstProposal(reins: Reins, before: string): Promise<void> {
  await reins.hunk(11).waitFor();
  await reins.dock.getByRole("button", { name: "Review" }).click();
  await reins.window.page.locator(".tab", { hasText: "cart.js" }).nth(1).waitFor();
  assert.equal(reins.disk("src/cart.js"), before, "nothing is written before a decision");

  await reins.window.page
    .locator(".codelens-decoration a", { hasText: /Accept$/ })
    .first()
    .click();
  const accepted = before.replace("if (line) line.quantity = quantity;", grown);
  await reins.untilDisk("src/cart.js", (text) => text === accepted);

  const second = reins.hunk(30);
  await second.getByRole("button", { name: /^Say why/ }).click();
  await second.getByRole("textbox").fill(reason);
  await second.getByRole("textbox").press("Enter");
  const request = await reins.provider.request(3);
  assert.ok(request.rawBody.includes(reason), "the reason reaches the model");
  assert.equal(reins.disk("src/cart.js"), accepted, "a rejected hunk leaves no byte");
}

/** Changes one character on the proposed side, then accepts everything that is left. */
async function decideSecondProposal(reins: Reins): Promise<void> {
  const { page } = reins.window;
  await reins.hunk(2).waitFor();
  await reins.dock.getByRole("button", { name: "Review" }).click();
  await page.locator(".codelens-decoration a", { hasText: "Accept All 2 Hunks" }).waitFor();
  // Once it has compared the new texts, VS Code puts the caret at the first change, wherever it was before.
  await page.locator(".statusbar-item", { hasText: "Ln 2, Col 1" }).waitFor();
  const proposed = page.locator(".editor.modified .view-line", { hasText: "percentOf(sum" });
  await proposed.first().click();
  await page.keyboard.press("End");
  await page.keyboard.type(" // whole cents");
  await reins.panel.getByText("edited by you").first().waitFor();
  await reins.dock.getByRole("button", { name: /^Accept all/ }).click();
  await reins.untilDisk("src/cart.js", (text) => text.includes(`${rounded} // whole cents`));
  assert.ok(reins.disk("src/cart.js").includes("import { formatPrice, percentOf }"));
}

async function allowTheTests(reins: Reins): Promise<void> {
  await reins.dock.getByText("node --test").waitFor();
  await reins.dock.getByRole("button", { name: /^Allow once/ }).click();
  await reins.panel
    .getByText(/exit 0/)
    .first()
    .waitFor();
  const terminal = reins.window.page.locator(".terminal-wrapper .xterm-rows");
  await terminal
    .getByText(/pass 7/)
    .first()
    .waitFor();
}

function assertRequests(reins: Reins, { bash }: { readonly bash: boolean }): void {
  reins.assertNothingRefused();
  assert.equal(reins.provider.requests.length, bash ? 5 : 4);
  const told = reins.resultsOf(4);
  assert.ok(told.includes("// whole cents"), "the model is told what the person changed");
  if (bash) assert.match(reins.resultsOf(5), /pass 7/, "the output of the tests reaches the model");
}

/** The web worker host replaces the file's last segment at each write, so it may not be there for a moment. */
async function untilSession(reins: Reins, { bash }: { readonly bash: boolean }): Promise<void> {
  const turn = ["assistant", "toolResult"];
  const reads = ["assistant", "toolResult", "toolResult"];
  const expected = ["system", "user", ...reads, ...turn, ...turn, ...(bash ? turn : []), "assistant"];
  const roles = () =>
    reins
      .sessionEntries()
      .filter((entry) => entry["type"] === "message")
      .map((entry) => (entry["message"] as { role: string }).role);
  await until(
    () => roles().join() === expected.join(),
    () => `the session has ${roles().join()}`,
  );
}
