// A temporary folder with real bytes for the tests of files, settings that are put back, and editors that are
// closed again, so that the shared window stays as it was.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import type { TextApplied, TextChange } from "../../src/harness/ports.ts";
import { fileFacts } from "../../src/node/file-facts.ts";
import { VsCodeFiles } from "../../src/vscode/files.ts";
import { closeEditors } from "./editors.ts";

export class FilesFixture {
  readonly files = new VsCodeFiles(fileFacts);
  private readonly root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "reins-files-")));
  /** Another one for each test: VS Code keeps documents for a while after their editors are closed. */
  private current = path.join(this.root, "1");
  private readonly changedSettings = new Map<string, unknown>();

  get folder(): string {
    fs.mkdirSync(this.current, { recursive: true });
    return this.current;
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  uri(name: string): vscode.Uri {
    return vscode.Uri.file(this.path(name));
  }

  put(name: string, content: string | Uint8Array, mode?: number): string {
    fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
    fs.writeFileSync(this.path(name), content);
    if (mode !== undefined) fs.chmodSync(this.path(name), mode);
    return this.uri(name).toString();
  }

  text(name: string): string {
    return fs.readFileSync(this.path(name), "utf8");
  }

  hex(name: string): string {
    return fs.readFileSync(this.path(name)).toString("hex");
  }

  /** Reads, replaces the first occurrence, applies. */
  async edit(uri: string, from: string, to: string): Promise<TextApplied> {
    const base = await this.files.readText(uri);
    if (!base.text.includes(from)) throw new Error(`"${from}" is not in ${JSON.stringify(base.text)}`);
    return this.files.applyText({ uri, base, text: base.text.split(from).join(to) });
  }

  create(name: string, text: string): Promise<TextApplied> {
    const change: TextChange = { uri: this.uri(name).toString(), base: undefined, text };
    return this.files.applyText(change);
  }

  async show(name: string): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(this.uri(name), { preview: false });
  }

  async set(setting: string, value: unknown): Promise<void> {
    const configuration = vscode.workspace.getConfiguration();
    if (!this.changedSettings.has(setting)) {
      this.changedSettings.set(setting, configuration.inspect(setting)?.globalValue);
    }
    await configuration.update(setting, value, vscode.ConfigurationTarget.Global);
  }

  /** After each test. */
  async restore(): Promise<void> {
    for (const [setting, value] of this.changedSettings) {
      await vscode.workspace.getConfiguration().update(setting, value, vscode.ConfigurationTarget.Global);
    }
    this.changedSettings.clear();
    this.current = path.join(this.root, String(Number(path.basename(this.current)) + 1));
    await closeEditors();
  }

  /** After the last test. */
  dispose(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }
}
