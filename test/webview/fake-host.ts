// The panel in a real browser, with a page in the host's place: the built bundle, VS Code's theme variables and the CSP the
// extension serves. Tests post the host's messages and read the panel's.
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { FromWebview } from "../../src/protocol/from-webview.ts";
import type { ToWebview } from "../../src/protocol/to-webview.ts";
import { findInstalled } from "../ide/chromium.ts";
import { themes } from "./themes.ts";
import type { ThemeName } from "./themes.ts";

export interface PanelOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  /** Posted when the panel says it is ready. */
  readonly snapshot?: Extract<ToWebview, { type: "snapshot" }>;
}

type Sent<T extends FromWebview["type"]> = Extract<FromWebview, { type: T }>;

/** One open panel. */
export class PanelPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Posts as the host does, and resolves when the panel has painted all of it, text that it renders later included. */
  async post(...messages: readonly ToWebview[]): Promise<void> {
    await this.page.evaluate(async (json) => {
      for (const message of JSON.parse(json) as ToWebview[]) window.postMessage(message, "*");
      await window.reinsTest.received();
      const frame = () => new Promise(requestAnimationFrame);
      await frame();
      await frame();
      const texts = document.getElementsByTagName("reins-markdown");
      while ([...texts].some((text) => "isBehind" in text && text.isBehind)) await frame();
    }, JSON.stringify(messages));
  }

  async sent(): Promise<FromWebview[]> {
    return this.page.evaluate(() => window.reinsTest.sent);
  }

  async sentOf<T extends FromWebview["type"]>(type: T): Promise<Sent<T>[]> {
    return (await this.sent()).filter((message): message is Sent<T> => message.type === type);
  }

  /** The messages of this type, as soon as there are `count` of them. */
  async waitForSent<T extends FromWebview["type"]>(type: T, count = 1): Promise<Sent<T>[]> {
    await this.page.waitForFunction(
      ([name, wanted]) => window.reinsTest.sent.filter((message) => message.type === name).length >= wanted,
      [type, count] as const,
      { timeout: 30_000 },
    );
    return this.sentOf(type);
  }

  /** What the page's policy blocked, style attributes that the toolkit sets for looks excepted. */
  async violations(): Promise<string[]> {
    return this.page.evaluate(() => window.reinsTest.violations);
  }
}

declare global {
  interface Window {
    acquireVsCodeApi: typeof acquireVsCodeApi;
    /** Set by the page below. */
    reinsTest: {
      sent: FromWebview[];
      violations: string[];
      /** JSON. */
      snapshot: string | undefined;
      /** Resolves when the panel has received all that was posted. */
      received: () => Promise<void>;
    };
  }
}

/** One for all files: to start it takes longer than many a test. */
let browser: Browser | undefined;
after(() => browser?.close());

async function launch(): Promise<Browser> {
  const executablePath = findInstalled();
  return chromium.launch({ args: ["--no-sandbox"], ...(executablePath ? { executablePath } : {}) });
}

/** Panels for the tests of one `describe`, each closed with its test. `entry` is what is bundled. */
export function usePanels(entry = "webview/main.ts"): (options?: PanelOptions) => Promise<PanelPage> {
  let server: Server;
  let contexts: BrowserContext[] = [];
  before(async function () {
    this.timeout(60_000);
    browser ??= await launch();
    server = await serve(await bundle(entry));
  });
  afterEach(async () => {
    await Promise.all(contexts.map((each) => each.close()));
    contexts = [];
  });
  after(() => server?.close());
  return async (options = {}) => {
    const context = await openContext(options);
    contexts.push(context);
    const page = await context.newPage();
    const { port } = server.address() as AddressInfo;
    await page.addInitScript((snapshot) => {
      const received = () =>
        new Promise<void>((resolve) => {
          addEventListener("message", ({ data }) => data === "that is all" && resolve());
          postMessage("that is all", "*"); // Behind the others, in the same queue.
        });
      window.reinsTest = { sent: [], violations: [], snapshot, received };
    }, JSON.stringify(options.snapshot));
    await page.goto(`http://127.0.0.1:${port}/${options.theme ?? "dark"}`);
    const panel = new PanelPage(page);
    if (options.snapshot) {
      await page.waitForSelector("reins-composer textarea, vscode-text-area");
      await panel.post();
    }
    return panel;
  };
}

async function openContext({ width, height, reducedMotion }: PanelOptions): Promise<BrowserContext> {
  if (!browser) throw new Error("Panels open inside of tests.");
  return browser.newContext({
    viewport: { width: width ?? 400, height: height ?? 800 },
    deviceScaleFactor: 1,
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
  });
}

const bundles = new Map<string, Promise<string>>();

function bundle(entry: string): Promise<string> {
  const known = bundles.get(entry);
  if (known) return known;
  const built = build({
    absWorkingDir: fileURLToPath(new URL("../..", import.meta.url)),
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: "browser",
    format: "esm",
    target: "es2022",
    loader: { ".css": "text" },
    logLevel: "error",
  }).then((result) => result.outputFiles[0]?.text ?? "");
  bundles.set(entry, built);
  return built;
}

async function serve(script: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").slice(1);
    if (path === "webview.js") {
      response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    } else if (path in themes) {
      const head = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
      // The check above makes it a name.
      response.writeHead(200, head).end(pageHtml(path as ThemeName));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

const nonce = "dGVzdC1ub25jZQ";
const policy = [
  "default-src 'none'",
  `style-src 'self' 'nonce-${nonce}'`,
  `script-src 'nonce-${nonce}'`,
  "img-src data:",
  "font-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types lit-html fast-html dompurify",
].join("; ");

function pageHtml(name: ThemeName): string {
  const { bodyClass, kind, variables } = themes[name];
  const css = Object.entries(variables)
    .map(([variable, value]) => `--vscode-${variable}: ${value};`)
    .join(" ");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Reins</title>
<meta property="csp-nonce" content="${nonce}">
<style nonce="${nonce}">html { ${css} }</style>
<script nonce="${nonce}">(${hostPage.toString()})()</script></head>
<body class="${bodyClass}" data-vscode-theme-kind="${kind}"><reins-panel></reins-panel>
<script nonce="${nonce}" type="module" src="/webview.js"></script></body></html>`;
}

/** Runs in the page, in VS Code's place. */
function hostPage(): void {
  const { reinsTest } = window;
  document.addEventListener("securitypolicyviolation", (event) => {
    if (event.violatedDirective !== "style-src-attr")
      reinsTest.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
  });
  let taken = false;
  window.acquireVsCodeApi = (() => {
    if (taken) throw new Error("The API was acquired twice");
    taken = true;
    return {
      postMessage: (message: FromWebview) => {
        reinsTest.sent.push(structuredClone(message));
        if (message.type === "ready" && reinsTest.snapshot)
          window.postMessage(JSON.parse(reinsTest.snapshot), "*");
      },
      getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null") as unknown,
      setState: (state: unknown) => sessionStorage.setItem("state", JSON.stringify(state)),
    };
  }) as typeof acquireVsCodeApi;
}
