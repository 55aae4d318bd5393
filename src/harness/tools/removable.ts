// Whether a file can be deleted or moved, looked at before the user is asked, and what the question says about it. Leaves
// doing it to `Files`, which looks again.
import { UserError } from "../../shared/errors.ts";
import type { FileInfo } from "../ports.ts";
import type { PathContext, Place } from "./paths.ts";
import { missingError } from "./text-file.ts";
import { formatBytes } from "./truncate.ts";

export interface Removable {
  readonly what: "file" | "empty folder";
  /** For people and models, for example "12 lines, 340 B"; "" for a folder. */
  readonly size: string;
}

/** Larger files are not opened for counting their lines. */
const maxCounted = 5 * 1024 * 1024;

/** Throws a UserError for what is not there, not empty, read-only, a link, unsaved, or a workspace folder. */
export async function checkDelete(place: Place, context: PathContext): Promise<Removable> {
  const info = await ready(place, context, "deleted");
  if (info.type === "file") return { what: "file", size: await sizeOf(place, info, context) };
  const roots = await Promise.all(context.workspace.folders.map(({ uri }) => context.files.realUri(uri)));
  if (roots.includes(place.realUri)) {
    throw new UserError(`${place.path} is a folder that the user has open here, and it is not deleted.`);
  }
  const count = (await context.files.list(place.uri)).length;
  if (count === 0) return { what: "empty folder", size: "" };
  throw new UserError(
    `${place.path} is a folder with ${count === 1 ? "something" : `${count} files and folders`} in it. Delete the files in it first, each with its own call.`,
  );
}

/** Throws a UserError as `checkDelete`, for a folder, and where something is at `to` already. */
export async function checkMove(from: Place, to: Place, context: PathContext): Promise<Removable> {
  const info = await ready(from, context, "moved");
  if (info.type !== "file") {
    throw new UserError(
      `${from.path} is a folder, and only files are moved. Move the files in it one by one.`,
    );
  }
  const there = await context.files.stat(to.uri);
  if (there?.type === "directory") {
    const name = from.path.split(/[\\/]/).at(-1) ?? "";
    throw new UserError(`${to.path} is a folder. Give the whole new path, for example ${to.path}/${name}.`);
  }
  if (there !== undefined) {
    throw new UserError(
      `${to.path} exists already, so nothing was moved. Choose another name, or delete it first.`,
    );
  }
  return { what: "file", size: await sizeOf(from, info, context) };
}

async function ready(place: Place, { files }: PathContext, done: "deleted" | "moved"): Promise<FileInfo> {
  const { path, uri } = place;
  const info = await files.stat(uri);
  if (info === undefined) throw await missingError(place, files, "Check the path, or use find or ls.");
  if (info.link === true)
    throw new UserError(`${path} is a symbolic link, which is not ${done}. Ask the user to do it.`);
  if (info.type === "other")
    throw new UserError(`${path} is not a regular file (a device, pipe or socket), so it is not ${done}.`);
  if (info.readonly)
    throw new UserError(
      `${path} is read-only, so it is not ${done}. Ask the user to make it writable first.`,
    );
  return info;
}

async function sizeOf({ path, uri }: Place, info: FileInfo, { files }: PathContext): Promise<string> {
  const bytes = formatBytes(info.size);
  if (info.size > maxCounted) return bytes;
  try {
    const { text, dirty, lossy } = await files.readText(uri);
    if (!dirty) return lossy || text.includes("\0") ? bytes : `${countLines(text)}, ${bytes}`;
  } catch (error) {
    // Not text: then its bytes have to do.
    if (error instanceof UserError) return bytes;
    throw error;
  }
  throw new UserError(
    `${path} has unsaved changes of the user, so it stays where it is. Ask the user to save or discard them first.`,
  );
}

function countLines(text: string): string {
  const count = text === "" ? 0 : text.replace(/(\r\n?|\n)$/, "").split(/\r\n?|\n/).length;
  return `${count} line${count === 1 ? "" : "s"}`;
}
