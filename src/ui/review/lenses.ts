// Accept and reject above each open hunk, and for the whole file at its top, on the proposed side.
import * as vscode from "vscode";
import type { HunkView } from "../../harness/proposals/types.ts";
import type { OpenProposal, ProposalBook } from "../../harness/types.ts";
import { commandIds } from "../contributions.ts";
import { openHunks } from "./hunk-navigation.ts";
import type { ProposalUris } from "./proposal-uris.ts";

export class ReviewLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly getBook: () => ProposalBook;
  private readonly uris: ProposalUris;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly registration: vscode.Disposable;

  constructor(getBook: () => ProposalBook, uris: ProposalUris) {
    this.uris = uris;
    this.getBook = getBook;
    this.registration = vscode.languages.registerCodeLensProvider({ scheme: uris.scheme }, this);
  }

  /** Hunks were decided, or moved. */
  refresh(): void {
    this.changed.fire();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const id = this.uris.idOf(document.uri);
    const proposal = id === undefined ? undefined : this.getBook().get(id);
    if (!proposal) return [];
    return [
      ...fileLenses(proposal),
      ...openHunks(proposal).flatMap((hunk) => hunkLenses(proposal.view.id, hunk, document.lineCount)),
    ];
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}

function fileLenses(proposal: OpenProposal): vscode.CodeLens[] {
  const { id, hunks } = proposal.view;
  const open = openHunks(proposal).length;
  if (open === 0 || hunks.length < 2) return [];
  const top = new vscode.Range(0, 0, 0, 0);
  return [
    lens(top, `$(check-all) Accept ${open === 1 ? "the Last Hunk" : `All ${open} Hunks`}`, {
      command: commandIds.acceptAllHunks,
      arguments: [id],
    }),
    lens(top, "$(close-all) Reject All", { command: commandIds.rejectAllHunks, arguments: [id] }),
  ];
}

function hunkLenses(id: string, hunk: HunkView, lineCount: number): vscode.CodeLens[] {
  const line = Math.max(0, Math.min(hunk.proposedLine, lineCount) - 1);
  const at = new vscode.Range(line, 0, line, 0);
  const decide = { arguments: [id, hunk.id] };
  const accept = hunk.status === "conflict" ? "Accept over Your Change" : "Accept";
  const reject = hunk.status === "conflict" ? "Reject, Keep Your Change" : "Reject";
  return [
    ...(hunk.status === "conflict" ? [lens(at, "$(warning) Overlaps your change", { command: "" })] : []),
    lens(at, `$(check) ${accept}`, { command: commandIds.acceptHunk, ...decide }),
    lens(at, `$(close) ${reject}`, { command: commandIds.rejectHunk, ...decide }),
  ];
}

function lens(
  range: vscode.Range,
  title: string,
  command: { readonly command: string; readonly arguments?: unknown[] },
): vscode.CodeLens {
  return new vscode.CodeLens(range, { title, ...command });
}
