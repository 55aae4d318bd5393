// The instructions that a project keeps for agents: AGENTS.md of each workspace folder, as the user sees it (unsaved
// changes included). How they are put to the model is system-prompt.ts' business.
import { URI, Utils } from "vscode-uri";
import { errorText } from "../../shared/errors.ts";
import type { Files, Log, Workspace, WorkspaceFolder } from "../ports.ts";

export interface ContextFile {
  /** For people and models. */
  readonly path: string;
  /** At most 32 KiB; what was cut is said at its end. */
  readonly text: string;
}

const limitBytes = 32 * 1024;
const fileName = "AGENTS.md";

/** Only what exists and can be read. Nothing of a workspace that the user does not trust. */
export async function readContextFiles(ports: {
  readonly files: Files;
  readonly workspace: Workspace;
  readonly log: Log;
}): Promise<readonly ContextFile[]> {
  if (!ports.workspace.trusted) return [];
  const found = await Promise.all(ports.workspace.folders.map((folder) => readOne(ports, folder)));
  return found.filter((file) => file !== undefined);
}

async function readOne(
  { files, log }: { readonly files: Files; readonly log: Log },
  folder: WorkspaceFolder,
): Promise<ContextFile | undefined> {
  const uri = Utils.joinPath(URI.parse(folder.uri), fileName).toString();
  const path = `${folder.path.replace(/[/\\]$/, "")}/${fileName}`;
  try {
    if ((await files.stat(uri))?.type !== "file") return undefined;
    const { text } = await files.readText(uri);
    return text.trim() === "" ? undefined : { path, text: capped(text) };
  } catch (error) {
    // Unreadable instructions must not keep the user from working.
    log.error(`${path}: ${errorText(error)}`);
    return undefined;
  }
}

function capped(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(limitBytes));
  if (read >= text.length) return text.trimEnd();
  return `${text.slice(0, read)}\n[Cut after 32 KiB. Read the file for the rest.]`;
}
