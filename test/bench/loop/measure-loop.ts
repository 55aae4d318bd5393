// The loop alone: time and memory per turn and per event, Reins beside the published Pi agent in the same run.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runNpm } from "../../ide/npm.mjs";
import type { Measure } from "../measures.ts";
import type { LoopFigures } from "./child.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const gib = 1024;

/** Without Pi's figures where it cannot be installed; that is said. `small`: a hundredth of the work, to see that it runs. */
export async function measureLoop(small = false): Promise<Measure[]> {
  const pi = await installPi();
  // One after the other: side by side they would disturb each other.
  const reins = await measure("reins", small);
  return rows(reins, pi ? await measure("pi", small) : undefined);
}

async function installPi(): Promise<boolean> {
  if (existsSync(`${folder}/node_modules/@earendil-works/pi-agent-core`)) return true;
  const args = ["install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund"];
  try {
    await runNpm(args, { cwd: folder, what: "install the Pi agent to compare with" });
    return true;
  } catch (error) {
    console.log(`${error instanceof Error ? error.message : String(error)}\nPi's figures are left out.`);
    return false;
  }
}

async function measure(name: "reins" | "pi", small: boolean): Promise<LoopFigures> {
  const flags = [
    "--expose-gc",
    `--min-semi-space-size=${gib}`,
    `--max-semi-space-size=${gib}`,
    "--max-old-space-size=8192",
  ];
  const args = [...flags, `${folder}/child.ts`, name, ...(small ? ["small"] : [])];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  // Printed by child.ts as such.
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as LoopFigures;
}

function rows(reins: LoopFigures, pi: LoopFigures | undefined): Measure[] {
  const row = (name: string, unit: Measure["unit"], read: (figures: LoopFigures) => number): Measure => {
    const value = read(reins);
    const of =
      pi === undefined
        ? "Pi not measured"
        : `Pi ${read(pi).toFixed(1)}, ratio ${(value / read(pi)).toFixed(2)}`;
    return { name: `Loop: ${name}`, unit, value, of };
  };
  const subscribers = [0, 1, 10];
  return [
    row("time per turn, 1,000 turns", "µs", (figures) => figures.microsecondsPerTurn),
    row("allocated per turn", "KiB", (figures) => figures.bytesPerTurn / 1024),
    ...subscribers.map((count, at) =>
      row(`time per delta, ${count} subscribers`, "µs", (figures) => figures.microsecondsPerEvent[at] ?? NaN),
    ),
    row("kept per message, 1,000 turns", "KiB", (figures) => (figures.bytesPerMessage[0] ?? NaN) / 1024),
    row("kept per message, 10,000 turns", "KiB", (figures) => (figures.bytesPerMessage[1] ?? NaN) / 1024),
  ];
}
