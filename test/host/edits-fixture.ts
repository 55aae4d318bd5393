// The tools that change files, in the real editor: called as the loop calls them, their proposals answered by the test,
// and what then is on disk, in the document and in the result for the model.
import fs from "node:fs";
import * as vscode from "vscode";
import { validateArguments } from "../../src/agent/validate.ts";
import { approvalNeed } from "../../src/harness/approvals/policy.ts";
import type { SettingsSnapshot } from "../../src/harness/ports.ts";
import { Proposals } from "../../src/harness/proposals/proposals.ts";
import type { ProposalDecision, ProposalView } from "../../src/harness/proposals/types.ts";
import { createTools } from "../../src/harness/tools/create-tools.ts";
import { ProblemSources } from "../../src/harness/tools/problem-watch.ts";
import { ReadRecords } from "../../src/harness/tools/read-records.ts";
import { errorText } from "../../src/shared/errors.ts";
import type { JsonObject } from "../../src/shared/json.ts";
import { memoryPorts, MemorySettings, MemoryWorkspace, MemoryWriter } from "../support/memory-ports.ts";
import { until } from "./editors.ts";
import { FilesFixture } from "./files-fixture.ts";

/** What the model gets. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

export interface Waiting {
  readonly id: string;
  readonly view: () => ProposalView | undefined;
  readonly answer: Promise<ToolAnswer>;
}

export class EditsFixture {
  readonly disk: FilesFixture;
  readonly book: Proposals;
  readonly settings = new MemorySettings();
  /** What the user was asked before a tool ran; the answer is always yes. */
  readonly asked: string[] = [];
  abort = new AbortController();
  private reads = new ReadRecords();
  private calls = 0;

  constructor(disk = new FilesFixture(), book = new Proposals(disk.files)) {
    this.disk = disk;
    this.book = book;
  }

  /** Of a name in the folder that the workspace is. */
  path(name: string): string {
    return this.disk.path(`work/${name}`);
  }

  uri(name: string): vscode.Uri {
    return vscode.Uri.file(this.path(name));
  }

  put(name: string, content: string | Uint8Array, mode?: number): string {
    return this.disk.put(`work/${name}`, content, mode);
  }

  bytes(name: string): Buffer {
    return fs.readFileSync(this.path(name));
  }

  text(name: string): string {
    return this.bytes(name).toString("utf8");
  }

  show(name: string): Promise<vscode.TextEditor> {
    return this.disk.show(`work/${name}`);
  }

  /** The open document of a file; undefined when there is none. */
  document(name: string): vscode.TextDocument | undefined {
    const key = this.uri(name).toString();
    return vscode.workspace.textDocuments.find((each) => !each.isClosed && each.uri.toString() === key);
  }

  /** In its editor, as the user would. */
  async type(name: string, at: vscode.Position, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(this.uri(name), at, text);
    if (!(await vscode.workspace.applyEdit(edit))) throw new Error(`Could not type into ${name}`);
  }

  configure(settings: Partial<SettingsSnapshot>): Promise<void> {
    return this.settings.update(settings);
  }

  /** Prepared, validated, asked for and executed; a throw becomes an error, as in the loop. */
  async call(name: string, args: JsonObject): Promise<ToolAnswer> {
    const context = this.context();
    const tool = createTools(context).find((each) => each.name === name);
    if (!tool) throw new Error(`No tool ${name}`);
    try {
      const validation = validateArguments(tool, tool.prepareArguments?.(args) ?? args);
      if (!validation.ok) throw new Error(validation.problem);
      const need = await approvalNeed(name, validation.args, context);
      if (need !== undefined) this.asked.push(need.title);
      const outcome = await tool.execute(validation.args, {
        toolCallId: `call${++this.calls}`,
        signal: this.abort.signal,
        onProgress: () => undefined,
        whileAsking: (pending) => pending,
      });
      const texts = outcome.content.map((block) => (block.type === "text" ? block.text : block.mimeType));
      return { text: texts.join("\n"), isError: outcome.isError === true };
    } catch (error) {
      return { text: errorText(error), isError: true };
    }
  }

  /** Calls a tool and resolves once its proposal waits. Throws with its answer when it makes none. */
  async propose(name: string, args: JsonObject): Promise<Waiting> {
    const before = new Set(this.book.pending.map((each) => each.view.id));
    let early: ToolAnswer | undefined;
    const answer = this.call(name, args);
    void answer.then((text) => (early = text));
    const find = () => this.book.pending.find((each) => !before.has(each.view.id))?.view.id;
    await until(`${name} proposes`, () => early !== undefined || find() !== undefined);
    const id = find();
    if (id === undefined) throw new Error(`No proposal: ${early?.text}`);
    return { id, view: () => this.book.get(id)?.view, answer };
  }

  decide(id: string, decision: ProposalDecision): Promise<void> {
    return this.book.decide(id, decision);
  }

  /** Calls a tool; its proposal, if it makes one, is accepted. One at a time for each path. */
  async accepted(name: string, args: JsonObject): Promise<ToolAnswer> {
    const asked = JSON.stringify(args["path"]);
    const decided = this.book.onDidChange((id) => {
      const path = this.book.get(id)?.view.path;
      if (path === undefined || !asked.endsWith(JSON.stringify(path).slice(1))) return;
      decided.dispose();
      // What could not be applied is in the answer once it is rejected.
      this.decide(id, { type: "acceptAll" }).catch(() => this.decide(id, { type: "rejectAll" }));
    });
    try {
      return await this.call(name, args);
    } finally {
      decided.dispose();
    }
  }

  edit(path: string, oldText: string, newText: string): Promise<ToolAnswer> {
    return this.accepted("edit", { path, edits: [{ oldText, newText }] });
  }

  /** After each test: nothing waits, nothing is open, nothing is known. */
  async restore(): Promise<void> {
    this.abort.abort();
    await until("nothing waits", () => this.book.pending.length === 0);
    this.abort = new AbortController();
    this.reads = new ReadRecords();
    this.asked.length = 0;
    await this.settings.update(new MemorySettings().current());
    await this.disk.restore();
  }

  dispose(): void {
    this.disk.dispose();
  }

  private context() {
    const folder = this.disk.uri("work");
    return {
      ...memoryPorts(),
      files: this.disk.files,
      workspace: new MemoryWorkspace([{ name: "work", uri: folder.toString(), path: folder.fsPath }]),
      settings: this.settings,
      proposals: this.book,
      reads: this.reads,
      problemSources: new ProblemSources(),
      writer: new MemoryWriter(),
    };
  }
}
