// The tabs that show proposals: which there are, and closing them without a question. Leaves opening to review.ts.
import * as vscode from "vscode";
import type { ProposalUris } from "./proposal-uris.ts";

/** The title of the editor that shows several proposals together; VS Code adds how many files there are. */
export const togetherTitle = "Proposed by Reins";

export class ProposalTabs {
  private readonly uris: ProposalUris;
  /** What `together` shows. */
  inTogether: readonly string[] = [];

  constructor(uris: ProposalUris) {
    this.uris = uris;
  }

  /** In every editor group. */
  all(): { readonly tab: vscode.Tab; readonly id: string }[] {
    return vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .flatMap((tab) => {
        const id = this.idOf(tab);
        return id === undefined ? [] : [{ tab, id }];
      });
  }

  /** The proposal in front of the user in the active editor group. */
  activeId(): string | undefined {
    return this.idOf(vscode.window.tabGroups.activeTabGroup.activeTab);
  }

  /** Whether a proposal is in front of the user, alone or together with others. */
  isActive(id: string): boolean {
    return this.activeId() === id || this.activeTogether().includes(id);
  }

  /** The proposals in the active editor where it shows several together. */
  activeTogether(): readonly string[] {
    return isTogether(vscode.window.tabGroups.activeTabGroup.activeTab) ? this.inTogether : [];
  }

  /** The editors that show several together. */
  together(): vscode.Tab[] {
    return vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isTogether);
  }

  async closeTogether(preserveFocus: boolean): Promise<void> {
    await vscode.window.tabGroups.close(this.together(), preserveFocus);
  }

  /** The proposal a tab shows, as a diff or alone; undefined for other tabs. */
  idOf(tab: vscode.Tab | undefined): string | undefined {
    const input = tab?.input;
    if (input instanceof vscode.TabInputTextDiff) return this.uris.idOf(input.modified);
    return input instanceof vscode.TabInputText ? this.uris.idOf(input.uri) : undefined;
  }

  /** Closes a settled proposal's tabs. */
  async close(id: string, preserveFocus: boolean): Promise<void> {
    const document = this.uris.openDocument(id);
    // What is typed there has been decided on; saved to our own file system, its tab closes without asking.
    if (document?.isDirty) await document.save();
    const tabs = this.all().flatMap((each) => (each.id === id ? [each.tab] : []));
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, preserveFocus);
  }
}

/** The stable API tells neither its kind nor its files. */
function isTogether(tab: vscode.Tab | undefined): boolean {
  const other = tab?.input instanceof vscode.TabInputText || tab?.input instanceof vscode.TabInputTextDiff;
  return tab?.label.startsWith(togetherTitle) === true && !other;
}
