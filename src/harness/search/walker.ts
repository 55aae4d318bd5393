// Searches through the Files port, for where there is no ripgrep: the browser, virtual file systems. As ripgrep does, but
// within bounds: file size, number of files, time per file.
import PQueue from "p-queue";
import { abortError, errorText, UserError } from "../../shared/errors.ts";
import type { Files } from "../ports.ts";
import type {
  FoundLine,
  LineQuery,
  SearchEnd,
  SearchEngine,
  SearchRun,
  SearchScope,
} from "../search-ports.ts";
import { excludedBy } from "./globs.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { lineMatcher } from "./line-pattern.ts";
import { findLines } from "./line-search.ts";
import { ignoreTexts, uriIn } from "./scope.ts";

export interface WalkLimits {
  /** Bytes of a file that is looked into. */
  readonly fileBytes: number;
  /** Files met. */
  readonly files: number;
  /** For one file, in milliseconds: nothing else happens meanwhile. */
  readonly fileMs: number;
}

const defaults: WalkLimits = { fileBytes: 5 * 1024 * 1024, files: 50_000, fileMs: 500 };

/** Folders and files asked for at the same time. */
const atOnce = 16;

export class Walker implements SearchEngine {
  private readonly disk: Files;
  private readonly now: () => number;
  private readonly limits: WalkLimits;

  /** `now`: milliseconds. */
  constructor(files: Files, now: () => number, limits: Partial<WalkLimits> = {}) {
    this.disk = files;
    this.now = now;
    this.limits = { ...defaults, ...limits };
  }

  async text(scope: SearchScope, query: LineQuery, run: SearchRun<readonly FoundLine[]>): Promise<SearchEnd> {
    const matches = lineMatcher(query);
    const walk = new Walk(this.disk, scope, this.limits, run.signal);
    return walk.run(async (path, uri) => {
      const text = await this.readText(uri, walk);
      if (text === undefined) return true;
      walk.searched += 1;
      const end = this.now() + this.limits.fileMs;
      const lines = findLines(text, query, matches, () => this.now() > end);
      if (lines === undefined) walk.skip("slow");
      return lines === undefined || lines.length === 0 || run.onFile(path, lines);
    });
  }

  async files(scope: SearchScope, { onFile, signal }: SearchRun<void>): Promise<SearchEnd> {
    const walk = new Walk(this.disk, scope, this.limits, signal);
    return walk.run((path) => {
      walk.searched += 1;
      return onFile(path);
    });
  }

  lines(text: string, query: LineQuery): Promise<readonly FoundLine[]> {
    return Promise.resolve(findLines(text, query, lineMatcher(query)) ?? []);
  }

  /** Undefined for what is no text or too large. */
  private async readText(uri: string, walk: Walk): Promise<string | undefined> {
    const info = await this.disk.stat(uri);
    if (info?.type !== "file") return undefined;
    if (info.size > this.limits.fileBytes) {
      walk.skip("large");
      return undefined;
    }
    const bytes = await this.disk.readBytes(uri);
    const utf16 = utf16Label(bytes);
    if (utf16 !== undefined) return new TextDecoder(utf16).decode(bytes);
    if (bytes.includes(0)) return undefined;
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      // Not UTF-8, so as the editor would open it.
      return (await this.disk.readText(uri)).text;
    }
  }
}

type Reason = "large" | "slow" | "unreadable" | "beyond";

/** One way through the folders. */
class Walk {
  searched = 0;
  private readonly files: Files;
  private readonly scope: SearchScope;
  private readonly limits: WalkLimits;
  private readonly signal: AbortSignal;
  private readonly isExcluded: (path: string) => boolean;
  private readonly skipped = new Map<Reason, number>();
  private readonly queue = new PQueue({ concurrency: atOnce });
  private met = 0;
  private ended = false;
  private failure: Error | undefined;

  constructor(files: Files, scope: SearchScope, limits: WalkLimits, signal: AbortSignal) {
    this.files = files;
    this.scope = scope;
    this.limits = limits;
    this.signal = signal;
    this.isExcluded = excludedBy(scope.excludes);
  }

  /** `visit` gets every file that is searched; false ends the walk. */
  async run(visit: (path: string, uri: string) => Promise<boolean> | boolean): Promise<SearchEnd> {
    const { root, path } = this.scope;
    const info = await this.files.stat(uriIn(root, path));
    if (info?.type === "file") this.add(() => this.visitFile(path, visit));
    else this.add(() => this.enter(path, IgnoreRules.from(this.scope.rules), visit));
    await this.idleOrAborted();
    if (this.signal.aborted) throw abortError();
    if (this.failure !== undefined) throw this.failure;
    return { searched: this.searched, skipped: this.describeSkipped() };
  }

  skip(reason: Reason): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1);
  }

  /** Some file systems never answer. */
  private async idleOrAborted(): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    const abort = () => aborted.resolve();
    this.signal.addEventListener("abort", abort);
    if (this.signal.aborted) abort();
    await Promise.race([this.queue.onIdle(), aborted.promise]);
    this.signal.removeEventListener("abort", abort);
  }

  private async enter(
    folder: string,
    above: IgnoreRules,
    visit: (path: string, uri: string) => Promise<boolean> | boolean,
  ): Promise<void> {
    const uri = uriIn(this.scope.root, folder);
    const entries = await this.files.list(uri);
    const names = new Set(entries.map(({ name }) => name));
    const rules = above.enter(folder, await ignoreTexts(uri, this.files, names));
    for (const { name, type, link } of entries) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (name === ".git" || link || type === "other" || this.isExcluded(path)) continue;
      if (rules.ignores(path, type === "directory")) continue;
      if (type === "directory") this.add(() => this.enter(path, rules, visit));
      // Files go first: the folders that wait are then few.
      else if (this.scope.accepts(path)) this.add(() => this.visitFile(path, visit), 1);
    }
  }

  private async visitFile(
    path: string,
    visit: (path: string, uri: string) => Promise<boolean> | boolean,
  ): Promise<void> {
    this.met += 1;
    if (this.met > this.limits.files) {
      this.skip("beyond");
      this.ended = true;
    } else if (!(await visit(path, uriIn(this.scope.root, path)))) this.ended = true;
  }

  private add(task: () => Promise<void>, priority = 0): void {
    const guarded = async () => {
      if (this.ended || this.signal.aborted) return;
      try {
        await task();
      } catch (error) {
        if (error instanceof UserError) this.skip("unreadable");
        else {
          this.failure = error instanceof Error ? error : new Error(errorText(error));
          this.ended = true;
        }
      }
    };
    void this.queue.add(guarded, { priority });
  }

  private describeSkipped(): string[] {
    const mib = this.limits.fileBytes / 1024 / 1024;
    const texts: { readonly [reason in Reason]: (count: number) => string } = {
      large: (count) => `${plural(count, "file")} over ${mib} MiB`,
      slow: (count) => `${plural(count, "file")} for which the pattern took too long`,
      unreadable: (count) => `${plural(count, "file or folder", "files or folders")} that could not be read`,
      beyond: () => `everything after the first ${this.limits.files} files (give a path)`,
    };
    return [...this.skipped].map(([reason, count]) => texts[reason](count));
  }
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function utf16Label(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}
