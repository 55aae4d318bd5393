// The editable side of a proposal's diff: an in-memory file system with one file per proposal, so that typing and
// saving there (auto-save too) never reaches the disk. What a change means is left to the proposal book.
import * as vscode from "vscode";
import { lineKey, splitLines } from "../../harness/proposals/lines.ts";
import type { OpenProposal, ProposalBook } from "../../harness/types.ts";
import type { ProposalUris } from "./proposal-uris.ts";

/** An UTF-8 mark, so that `files.encoding` and guessing cannot decode our bytes as anything else. */
const mark = "\uFEFF";

interface Entry {
  /** What VS Code compares to notice that a file changed. */
  modified: number;
  /** `modified` when VS Code last read or wrote it: what it believes to be on our disk. */
  known: number;
  /** The text is newer than what a clean document shows; VS Code has been told. */
  reloadDue: boolean;
  /** The text that VS Code read last. */
  given: string;
  /** The last text, which outlives the decision until its editor is closed. */
  text: string;
}

export class ProposalFiles implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly getBook: () => ProposalBook;
  private readonly uris: ProposalUris;
  private readonly entries = new Map<string, Entry>();
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  constructor(getBook: () => ProposalBook, uris: ProposalUris) {
    this.getBook = getBook;
    this.uris = uris;
  }

  /** Has VS Code load the proposal's text again. Only for a document without unsaved changes. */
  reload(proposal: OpenProposal): void {
    const entry = this.entryOf(proposal.view.id);
    if (!entry) return;
    entry.modified++;
    entry.reloadDue = true;
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri: this.uris.of(proposal) }]);
  }

  /** Whether a document's text is one that VS Code was given before the book's present one. */
  isOutdated(id: string, text: string): boolean {
    const entry = this.entries.get(id);
    return entry !== undefined && entry.reloadDue && sameText(entry.given, text);
  }

  /** The document shows the book's text, or the user typed first: then there is no newer text to warn of on saving. */
  reloadSettled(id: string, typedFirst: boolean): void {
    const entry = this.entries.get(id);
    if (!entry?.reloadDue) return;
    entry.reloadDue = false;
    if (typedFirst) entry.modified = entry.known;
  }

  /** Its editors are closed. */
  forget(id: string): void {
    this.entries.delete(id);
  }

  /** No editor shows settled ones any more. */
  forgetSettled(): void {
    for (const id of this.entries.keys()) {
      if (!this.getBook().get(id) && !this.uris.openDocument(id)) this.entries.delete(id);
    }
  }

  watch(): vscode.Disposable {
    return { dispose: () => undefined };
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const entry = this.require(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: entry.modified,
      size: encode(entry.text).byteLength,
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const entry = this.require(uri);
    entry.known = entry.modified;
    entry.given = entry.text;
    return encode(entry.text);
  }

  /** Saving changes nothing: the book has followed every keystroke. Only a write past the editor is news. */
  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const entry = this.require(uri);
    entry.known = ++entry.modified;
    const id = this.uris.idOf(uri);
    if (id === undefined || this.uris.openDocument(id)) return;
    this.getBook().proposedTextChanged(id, new TextDecoder().decode(content));
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.entries.clear();
    this.changed.dispose();
  }

  private require(uri: vscode.Uri): Entry {
    const id = this.uris.idOf(uri);
    const entry = id === undefined ? undefined : this.entryOf(id);
    if (!entry) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }

  private entryOf(id: string): Entry | undefined {
    const text = this.getBook().get(id)?.proposedText;
    const entry = this.entries.get(id);
    if (text === undefined) return entry;
    if (entry) {
      entry.text = text;
      return entry;
    }
    const created = { modified: 1, known: 1, reloadDue: false, given: text, text };
    this.entries.set(id, created);
    return created;
  }
}

/** Line endings apart: a document has only one kind. */
export function sameText(a: string, b: string): boolean {
  if (a === b) return true;
  const left = splitLines(a);
  const right = splitLines(b);
  return left.length === right.length && left.every((line, n) => lineKey(line) === lineKey(right[n] ?? ""));
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(mark + text);
}
