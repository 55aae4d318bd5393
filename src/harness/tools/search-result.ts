// What the search tools have in common in their results: the limits, and the notices about what is not in them.
import type { ToolOutcome } from "../../agent/types.ts";
import type { SearchContext, SearchCount } from "../search/search.ts";
import type { SearchDetails } from "./details.ts";
import { cutHead, formatBytes, maxResultBytes } from "./truncate.ts";

/** More than this of anything is not asked for, whatever `limit` says. */
export const highestLimit = 10_000;
/** Kept for the panel, of each result. */
export const shownHits = 50;

export interface SearchText {
  readonly lines: readonly string[];
  /** Each stands below the lines in brackets. */
  readonly notices: readonly string[];
  readonly details: SearchDetails;
}

/** Cut at 50 KiB or 2,000 lines, which is said. */
export function searchOutcome({ lines, notices, details }: SearchText): ToolOutcome {
  const cut = cutHead(lines);
  const missing = lines.length - cut.lines.length;
  const limit = cut.by === "bytes" ? `${formatBytes(maxResultBytes)} limit` : "2000 lines limit";
  const all = [
    ...(missing > 0 ? [`${limit}: ${missing} more lines were found. Narrow the search.`] : []),
    ...notices,
  ].map((notice) => `[${notice}]`);
  const text = [...cut.lines, ...(all.length > 0 ? ["", ...all] : [])].join("\n").toWellFormed();
  return { content: [{ type: "text", text }], details };
}

/** About reaching `limit`, and about what was not looked into. */
export function countNotices({ more, skipped }: SearchCount, limit: number, narrower: string): string[] {
  const next =
    limit < highestLimit ? `Use limit=${Math.min(limit * 2, highestLimit)} for more, or ` : "Give ";
  return [
    ...(more ? [`The first ${limit}; there are more. ${next}${narrower}.`] : []),
    ...(skipped.length > 0 ? [`Not searched: ${skipped.join("; ")}.`] : []),
  ];
}

/** Why a search that found nothing may have missed something. */
export function ignoredNotice({ search, workspace }: Pick<SearchContext, "search" | "workspace">): string {
  const excludes = [...new Set(workspace.folders.flatMap(({ uri }) => search.excludes(uri)))];
  const settings = excludes.length > 0 ? `, the settings leave out ${excludes.slice(0, 12).join(" ")}` : "";
  return `Ignore files such as .gitignore count${settings}; binary files, links and .git are skipped. To search an ignored folder, name it as path.`;
}
