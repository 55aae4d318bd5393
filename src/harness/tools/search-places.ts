// Where a search tool is told to look: the place that it names, or every workspace folder; or an error that names the
// next step.
import { UserError } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { SearchPlace } from "../search/search.ts";
import type { PathContext } from "./paths.ts";
import { locate, shownPath } from "./paths.ts";
import { missingError } from "./text-file.ts";

export interface SearchStart {
  readonly places: readonly SearchPlace[];
  /** All of them, for people and models. */
  readonly shown: string;
}

/** Undefined: all workspace folders. */
export async function searchStart(path: string | undefined, context: PathContext): Promise<SearchStart> {
  if (path === undefined) return allFolders(context);
  const place = await locate(path, context);
  const info = await context.files.stat(place.uri);
  if (info === undefined)
    throw await missingError(place, context.files, "Check the path, or use find or ls.");
  if (info.type === "other") {
    throw new UserError(`${place.path} is no file or folder (a device, pipe or socket). Name another place.`);
  }
  return { places: [{ uri: place.uri, isFolder: info.type === "directory" }], shown: place.path };
}

/** "." and an empty path mean no place in particular. */
export function withoutEmptyPath(args: JsonObject): JsonObject {
  const { path, ...rest } = args;
  const isEmpty = path === null || (typeof path === "string" && /^\s*(\.\/?)?\s*$/.test(path));
  return isEmpty ? rest : args;
}

function allFolders({ workspace }: PathContext): SearchStart {
  const { folders } = workspace;
  if (folders.length === 0) {
    throw new UserError(
      "No folder is open to search in. Ask the user to open one, or give an absolute path.",
    );
  }
  return {
    places: folders.map(({ uri }) => ({ uri, isFolder: true })),
    shown: folders.map(({ uri }) => shownPath(uri, workspace)).join(", "),
  };
}
