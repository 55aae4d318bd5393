// The URIs of proposed sides: the scheme says whose they are, the query which proposal, the path keeps name and language.
import * as vscode from "vscode";
import type { OpenProposal } from "../../harness/types.ts";

export class ProposalUris {
  readonly scheme: string;

  constructor(scheme: string) {
    this.scheme = scheme;
  }

  of(proposal: OpenProposal): vscode.Uri {
    const { path } = vscode.Uri.parse(proposal.view.uri);
    return vscode.Uri.from({
      scheme: this.scheme,
      path: path.startsWith("/") ? path : `/${path}`,
      query: proposal.view.id,
    });
  }

  /** The proposal that a document belongs to; undefined for other documents. */
  idOf(uri: vscode.Uri): string | undefined {
    return uri.scheme === this.scheme ? uri.query : undefined;
  }

  /** The editable document of a proposal, if it is open. */
  openDocument(id: string): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find((each) => !each.isClosed && this.idOf(each.uri) === id);
  }
}
