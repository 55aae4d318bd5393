// What `npm test` does once Node 24 and the dependencies are there: runs the named steps (all by default), shows each
// with its seconds, says again what failed, and prints the counts of all suites as the last line.
// Usage: npm test -- [step …] [--check] [--grep TEXT]
import { parseArgs } from "node:util";
import { ensureChromium } from "./chromium.ts";
import { stopOnSignals } from "./processes.ts";
import { addCounts, noCounts } from "./test-result.ts";
import { checkSteps, needsChromium, needsVsCode, runStep, stepNames } from "./test-steps.ts";
import type { StepName, StepResult } from "./test-steps.ts";
import { ensureVsCode } from "./vscode.ts";

/** Resolves with the exit code: 1 if anything failed. */
export async function runTests(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { check: { type: "boolean", default: false }, grep: { type: "string" } },
  });
  const wrong = positionals.find((name) => !isStepName(name));
  if (wrong !== undefined) {
    console.error(`There is no step "${wrong}". Steps: ${stepNames.join(", ")}.`);
    return 1;
  }
  const named = positionals.filter(isStepName);
  const steps = named.length > 0 ? named : values.check ? checkSteps : stepNames;
  stopOnSignals();
  const prepared = await prepare(steps);
  const ran = await runInLanes(steps, values.grep);
  const { counts, failures } = addResults(prepared, ran);
  if (failures.length > 0) console.log(`\n── what failed ──\n${failures.join("\n")}`);
  console.log(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed > 0 ? 1 : 0;
}

function isStepName(name: string): name is StepName {
  return (stepNames as readonly string[]).includes(name); // Widened: includes() only takes the tuple's own type.
}

/** Installs what the steps need. A failure counts as one failed test, and the steps that can do without still run. */
async function prepare(steps: readonly StepName[]): Promise<StepResult> {
  const failures: string[] = [];
  const attempt = async (what: Promise<string>) => {
    await what.catch((error: unknown) =>
      failures.push(error instanceof Error ? error.message : String(error)),
    );
  };
  if (steps.some(needsVsCode)) await attempt(ensureVsCode());
  if (steps.some(needsChromium)) await attempt(ensureChromium());
  for (const failure of failures) console.error(`\n${failure}`);
  return { counts: { ...noCounts, failed: failures.length }, failures };
}

const nothing: StepResult = { counts: noCounts, failures: [] };

function addResults(a: StepResult, b: StepResult): StepResult {
  return { counts: addCounts(a.counts, b.counts), failures: [...a.failures, ...b.failures] };
}

/** In the order in which they are begun: the longest first, and the build before what needs it. */
const plainSteps: readonly StepName[] = ["lint", "build", "types", "unit", "structure", "format"];
/** One IDE in one lane, one browser in the other: neither keeps both cores busy. */
const ideLanes: readonly (readonly StepName[])[] = [["host", "web"], ["webview"]];
/** An IDE with its browser, which does. */
const lastSteps: readonly StepName[] = ["e2e"];

/**
 * In two lanes, one for each core of a small machine, as far as the steps leave each other room. A failing step does not
 * keep the later ones from running.
 */
async function runInLanes(steps: readonly StepName[], grep: string | undefined): Promise<StepResult> {
  const isNamed = (name: StepName) => steps.includes(name);
  const lane = async (queue: StepName[], live: boolean) => {
    let result = nothing;
    for (let name = queue.shift(); name !== undefined; name = queue.shift())
      result = addResults(result, await runStep(name, { grep, live }));
    return result;
  };
  const inLanes = async (lanes: readonly StepName[][], live: (name: StepName) => boolean) => {
    const results = await Promise.all(
      lanes.map((queue) => lane(queue, queue[0] !== undefined && live(queue[0]))),
    );
    return results.reduce(addResults, nothing);
  };
  const plain = plainSteps.filter(isNamed);
  const first = await inLanes([plain, plain], () => plain.length === 1);
  const ide = ideLanes.map((names) => names.filter(isNamed));
  const second = await inLanes(ide, (name) => name !== "webview" || steps.length === 1);
  return addResults(addResults(first, second), await lane(lastSteps.filter(isNamed), true));
}
