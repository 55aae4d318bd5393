// `npm run bench`: prepares the machine, then hands over to test/bench/run-bench.ts.
import { onNode24 } from "./bootstrap.mjs";

await onNode24(import.meta.url, async () => {
  const { runBench } = await import("../bench/run-bench.ts");
  await runBench();
});
