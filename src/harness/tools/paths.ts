// What a path that a model wrote means: a place, how people call it, and whether it is inside the workspace, links
// resolved. Decides nothing about what is allowed there.
import { URI, Utils } from "vscode-uri";
import { UserError } from "../../shared/errors.ts";
import type { Files, Workspace, WorkspaceFolder } from "../ports.ts";

export interface Place {
  readonly uri: string;
  /** With symbolic links resolved; the identity of the file. */
  readonly realUri: string;
  /** For people and models: relative to the folder (`name/…` with several folders), else the whole real path. */
  readonly path: string;
  /** In a workspace folder, both as written and with links resolved. */
  readonly inside: boolean;
}

export interface PathContext {
  readonly files: Files;
  readonly workspace: Workspace;
  /** For `~`; undefined where there is no home folder. */
  readonly home?: string | undefined;
}

/** Throws a UserError for text that names no place. A leading `@` is dropped only where no file has that name. */
export async function locate(text: string, context: PathContext): Promise<Place> {
  const literal = resolvePath(text, context.workspace, context.home);
  const plain = text.startsWith("@") ? text.slice(1) : undefined;
  const mention = plain !== undefined && plain !== "" && (await context.files.stat(literal)) === undefined;
  const uri = mention ? resolvePath(plain, context.workspace, context.home) : literal;
  return describePlace(uri, context);
}

/** The place of a URI. */
export async function describePlace(uri: string, { files, workspace }: PathContext): Promise<Place> {
  const realUri = await files.realUri(uri);
  const real = await realFolders(files, workspace);
  const folder = findFolder(uri, workspace.folders);
  const inside = folder !== undefined && findFolder(realUri, real) !== undefined;
  const path = inside ? pathInFolder(uri, folder, workspace.folders.length > 1) : wholePath(realUri);
  return { uri, realUri, path, inside };
}

/** The innermost workspace folder that a place is in, as written. */
export function folderOf(uri: string, { folders }: Workspace): WorkspaceFolder | undefined {
  return findFolder(uri, folders);
}

/** How a place is called, links not resolved: as in `Place.path` where it is in a workspace folder. */
export function shownPath(uri: string, { folders }: Workspace): string {
  const folder = findFolder(uri, folders);
  return folder === undefined ? wholePath(uri) : pathInFolder(uri, folder, folders.length > 1);
}

/** As `locate`, without looking at files: a key that two spellings of one place share wherever that can be told. */
export function pathKey(text: unknown, workspace: Workspace, home?: string): string | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return resolvePath(text.replace(/^@/, ""), workspace, home).toLowerCase();
  } catch (error) {
    // What names no place needs no lock: the tool reports it when it runs.
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The URI that a path means. Dots are resolved; percent signs are text except in a `file://` URI. */
export function resolvePath(text: string, workspace: Workspace, home?: string): string {
  if (text.trim() === "")
    throw new UserError("The path is empty. Give a path relative to the workspace folder.");
  if (text.includes("\0")) throw new UserError("The path has a NUL character in it. Give a plain path.");
  const [first] = workspace.folders;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return parseUri(text, first);
  if (text === "~" || text.startsWith("~/")) return absolute(homePath(text, home), first);
  if (isWindows(first)) return resolveRelative(text.replaceAll("\\", "/"), workspace);
  if (/^[a-z]:[\\/]/i.test(text)) {
    throw new UserError(
      `"${text}" is a Windows path, and there are none here. Use a path relative to the folder.`,
    );
  }
  return resolveRelative(text, workspace);
}

function resolveRelative(text: string, workspace: Workspace): string {
  const { folders } = workspace;
  const [first] = folders;
  if (text.startsWith("/") || (isWindows(first) && /^[a-z]:\//i.test(text))) return absolute(text, first);
  if (first === undefined) {
    throw new UserError(`No folder is open, so "${text}" means nothing. Ask the user to open one.`);
  }
  const named = folders.length > 1 ? folders.find((folder) => isUnder(text, folder.name)) : undefined;
  const relative = named === undefined ? text : text.slice(named.name.length);
  return trimSlash(Utils.joinPath(URI.parse((named ?? first).uri), relative)).toString();
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function absolute(path: string, folder: WorkspaceFolder | undefined): string {
  const base = folder === undefined ? URI.file("/") : URI.parse(folder.uri);
  const rooted = path.startsWith("/") ? path : `/${path}`;
  return trimSlash(Utils.joinPath(base.with({ path: "/" }), rooted)).toString();
}

function parseUri(text: string, folder: WorkspaceFolder | undefined): string {
  const uri = URI.parse(text);
  if (uri.scheme !== "file" && uri.scheme !== (folder && URI.parse(folder.uri).scheme)) {
    throw new UserError(
      `"${text}" is not a file of this workspace. Give a path, not the URL of something else.`,
    );
  }
  return trimSlash(Utils.joinPath(uri.with({ query: "", fragment: "" }), ".")).toString();
}

function homePath(text: string, home: string | undefined): string {
  if (home !== undefined) return home.replaceAll("\\", "/") + text.slice(1);
  throw new UserError(
    `There is no home folder here, so "${text}" means nothing. Use a path in the workspace.`,
  );
}

function trimSlash(uri: URI): URI {
  return uri.path.length > 1 && uri.path.endsWith("/")
    ? uri.with({ path: uri.path.replace(/\/+$/, "") || "/" })
    : uri;
}

function isWindows(folder: WorkspaceFolder | undefined): boolean {
  return folder !== undefined && /^\/[a-z]:(\/|$)/i.test(URI.parse(folder.uri).path);
}

async function realFolders(files: Files, workspace: Workspace): Promise<readonly { readonly uri: string }[]> {
  return Promise.all(workspace.folders.map(async ({ uri }) => ({ uri: await files.realUri(uri) })));
}

/** The innermost folder that holds the place or is it. */
function findFolder<T extends { readonly uri: string }>(uri: string, folders: readonly T[]): T | undefined {
  const place = URI.parse(uri);
  return folders
    .filter((folder) => {
      const root = URI.parse(folder.uri);
      if (root.scheme !== place.scheme || root.authority.toLowerCase() !== place.authority.toLowerCase())
        return false;
      return isUnder(comparable(place.path), comparable(root.path).replace(/\/$/, ""));
    })
    .sort((a, b) => b.uri.length - a.uri.length)[0];
}

/** Drive letters are the same in either case. */
function comparable(path: string): string {
  return path.replace(/^\/[A-Z]:/, (drive) => drive.toLowerCase());
}

function pathInFolder(uri: string, folder: WorkspaceFolder, named: boolean): string {
  const root = comparable(URI.parse(folder.uri).path).replace(/\/$/, "");
  const relative = comparable(URI.parse(uri).path).slice(root.length + 1);
  if (named) return relative === "" ? folder.name : `${folder.name}/${relative}`;
  return relative === "" ? "." : relative;
}

/** For a place outside the workspace, or one that must be told from all others. */
export function wholePath(uri: string): string {
  const place = URI.parse(uri);
  return place.scheme === "file" ? place.fsPath : place.path;
}
