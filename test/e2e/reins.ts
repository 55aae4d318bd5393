// Reins as a person at the IDE sees and presses it. Selectors live here, so that scenarios read as what is done.
import assert from "node:assert/strict";
import { readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { makeSampleProject } from "../ide/sample-project.ts";
import type { IdeWindow } from "../ide/ide-window.ts";
import { openWindow } from "../ide/window.ts";
import type { WindowOptions } from "../ide/window.ts";
import { startProviderServer } from "../support/provider-server.ts";
import type { ProviderServer } from "../support/provider-server.ts";

/** One window on the sample project with a loopback provider as its model. */
export class Reins {
  readonly window: IdeWindow;
  readonly provider: ProviderServer;
  readonly folder: string;

  constructor(window: IdeWindow, provider: ProviderServer, folder: string) {
    this.window = window;
    this.provider = provider;
    this.folder = folder;
  }

  get panel(): FrameLocator {
    return this.window.panel();
  }

  get composer(): Locator {
    return this.panel.locator("reins-composer vscode-text-area textarea");
  }

  get dock(): Locator {
    return this.panel.locator("section.dock");
  }

  /** Presses a key on the decision that is shown, once it takes answers: not in the moment in which it appears. */
  async answerByKey(key: string): Promise<void> {
    await this.dock.locator(".actions:not([aria-disabled])").waitFor();
    await this.window.page.keyboard.press(key);
  }

  /** Puts the caret into the composer, types and presses a key, as a person would. */
  async type(text: string, key = "Enter"): Promise<void> {
    await this.composer.click();
    await this.composer.pressSequentially(text);
    await this.composer.press(key);
  }

  /** The chips of messages that wait for their turn. */
  get queue(): Locator {
    return this.panel.getByRole("list", { name: "Queued messages" });
  }

  get transcript(): Locator {
    return this.panel.locator("reins-transcript");
  }

  /** A button of the transcript, of the dock or of the header, by its name. */
  button(name: string | RegExp): Locator {
    return this.panel.getByRole("button", { name });
  }

  /** Waits until a text is somewhere in the transcript. */
  async untilShown(text: string | RegExp): Promise<void> {
    await this.transcript.getByText(text).first().waitFor();
  }

  /** Waits until the transcript says a text exactly once. */
  async untilShownOnce(text: string): Promise<void> {
    await until(
      async () => (await this.transcript.innerText()).split(text).length === 2,
      async () => `“${text}” once in:\n${await this.transcript.innerText()}`,
    );
  }

  async untilIdle(): Promise<void> {
    await this.panel
      .locator("reins-composer")
      .getByRole("button", { name: "Stop" })
      .waitFor({ state: "hidden" });
  }

  hunk(line: number): Locator {
    return this.panel.getByRole("group", { name: new RegExp(`^Change at line ${line}, pending`) });
  }

  /** A file of the folder, byte for byte. */
  disk(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  /** Waits until a file on disk holds what `isSo` wants; the disk has no events worth trusting here. */
  async untilDisk(path: string, isSo: (text: string) => boolean): Promise<void> {
    await until(
      () => isSo(this.disk(path)),
      () => `${path} is still:\n${this.disk(path)}`,
    );
  }

  /** Every entry of every session of this profile, in order. */
  sessionEntries(): readonly Record<string, unknown>[] {
    const storage = join(this.window.userDataDir, "user/User/globalStorage/reins.reins");
    const isFile = (name: string) => statSync(join(storage, name)).isFile();
    return readdirSync(storage, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.jsonl(\/\d+\.part)?$/.test(name) && isFile(name)) // A file, or a folder of segments (web).
      .sort()
      .flatMap((name) => readFileSync(join(storage, name), "utf8").split("\n").filter(Boolean))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** The text of the last tool results that request `number` (from 1) carried. */
  resultsOf(number: number): string {
    return JSON.stringify(this.provider.requests[number - 1]?.body["messages"] ?? []);
  }

  /** No request broke a rule of the real API. */
  assertNothingRefused(): void {
    assert.deepEqual(
      this.provider.requests.map((request) => request.refused).filter((reason) => reason !== undefined),
      [],
    );
  }

  /** For an afterEach: keeps a picture of what a failed test saw in the temporary folder, and says where. */
  async picture(test: Mocha.Test | undefined): Promise<void> {
    if (test?.state !== "failed") return;
    const path = join(tmpdir(), `reins-failed-${test.title.replaceAll(/\W+/g, "-").slice(0, 60)}.png`);
    await this.window.page.screenshot({ path }).catch(() => undefined); // The window may be gone.
    console.log(`A picture of the failure: ${path}`);
  }

  /** Reloads the window and shows the panel again; VS Code may or may not have remembered that it was open. */
  async reload(): Promise<void> {
    await this.window.reload();
    await this.showPanel();
  }

  /** The server and the extension host crash; a new server is there when the page is loaded again. */
  async crash(): Promise<void> {
    await this.window.crash();
    await this.showPanel();
  }

  async showPanel(): Promise<void> {
    await this.window.openPanel();
    await this.composer.waitFor();
  }

  async close(): Promise<void> {
    await this.window.close();
    await this.provider.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface ReinsOptions extends Partial<WindowOptions> {
  /** Default: one of its own, which takes any key. */
  readonly provider?: ProviderServer;
}

/** Opens the sample project with the loopback provider chosen as the model, and the panel. */
export async function openReins(options: ReinsOptions = {}): Promise<Reins> {
  const provider = options.provider ?? (await startProviderServer());
  const folder = options.folder ?? makeSampleProject();
  const window = await openWindow({
    ...options,
    folder,
    settings: { ...loopbackSettings(provider), ...options.settings },
  });
  const reins = new Reins(window, provider, folder);
  await reins.showPanel();
  return reins;
}

export function loopbackSettings(provider: ProviderServer): Record<string, unknown> {
  return { "reins.model": "loopback/test-model", "reins.providers": loopbackProviders(provider) };
}

/** For `reins.providers`. */
export function loopbackProviders(provider: ProviderServer): Record<string, unknown> {
  const model = { id: "test-model", name: "Test model", contextWindow: 200_000, maxTokens: 8192 };
  return { loopback: { api: "anthropic-messages", baseUrl: provider.url, models: [model] } };
}

/** Polls a condition of the outside world; fails with what `why` tells after 30 seconds. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  why: () => string | Promise<string>,
): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited in vain: ${await why()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
