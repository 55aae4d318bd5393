// The ls tool: what is in a folder, ignored or not.
import { Type } from "@sinclair/typebox";
import type { AgentTool, ToolOutcome } from "../../agent/types.ts";
import { withoutIgnored } from "../approvals/hidden.ts";
import { UserError } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { FolderEntry } from "../ports.ts";
import { uriIn } from "../search/scope.ts";
import type { SearchDetails, SearchHit } from "./details.ts";
import type { PathContext } from "./paths.ts";
import { shownPath } from "./paths.ts";
import { searchStart, withoutEmptyPath } from "./search-places.ts";
import { countNotices, highestLimit, searchOutcome, shownHits } from "./search-result.ts";
import { plainNumbers, typedArguments } from "./tool-arguments.ts";

const parameters = Type.Object({
  path: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: "Default 500" })),
});

const defaultLimit = 500;

export function createLsTool(context: PathContext): AgentTool {
  return {
    name: "ls",
    label: "List",
    description: "List a folder; names of folders end in /.",
    parameters,
    prepareArguments: (args) => withoutEmptyPath(plainNumbers(args, ["limit"])),
    execute: (args) => list(context, args),
  };
}

async function list(context: PathContext, args: JsonObject): Promise<ToolOutcome> {
  const { path, ...given } = typedArguments(parameters, args);
  const limit = Math.min(given.limit ?? defaultLimit, highestLimit);
  const { places, shown } = await searchStart(path, context);
  const [place] = places;
  if (place === undefined || !place.isFolder) {
    throw new UserError(`${shown} is a file, not a folder. Use read to look at it, or list its folder.`);
  }
  const all =
    places.length > 1
      ? places.map(({ uri }): SearchHit => ({ path: `${shownPath(uri, context.workspace)}/` }))
      : await entriesOf(place.uri, context);
  const hits = all.slice(0, limit);
  const more = all.length > limit;
  const details: SearchDetails = {
    ...{ tool: "ls", path: shown, count: hits.length, more },
    hits: hits.slice(0, shownHits),
  };
  const notices = countNotices({ more, searched: 0, skipped: [] }, limit, "use find with a pattern");
  const lines = hits.length > 0 ? hits.map((hit) => hit.path) : ["(empty directory)"];
  return searchOutcome({ lines, notices, details });
}

/** Plain names; with several workspace folders the whole path, which names the folder. */
async function entriesOf(uri: string, context: PathContext): Promise<SearchHit[]> {
  const { files, workspace } = context;
  const several = workspace.folders.length > 1;
  const entries = [...(await files.list(uri))].sort(byName);
  const places = entries.map((entry) => ({ ...entry, uri: uriIn(uri, entry.name) }));
  return (await withoutIgnored(places, context)).map(({ name, type, uri: place }) => {
    const path = several ? shownPath(place, workspace) : name;
    if (type === "directory") return { path: `${path}/` };
    return type === "file" ? { path, uri: place } : { path };
  });
}

function byName(a: FolderEntry, b: FolderEntry): number {
  const [x, y] = [a.name.toLowerCase(), b.name.toLowerCase()];
  if (x !== y) return x < y ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
