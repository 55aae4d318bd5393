// What a tool call needs before it may run, and which edits may be accepted without being looked at. Only the user's
// settings, their `.reinsignore` and the workspace's trust decide: nothing that a model or another file says.
import { URI } from "vscode-uri";
import { UserError } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { EditMode, Settings } from "../ports.ts";
import { wayDown } from "../search/scope.ts";
import type { PathContext, Place } from "../tools/paths.ts";
import { folderOf, locate } from "../tools/paths.ts";
import type { Removable } from "../tools/removable.ts";
import { checkDelete, checkMove } from "../tools/removable.ts";
import { AgentIgnore, agentIgnoreFile } from "./agent-ignore.ts";
import type { PathRule } from "./rules.ts";
import { readApprovalRules, ruleFor } from "./rules.ts";
import { isSecretPath } from "./secret-files.ts";
import { isSensitivePath } from "./sensitive.ts";
import type { ApprovalRequest } from "./types.ts";

export interface PolicyContext extends PathContext {
  readonly settings: Settings;
  /** Whether a change of the file at this URI waits for review. Default: none does. */
  readonly waits?: (uri: string) => boolean;
}

export type ApprovalNeed = Pick<ApprovalRequest, "kind" | "title" | "subject" | "why">;

/** They read too, of many files at once; without a path only in the workspace. */
const searchTools = new Set(["grep", "find", "ls"]);
const editTools = new Set(["edit", "write"]);

/**
 * Undefined: the call may run. Edits are never asked about here: their review is the approval. Throws a UserError for
 * a path that names no place, for one that is not the agent's to read or to change, and for what cannot be deleted or
 * moved.
 */
export async function approvalNeed(
  tool: string,
  args: JsonObject,
  context: PolicyContext,
): Promise<ApprovalNeed | undefined> {
  if (tool === "bash")
    return commandNeed(typeof args["command"] === "string" ? args["command"] : "", context);
  if (tool === "delete") return fileNeed(tool, [args["path"]], context);
  if (tool === "move") return fileNeed(tool, [args["from"], args["to"]], context);
  const { path } = args;
  if (typeof path !== "string") return undefined;
  const place = await locate(path, context);
  await refuseIgnored(place, context);
  const rule = ruleOf(place, context);
  if (editTools.has(tool)) return refuseEdit(place, rule);
  return readNeed(tool, place, rule);
}

/** How an edit of this place is reviewed. `auto`: not at all, it is applied unseen. */
export function editMode(place: Place, context: PolicyContext): EditMode {
  const { settings, workspace } = context;
  const { edits = settings.current().approvalEdits } = ruleOf(place, context);
  if (edits === "later") return "later";
  const unseen = edits === "auto" && workspace.trusted && place.inside && !isProtected(place);
  return unseen ? "auto" : "ask";
}

/** Always looked at: what runs later without anyone opening it, and what holds keys. */
function isProtected({ uri, realUri }: Place): boolean {
  return [uri, realUri].some((each) => isSensitivePath(each) || isSecretPath(each));
}

async function refuseIgnored(place: Place, context: PolicyContext): Promise<void> {
  const rule = await new AgentIgnore(context).rule(place);
  if (rule === undefined) return;
  throw new UserError(
    `${place.path} is kept from you by the user's ${agentIgnoreFile} (rule "${rule}"). Go on without it, or ask the user.`,
  );
}

function refuseEdit({ path, uri, realUri }: Place, { edits }: Omit<PathRule, "glob">): undefined {
  if ([uri, realUri].some((each) => URI.parse(each).path.toLowerCase().split("/").includes(".git"))) {
    throw new UserError(
      `${path} belongs to git's own files, which are never edited. Use git commands for that.`,
    );
  }
  if (edits === "refuse") {
    throw new UserError(
      `The user's settings (reins.approval.rules) refuse changes of ${path}. Go on without it.`,
    );
  }
  return undefined;
}

/** Deleting and moving have no proposal that could be reviewed, so the call itself is asked about. */
async function fileNeed(
  kind: "delete" | "move",
  paths: readonly unknown[],
  context: PolicyContext,
): Promise<ApprovalNeed | undefined> {
  const places: Place[] = [];
  for (const path of paths) {
    if (typeof path !== "string") return undefined;
    const place = await locate(path, context);
    await refuseIgnored(place, context);
    refuseEdit(place, ruleOf(place, context));
    if (context.waits?.(place.uri) === true) {
      throw new UserError(
        `A change of ${place.path} waits for the user's review. It can be deleted or moved when they have decided.`,
      );
    }
    places.push(place);
  }
  const [from, to] = places;
  if (from === undefined) return undefined;
  const found = to === undefined ? await checkDelete(from, context) : await checkMove(from, to, context);
  // At another place it could be read without asking.
  const guarded = to !== undefined && readNeed("read", from, ruleOf(from, context)) !== undefined;
  if (!guarded && places.every((place) => editMode(place, context) === "auto")) return undefined;
  const outside = places.every(({ inside }) => inside) ? "" : " outside the workspace";
  return {
    kind,
    title: `${kind === "delete" ? "Delete" : "Move"} this ${found.what}${outside}?`,
    subject: places.map(({ path }) => path).join("\n→ "),
    why: fileWhy(kind, found, guarded),
  };
}

function fileWhy(kind: "delete" | "move", { size }: Removable, guarded: boolean): string {
  const has = size === "" ? "There is nothing in it." : `It has ${size}.`;
  if (guarded) return `${has} It is not read without asking where it is; at its new place it may be.`;
  return kind === "delete" ? has : `${has} Its content stays as it is.`;
}

function readNeed(tool: string, place: Place, { reads }: Omit<PathRule, "glob">): ApprovalNeed | undefined {
  const { path, uri, realUri, inside } = place;
  if (reads === "refuse")
    throw new UserError(
      `The user's settings (reins.approval.rules) refuse reading ${path}. Go on without it.`,
    );
  const what = searchTools.has(tool) ? "Search this place" : "Read this file";
  const ask = (title: string, why: string): ApprovalNeed => ({ kind: "read", title, subject: path, why });
  if (!inside) {
    const why = "Reading is free only inside the workspace folders, and this is outside of them.";
    return ask(`${what} outside the workspace?`, why);
  }
  if (reads === "allow") return undefined;
  if ([uri, realUri].some(isSecretPath))
    return ask(`${what}, which may hold secrets?`, "What is read goes to the model's provider.");
  if (reads === "ask") return ask(`${what}?`, "Your rules (reins.approval.rules) say to ask for it.");
  return undefined;
}

function ruleOf({ uri, inside }: Place, { settings, workspace }: PolicyContext): Omit<PathRule, "glob"> {
  const folder = inside ? folderOf(uri, workspace) : undefined;
  if (folder === undefined) return {};
  const { rules } = readApprovalRules(settings.current().approvalRules);
  const path = wayDown(folder.uri, uri);
  return ruleFor(rules, path);
}

function commandNeed(command: string, { settings, workspace }: PolicyContext): ApprovalNeed | undefined {
  const auto = settings.current().approvalCommands === "auto";
  if (auto && workspace.trusted) return undefined;
  const why = auto
    ? "This workspace is not trusted, so commands ask whatever the setting says."
    : "Commands ask before they run.";
  return { kind: "command", title: "Run this command?", subject: command, why };
}
