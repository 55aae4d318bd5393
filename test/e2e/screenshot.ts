// Makes `media/screenshot.png` and `media/screenshot-light.png`, which the README shows: the sample project in the middle
// of a review. Run it with `node test/e2e/screenshot.ts` on Node 24, after `npm run build`.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { enqueueReplies } from "./fix-failing-test.ts";
import { openReins } from "./reins.ts";

const media = fileURLToPath(new URL("../../media", import.meta.url));

const pictures = [
  { theme: "Dark Modern", file: "screenshot.png" },
  { theme: "Light Modern", file: "screenshot-light.png" },
];

for (const { theme, file } of pictures) await takePicture(theme, join(media, file));

async function takePicture(theme: string, path: string): Promise<void> {
  const reins = await openReins({
    viewport: { width: 1200, height: 800 },
    settings: { "workbench.colorTheme": theme },
  });
  try {
    const { page } = reins.window;
    enqueueReplies(reins, { bash: true });
    await page.keyboard.press("ControlOrMeta+B"); // The explorer is of no interest here.
    await reins.type("Make the tests pass. Keep the exported names.");
    await reins.dock.getByRole("button", { name: "Review" }).click();
    const lenses = page.locator(".codelens-decoration a", { hasText: /Accept$/ });
    await lenses.nth(1).waitFor();
    await lenses.first().click();
    await reins.panel.getByText("accepted").first().waitFor();
    await page.locator(".codelens-decoration a", { hasText: "Accept the Last Hunk" }).waitFor();
    await page.mouse.move(0, 0);
    await page.screenshot({ path });
  } finally {
    await reins.close();
  }
}
