// How often and from which seed properties run: the same in every run of the tests, so that what fails is the change, not
// the day. Loaded before any test; REINS_SEED and REINS_RUNS look further.
import fc from "fast-check";

const defaultSeed = 20_260_101;
const factor = numberOf("REINS_RUNS", process.env["REINS_RUNS"] || "1");

fc.configureGlobal({ ...seedOf(process.env["REINS_SEED"]), numRuns: runs(100) });

/** As many runs as said, times REINS_RUNS. */
export function runs(count: number): number {
  return Math.max(1, Math.round(count * factor));
}

function seedOf(said: string | undefined): { seed?: number } {
  if (said === "random") return {}; // Another one for each property; a failure tells it.
  return { seed: said ? numberOf("REINS_SEED", said) : defaultSeed };
}

function numberOf(name: string, said: string): number {
  const number = Number(said);
  if (!Number.isFinite(number)) throw new Error(`${name} has to be a number, and is "${said}".`);
  return number;
}
