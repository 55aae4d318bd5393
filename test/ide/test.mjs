// `npm test` and `npm run check`: prepares the machine, then hands over to run-tests.ts.
import { onNode24 } from "./bootstrap.mjs";

await onNode24(import.meta.url, async () => {
  const { runTests } = await import("./run-tests.ts");
  return runTests(process.argv.slice(2));
});
