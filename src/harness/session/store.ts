// The sessions of this workspace: which there are, what they are called, and one of them read from disk. It never
// writes to a session file; log.ts does.
import type { SessionInfo } from "../types.ts";
import { UserError, errorText } from "../../shared/errors.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { Clock, Memento, SessionStorage, Workspace } from "../ports.ts";
import type { CutOffChange } from "../checkpoints/cut-off.ts";
import { factData, sessionFileName } from "./entries.ts";
import type { SessionEntry, SessionHeader } from "./entries.ts";
import type { SessionFile } from "./log.ts";
import { parseEntry, parseHeader, parseSession } from "./parse.ts";
import { SessionTree } from "./tree.ts";

export interface SessionStoreDeps {
  readonly storage: SessionStorage;
  readonly memento: Memento;
  readonly workspace: Workspace;
  readonly clock: Clock;
}

/** A session read from disk, and what was wrong with its file. */
export interface LoadedSession {
  readonly file: SessionFile;
  readonly problems: readonly string[];
  /** What became of changes of files whose end it does not tell; default none. */
  readonly cutOff?: readonly CutOffChange[];
}

/** What the start of a file tells. Files only grow, so that it is final once the file is longer than what was read. */
interface Head {
  readonly header: SessionHeader;
  readonly title: string | undefined;
  /** Of the file when it was read. */
  readonly size: number;
}

const headBytes = 16_384;
const readers = 16;
const titlesKey = "reins.sessionTitles";
const titleLength = 60;

export class SessionStore {
  private readonly deps: SessionStoreDeps;
  private readonly heads = new Map<string, Head>();

  constructor(deps: SessionStoreDeps) {
    this.deps = deps;
  }

  /** Newest first. Reads only the starts of files, and each of them once. */
  async list(): Promise<SessionInfo[]> {
    const files = (await this.deps.storage.list()).filter(
      (file) => file.name.endsWith(".jsonl") && file.size > 0,
    );
    const titles = this.givenTitles();
    const found: SessionInfo[] = [];
    await inParallel(files, async (file) => {
      const head = await this.head(file);
      if (!head || !this.belongsHere(head.header)) return;
      const { id } = head.header;
      found.push({ id, title: titles[id] ?? head.title ?? untitled, modified: file.modified });
    });
    return found.sort((a, b) => b.modified - a.modified);
  }

  /** A session without a file; its first message creates one. */
  create(id: string): SessionFile {
    const folder = this.deps.workspace.folders[0];
    const header: SessionHeader = {
      type: "session",
      version: 3,
      id,
      timestamp: new Date(this.deps.clock.now()).toISOString(),
      cwd: folder?.path ?? "",
      ...(folder && { workspace: folder.uri }),
    };
    return { name: sessionFileName(header), header, tree: new SessionTree(), size: 0, torn: false };
  }

  /** Whether there is a file of this session, whatever it holds. */
  async has(id: string): Promise<boolean> {
    return (await this.findFile(id)) !== undefined;
  }

  /** Rejects with a UserError when there is no such session or its file is none. */
  async load(id: string): Promise<LoadedSession> {
    const name = await this.findFile(id);
    if (name === undefined)
      throw new UserError("This session is no longer there. Open another one or start a new one.");
    const size = (await this.deps.storage.size(name)) ?? 0;
    const text = await this.deps.storage.read(name).catch((error: unknown) => {
      throw new UserError(`This session cannot be read (${errorText(error)}). Open another one.`);
    });
    const parsed = await parseSession(text, () => this.pause());
    if (!parsed.header) throw new UserError(`${name} is not a session. Nothing in it was changed.`);
    const tree = new SessionTree(parsed.entries);
    const file = { name, header: parsed.header, tree, size, torn: parsed.torn };
    return { file, problems: [...parsed.problems, ...tree.problems] };
  }

  /** Keeps a title that the user gave, so that listing finds it however far down in the file it is. */
  async rememberTitle(id: string, title: string | undefined): Promise<void> {
    const { [id]: _old, ...others } = this.givenTitles();
    const titles = title === undefined ? others : { ...others, [id]: title };
    await this.deps.memento.set(titlesKey, JSON.stringify(titles));
  }

  private givenTitles(): { readonly [id: string]: string } {
    try {
      const titles: unknown = JSON.parse(this.deps.memento.get(titlesKey) ?? "{}");
      if (!isJsonObject(titles)) return {};
      return Object.fromEntries(Object.entries(titles).filter((pair) => typeof pair[1] === "string")) as {
        // The filter left strings only; `Object.entries` cannot say so.
        [id: string]: string;
      };
    } catch {
      // A damaged index is only a cache: titles come back when their sessions are opened.
      return {};
    }
  }

  private async head({
    name,
    size,
  }: {
    readonly name: string;
    readonly size: number;
  }): Promise<Head | undefined> {
    const known = this.heads.get(name);
    if (known && (known.size === size || known.size >= headBytes)) return known;
    const text = await this.deps.storage.readHead(name, headBytes).catch(() => "");
    const [first = "", ...lines] = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
    const header = parseHeader(first);
    if (!header) return undefined;
    const entries = lines
      .map((line, index) => parseEntry(line, index + 2))
      .filter((entry) => entry !== undefined);
    const head = { header, title: titleOf(entries), size };
    this.heads.set(name, head);
    return head;
  }

  private belongsHere(header: SessionHeader): boolean {
    const folder = this.deps.workspace.folders[0];
    if (header.workspace !== undefined) return header.workspace === folder?.uri;
    return header.cwd === (folder?.path ?? "");
  }

  private async findFile(id: string): Promise<string | undefined> {
    const files = await this.deps.storage.list();
    const named = files.find((file) => file.name.endsWith(`_${id}.jsonl`));
    if (named) return named.name;
    for (const file of files) if ((await this.head(file))?.header.id === id) return file.name;
    return undefined;
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => this.deps.clock.schedule(0, resolve));
  }
}

export const untitled = "New session";

/** The user's title, else the first prompt's first line. */
export function titleOf(entries: readonly SessionEntry[]): string | undefined {
  return givenTitle(entries) ?? firstPromptTitle(entries);
}

/** The last name the user gave; undefined when there is none or it was taken back. */
export function givenTitle(entries: readonly SessionEntry[]): string | undefined {
  const last = entries.findLast((entry) => entry.type === "session_info");
  return last?.type === "session_info" && last.name !== "" ? last.name : undefined;
}

/** The first line that is not empty, at most 60 characters. */
export function titleFrom(prompt: string): string {
  const line =
    prompt
      .split("\n")
      .find((candidate) => candidate.trim() !== "")
      ?.trim() ?? "";
  const characters = [...line];
  return characters.length <= titleLength ? line : `${characters.slice(0, titleLength - 1).join("")}…`;
}

function firstPromptTitle(entries: readonly SessionEntry[]): string | undefined {
  for (const entry of entries) {
    const title = factData(entry, "reins.title")?.title;
    if (typeof title === "string" && title !== "") return title;
    if (entry.type !== "message" || entry.message.role !== "user") continue;
    const { content } = entry.message;
    const text = typeof content === "string" ? content : content.find((block) => block.type === "text")?.text;
    if (text !== undefined && titleFrom(text) !== "") return titleFrom(text);
  }
  return undefined;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: readers }, worker));
}
