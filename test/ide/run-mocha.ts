// Runs mocha over files that Node can run as they are, and ends with a line that run-tests.ts counts.
// Usage: node run-mocha.ts [--reporter dot|spec] [--timeout MS] [--grep TEXT] GLOB…
import { globSync } from "node:fs";
import { parseArgs } from "node:util";
import Mocha from "mocha";
import "../support/properties.ts"; // Before any file that states some.
import { resultLine } from "./test-result.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    reporter: { type: "string", default: "spec" },
    timeout: { type: "string", default: "60000" },
    grep: { type: "string" },
  },
});

const mocha = new Mocha({
  reporter: values.reporter,
  timeout: Number(values.timeout),
  color: process.stdout.isTTY || process.env["FORCE_COLOR"] === "1",
  forbidOnly: process.env["CI"] === "true",
  ...(values.grep === undefined ? {} : { grep: values.grep }),
});
for (const file of positionals.flatMap((pattern) => globSync(pattern)).sort()) mocha.addFile(file);
await mocha.loadFilesAsync();
const runner = mocha.run((failures) => {
  console.log(resultLine(runner.stats));
  process.exitCode = failures > 0 ? 1 : 0;
  setTimeout(() => leave(failures), 5000).unref();
});

/** A test that leaves a server or a process behind would keep the whole run waiting. */
function leave(failures: number): void {
  console.log(`Something was left open by these tests: ${process.getActiveResourcesInfo().join(", ")}`);
  process.exit(failures > 0 ? 1 : 0);
}
