// Which hunk is meant: the one at the cursor, the next, the previous, across all proposals. Pure.
import { isOpen } from "../../harness/proposals/proposal.ts";
import type { OpenProposal } from "../../harness/types.ts";
import type { HunkView } from "../../harness/proposals/types.ts";

export interface HunkRef {
  readonly id: string;
  readonly hunkId: string;
}

/** Where the cursor is. Lines are 1-based. */
export interface CursorPlace {
  readonly id: string;
  /** Undefined: nowhere in particular, so before the first hunk. */
  readonly line: number | undefined;
  readonly side: "proposed" | "document";
}

/** The hunks that are not decided yet. */
export function openHunks(proposal: OpenProposal): readonly HunkView[] {
  return proposal.view.hunks.filter(isOpen);
}

/** The open hunk at the cursor, else the nearest one of the same proposal; the earlier of two equally near. */
export function hunkAt(proposal: OpenProposal, cursor: CursorPlace): HunkView | undefined {
  const distance = (hunk: HunkView): number => {
    const { first, last } = linesOf(hunk, cursor.side);
    const line = cursor.line ?? 1;
    return line < first ? first - line : Math.max(0, line - last);
  };
  return [...openHunks(proposal)].sort((a, b) => distance(a) - distance(b))[0];
}

/** The open hunk after (or before) the cursor, through all proposals and around. */
export function neighbourHunk(
  pending: readonly OpenProposal[],
  cursor: CursorPlace | undefined,
  direction: "next" | "previous",
): HunkRef | undefined {
  const all = pending.flatMap((proposal) =>
    openHunks(proposal).map((hunk) => ({ id: proposal.view.id, hunk })),
  );
  const ordered = direction === "next" ? all : all.reverse();
  const found = ordered.find(({ id, hunk }) => cursor && isBeyond(pending, { id, hunk }, cursor, direction));
  const { id, hunk } = found ?? ordered[0] ?? {};
  return id === undefined || hunk === undefined ? undefined : { id, hunkId: hunk.id };
}

function isBeyond(
  pending: readonly OpenProposal[],
  { id, hunk }: { readonly id: string; readonly hunk: HunkView },
  cursor: CursorPlace,
  direction: "next" | "previous",
): boolean {
  const indexOf = (wanted: string) => pending.findIndex((each) => each.view.id === wanted);
  const files = indexOf(id) - indexOf(cursor.id);
  if (files !== 0) return direction === "next" ? files > 0 : files < 0;
  if (cursor.line === undefined) return direction === "next";
  const { first, last } = linesOf(hunk, cursor.side);
  return direction === "next" ? first > cursor.line : last < cursor.line;
}

/** A hunk without lines on one side is where they would be. */
function linesOf(
  hunk: HunkView,
  side: CursorPlace["side"],
): { readonly first: number; readonly last: number } {
  const first = side === "proposed" ? hunk.proposedLine : hunk.line;
  const count = side === "proposed" ? hunk.newLines.length : hunk.oldLines.length;
  return { first, last: first + Math.max(1, count) - 1 };
}
