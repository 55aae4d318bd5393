// What `npm run bench` does once Node 24 and the dependencies are there: measures the parts that were named, or all, and
// prints the figures as a table and as JSON. test/bench/README.md keeps them.
import { cpus, loadavg } from "node:os";
import { stopOnSignals } from "../ide/processes.ts";
import { makePackage } from "../ide/make-package.ts";
import { measureAi } from "./ai/measure-ai.ts";
import { measureEdits } from "./edits/measure-edits.ts";
import { measureLoop } from "./loop/measure-loop.ts";
import { measureSearch } from "./search/measure-search.ts";
import {
  measureActivation,
  measureDeltas,
  measurePanelOpening,
  measureSizes,
  measureTurns,
} from "./measures.ts";
import type { Measure } from "./measures.ts";

const parts: { readonly [name: string]: () => Promise<Measure[]> } = {
  ai: measureAi,
  edits: measureEdits,
  loop: () => measureLoop(),
  search: measureSearch,
  window: measureWindow,
};

/** `names`: which parts; none: all. Resolves with the exit code. */
export async function runBench(names: readonly string[]): Promise<number> {
  const unknown = names.find((name) => !(name in parts));
  if (unknown !== undefined) {
    console.error(`There is no part "${unknown}". Name some of: ${Object.keys(parts).join(", ")}.`);
    return 1;
  }
  stopOnSignals();
  const load = loadavg()[0]?.toFixed(1) ?? "?"; // Of others: figures of a busy machine are worth little.
  const measures: Measure[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (names.length === 0 || names.includes(name)) measures.push(...(await measure()));
  }
  const processors = cpus();
  const machine = `${processors.length} × ${processors[0]?.model ?? "?"}, Node ${process.versions.node}, load ${load} before`;
  const date = new Date().toISOString().slice(0, 10);
  console.log(`\n${date}, ${machine}\n`);
  console.log(table(measures));
  console.log(`\n${JSON.stringify({ date, machine, measures }, undefined, 2)}`);
  return 0;
}

/** In real windows, with the packaged product. */
async function measureWindow(): Promise<Measure[]> {
  await makePackage();
  const sizes = measureSizes(); // At once: another build would replace the bundles.
  return [
    await measureActivation(),
    await measurePanelOpening(),
    ...(await measureTurns()),
    ...(await measureDeltas()),
    ...sizes,
  ];
}

/** A markdown table, so that it can be put into the README as it is. */
function table(measures: readonly Measure[]): string {
  const rows = measures.map(({ name, value, unit, of = "" }) => [name, `${shown(value)} ${unit}`, of]);
  const cells = [["what", "figure", "of"], ["---", "--:", "---"], ...rows];
  return cells.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function shown(value: number): string {
  return value < 100 ? value.toFixed(1) : value.toFixed(0);
}
