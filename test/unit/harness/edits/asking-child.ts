// A window that is killed while the user answers: at the given step on the disk, or so many turns of the event loop after
// it, it ends itself with SIGKILL. Arguments: folder, step, turns, turns before each answer.
import { runAsking } from "./asking-run.ts";

const [folder = "", at = "0", turns = "0", pause = "0"] = process.argv.slice(2);
let steps = 0;

function dieAfter(left: number): void {
  if (left <= 0) process.kill(process.pid, "SIGKILL");
  else setImmediate(() => dieAfter(left - 1));
}

const onStep = (): Promise<void> => {
  if (++steps === Number(at)) dieAfter(Number(turns));
  return Promise.resolve();
};
await runAsking(folder, onStep, () => Number(pause));
