// What `npm run bench` does once Node 24 and the dependencies are there: packages Reins, measures, and prints the
// figures as a table and as JSON. test/bench/README.md keeps them.
import { cpus, loadavg } from "node:os";
import { stopOnSignals } from "../ide/processes.ts";
import { makePackage } from "../ide/make-package.ts";
import {
  measureActivation,
  measureDeltas,
  measurePanelOpening,
  measureSizes,
  measureTurns,
} from "./measures.ts";
import type { Measure } from "./measures.ts";

export async function runBench(): Promise<void> {
  stopOnSignals();
  const load = loadavg()[0]?.toFixed(1) ?? "?"; // Of others: figures of a busy machine are worth little.
  await makePackage();
  const sizes = measureSizes(); // At once: another build would replace the bundles.
  const measures: Measure[] = [
    await measureActivation(),
    await measurePanelOpening(),
    ...(await measureTurns()),
    ...(await measureDeltas()),
    ...sizes,
  ];
  const processors = cpus();
  const machine = `${processors.length} × ${processors[0]?.model ?? "?"}, Node ${process.versions.node}, load ${load} before`;
  const date = new Date().toISOString().slice(0, 10);
  console.log(`\n${date}, ${machine}\n`);
  console.log(table(measures));
  console.log(`\n${JSON.stringify({ date, machine, measures }, undefined, 2)}`);
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
