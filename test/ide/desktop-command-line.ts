// Desktop VS Code's command line for extension tests, carried out by a browser VS Code window. The variable
// REINS_TEST_HOST says which of the two extension hosts Reins runs in. VS Code runs an extension under development that
// has both entries in the Node host; in the worker it is an installed one, and the tests belong to an extension of theirs.
import { setTimeout as sleep } from "node:timers/promises";
import { stopOnSignals } from "./processes.ts";
import { printedBySuite } from "./test-result.ts";
import { openWindow } from "./window.ts";

const timeLimit = 600_000;

/** Resolves with the exit code: 0 if the module of `--extensionTestsPath` resolved its `run()`. */
export async function runLikeDesktop(args: readonly string[]): Promise<number> {
  const [testsPath] = valuesOf(args, "extensionTestsPath");
  const folder = args.find((arg) => !arg.startsWith("--"));
  // A browser window develops one extension; the others are installed ones there.
  const [developmentPath, ...otherExtensions] = valuesOf(args, "extensionDevelopmentPath");
  if (!folder || !testsPath || !developmentPath) {
    console.error("Needed: a folder, --extensionDevelopmentPath=… and --extensionTestsPath=…");
    return 1;
  }
  stopOnSignals();
  let lastLines: string[] = [];
  let printedAnything = false;
  const window = await openWindow({
    folder,
    testsPath,
    developmentPath,
    otherExtensions,
    ...(process.env["REINS_TEST_HOST"] === "web"
      ? { host: "web", extension: "unpacked" }
      : { host: "node", extension: "dev" }),
    onLog: (line) => {
      lastLines = [...lastLines, line].slice(-40);
      const printed = printedBySuite(line);
      if (printed === undefined) return;
      printedAnything = true;
      console.log(printed);
    },
  });
  try {
    const code = await Promise.race([window.testsEnded, sleep(timeLimit, 124, { ref: false })]);
    if (code === 124 || !printedAnything)
      console.error(`The tests did not run to their end. The window's last lines:\n${lastLines.join("\n")}`);
    return code;
  } finally {
    await window.close();
  }
}

function valuesOf(args: readonly string[], name: string): string[] {
  const start = `--${name}=`;
  return args.filter((arg) => arg.startsWith(start)).map((arg) => arg.slice(start.length));
}
