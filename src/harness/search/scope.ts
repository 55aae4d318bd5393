// Where a search starts and by which rules: from a place to its root, the ignore files above it and the settings.
import { URI, Utils } from "vscode-uri";
import type { Files, Workspace } from "../ports.ts";
import type { Search, SearchScope } from "../search-ports.ts";
import { folderOf } from "../tools/paths.ts";
import { excludedBy } from "./globs.ts";
import type { IgnoreTexts } from "./ignore-rules.ts";
import { IgnoreRules, ignoreFiles, ruleFromAbove, splitRules } from "./ignore-rules.ts";

export interface ScopeContext {
  readonly files: Files;
  readonly workspace: Workspace;
  readonly search: Search;
}

/** Folders above a workspace folder that are looked at for the repository it belongs to. */
const highest = 30;

/**
 * The scope of a folder or file, with every file wanted. Rules count from the repository's top folder down, or from the
 * workspace folder where there is no repository. A place that is itself ignored or excluded is searched all the same:
 * whoever names it wants it; then only what its own ignore files say counts.
 */
export async function scopeOf(uri: string, isFolder: boolean, context: ScopeContext): Promise<SearchScope> {
  const folder = folderOf(uri, context.workspace);
  const start = folder?.uri ?? (isFolder ? uri : parentOf(uri));
  const root = (await repositoryOf(start, context.files)) ?? start;
  const path = wayDown(root, uri);
  const way = wayDown(root, start);
  const excludes = context.search
    .excludes(folder?.uri)
    .map((glob) => fromAbove(glob, way))
    .filter((glob) => !enclosing(path).some(excludedBy([glob])));
  const rules = await rulesAbove(root, path, context.files);
  const ignored = isIgnored(IgnoreRules.from(rules), path, isFolder);
  return { root, path, excludes, rules: ignored ? [] : rules, accepts: () => true };
}

/** Whether a search in this scope comes upon a file: neither ignored nor excluded, and wanted. */
export async function isSearched(path: string, scope: SearchScope, files: Files): Promise<boolean> {
  if (path === scope.path) return true;
  if (!isBelow(path, scope.path) || !scope.accepts(path)) return false;
  const isExcluded = excludedBy(scope.excludes);
  let rules = IgnoreRules.from(scope.rules);
  for (const folder of enclosing(parentPath(path)).filter((each) => each.length >= scope.path.length)) {
    if (folder !== scope.path && (isExcluded(folder) || rules.ignores(folder, true))) return false;
    rules = rules.enter(folder, await ignoreTexts(uriIn(scope.root, folder), files));
  }
  return !isExcluded(path) && !rules.ignores(path, false) && !path.split("/").includes(".git");
}

/** The ignore files of a folder. `names`: what is in it, where that is known. */
export async function ignoreTexts(
  folderUri: string,
  files: Files,
  names?: ReadonlySet<string>,
): Promise<IgnoreTexts> {
  const texts = new Map<string, string>();
  for (const name of ignoreFiles) {
    if (names !== undefined && !names.has(name.split("/")[0] ?? "")) continue;
    const text = await textOf(uriIn(folderUri, name), files);
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
}

/** The URI of a path in a folder. */
export function uriIn(folderUri: string, path: string): string {
  return path === "" ? folderUri : Utils.joinPath(URI.parse(folderUri), path).toString();
}

/** The path from a folder to something in it, or "". */
export function wayDown(folderUri: string, uri: string): string {
  return URI.parse(uri)
    .path.slice(URI.parse(folderUri).path.replace(/\/$/, "").length + 1)
    .replace(/\/$/, "");
}

async function repositoryOf(start: string, files: Files): Promise<string | undefined> {
  let folder = start;
  for (let n = 0; n < highest; n += 1) {
    const found = await files.stat(uriIn(folder, ".git")).catch(() => undefined);
    if (found !== undefined) return folder;
    const above = parentOf(folder);
    if (above === folder) return undefined;
    folder = above;
  }
  return undefined;
}

/** Weakest first: what comes later decides. */
async function rulesAbove(root: string, path: string, files: Files): Promise<string[]> {
  if (path === "") return [];
  const folders = ["", ...enclosing(parentPath(path))].filter((each, n) => n === 0 || each !== "");
  const texts = await Promise.all(folders.map((folder) => ignoreTexts(uriIn(root, folder), files)));
  return ignoreFiles
    .toReversed()
    .flatMap((name) =>
      folders.flatMap((folder, n) =>
        splitRules(texts[n]?.get(name) ?? "").map((rule) => ruleFromAbove(rule, folder)),
      ),
    );
}

function isIgnored(rules: IgnoreRules, path: string, isFolder: boolean): boolean {
  return enclosing(path).some((each) => each !== "" && rules.ignores(each, each !== path || isFolder));
}

/** A glob of settings, which is relative to the workspace folder, as seen from the root. */
function fromAbove(glob: string, way: string): string {
  if (way === "" || glob.startsWith("**")) return glob;
  return `${way.replace(/[\\*?[\]{}()!]/g, "\\$&")}/${glob.replace(/^\//, "")}`;
}

/** A path and everything it is in, outermost first; for "" that alone. */
function enclosing(path: string): string[] {
  const names = path.split("/");
  return names.map((_, n) => names.slice(0, n + 1).join("/"));
}

function isBelow(path: string, folder: string): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

function parentPath(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

function parentOf(uri: string): string {
  return Utils.dirname(URI.parse(uri)).toString();
}

async function textOf(uri: string, files: Files): Promise<string | undefined> {
  // One that is not there, cannot be read or is no text says nothing.
  if ((await files.stat(uri).catch(() => undefined))?.type !== "file") return undefined;
  const bytes = await files.readBytes(uri).catch(() => undefined);
  return bytes && new TextDecoder().decode(bytes);
}
