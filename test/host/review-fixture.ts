// A review with the real book, files and editor for the tests of it; what is left open is closed again.
import * as vscode from "vscode";
import { Proposals } from "../../src/harness/proposals/proposals.ts";
import type { ProposalOutcome } from "../../src/harness/proposals/review-log.ts";
import type { ProposalBook } from "../../src/harness/types.ts";
import { Emitter } from "../../src/shared/event.ts";
import { registerReviewCommands } from "../../src/ui/review/commands.ts";
import { ProposalReview } from "../../src/ui/review/review.ts";
import { closeEditors, until } from "./editors.ts";
import { FilesFixture } from "./files-fixture.ts";

/** Reins itself runs in the same window and owns its own scheme and commands. */
const testScheme = "reins-test-proposal";

/** A proposal that waits, and how it ends. */
export interface Waiting {
  readonly id: string;
  readonly outcome: Promise<ProposalOutcome>;
}

export class ReviewFixture {
  readonly disk = new FilesFixture();
  readonly book = new Proposals(this.disk.files);
  readonly errors: string[] = [];
  panelFocused = false;
  readonly review: ProposalReview;
  private readonly bookChanged = new Emitter<ProposalBook>();
  private readonly commands = new Map<string, (...args: unknown[]) => Promise<void>>();
  private readonly abort = new AbortController();

  constructor() {
    this.review = new ProposalReview({
      getBook: () => this.book,
      onDidChangeBook: this.bookChanged.event,
      log: { info: () => undefined, error: (text) => this.errors.push(text) },
      isPanelFocused: () => this.panelFocused,
      idleMs: 1_500,
      scheme: testScheme,
    });
    registerReviewCommands(this.review, (command, run) => {
      this.commands.set(command, run);
      return { dispose: () => this.commands.delete(command) };
    });
  }

  /** As a tool does: the text is the whole proposed text. */
  async propose(name: string, text: string): Promise<Waiting> {
    const uri = this.disk.uri(name).toString();
    const exists = (await this.disk.files.stat(uri)) !== undefined;
    const base = exists ? await this.disk.files.readText(uri) : undefined;
    const before = new Set(this.book.pending.map((each) => each.view.id));
    const outcome = this.book.propose(
      { toolCallId: `call-${name}`, uri, path: name, kind: exists ? "edit" : "create", base, text },
      { signal: this.abort.signal, auto: false, onChange: () => undefined },
    );
    const added = this.book.pending.find((each) => !before.has(each.view.id));
    if (!added) throw new Error("The proposal does not wait");
    return { id: added.view.id, outcome };
  }

  /** The editor of the proposed side, once it is shown. */
  async proposedEditor(id: string): Promise<vscode.TextEditor> {
    const find = () =>
      vscode.window.visibleTextEditors.find(
        ({ document }) => document.uri.scheme === testScheme && document.uri.query === id,
      );
    await until("the diff is shown", () => find() !== undefined);
    return find()!;
  }

  async lenses(id: string): Promise<vscode.CodeLens[]> {
    const { document } = await this.proposedEditor(id);
    return vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri);
  }

  async press(id: string, lens: string, nth = 0): Promise<void> {
    const found = (await this.lenses(id)).filter((each) => each.command?.title.includes(lens))[nth];
    if (!found?.command) throw new Error(`No lens "${lens}" (${nth})`);
    await this.run(found.command.command, ...(found.command.arguments as unknown[]));
  }

  async run(command: string, ...args: unknown[]): Promise<void> {
    await this.commands.get(command)?.(...args);
  }

  labels(): string[] {
    return vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
  }

  /** Of the editors that show proposals. */
  ownLabels(): string[] {
    return this.labels().filter((label) => label.includes("Reins"));
  }

  /** After each test: nothing waits, nothing is open. */
  async restore(): Promise<void> {
    this.panelFocused = false;
    for (const each of this.book.pending) await this.book.decide(each.view.id, { type: "rejectAll" });
    await until("our tabs are closed", () => this.ownLabels().length === 0);
    await this.disk.restore();
    await closeEditors();
  }

  dispose(): void {
    this.abort.abort();
    this.review.dispose();
    this.disk.dispose();
  }
}
