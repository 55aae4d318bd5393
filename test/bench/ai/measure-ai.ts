// The model layer alone, with the real SDKs over a fetch that answers at once: what a delta costs in short and in long
// answers, tool arguments, the making of a request from a long history, and the SDKs' own size and load time.
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { repositoryRoot } from "../../support/repository-files.ts";
import type { Measure } from "../measures.ts";
import type { DeltaFigures } from "./child.ts";
import { httpApis } from "./wire-replies.ts";
import type { HttpApi } from "./wire-replies.ts";

const run = promisify(execFile);
const folder = fileURLToPath(new URL(".", import.meta.url));

/** One process after the other: side by side they would disturb each other. */
export async function measureAi(): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const api of httpApis) {
    measures.push(...(await deltaRows(api)), await argumentsRow(api), await requestRow(api));
  }
  return [...measures, ...(await bundleRows())];
}

async function deltaRows(api: HttpApi): Promise<Measure[]> {
  const short = await child<DeltaFigures>("deltas", api, 10_000);
  const long = await child<DeltaFigures>("deltas", api, 100_000);
  const versus = (few: number, many: number, unit: string) =>
    `answers of 100,000; of 10,000: ${few.toFixed(1)} ${unit}, ratio ${(many / few).toFixed(2)}`;
  return [
    {
      name: `${api}: CPU per delta`,
      unit: "µs",
      value: long.microseconds,
      of: versus(short.microseconds, long.microseconds, "µs"),
    },
    {
      name: `${api}: allocated per delta`,
      unit: "KiB",
      value: long.bytes / 1024,
      of: versus(short.bytes / 1024, long.bytes / 1024, "KiB"),
    },
  ];
}

async function argumentsRow(api: HttpApi): Promise<Measure> {
  const plain = await child<DeltaFigures>("arguments", api, 10_000);
  const watched = await child<DeltaFigures>("snapshots", api, 10_000);
  return {
    name: `${api}: 1 MB of tool arguments in 10,000 deltas`,
    unit: "ms",
    value: plain.microseconds * 10,
    of: `CPU; with a snapshot at every delta: ${(watched.microseconds * 10).toFixed(0)} ms`,
  };
}

async function requestRow(api: HttpApi): Promise<Measure> {
  const value = await child<number>("request", api, 10_000);
  return {
    name: `${api}: request from 10,000 messages`,
    unit: "ms",
    value,
    of: "CPU; replay, conversion, JSON",
  };
}

/** The SDKs as they are shipped, each loaded in a fresh process; and what activation has to read without them. */
async function bundleRows(): Promise<Measure[]> {
  await run(process.execPath, [join(repositoryRoot, "esbuild.mjs"), "--production"]);
  const dist = (name: string) => join(repositoryRoot, "dist", name);
  const rows: Measure[] = [];
  for (const name of ["anthropic-sdk.cjs", "openai-sdk.cjs"]) {
    const value = await medianTime("require(file)", dist(name));
    rows.push({ name, unit: "KiB", value: statSync(dist(name)).size / 1024 });
    rows.push({ name: `${name}: load on first use`, unit: "ms", value, of });
  }
  for (const name of ["extension.node.cjs", "extension.web.js"]) {
    const value = await medianTime("new vm.Script(fs.readFileSync(file, 'utf8'))", dist(name));
    rows.push({ name: `${name}: read and compile`, unit: "ms", value, of });
  }
  return rows;
}

const of = "median of 5 processes";

async function medianTime(what: string, path: string): Promise<number> {
  const setUp =
    "const fs = require('fs'), vm = require('vm'), file = process.argv[1], start = performance.now();";
  const script = `${setUp} ${what}; console.log(performance.now() - start);`;
  const times: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const { stdout } = await run(process.execPath, ["-e", script, path]);
    times.push(Number(stdout));
  }
  return times.sort((a, b) => a - b)[2] ?? NaN;
}

async function child<Result>(what: string, api: HttpApi, count: number): Promise<Result> {
  const flags = [
    "--expose-gc",
    "--min-semi-space-size=1024",
    "--max-semi-space-size=1024",
    "--max-old-space-size=8192",
  ];
  const { stdout } = await run(process.execPath, [
    ...flags,
    join(folder, "child.ts"),
    what,
    api,
    String(count),
  ]);
  // Printed by child.ts as such.
  return JSON.parse(stdout) as Result;
}
