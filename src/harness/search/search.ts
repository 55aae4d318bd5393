// Searches places as the user sees them: files on disk by the host's engine or the walker, open buffers with unsaved
// changes in memory, both by the same rules. Bounded and in the order of paths; wording is the tools' business.
import { URI } from "vscode-uri";
import type { Clock } from "../ports.ts";
import type { FoundLine, LineQuery, SearchEngine, SearchScope } from "../search-ports.ts";
import { fileGlob, nameGlob, namesOf } from "./globs.ts";
import { checkBrackets } from "./line-pattern.ts";
import { firstMatches } from "./line-search.ts";
import type { ScopeContext } from "./scope.ts";
import { isSearched, scopeOf, uriIn, wayDown } from "./scope.ts";
import { Walker } from "./walker.ts";

export interface SearchContext extends ScopeContext {
  readonly clock: Clock;
}

export interface SearchPlace {
  readonly uri: string;
  readonly isFolder: boolean;
}

export interface TextSearch extends Omit<LineQuery, "limit"> {
  readonly places: readonly SearchPlace[];
  readonly glob: string | undefined;
  /** Matching lines. */
  readonly limit: number;
  /** Whether a file may be told of; one that may not counts as not there. Default: all may. */
  readonly shows?: ShowsFile;
}

type ShowsFile = (uri: string) => Promise<boolean>;

export interface FileMatches {
  readonly uri: string;
  readonly lines: readonly FoundLine[];
  /** The lines are of a buffer, not of the file. */
  readonly unsaved: boolean;
}

export interface SearchCount {
  /** There certainly are more. */
  readonly more: boolean;
  /** Files looked into. */
  readonly searched: number;
  readonly skipped: readonly string[];
}

export interface TextFound extends SearchCount {
  readonly files: readonly FileMatches[];
  readonly matches: number;
}

export interface FileSearch {
  readonly places: readonly SearchPlace[];
  readonly pattern: string;
  readonly limit: number;
  /** As in a text search; asked about folders too. */
  readonly shows?: ShowsFile;
}

export interface FilesFound extends SearchCount {
  readonly entries: readonly { readonly uri: string; readonly isFolder: boolean }[];
}

/** Throws a UserError for a wrong pattern or glob, an AbortError when aborted. */
export async function searchText(
  context: SearchContext,
  search: TextSearch,
  signal: AbortSignal,
): Promise<TextFound> {
  if (!search.literal) checkBrackets(search.pattern);
  let found: TextFound = { files: [], matches: 0, more: false, searched: 0, skipped: [] };
  for (const place of search.places) {
    const left = search.limit - found.matches;
    // With none left, only whether there is one more matters.
    const here = await searchPlace(context, { ...search, place, limit: left }, signal);
    found = {
      files: [...found.files, ...here.files],
      matches: found.matches + here.matches,
      more: here.more,
      searched: found.searched + here.searched,
      skipped: [...found.skipped, ...here.skipped],
    };
    if (found.more) break;
  }
  return found;
}

/** Files, and folders that have files, by their path. Throws as `searchText` does. */
export async function searchFiles(
  context: SearchContext,
  search: FileSearch,
  signal: AbortSignal,
): Promise<FilesFound> {
  const matches = nameGlob(search.pattern);
  const entries: { readonly uri: string; readonly isFolder: boolean }[] = [];
  const skipped: string[] = [];
  let searched = 0;
  for (const place of search.places) {
    const scope = await scopeOf(place.uri, place.isFolder, context);
    const limit = search.limit - entries.length;
    const names = new NameFinder({ ...search, limit }, matches, scope);
    const run = { onFile: (path: string) => names.add(path), signal };
    const engine = await engineFor(context, scope);
    const end = await engine.files(scope, run);
    const here = names.sorted();
    entries.push(...here.map(({ path, isFolder }) => ({ uri: uriIn(scope.root, path), isFolder })));
    skipped.push(...end.skipped);
    searched += end.searched;
    if (names.more) return { entries, more: true, searched, skipped };
  }
  return { entries, more: false, searched, skipped };
}

interface PlaceSearch extends TextSearch {
  readonly place: SearchPlace;
}

async function searchPlace(
  context: SearchContext,
  search: PlaceSearch,
  signal: AbortSignal,
): Promise<TextFound> {
  const { uri, isFolder } = search.place;
  const all = await scopeOf(uri, isFolder, context);
  const scope = isFolder ? withGlob(all, search.glob) : all;
  const engine = await engineFor(context, scope);
  const { pattern, literal, ignoreCase, context: around, limit } = search;
  const query: LineQuery = { pattern, literal, ignoreCase, context: around, limit: limit + 1 };
  const buffers = await buffersIn(context, scope);
  const found: (FileMatches & { readonly path: string })[] = [];
  let matches = 0;
  const keep = async (path: string, lines: readonly FoundLine[], unsaved = false) => {
    const uri = uriIn(scope.root, path);
    if (lines.length > 0 && (await (search.shows?.(uri) ?? true))) {
      found.push({ path, uri, lines, unsaved });
      matches += countMatches(lines);
    }
    return matches <= limit;
  };
  for (const [path, text] of buffers) await keep(path, await engine.lines(text, query, signal), true);
  const onDisk = { ...scope, accepts: (path: string) => !buffers.has(path) && scope.accepts(path) };
  const end =
    matches > limit || buffers.has(scope.path)
      ? { searched: 0, skipped: [] }
      : await engine.text(onDisk, query, { onFile: keep, signal });
  return {
    files: cutMatches(found.sort(byPath), limit, around),
    matches: Math.min(matches, limit),
    more: matches > limit,
    searched: end.searched + buffers.size,
    skipped: end.skipped,
  };
}

function withGlob(scope: SearchScope, glob: string | undefined): SearchScope {
  if (glob === undefined) return scope;
  const matches = fileGlob(glob);
  return { ...scope, names: namesOf(glob), accepts: (path) => matches(inPlace(path, scope.path)) };
}

async function engineFor(
  { search, files, clock }: SearchContext,
  { root }: SearchScope,
): Promise<SearchEngine> {
  return (await search.engineFor(root)) ?? new Walker(files, () => clock.now());
}

/** The buffers with unsaved changes that a search of the scope must see, by path. */
async function buffersIn(
  { search, files }: SearchContext,
  scope: SearchScope,
): Promise<ReadonlyMap<string, string>> {
  const prefix = `${plainUri(scope.root).replace(/\/$/, "")}/`;
  const buffers = new Map<string, string>();
  for (const { uri, text } of search.unsaved()) {
    if (!plainUri(uri).startsWith(prefix)) continue;
    const path = wayDown(scope.root, uri);
    if (await isSearched(path, scope, files)) buffers.set(path, text);
  }
  return buffers;
}

/** Two spellings of one place are then the same. */
function plainUri(uri: string): string {
  return URI.parse(uri).toString();
}

function cutMatches(files: readonly FileMatches[], limit: number, context: number): FileMatches[] {
  const kept: FileMatches[] = [];
  let left = limit;
  for (const { uri, lines, unsaved } of files) {
    if (left === 0) break;
    const some = firstMatches(lines, left, context);
    left -= countMatches(some);
    kept.push({ uri, lines: some, unsaved });
  }
  return kept;
}

function countMatches(lines: readonly FoundLine[]): number {
  return lines.filter((line) => line.match).length;
}

/** Of files and the folders they are in, those whose path matches, up to a limit. */
class NameFinder {
  more = false;
  private readonly search: FileSearch;
  private readonly matches: (path: string) => boolean;
  private readonly scope: SearchScope;
  private readonly found: { readonly path: string; readonly isFolder: boolean }[] = [];
  private readonly folders = new Set<string>();

  constructor(search: FileSearch, matches: (path: string) => boolean, scope: SearchScope) {
    this.search = search;
    this.matches = matches;
    this.scope = scope;
  }

  /** False: there are more than the limit. */
  add(path: string): boolean | Promise<boolean> {
    const wanted = [...this.newFolders(path), { path, isFolder: false }].filter((each) =>
      this.matches(inPlace(each.path, this.scope.path)),
    );
    // Most match nothing, and waiting for each would take longer than listing them.
    return wanted.length === 0 ? !this.more : this.keep(wanted);
  }

  sorted(): readonly { readonly path: string; readonly isFolder: boolean }[] {
    return this.found.sort(byPath);
  }

  private newFolders(path: string): { readonly path: string; readonly isFolder: boolean }[] {
    const found = [];
    const start = this.scope.path.length;
    for (let end = path.lastIndexOf("/"); end > start; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (this.folders.has(folder)) break;
      this.folders.add(folder);
      found.push({ path: folder, isFolder: true });
    }
    return found;
  }

  private async keep(
    wanted: readonly { readonly path: string; readonly isFolder: boolean }[],
  ): Promise<boolean> {
    for (const each of wanted) {
      if (this.more) break;
      if (!(await (this.search.shows?.(uriIn(this.scope.root, each.path)) ?? true))) continue;
      if (this.found.length >= this.search.limit) this.more = true;
      else this.found.push(each);
    }
    return !this.more;
  }
}

/** Relative to the place searched; for a file that is the place, its name. */
function inPlace(path: string, start: string): string {
  if (path === start) return path.slice(path.lastIndexOf("/") + 1);
  return start === "" ? path : path.slice(start.length + 1);
}

/** Name by name, so that what is in one folder stays together. */
function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  const [x, y] = [a.path.split("/"), b.path.split("/")];
  for (let n = 0; n < Math.min(x.length, y.length); n += 1) {
    const [left = "", right = ""] = [x[n], y[n]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return x.length - y.length;
}
