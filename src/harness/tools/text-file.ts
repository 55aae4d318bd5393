// Opens what a tool was pointed at: its bytes looked at, its text as the user sees it, or an error that names the next
// step. What is done with the text is the tools' business.
import { URI, Utils } from "vscode-uri";
import { UserError } from "../../shared/errors.ts";
import type { Files, TextSnapshot } from "../ports.ts";
import { imageType, looksBinary, looksCompressed, maxImageBytes } from "./content-kind.ts";
import { nearNames } from "./near-names.ts";
import type { Place } from "./paths.ts";
import { wholePath } from "./paths.ts";
import { formatBytes } from "./truncate.ts";

/** VS Code opens no larger file for extensions. */
const maxTextBytes = 50 * 1024 * 1024;
/** Above this, an edit and its review would hold up the editor. */
const maxEditBytes = 20 * 1024 * 1024;

export type Content =
  | { readonly type: "text"; readonly snapshot: TextSnapshot }
  | { readonly type: "image"; readonly bytes: Uint8Array; readonly mimeType: string };

/** Throws a UserError for everything that is neither text nor an image. */
export async function loadContent(place: Place, files: Files): Promise<Content> {
  const { path, uri } = place;
  const info = await files.stat(uri);
  if (info === undefined) throw await missingError(place, files, "Check the path, or write to create it.");
  if (info.type === "directory") throw await isDirectory(place, files);
  if (info.type === "other") throw new UserError(`${path} is not a regular file (a device, pipe or socket).`);
  const size = formatBytes(info.size);
  if (info.size > maxTextBytes) {
    throw new UserError(
      `${path} is too large to open (${size}). Look at parts of it with bash, for example sed -n or grep; where no commands can run, ask the user.`,
    );
  }
  const bytes = await files.readBytes(uri);
  const mimeType = imageType(bytes);
  if (mimeType !== undefined) {
    if (bytes.length <= maxImageBytes) return { type: "image", bytes, mimeType };
    throw new UserError(
      `${path} is an image of ${size}; at most ${formatBytes(maxImageBytes)} can be shown. Scale it down first.`,
    );
  }
  const binary = looksBinary(bytes);
  const snapshot = binary ? await utf16Text(uri, files) : await files.readText(uri);
  if (snapshot !== undefined && !isNoText(snapshot, bytes)) return { type: "text", snapshot };
  throw new UserError(
    `${path} is a binary file (${size}), which cannot be read or edited as text. Use bash; where no commands can run, ask the user.`,
  );
}

/** Every other byte of most UTF-16 is a control character. */
function isNoText({ lossy, encoding }: TextSnapshot, bytes: Uint8Array): boolean {
  return lossy && !isUtf16(encoding) && looksCompressed(bytes);
}

/** The text of an existing file that is to be changed. Throws a UserError where a change would lose something. */
export async function loadForEdit(place: Place, files: Files): Promise<TextSnapshot> {
  const size = (await files.stat(place.uri))?.size ?? 0;
  if (size > maxEditBytes) {
    throw new UserError(
      `${place.path} is too large to edit (${formatBytes(size)}; the limit is ${formatBytes(maxEditBytes)}). Tell the user what to change, or change what generates it.`,
    );
  }
  const content = await loadContent(place, files);
  if (content.type === "image")
    throw new UserError(`${place.path} is an image and cannot be edited as text.`);
  if (isNotebook(place) || files.unsavedNotebook(place.uri) !== undefined) {
    throw new UserError(
      `${place.path} is a notebook. Editing its JSON as text could corrupt it, so that is refused. Show the user the cell's new text, and ask them to change the cell.`,
    );
  }
  const { openAs } = content.snapshot;
  if (openAs !== undefined) {
    throw new UserError(
      `${place.path} has unsaved changes in an editor that has it open as ${wholePath(openAs)}. Edit it under that path.`,
    );
  }
  if (content.snapshot.lossy) {
    throw new UserError(
      `${place.path} has bytes that are not valid ${content.snapshot.encoding}; saving it would lose them. Ask the user to reopen it with the right encoding ("files.encoding"), then read it again.`,
    );
  }
  return content.snapshot;
}

/** By its name, or by that of the file which a link leads to. */
export function isNotebook({ path, realUri }: Place): boolean {
  return [path, realUri].some((name) => name.toLowerCase().endsWith(".ipynb"));
}

/** `text` with a byte order mark exactly where `before` has one: it is the file's, not a part of what is written. */
export function keepBom(before: string, text: string): string {
  return before.startsWith("\ufeff") ? `\ufeff${withoutBom(text)}` : withoutBom(text);
}

/** Without a byte order mark, which no model shall see. */
export function withoutBom(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** NULs are text where the file is UTF-16, as the user says or as it looks; what looks so by accident does not decode. */
async function utf16Text(uri: string, files: Files): Promise<TextSnapshot | undefined> {
  try {
    const snapshot = await files.readText(uri);
    return isUtf16(snapshot.encoding) && !snapshot.lossy ? snapshot : undefined;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function isUtf16(encoding: string): boolean {
  return /^utf16/i.test(encoding);
}

/** For a place where nothing is: what may be meant instead, else `otherwise`. */
export async function missingError(
  { path, uri }: Place,
  files: Files,
  otherwise: string,
): Promise<UserError> {
  const place = URI.parse(uri);
  const parent = Utils.dirname(place);
  const folder = path.replace(/[^/\\]*$/, "");
  if ((await files.stat(parent.toString()))?.type !== "directory") {
    const next = (await nearPath({ path, uri }, files)) ?? "Check the path, or use find.";
    return new UserError(`${path} does not exist, and neither does its folder. ${next}`);
  }
  const near = (await namesNear(place, files)).map((name) => folder + name);
  const next = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : otherwise;
  return new UserError(`${path} does not exist. ${next}`);
}

/** What may be meant where a folder on the way is misspelt: only what exists. */
async function nearPath(
  { path, uri }: Pick<Place, "path" | "uri">,
  files: Files,
): Promise<string | undefined> {
  const parts = path.split("/");
  let place = URI.parse(uri);
  for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
    const parent = Utils.dirname(place);
    if ((await files.stat(parent.toString()))?.type !== "directory") {
      place = parent;
      continue;
    }
    const rest = parts.slice(depth + 1);
    const found: string[] = [];
    for (const name of await namesNear(place, files)) {
      const there = await files.stat(Utils.joinPath(parent, name, ...rest).toString());
      if (there !== undefined) found.push([...parts.slice(0, depth), name, ...rest].join("/"));
    }
    return found.length > 0 ? `Did you mean ${found.join(" or ")}?` : undefined;
  }
  return undefined;
}

async function namesNear(place: URI, files: Files): Promise<string[]> {
  const names = (await files.list(Utils.dirname(place).toString())).map((entry) => entry.name);
  return nearNames(Utils.basename(place), names);
}

async function isDirectory({ path, uri }: Place, files: Files): Promise<UserError> {
  const entries = await files.list(uri);
  const names = entries.map((entry) => (entry.type === "directory" ? `${entry.name}/` : entry.name)).sort();
  const shown = names.slice(0, 100).join("\n");
  const more = names.length > 100 ? `\n… and ${names.length - 100} more` : "";
  const list = names.length > 0 ? `It holds:\n${shown}${more}` : "It is empty.";
  return new UserError(`${path} is a folder. Name a file. ${list}`);
}
