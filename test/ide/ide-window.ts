// One open window of the browser VS Code, as a test drives it. window.ts opens it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { BrowserContext, FrameLocator, Locator, Page } from "playwright-core";
import type { Server } from "./server.ts";

const profilePrefix = join(tmpdir(), "reins-ide-");

/** A folder for a window's profile; a window that got one removes it when it is closed. */
export function temporaryProfile(): string {
  return mkdtempSync(profilePrefix);
}

interface Parts {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Another server in place of one that ended. */
  readonly startServer: () => Promise<Server>;
  readonly userDataDir: string;
}

/** A window that shows the workbench. Everything it started ends with `close`. */
export class IdeWindow {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The address that shows the folder, for a second `page` in `context`. */
  readonly url: string;
  readonly port: number;
  /** The profile: `user` (VS Code's user data, `user/User/globalStorage/reins.reins` is Reins'), `server.log`, … */
  readonly userDataDir: string;
  /** The exit code of `testsPath`'s run: 0 if it resolved. Never settles without `testsPath`. */
  readonly testsEnded: Promise<number>;
  readonly #parts: Parts;
  #server: Server;

  constructor(parts: Parts, testsEnded: Promise<number>) {
    this.page = parts.page;
    this.context = parts.context;
    this.url = parts.url;
    this.port = parts.port;
    this.userDataDir = parts.userDataDir;
    this.testsEnded = testsEnded;
    this.#parts = parts;
    this.#server = parts.server;
  }

  /** Waits until the workbench is drawn and its status bar has the entries of the extension host's connection. */
  async untilReady(): Promise<void> {
    await this.page.locator(".monaco-workbench").waitFor({ timeout: 120_000 });
    await this.page.locator(".statusbar-item").first().waitFor({ timeout: 60_000 });
  }

  /** The inside of Reins' panel, whether it is open already or not: `panel().getByRole(…)` waits like any locator. */
  panel(): FrameLocator {
    return this.page
      .frameLocator('iframe.webview[src*="extensionId=reins.reins"]')
      .frameLocator("iframe#active-frame");
  }

  /** Opens Reins' panel by its command and waits until something is drawn in it. */
  async openPanel(): Promise<FrameLocator> {
    await this.runCommand("Reins: Focus Panel");
    await this.panel().locator("body > *").first().waitFor({ timeout: 60_000 });
    return this.panel();
  }

  /** Runs a command from the palette by its full title, for example `Reins: New Session`, once it is offered. */
  async runCommand(title: string): Promise<void> {
    const click = async () => (await this.findCommand(title)).click({ timeout: 3000 });
    // The palette may close before the click, see below.
    await click().catch(click).catch(click);
    const input = this.page.locator(".quick-input-widget input").first();
    await input.waitFor({ state: "hidden" }).catch(() => undefined); // A command may ask something in the same place.
  }

  /** Opens the palette on a command and returns its row. */
  async findCommand(title: string): Promise<Locator> {
    const input = this.page.locator(".quick-input-widget input").first();
    const row = this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${title}"]`).first();
    // An extension's commands are offered only once it has been scanned, and the list is not drawn again by itself.
    for (let attempt = 0; !(await row.isVisible()); attempt++) {
      if (attempt === 20) throw new Error(`The palette does not offer "${title}".`);
      // It closes by itself when something takes the focus, as happens while a window is being restored.
      if (!(await input.isVisible())) await this.page.keyboard.press("F1");
      const show = async () => {
        await input.fill(">", { timeout: 2000 });
        await input.fill(`>${title}`, { timeout: 2000 });
        await row.waitFor({ timeout: 2000 });
      };
      await show().catch(() => undefined);
    }
    return row;
  }

  /** Opens a file of the folder by its path in it, through the quick open box, and waits for its tab. */
  async openFile(path: string): Promise<void> {
    await this.page.keyboard.press("ControlOrMeta+P");
    const input = this.page.locator(".quick-input-widget input").first();
    await input.fill(path);
    const name = basename(path);
    await this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${name}"]`).first().click();
    await this.page.locator(`.tab[data-resource-name="${name}"]`).first().waitFor();
  }

  /** Reloads the window as a person would, and waits for the workbench. The Node extension host starts anew. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.untilReady();
  }

  /** The same folder in one more window, which ends with this one. */
  async another(): Promise<IdeWindow> {
    const page = await this.context.newPage();
    await page.goto(this.url);
    const window = new IdeWindow({ ...this.#parts, page }, this.testsEnded);
    await window.untilReady();
    return window;
  }

  /** The server and its extension hosts crash, another server is started, and the page is loaded again. */
  async crash(): Promise<void> {
    await this.#server.kill();
    this.#server = await this.#parts.startServer();
    await this.reload();
  }

  /** Closes the browser, the server and everything below them, and removes a temporary profile. */
  async close(): Promise<void> {
    await this.context.close().catch(() => undefined); // It may have crashed, which must not keep the server on.
    await this.#server.stop(1000); // It waits in vain for extension hosts of windows that were reloaded.
    if (this.userDataDir.startsWith(profilePrefix))
      rmSync(this.userDataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
