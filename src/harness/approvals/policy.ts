// What a tool call needs before it may run, and which edits may be accepted without being looked at. Only the user's
// settings and the workspace's trust decide: nothing that a model or a file says.
import type { JsonObject } from "../../shared/json.ts";
import type { Settings } from "../ports.ts";
import type { PathContext, Place } from "../tools/paths.ts";
import { locate } from "../tools/paths.ts";
import { isSensitivePath } from "./sensitive.ts";
import type { ApprovalRequest } from "./types.ts";

export interface PolicyContext extends PathContext {
  readonly settings: Settings;
}

export type ApprovalNeed = Pick<ApprovalRequest, "kind" | "title" | "subject" | "why">;

/** They read too, of many files at once; without a path only in the workspace. */
const searchTools = new Set(["grep", "find", "ls"]);

/**
 * Undefined: the call may run. Edits are never asked about here: their review is the approval. Throws a UserError for
 * a path that names no place.
 */
export async function approvalNeed(
  tool: string,
  args: JsonObject,
  context: PolicyContext,
): Promise<ApprovalNeed | undefined> {
  if (tool === "edit" || tool === "write") return undefined;
  if (tool === "bash")
    return commandNeed(typeof args["command"] === "string" ? args["command"] : "", context);
  const { path } = args;
  if (typeof path !== "string") return undefined;
  const place = await locate(path, context);
  if (place.inside) return undefined;
  return {
    kind: "read",
    title: searchTools.has(tool)
      ? "Search this place outside the workspace?"
      : "Read this file outside the workspace?",
    subject: place.path,
    why: "Reading is free only inside the workspace folders, and this is outside of them.",
  };
}

/** Whether an edit of this place is applied without review. */
export function acceptsEditsUnseen(place: Place, { settings, workspace }: PolicyContext): boolean {
  if (settings.current().approvalEdits !== "auto" || !workspace.trusted || !place.inside) return false;
  return !isSensitivePath(place.uri) && !isSensitivePath(place.realUri);
}

function commandNeed(command: string, { settings, workspace }: PolicyContext): ApprovalNeed | undefined {
  const auto = settings.current().approvalCommands === "auto";
  if (auto && workspace.trusted) return undefined;
  const why = auto
    ? "This workspace is not trusted, so commands ask whatever the setting says."
    : "Commands ask before they run.";
  return { kind: "command", title: "Run this command?", subject: command, why };
}
