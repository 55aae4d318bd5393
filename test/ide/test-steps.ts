// The steps of `npm test`: which commands each consists of, what it needs, and how its output becomes counts.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { failureReport } from "./failure-report.ts";
import { startGroup } from "./processes.ts";
import { addCounts, noCounts, parseResultLine } from "./test-result.ts";
import type { Counts } from "./test-result.ts";

export const stepNames = [
  "format",
  "types",
  "lint",
  "structure",
  "unit",
  "build",
  "webview",
  "host",
  "web",
  "e2e",
] as const;
export type StepName = (typeof stepNames)[number];

/** The steps of `npm run check`: no IDE, no browser, under a minute. */
export const checkSteps: readonly StepName[] = ["format", "types", "lint", "structure", "unit"];

export function needsVsCode(step: StepName): boolean {
  return ["host", "web", "e2e"].includes(step) && !(step === "host" && isDesktop());
}

export function needsChromium(step: StepName): boolean {
  return needsVsCode(step) || step === "webview";
}

function isDesktop(): boolean {
  return process.env["REINS_TEST_VSCODE"] === "desktop";
}

interface Command {
  /** What it is called when it fails. */
  readonly what: string;
  /** Arguments for Node. */
  readonly args: readonly string[];
  /** It prints its own counts (see test-result.ts); otherwise it is one test, passed if it exits with 0. */
  readonly counts?: boolean;
}

interface StepOptions {
  readonly grep: string | undefined;
  /** Show output as it comes; otherwise at once when the step has ended. */
  readonly live: boolean;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);

export interface StepResult {
  readonly counts: Counts;
  /** What to say again at the end of all; empty when nothing failed. */
  readonly failures: readonly string[];
}

/** Runs one step and prints it under a heading with its seconds. Never rejects: what dies is counted as failed. */
export async function runStep(name: StepName, options: StepOptions): Promise<StepResult> {
  const started = performance.now();
  if (options.live) console.log(`\n── ${name} ──`);
  let counts = noCounts;
  let output = "";
  const failures: string[] = [];
  for (const command of commandsOf(name, options.grep)) {
    const result = await runCommand(command, options);
    counts = addCounts(counts, result.counts);
    output += result.output;
    if (result.counts.failed > 0) failures.push(`${command.what}:`, ...failureReport(result.output));
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const summary = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped, ${seconds} s`;
  if (options.live) console.log(`── ${name}: ${summary}`);
  else console.log(`\n── ${name}: ${summary} ──${output.trim() ? `\n${output.trimEnd()}` : ""}`);
  return { counts, failures };
}

function commandsOf(name: StepName, grep: string | undefined): Command[] {
  const mocha = (globs: string[], ...flags: string[]): Command => ({
    what: name,
    args: [
      join(root, "test/ide/run-mocha.ts"),
      ...flags,
      ...(grep === undefined ? [] : ["--grep", grep]),
      ...globs,
    ],
    counts: true,
  });
  switch (name) {
    case "format":
      return [tool("prettier", "--check", "--ignore-path", ".gitignore", ".", "!test/fixtures")];
    case "types":
      return [".", "src", "webview", "test/webview"].map((project) => tool("tsc", "-p", project));
    case "lint":
      return [tool("eslint", "--max-warnings", "0", ".")];
    case "structure":
      return [mocha(["test/*.test.ts"], "--reporter", "dot")];
    case "unit":
      return [mocha(["test/unit/**/*.test.ts"], "--reporter", "dot")];
    case "build":
      return [{ what: "the build", args: ["esbuild.mjs"] }];
    case "webview":
      return [mocha(["test/webview/**/*.test.ts"], "--reporter", "dot")];
    case "host":
      return [{ what: "host", args: ["test/host/run.ts"], counts: true }];
    case "web":
      return [{ what: "web", args: ["test/web/run.ts"], counts: true }];
    case "e2e":
      return [mocha(["test/e2e/**/*.test.ts"], "--timeout", "180000")];
  }
}

const bins = { prettier: "prettier", tsc: "typescript", eslint: "eslint" } as const;

/** A command-line tool of a dependency, run without npx: its file is what the package's `bin` names. */
function tool(name: keyof typeof bins, ...args: string[]): Command {
  const manifestPath = join(root, "node_modules", bins[name], "package.json");
  // npm's manifest format: `bin` is one path or a table of them.
  const { bin } = require(manifestPath) as { bin: string | Record<string, string> };
  const script = typeof bin === "string" ? bin : (bin[name] ?? "");
  return { what: [name, ...args].join(" "), args: [join(dirname(manifestPath), script), ...args] };
}

async function runCommand(
  command: Command,
  { grep, live }: StepOptions,
): Promise<{ counts: Counts; output: string }> {
  const group = startGroup(process.execPath, [...command.args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, REINS_TEST_GREP: grep ?? "" }, // For the suites that are not run by run-mocha.ts.
  });
  let counts: Counts | undefined;
  let output = "";
  const show = (line: string) => {
    const found = parseResultLine(line);
    if (found) counts = addCounts(counts ?? noCounts, found);
    else {
      if (live) console.log(line);
      output += `${line}\n`;
    }
  };
  const streams = [group.child.stdout, group.child.stderr].map((stream) => eachLine(stream, show));
  const code = await group.ended;
  await Promise.all(streams);
  if (!command.counts) return { counts: asOneTest(code), output: code === 0 ? "" : output };
  if (counts && (code === 0 || counts.failed > 0)) return { counts, output };
  const note = `${command.what} died with code ${code} before it had counted its tests.`;
  if (live) console.log(note);
  return { counts: addCounts(counts ?? noCounts, asOneTest(1)), output: `${output}${note}\n` };
}

function asOneTest(code: number): Counts {
  return code === 0 ? { ...noCounts, passed: 1 } : { ...noCounts, failed: 1 };
}

async function eachLine(stream: Readable | null, show: (line: string) => void): Promise<void> {
  if (!stream) return;
  let rest = "";
  stream.setEncoding("utf8");
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(show);
  }
  if (rest) show(rest);
}
