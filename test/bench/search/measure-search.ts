// The search tools over 20,000 files: grep and find beside ripgrep itself in the same run, and the walker that stands in
// for it where there is none.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { AgentTool } from "../../../src/agent/types.ts";
import type { SearchEngine } from "../../../src/harness/search-ports.ts";
import { createFindTool } from "../../../src/harness/tools/find.ts";
import { createGrepTool } from "../../../src/harness/tools/grep.ts";
import type { SearchToolContext } from "../../../src/harness/tools/grep.ts";
import { Ripgrep } from "../../../src/node/ripgrep.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { MemoryWorkspace } from "../../support/memory-ports.ts";
import { installedRipgrep } from "../../support/ripgrep.ts";
import type { Measure } from "../measures.ts";
import { DiskFiles } from "./disk-files.ts";

const files = 20_000;
const runs = 7;
const rare = "needle_\\d+";

/** Without ripgrep's figures where no VS Code is installed; that is said. */
export async function measureSearch(): Promise<Measure[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "reins-bench-search-")));
  try {
    plant(folder);
    const binary = installedRipgrep();
    const walker = context(folder);
    if (binary === undefined) return [await walkerRow(walker)];
    const tools = context(folder, new Ripgrep(binary));
    const plain = (...args: string[]) => median(() => ripgrep(binary, folder, args));
    return [
      row("grep, 20 matches", await call(createGrepTool(tools), { pattern: rare }), await plain("-n", rare)),
      row(
        "grep, 20,000 matches",
        await call(createGrepTool(tools), { pattern: "export" }),
        await plain("-n", "export"),
      ),
      row(
        "find, 200 files",
        await call(createFindTool(tools), { pattern: "**/x1.ts" }),
        await plain("--files"),
      ),
      await walkerRow(walker),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 200 folders of 100 source files of 2 KiB; one in a thousand has what is searched for. */
function plant(folder: string): void {
  const line = "export const value = compute(first, second); // as before\n";
  for (let n = 0; n < files; n += 1) {
    const where = join(folder, `package${Math.floor(n / 1000)}`, `part${Math.floor(n / 100) % 10}`);
    if (n % 100 === 0) mkdirSync(where, { recursive: true });
    const needle = n % 1000 === 500 ? `const needle_${n} = 1;\n` : "";
    writeFileSync(join(where, `x${n % 100}.ts`), line + needle + "  first(second);\n".repeat(120));
  }
  writeFileSync(join(folder, ".gitignore"), "*.log\nnode_modules/\ndist/\n");
}

function context(folder: string, engine?: SearchEngine): SearchToolContext {
  const uri = pathToFileURL(folder).toString();
  return {
    files: new DiskFiles(),
    workspace: new MemoryWorkspace([{ name: "bench", uri, path: folder }]),
    search: {
      engineFor: () => Promise.resolve(engine),
      excludes: () => ["**/.svn", "**/.hg", "**/.DS_Store", "**/node_modules", "**/bower_components"],
      unsaved: () => [],
    },
    clock: { now: () => performance.now(), schedule: () => ({ dispose: () => undefined }) },
  };
}

async function walkerRow(context: SearchToolContext): Promise<Measure> {
  const value = await call(createGrepTool(context), { pattern: rare });
  return { name: "Search: grep without ripgrep, 20 matches", unit: "ms", value, of: `${files} files` };
}

function call(tool: AgentTool, args: JsonObject): Promise<number> {
  return median(async () => {
    const outcome = await tool.execute(args, {
      toolCallId: "bench",
      signal: new AbortController().signal,
      onProgress: () => undefined,
      whileAsking: (pending) => pending,
    });
    if (Number(outcome.details?.["count"]) < 20) throw new Error("The search did not find what is there.");
  });
}

function row(name: string, value: number, plain: number): Measure {
  const ratio = (value / plain).toFixed(2);
  return {
    name: `Search: ${name}`,
    unit: "ms",
    value,
    of: `ripgrep itself ${plain.toFixed(0)} ms, ratio ${ratio}`,
  };
}

async function ripgrep(binary: string, cwd: string, args: readonly string[]): Promise<void> {
  const all = ["--no-config", "--hidden", ...args, "--", "./"];
  await promisify(execFile)(binary, all, { cwd, maxBuffer: 1 << 28 });
}

/** The first run warms the disk's cache and does not count. */
async function median(run: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n <= runs; n += 1) {
    const started = performance.now();
    await run();
    if (n > 0) times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? NaN;
}
