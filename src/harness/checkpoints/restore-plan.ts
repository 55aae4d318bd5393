// What putting files back to a point would change: compares what they were with what they are. Changes nothing.
import { UserError } from "../../shared/errors.ts";
import type { FileImages, Workspace } from "../ports.ts";
import { shownPath } from "../tools/paths.ts";
import type { ChangeHistory, FileChange } from "./history.ts";
import type { ImageStore } from "./image-store.ts";
import { sha256 } from "./sha256.ts";
import type { PlannedFile, RestorePlan, RestorePoint } from "./types.ts";

export interface PlanContext {
  readonly images: FileImages;
  readonly workspace: Workspace;
  readonly history: ChangeHistory;
  readonly store: ImageStore;
}

type Uncovered = RestorePlan["uncovered"][number];

/** Rejects with a UserError when there is no such point in this session. */
export async function planRestore(point: RestorePoint, context: PlanContext): Promise<RestorePlan> {
  const { history } = context;
  const changes = point.type === "message" ? history.since(point.id) : history.ofRestore(point.id);
  if (changes === undefined || (point.type === "restore" && changes.length === 0))
    throw new UserError("This session has no such message any more. Choose another one to restore to.");
  const files: PlannedFile[] = [];
  const uncovered: Uncovered[] = [];
  for (const first of firstChanges(changes)) {
    const planned = await planFile(first, context);
    if (planned === undefined) continue;
    if ("why" in planned) uncovered.push(planned);
    else files.push(planned);
  }
  const byPath = (a: { readonly path: string }, b: { readonly path: string }) => (a.path < b.path ? -1 : 1);
  const more = point.type === "message" ? history.moreSince(point.id) : 0;
  return { point, files: files.sort(byPath), uncovered: uncovered.sort(byPath), more };
}

/** The first change of each file: what the file was before it is what it was at the point. */
export function firstChanges(changes: readonly FileChange[]): Iterable<FileChange> {
  const firsts = new Map<string, FileChange>();
  for (const change of changes) if (!firsts.has(change.realUri)) firsts.set(change.realUri, change);
  return firsts.values();
}

/** Undefined: it is what it was. */
async function planFile(
  { uri, realUri, before, byCommand }: FileChange,
  { images, workspace, history, store }: PlanContext,
): Promise<PlannedFile | Uncovered | undefined> {
  const path = shownPath(uri, workspace);
  if (before === undefined) return { uri, path, why: byCommand ? "command" : "removed" };
  const image = await images.read(uri).catch(() => "unreadable" as const);
  if (image === "unreadable") return { uri, path, why: image };
  const now = image === undefined ? null : await sha256(image.bytes);
  const then = before === null ? null : before.hash;
  if (now === then) return undefined;
  if (then !== null && (await store.read(then)) === undefined) return { uri, path, why: "removed" };
  return {
    ...{ uri, path, now, then },
    action: then === null ? "delete" : now === null ? "create" : "change",
    changedSince: history.last(realUri)?.after !== now,
    unsaved: image?.dirty ?? false,
  };
}
