// A real VS Code window with Reins in it, for suites: the browser VS Code on a free port, with folders of its own,
// shown by headless Chromium. What can be done in it is ide-window.ts; what a test does with that is the test's.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import { chromium } from "playwright-core";
import type { BrowserContext, Page } from "playwright-core";
import { ensureChromium } from "./chromium.ts";
import { IdeWindow, temporaryProfile } from "./ide-window.ts";
import { cleanEnvironment, freePort, linkExtension, startServer } from "./server.ts";
import type { Server } from "./server.ts";
import { installVsix } from "./vsix.ts";

export interface WindowOptions {
  /** The folder that is opened, as an absolute path. */
  readonly folder: string;
  /**
   * How Reins gets into the window. `unpacked` (default): the repository is linked into the extensions folder, which
   * is closest to an installed extension while needing only `npm run build`. `vsix`: installed from `vsix`. `dev`: as
   * an extension under development, which implies `smokeDriver`. `none`: without Reins.
   */
  readonly extension?: "unpacked" | "vsix" | "dev" | "none";
  /** The package for `extension: "vsix"`; by default the one that `npm run package` makes. */
  readonly vsix?: string;
  /** Where the extension runs: the Node host (default), or the web worker host in the browser. */
  readonly host?: "node" | "web";
  /** User settings, over the quiet ones of this file. Auto-save is on, as always in a browser, unless set here. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Environment variables of the Node extension host. API keys of this process are not passed on by themselves. */
  readonly env?: Readonly<Record<string, string>>;
  /** VS Code's own test driver. With it notifications never pop up, and with `testsPath` dialogs throw. */
  readonly smokeDriver?: boolean;
  /** What is developed, or holds `testsPath`: this repository by default. VS Code runs it in the Node host if it can. */
  readonly developmentPath?: string;
  /**
   * A CommonJS module with `run()`, inside `developmentPath`; it runs in that extension's host, and its end is
   * `testsEnded`. Implies `smokeDriver`.
   */
  readonly testsPath?: string;
  /** Gets each line that the extension host logs to its console. Only with the smoke driver. */
  readonly onLog?: (line: string) => void;
  /** The browser window's size in CSS pixels; 1280 × 800 by default. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /**
   * Where user data, extensions and the browser's storage are kept. A folder given here survives `close`, so that a
   * second window with it is a restart. By default a temporary folder that `close` removes.
   */
  readonly userDataDir?: string;
  /** The port; a free one by default. A restart needs the same one, because browser storage belongs to an origin. */
  readonly port?: number;
  /** More extensions: folders of unpacked ones, each linked into the window's extensions folder. */
  readonly otherExtensions?: readonly string[];
  /** All of VS Code's built-in extensions, not only languages, themes and git. */
  readonly allBuiltIns?: boolean;
}

/** What makes a window quiet enough to test in. */
const quietSettings = {
  "workbench.startupEditor": "none",
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "update.mode": "none",
  "workbench.enableExperiments": false,
  "workbench.tips.enabled": false,
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "window.commandCenter": false,
  "git.openRepositoryInParentFolders": "never",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "terminal.integrated.initialHint": false,
  "terminal.integrated.gpuAcceleration": "off", // Otherwise what a terminal shows is only pixels.
  "workbench.colorTheme": "Dark Modern",
  "editor.accessibilitySupport": "off",
};

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Opens a window and resolves when its workbench is shown. */
export async function openWindow(options: WindowOptions): Promise<IdeWindow> {
  const profile = options.userDataDir ?? temporaryProfile();
  const { extension = "unpacked" } = options;
  const development = extension === "dev" || options.testsPath !== undefined;
  const port = options.port ?? (await freePort());
  await prepareProfile(profile, { ...options, extension });
  const smokeDriver = (options.smokeDriver ?? false) || development;
  const start = () =>
    startServer({
      profile,
      port,
      env: environment(options.env),
      fewBuiltIns: !options.allBuiltIns,
      flags: smokeDriver ? ["--enable-smoke-test-driver"] : [],
    });
  const server = await start();
  try {
    const context = await launchBrowser(profile, options.viewport);
    const page = context.pages()[0] ?? (await context.newPage());
    const url = addressOf(server, options, development);
    const tests = await relayTests(page, options.onLog);
    await page.goto(url);
    const parts = { page, context, url, port, server, startServer: start, userDataDir: profile };
    const window = new IdeWindow(parts, tests.ended);
    await window.untilReady();
    return window;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function prepareProfile(profile: string, options: WindowOptions): Promise<void> {
  const settings: Record<string, unknown> = { ...quietSettings, ...options.settings };
  if (options.host === "web") settings["remote.extensionKind"] = { "reins.reins": ["ui"] };
  mkdirSync(join(profile, "user/User"), { recursive: true });
  mkdirSync(join(profile, "extensions"), { recursive: true });
  writeFileSync(join(profile, "user/User/settings.json"), JSON.stringify(settings, undefined, 2));
  if (options.extension === "vsix") await installVsix(profile, options.vsix);
  for (const folder of options.otherExtensions ?? []) linkExtension(profile, folder);
  if (options.extension === "unpacked") linkExtension(profile, root);
}

/** Tests must not find the keys of whoever runs them. */
function environment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(cleanEnvironment()).filter(
    ([name]) => !/_API_KEY$|^(ANTHROPIC|OPENAI)_/.test(name),
  );
  return { ...Object.fromEntries(own), ...extra };
}

async function launchBrowser(profile: string, viewport: WindowOptions["viewport"]): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(join(profile, "browser"), {
    executablePath: await ensureChromium(),
    headless: true,
    viewport: viewport ?? { width: 1280, height: 800 },
    locale: "en-US",
    permissions: ["clipboard-read", "clipboard-write"],
    args: ["--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
  });
  context.setDefaultTimeout(30_000);
  return context;
}

function addressOf(server: Server, options: WindowOptions, development: boolean): string {
  const remote = `vscode-remote://${new URL(server.origin).host}`;
  const payload: [string, string][] = [];
  if (development)
    payload.push(["extensionDevelopmentPath", remote + (options.developmentPath ?? root).replace(/\/$/, "")]);
  if (options.testsPath) payload.push(["extensionTestsPath", remote + options.testsPath]);
  const query = new URLSearchParams({ folder: options.folder, payload: JSON.stringify(payload) });
  return `${server.origin}/?${query.toString()}`;
}

/** The smoke driver calls these two functions of the page: for each line logged, and when the tests have ended. */
async function relayTests(page: Page, onLog: WindowOptions["onLog"]): Promise<{ ended: Promise<number> }> {
  await page.exposeFunction("codeAutomationLog", (_type: string, args: unknown[]) =>
    onLog?.(format(...args)),
  );
  const { promise: ended, resolve } = Promise.withResolvers<number>();
  await page.exposeFunction("codeAutomationExit", resolve);
  return { ended };
}
