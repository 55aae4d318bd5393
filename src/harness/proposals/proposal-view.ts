// A proposal's state as others are shown it: lines without line ends, 1-based, with what is around them.
import { lineText } from "./lines.ts";
import type { HunkEntry, ProposalState } from "./proposal.ts";
import { isOpen } from "./proposal.ts";
import type { HunkView, ProposalView } from "./types.ts";

const contextLines = 3;

export type ProposalLabel = Pick<ProposalView, "id" | "toolCallId" | "uri" | "path" | "kind">;

/** `added` and `removed` count every hunk, whatever was decided on it. */
export function viewProposal(label: ProposalLabel, state: ProposalState, cancelled: boolean): ProposalView {
  const open = state.entries.some(isOpen);
  return {
    ...label,
    added: count(state.entries, (entry) => entry.newLines.length),
    removed: count(state.entries, (entry) => entry.oldLines.length),
    hunks: viewHunks(state),
    state: !open ? "done" : cancelled ? "cancelled" : "pending",
  };
}

function viewHunks(state: ProposalState): HunkView[] {
  let shift = 0;
  return state.entries.map((entry) => {
    const view = viewHunk(state.document, entry, shift);
    if (isOpen(entry)) shift += entry.newLines.length - entry.oldLines.length;
    return view;
  });
}

function viewHunk(document: readonly string[], entry: HunkEntry, shift: number): HunkView {
  const end = entry.start + entry.oldLines.length;
  const around = entry.decided ?? {
    line: entry.start,
    before: document.slice(Math.max(0, entry.start - contextLines), entry.start),
    after: document.slice(end, end + contextLines),
  };
  return {
    id: entry.id,
    status: entry.status,
    line: around.line + 1,
    proposedLine: entry.start + shift + 1,
    oldLines: entry.oldLines.map(lineText),
    newLines: entry.newLines.map(lineText),
    before: around.before.map(lineText),
    after: around.after.map(lineText),
    ...(entry.reason !== undefined && { reason: entry.reason }),
    ...(entry.userEdited && { userEdited: true }),
  };
}

function count(entries: readonly HunkEntry[], lines: (entry: HunkEntry) => number): number {
  return entries.reduce((sum, entry) => sum + lines(entry), 0);
}
