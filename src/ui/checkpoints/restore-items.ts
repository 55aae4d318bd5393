// What the list of a restore says of each file, and of those that cannot be put back. Pure.
import type { PlannedFile, RestorePlan } from "../../harness/checkpoints/types.ts";

export interface RestoreItem {
  readonly file: PlannedFile;
  readonly label: string;
  readonly description: string;
  /** Why it is not chosen by itself. */
  readonly detail?: string;
  readonly picked: boolean;
}

/** Files that only Reins changed are chosen; what somebody else did since stays unless the user chooses otherwise. */
export function restoreItems({ files }: RestorePlan): readonly RestoreItem[] {
  return files.map((file) => {
    const detail = warning(file);
    return {
      ...{ file, label: file.path, description: descriptions[file.action] },
      ...(detail !== undefined && { detail }),
      picked: detail === undefined,
    };
  });
}

/** Undefined when everything can be put back. */
export function uncoveredText({ uncovered, more }: RestorePlan): string | undefined {
  const byCommand = uncovered.filter(({ why }) => why === "command").map(({ path }) => path);
  const lost = uncovered.filter(({ why }) => why === "removed").map(({ path }) => path);
  const unreadable = uncovered.filter(({ why }) => why === "unreadable").map(({ path }) => path);
  const parts = [
    ...named("Changed by commands, cannot be restored", byCommand, more),
    ...named("No copy is kept any more of", lost),
    ...named("Cannot be read now", unreadable),
  ];
  return parts.length === 0 ? undefined : parts.join(" · ");
}

const descriptions = {
  change: "will be changed back",
  create: "will be created again",
  delete: "will be deleted",
} as const;

const shownPaths = 8;

function warning({ changedSince, unsaved, action }: PlannedFile): string | undefined {
  const end = action === "delete" ? "is deleted with it" : "is replaced";
  if (unsaved)
    return `Has unsaved changes. Keep mine unless chosen: then what you typed ${end}; undo brings it back.`;
  if (changedSince)
    return `Was changed since by you or a program. Keep mine unless chosen: then that ${end}.`;
  return undefined;
}

/** `more`: files beyond those that have a name. */
function named(what: string, paths: readonly string[], more = 0): string[] {
  const shown = paths.slice(0, shownPaths);
  const rest = paths.length - shown.length + more;
  if (shown.length + rest === 0) return [];
  return [`${what}: ${[...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(", ")}`];
}
