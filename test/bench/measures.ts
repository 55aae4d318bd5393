// What `npm run bench` measures, each in a real window with the production build. Nothing here judges the figures.
import { readFileSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { openReins } from "../e2e/reins.ts";
import { descendants } from "../ide/processes.ts";
import { makeSampleProject } from "../ide/sample-project.ts";
import { printedBySuite } from "../ide/test-result.ts";
import { vsixPath } from "../ide/vsix.ts";
import { openWindow } from "../ide/window.ts";
import { repositoryRoot } from "../support/repository-files.ts";
import { reply } from "../support/provider-replies.ts";

export interface Measure {
  readonly name: string;
  readonly unit: "ms" | "µs" | "KiB";
  readonly value: number;
  /** How often it was measured, and what is shown of that. */
  readonly of?: string;
}

const turns = 100;
const deltas = 4000;
const windows = 3;
const bundles: readonly string[] = [
  ...["extension.node.cjs", "anthropic-sdk.cjs", "openai-sdk.cjs"],
  ...["extension.web.js", "webview.js"],
];

/** From VS Code's call of the activation to its end. */
export async function measureActivation(): Promise<Measure> {
  const testsPath = join(repositoryRoot, "out/bench/activation.js");
  await mkdir(join(repositoryRoot, "out/bench"), { recursive: true });
  await build({
    entryPoints: [join(repositoryRoot, "test/bench/activation-suite.ts")],
    outfile: testsPath,
    bundle: true,
    format: "cjs",
    platform: "node",
    external: ["vscode"],
  });
  const values: number[] = [];
  const folder = makeSampleProject();
  for (let run = 0; run < windows; run++) {
    const onLog = (line: string) => {
      const printed = printedBySuite(line);
      if (printed !== undefined) values.push(Number(printed));
    };
    const window = await openWindow({ folder, extension: "dev", testsPath, onLog });
    const code = await window.testsEnded;
    await window.close();
    if (code !== 0) throw new Error("Reins did not activate.");
  }
  return { name: "Activation call to ready", unit: "ms", ...medianOf(values, "windows") };
}

/** From running the command that opens the panel, in a window that has not activated Reins, to a composer to type in. */
export async function measurePanelOpening(): Promise<Measure> {
  const values: number[] = [];
  for (let run = 0; run < windows; run++) {
    const window = await openWindow({ folder: makeSampleProject() });
    const composer = window.panel().locator("reins-composer vscode-text-area textarea");
    const command = await window.findCommand("Reins: Focus Panel");
    const started = performance.now();
    await command.click();
    await composer.waitFor();
    values.push(performance.now() - started);
    await window.close();
  }
  return { name: "Panel command to interactive", unit: "ms", ...medianOf(values, "windows") };
}

/** From the end of a response that asks to read a file to the arrival of the next request, seen from the provider. */
export async function measureTurns(): Promise<Measure[]> {
  const reins = await openReins({ env: { LOOPBACK_API_KEY: "bench" } });
  try {
    const gaps: number[] = [];
    let responseEnded = 0;
    for (let turn = 1; turn <= turns + 1; turn++)
      reins.provider.enqueue((request) => {
        if (turn > 1) gaps.push(performance.now() - responseEnded);
        void request.closed.then(() => (responseEnded = performance.now()));
        if (turn > turns) return reply({ text: "All read." });
        return reply({ calls: [{ name: "read", arguments: { path: "src/cart.js", offset: turn % 30 } }] });
      });
    await reins.type("Read the same file many times.");
    await reins.provider.request(turns + 1);
    await reins.untilShown("All read.");
    const sorted = [...gaps].sort((a, b) => a - b);
    return [
      {
        name: "Harness time per turn, median",
        unit: "ms",
        value: at(sorted, 0.5),
        of: `${gaps.length} read turns`,
      },
      { name: "Harness time per turn, 95th percentile", unit: "ms", value: at(sorted, 0.95) },
    ];
  } finally {
    await reins.close();
  }
}

/** Processor time that a streamed delta costs: in the extension host, and in the browser's renderer. */
export async function measureDeltas(): Promise<Measure[]> {
  const reins = await openReins({ env: { LOOPBACK_API_KEY: "bench" } });
  try {
    const text = `${"A word or two, **some** of them `code`, in a line.\n\n".repeat(deltas / 4)}The end.`;
    reins.provider.enqueue(
      reply({ text: "Warm." }),
      reply({ text, deltaSize: Math.ceil(text.length / deltas) }),
    );
    await reins.type("Get warm.");
    await reins.untilShown("Warm.");
    await reins.untilIdle();
    const parts: readonly Part[] = ["host", "renderer"];
    const before = parts.map(processorTime);
    await reins.type("Write a long text.");
    await reins.untilShown("The end.");
    const cost = parts.map((part, index) => ((processorTime(part) - (before[index] ?? NaN)) * 1000) / deltas);
    const of = `${deltas} deltas`;
    return [
      { name: "Extension host's CPU per delta", unit: "µs", value: cost[0] ?? NaN, of },
      { name: "Browser's CPU per delta, workbench and panel", unit: "µs", value: cost[1] ?? NaN, of },
    ];
  } finally {
    await reins.close();
  }
}

/** Bytes that users download. */
export function measureSizes(): Measure[] {
  const size = (name: string, path: string): Measure => ({
    name,
    unit: "KiB",
    value: statSync(path).size / 1024,
  });
  return [
    size("VSIX", vsixPath()),
    ...bundles.map((bundle) => size(bundle, join(repositoryRoot, "dist", bundle))),
  ];
}

type Part = "host" | "renderer";

/** Milliseconds of processor time so far, from Linux' process table; NaN elsewhere. */
function processorTime(part: Part): number {
  if (process.platform !== "linux") return NaN;
  const mark = part === "host" ? "--type=extensionHost" : "--type=renderer";
  return descendants(process.pid)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark))
    .map(timeOf)
    .reduce((sum, time) => sum + time, 0);
}

function timeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
  // User and system time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function medianOf(values: readonly number[], what: string): Pick<Measure, "value" | "of"> {
  const sorted = [...values].sort((a, b) => a - b);
  return { value: at(sorted, 0.5), of: `median of ${values.length} ${what}` };
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}
