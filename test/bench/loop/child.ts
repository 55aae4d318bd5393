// Measures one loop in a process of its own and prints the figures as one line of JSON. Run with --expose-gc and a young
// generation so large that nothing is collected meanwhile, so that what is allocated can be read off the heap.
import type { CreateDriver } from "./driver.ts";

export interface LoopFigures {
  readonly microsecondsPerTurn: number;
  readonly bytesPerTurn: number;
  /** With 0, 1 and 10 subscribers. */
  readonly microsecondsPerEvent: readonly number[];
  /** Kept per message after 1,000 and after 10,000 turns. */
  readonly bytesPerMessage: readonly number[];
}

const [name, small] = process.argv.slice(2);
const scale = small === "small" ? 0.01 : 1;

async function driver(): Promise<CreateDriver> {
  if (name === "reins") return (await import("./reins-driver.ts")).createReins;
  const path = "./pi-driver.mjs";
  // Untyped: see there.
  return ((await import(path)) as { createPi: CreateDriver }).createPi;
}

const collect = globalThis.gc ?? (() => undefined);

async function perTurn(create: CreateDriver) {
  const turns = 1_000 * scale;
  const best = { us: Infinity, bytes: Infinity };
  for (let round = 0; round < 5; round += 1) {
    const agent = await create({ deltas: 20, calls: true });
    collect();
    const heap = process.memoryUsage().heapUsed;
    const started = performance.now();
    await agent.run(turns);
    best.us = Math.min(best.us, ((performance.now() - started) * 1_000) / turns);
    best.bytes = Math.min(best.bytes, (process.memoryUsage().heapUsed - heap) / turns);
  }
  return best;
}

async function perEvent(create: CreateDriver, subscribers: number): Promise<number> {
  const deltas = 50_000 * scale;
  let best = Infinity;
  for (let round = 0; round < 5; round += 1) {
    const agent = await create({ deltas, calls: false });
    let events = 0;
    for (let at = 0; at < subscribers; at += 1) agent.subscribe(() => (events += 1));
    collect();
    const started = performance.now();
    await agent.run(1);
    best = Math.min(best, ((performance.now() - started) * 1_000) / deltas);
    if (events < deltas * subscribers) throw new Error("Events are missing.");
  }
  return best;
}

async function kept(create: CreateDriver, turns: number): Promise<number> {
  const agent = await create({ deltas: 1, calls: true });
  await agent.run(10);
  collect();
  const heap = process.memoryUsage().heapUsed;
  const before = agent.messages();
  await agent.run(turns * scale);
  collect();
  return (process.memoryUsage().heapUsed - heap) / (agent.messages() - before);
}

const create = await driver();
const turn = await perTurn(create);
const figures: LoopFigures = {
  microsecondsPerTurn: turn.us,
  bytesPerTurn: turn.bytes,
  microsecondsPerEvent: [await perEvent(create, 0), await perEvent(create, 1), await perEvent(create, 10)],
  bytesPerMessage: [await kept(create, 1_000), await kept(create, 10_000)],
};
console.log(JSON.stringify(figures));
