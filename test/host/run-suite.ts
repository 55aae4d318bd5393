// What runs inside an extension host: mocha over the bundled test files. It prints marked lines, which the runner
// outside picks from VS Code's log, and rejects if a test failed, from which VS Code makes its exit code.
import type MochaModule from "mocha";
import { markAsPrinted, resultLine } from "../ide/test-result.ts";

/** `load` requires the test files; `grep` limits the tests to those whose title contains it. */
export function runSuite(load: () => void, grep: string): Promise<void> {
  // Put before the bundle by extension-tests.ts.
  const { Mocha } = globalThis as unknown as { Mocha: typeof MochaModule };
  const mocha = new Mocha({ ui: "bdd", timeout: 60_000, color: false, reporter: "spec" });
  if (grep) mocha.grep(grep);
  const print = (...args: unknown[]) => console.log(markAsPrinted(formatted(args)));
  // Typed as a constant, but meant to be replaced where there is no terminal.
  (Mocha.reporters.Base as unknown as { consoleLog: typeof print }).consoleLog = print;
  mocha.suite.emit("pre-require", globalThis, "", mocha);
  load();
  return new Promise((resolve, reject) => {
    const runner = mocha.run((failures) => {
      print(resultLine(runner.stats));
      if (failures > 0) reject(new Error(`${failures} tests failed.`));
      else resolve();
    });
  });
}

/** mocha's reporters print in the manner of printf; the web worker's console does not. */
function formatted([first = "", ...rest]: readonly unknown[]): string {
  if (typeof first !== "string") return [first, ...rest].map(String).join(" ");
  const text = first.replaceAll(/%[sd%]/g, (token) => (token === "%%" ? "%" : String(rest.shift())));
  return [text, ...rest.map(String)].join(" ").trimEnd();
}
