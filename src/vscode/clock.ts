// Real time.
import type { Clock } from "../harness/ports.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return { dispose: () => clearTimeout(timer) };
  },
};
