// Which hunk is which after a proposal's text was typed into. Leaves to proposal.ts what that means for decisions.
import type { Hunk } from "./hunks.ts";
import { hunkEnd } from "./hunks.ts";
import { sameContent } from "./lines.ts";
import type { HunkStatus } from "./types.ts";

export interface DecidableHunk extends Hunk {
  readonly status: HunkStatus;
}

export interface HunkMatches<T> {
  /** For each new hunk the old one it is, if any. */
  readonly matches: readonly (T | undefined)[];
  /** Open hunks of which nothing is left. */
  readonly gone: ReadonlySet<T>;
}

/**
 * Both sides are computed on the same document. Equal hunks come first (rejected ones too: undoing a rejection brings
 * the hunk back), then those that replace some of the same lines.
 */
export function matchHunks<T extends DecidableHunk>(
  entries: readonly T[],
  hunks: readonly Hunk[],
): HunkMatches<T> {
  const taken = new Set<T>();
  const take = (entry: T | undefined): T | undefined => {
    if (entry !== undefined) taken.add(entry);
    return entry;
  };
  const candidates = entries.filter((entry) => entry.status !== "accepted");
  const open = candidates.filter((entry) => entry.status !== "rejected");
  const byStart = Map.groupBy(candidates, ({ start }) => start);
  const equal = hunks.map((hunk) =>
    take(byStart.get(hunk.start)?.find((entry) => !taken.has(entry) && isSame(entry, hunk))),
  );
  const matches = hunks.map(
    (hunk, i) => equal[i] ?? take(open.find((entry) => !taken.has(entry) && touches(entry, hunk))),
  );
  const gone = open.filter((entry) => !taken.has(entry) && !hunks.some((hunk) => touches(entry, hunk)));
  return { matches, gone: new Set(gone) };
}

/** For two that start at the same line. */
function isSame(entry: Hunk, hunk: Hunk): boolean {
  return sameContent(entry.oldLines, hunk.oldLines) && sameContent(entry.newLines, hunk.newLines);
}

function touches(a: Hunk, b: Hunk): boolean {
  if (a.oldLines.length > 0 && b.oldLines.length > 0) return a.start < hunkEnd(b) && b.start < hunkEnd(a);
  return a.start <= hunkEnd(b) && b.start <= hunkEnd(a);
}
