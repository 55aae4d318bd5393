// Opens the diffs of proposals: one alone, or several together. When and where is decided by others.
import * as vscode from "vscode";
import type { OpenProposal } from "../../harness/types.ts";
import { emptySchemeOf } from "./empty-document.ts";
import { openHunks } from "./hunk-navigation.ts";
import type { ProposalUris } from "./proposal-uris.ts";
import type { ProposalTabs } from "./tabs.ts";
import { togetherTitle } from "./tabs.ts";

export interface OpenOptions {
  /** Default: the first open one. */
  readonly hunkId?: string | undefined;
  readonly preserveFocus: boolean;
  /** Where it is not shown already; default: the active editor group. */
  readonly column?: vscode.ViewColumn;
}

export class ProposalEditors {
  private readonly uris: ProposalUris;
  private readonly tabs: ProposalTabs;

  constructor(uris: ProposalUris, tabs: ProposalTabs) {
    this.uris = uris;
    this.tabs = tabs;
  }

  async show(proposal: OpenProposal, options: OpenOptions): Promise<void> {
    const { id } = proposal.view;
    const hunks = openHunks(proposal);
    const hunk = hunks.find((each) => each.id === options.hunkId) ?? hunks[0];
    const line = Math.max(0, (hunk?.proposedLine ?? 1) - 1);
    const shownIn = this.tabs.all().find((each) => each.id === id)?.tab.group.viewColumn;
    await vscode.commands.executeCommand(
      "vscode.diff",
      this.leftUri(proposal),
      this.uris.of(proposal),
      `${nameOf(proposal)} (proposed by Reins)`,
      {
        preview: false,
        preserveFocus: options.preserveFocus,
        viewColumn: shownIn ?? options.column ?? vscode.ViewColumn.Active,
        selection: new vscode.Range(line, 0, line, 0),
      } satisfies vscode.TextDocumentShowOptions,
    );
  }

  /** In one editor, with the focus: VS Code has no way to leave it where it is. */
  async showTogether(proposals: readonly OpenProposal[]): Promise<void> {
    this.tabs.inTogether = proposals.map(({ view }) => view.id);
    await vscode.commands.executeCommand(
      "vscode.changes",
      togetherTitle,
      proposals.map((each) => [this.uris.of(each), this.leftUri(each), this.uris.of(each)]),
    );
  }

  /** The live document, or an empty one while there is none. */
  private leftUri(proposal: OpenProposal): vscode.Uri {
    const isNew = proposal.view.kind === "create" && proposal.documentText === "";
    return isNew
      ? this.uris.of(proposal).with({ scheme: emptySchemeOf(this.uris.scheme) })
      : vscode.Uri.parse(proposal.view.uri);
  }
}

function nameOf(proposal: OpenProposal): string {
  const { path } = vscode.Uri.parse(proposal.view.uri);
  return path.slice(path.lastIndexOf("/") + 1);
}
