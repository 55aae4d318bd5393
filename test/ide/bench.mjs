// `npm run bench`, with the names of parts after `--`: prepares the machine, then hands over to test/bench/run-bench.ts.
import { onNode24 } from "./bootstrap.mjs";

await onNode24(import.meta.url, async () => {
  const { runBench } = await import("../bench/run-bench.ts");
  return runBench(process.argv.slice(2));
});
