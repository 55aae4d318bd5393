// Search by ripgrep, which VS Code brings. It gets the same rules as the harness' own walker, and none of its own: no
// configuration, no global ignore files, none above the scope's root.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { URI } from "vscode-uri";
import type {
  FoundLine,
  LineQuery,
  SearchEnd,
  SearchEngine,
  SearchRun,
  SearchScope,
} from "../harness/search-ports.ts";
import type { RipgrepRun } from "./ripgrep-process.ts";
import { runRipgrep } from "./ripgrep-process.ts";
import { RipgrepReader } from "./ripgrep-records.ts";

/** For folders that the file system of this process has. */
export class Ripgrep implements SearchEngine {
  private readonly binary: string;

  constructor(binary: string) {
    this.binary = binary;
  }

  async text(
    scope: SearchScope,
    query: LineQuery,
    { onFile, signal }: SearchRun<readonly FoundLine[]>,
  ): Promise<SearchEnd> {
    const reader = new RipgrepReader(scope.accepts, onFile);
    const names = scope.names === undefined ? [] : ["--type-add", `reins:${scope.names}`, "--type=reins"];
    const onRecord = (record: string) => reader.read(record);
    const args = [...names, ...lineArguments(query)];
    const end = await this.walk(scope, args, { separator: "\n", onRecord, signal });
    return { searched: reader.searched, skipped: describeOverlong(end.overlong) };
  }

  async files(scope: SearchScope, { onFile, signal }: SearchRun<void>): Promise<SearchEnd> {
    let searched = 0;
    const onRecord = (record: string) => {
      const path = withoutDot(record);
      if (!scope.accepts(path)) return true;
      searched += 1;
      return onFile(path);
    };
    await this.walk(scope, ["--files", "--null"], { separator: "\0", onRecord, signal });
    return { searched, skipped: [] };
  }

  async lines(text: string, query: LineQuery, signal: AbortSignal): Promise<readonly FoundLine[]> {
    let found: readonly FoundLine[] = [];
    const reader = new RipgrepReader(
      () => true,
      (_, lines) => {
        found = lines;
        return true;
      },
    );
    const args = ["--no-config", ...lineArguments(query), "--", "-"];
    const onRecord = (record: string) => reader.read(record);
    await runRipgrep({
      binary: this.binary,
      args,
      cwd: tmpdir(),
      separator: "\n",
      onRecord,
      signal,
      input: text,
    });
    return found;
  }

  private async walk(
    scope: SearchScope,
    args: readonly string[],
    run: Pick<RipgrepRun, "separator" | "onRecord" | "signal">,
  ) {
    const cwd = URI.parse(scope.root).fsPath;
    const { folder, rules } = await writeRules(scope.rules);
    try {
      const all = [...walkArguments(scope), ...rules, ...args, "--", `./${scope.path}`];
      return await runRipgrep({ binary: this.binary, cwd, args: all, ...run });
    } finally {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  }
}

function walkArguments({ excludes }: SearchScope): string[] {
  return [
    "--no-config",
    "--no-messages",
    "--no-ignore-messages",
    "--hidden",
    "--no-require-git",
    "--no-ignore-global",
    "--no-ignore-parent",
    "--path-separator=/",
    "--glob=!.git",
    // One without `**` in front means a path; without the slash it would be a name at any depth.
    ...excludes.map((glob) => `--glob=!${glob.startsWith("**") || glob.startsWith("/") ? glob : `/${glob}`}`),
  ];
}

function lineArguments({ pattern, literal, ignoreCase, context, limit }: LineQuery): string[] {
  return [
    "--json",
    "--crlf",
    `--context=${context}`,
    `--max-count=${limit}`,
    ...(ignoreCase ? ["--ignore-case"] : ["--case-sensitive"]),
    // Looking around and references back are left to its second engine, where it was built with it.
    ...(literal ? ["--fixed-strings"] : ["--engine=auto"]),
    `--regexp=${pattern}`,
  ];
}

/** ripgrep takes rules for the folder it starts in only from a file. */
async function writeRules(
  rules: readonly string[],
): Promise<{ readonly folder?: string; readonly rules: readonly string[] }> {
  if (rules.length === 0) return { rules: [] };
  const folder = await mkdtemp(join(tmpdir(), "reins-rules-"));
  const path = join(folder, "ignore");
  await writeFile(path, `${rules.join("\n")}\n`);
  return { folder, rules: [`--ignore-file=${path}`] };
}

function describeOverlong(count: number): string[] {
  return count === 0 ? [] : [`${count} matching lines over 16 MiB`];
}

function withoutDot(path: string): string {
  return path.startsWith("./") ? path.slice(2) : path;
}
