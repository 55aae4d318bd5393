// The commands of the review: each acts on the proposal and hunk it is given by a lens, else on those at the cursor.
import * as vscode from "vscode";
import type { OpenProposal } from "../../harness/types.ts";
import type { Disposable } from "../../shared/disposable.ts";
import { DisposableStore } from "../../shared/disposable.ts";
import { commandIds } from "../contributions.ts";
import { isByKey } from "../key-guard.ts";
import type { CursorPlace } from "./hunk-navigation.ts";
import { hunkAt, neighbourHunk } from "./hunk-navigation.ts";
import type { ProposalReview } from "./review.ts";

type Register = (command: string, run: (...args: unknown[]) => Promise<void>) => Disposable;

/** Accept, reject, next and previous. `registerCommand` is VS Code's unless a test collects them. */
export function registerReviewCommands(
  review: ProposalReview,
  registerCommand: Register = vscode.commands.registerCommand,
): Disposable {
  const store = new DisposableStore();
  const register: Register = (command, run) => store.add(registerCommand(command, run));
  register(commandIds.acceptHunk, (...args) => decideHunk(review, "acceptHunk", args));
  register(commandIds.rejectHunk, (...args) => decideHunk(review, "rejectHunk", args));
  register(commandIds.acceptAllHunks, (...args) => decideAll(review, "acceptAll", args));
  register(commandIds.rejectAllHunks, (...args) => decideAll(review, "rejectAll", args));
  register(commandIds.reviewAll, () => review.openAll());
  register(commandIds.acceptAllFiles, () => decideFiles(review, "acceptAll"));
  register(commandIds.rejectAllFiles, () => decideFiles(review, "rejectAll"));
  register(commandIds.nextHunk, () => go(review, "next"));
  register(commandIds.previousHunk, () => go(review, "previous"));
  return store;
}

async function decideHunk(
  review: ProposalReview,
  type: "acceptHunk" | "rejectHunk",
  args: readonly unknown[],
): Promise<void> {
  const [id, hunkId] = args;
  if (isByKey(id) && !review.front.takeKey()) return;
  if (typeof id === "string" && typeof hunkId === "string") return review.decide(id, { type, hunkId });
  const cursor = cursorPlace(review);
  const proposal = cursor && review.book.get(cursor.id);
  const hunk = proposal && hunkAt(proposal, cursor);
  // Nothing is decided on unseen: from elsewhere the command shows what there is to decide.
  if (!hunk) return go(review, "next");
  if (!review.tabs.isActive(cursor.id)) return review.open(cursor.id, hunk.id);
  await review.decide(cursor.id, { type, hunkId: hunk.id });
}

async function decideAll(
  review: ProposalReview,
  type: "acceptAll" | "rejectAll",
  args: readonly unknown[],
): Promise<void> {
  if (typeof args[0] === "string") return review.decide(args[0], { type });
  const id = review.tabs.activeId() ?? cursorPlace(review)?.id;
  if (id === undefined || !review.tabs.isActive(id)) return go(review, "next");
  await review.decide(id, { type });
}

/** Nothing is decided on unseen: only what the editor in front shows, else it is shown first. */
async function decideFiles(review: ProposalReview, type: "acceptAll" | "rejectAll"): Promise<void> {
  const shown = review.tabs.activeTogether().filter((id) => review.book.get(id));
  if (shown.length === 0) return review.openAll();
  for (const id of shown) await review.decide(id, { type });
}

async function go(review: ProposalReview, direction: "next" | "previous"): Promise<void> {
  const target = neighbourHunk(review.book.pending, cursorPlace(review), direction);
  if (target) await review.open(target.id, target.hunkId);
}

/** Where the user is in a proposal: on either side of its diff, or in the file itself. */
function cursorPlace(review: ProposalReview): CursorPlace | undefined {
  const editor = vscode.window.activeTextEditor;
  const shown = review.tabs.activeId();
  if (editor) {
    const line = editor.selection.active.line + 1;
    const id = review.uris.idOf(editor.document.uri);
    if (id !== undefined) return { id, line, side: "proposed" };
    const proposal = proposalOfFile(review.book.pending, editor.document.uri, shown);
    if (proposal) return { id: proposal.view.id, line, side: "document" };
  }
  return shown === undefined ? undefined : { id: shown, line: undefined, side: "proposed" };
}

function proposalOfFile(
  pending: readonly OpenProposal[],
  uri: vscode.Uri,
  shown: string | undefined,
): OpenProposal | undefined {
  const key = uri.toString();
  const ofFile = pending.filter((each) => vscode.Uri.parse(each.view.uri).toString() === key);
  return ofFile.find((each) => each.view.id === shown) ?? ofFile[0];
}
