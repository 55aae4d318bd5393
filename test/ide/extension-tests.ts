// Runs the suites that live inside an extension host: bundles their files into one module and has
// @vscode/test-electron start VS Code with it.
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runTests } from "@vscode/test-electron";
import { build } from "esbuild";
import { printedBySuite } from "./test-result.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Bundles and runs `test/host` (in the Node host) or `test/web` with the host-neutral part of `test/host` (in the web
 * worker host). VS Code is the browser one through `desktop-adapter`, or the downloaded desktop one when
 * REINS_TEST_VSCODE is `desktop` (and on Windows, where the adapter cannot be executed).
 * @returns the exit code
 */
export async function runExtensionTests(host: "node" | "web"): Promise<number> {
  const suite = join(root, `out/${host}-suite`);
  const testsPath = await bundle(host, suite);
  const workspace = mkdtempSync(join(tmpdir(), "reins-workspace-"));
  writeFileSync(join(workspace, "hello.txt"), "hello\n");
  const desktop = process.env["REINS_TEST_VSCODE"] === "desktop" || process.platform === "win32";
  try {
    await runTests({
      ...(desktop && host === "node" ? {} : { vscodeExecutablePath: join(root, "test/ide/desktop-adapter") }),
      extensionDevelopmentPath:
        host === "web" ? writeWorkerExtension(suite) : [root, join(root, "test/ide/language-models")],
      extensionTestsPath: testsPath,
      launchArgs: [workspace, `--user-data-dir=${join(workspace, ".user")}`, "--disable-extensions"],
      extensionTestsEnv: {
        REINS_TEST_HOST: host,
        PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
      },
      stdout: withoutMarks(),
    });
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

/** One CommonJS module with `run()`. Both hosts use mocha's browser build, which needs nothing around it. */
async function bundle(host: "node" | "web", folder: string): Promise<string> {
  const patterns = host === "node" ? ["test/host/*.test.ts"] : ["test/host/*.test.ts", "test/web/*.test.ts"];
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => host === "node" || isHostNeutral(file));
  const outfile = join(folder, "suite.js");
  mkdirSync(folder, { recursive: true });
  await build({
    stdin: { contents: entry(files), resolveDir: root, loader: "js" },
    outfile,
    bundle: true,
    format: "cjs",
    platform: host === "node" ? "node" : "browser",
    target: "es2022",
    sourcemap: "inline",
    external: ["vscode"],
    alias: host === "web" ? webAliases : {},
    banner: { js: mochaAsGlobal() },
    define: { REINS_TEST_HOST: JSON.stringify(host) },
    logLevel: "warning",
  });
  return outfile;
}

/** An extension that has only a browser entry, so that VS Code runs it, and the suite in its folder, in the worker. */
function writeWorkerExtension(folder: string): string {
  const manifest = {
    name: "web-suite",
    publisher: "reins",
    version: "0.0.1",
    engines: { vscode: "^1.110.0" },
    browser: "./extension.js",
    activationEvents: ["onStartupFinished"],
    // Here the suite is the provider itself: test/ide/language-models has no entry for the worker.
    contributes: {
      languageModelChatProviders: [{ vendor: "reins-test", displayName: "Reins Test" }],
    },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "extension.js"), "exports.activate = () => {};");
  return folder;
}

/** The build is a script that exports itself where it finds `module`, and is a global where it does not. */
function mochaAsGlobal(): string {
  const script = readFileSync(join(root, "node_modules/mocha/mocha.js"), "utf8").replace(
    /^\/\/# source.*/m,
    "",
  );
  return `(function (module, exports, define) {${script}\n}).call(globalThis);`;
}

/** The worker has no Node modules; assert is all that the host-neutral tests need of them. */
const webAliases = { "node:assert/strict": join(root, "test/web/assert.ts") };

/** A test file of the host suite that asks Node for nothing but assert can run in the web worker too. */
function isHostNeutral(file: string): boolean {
  const modules = [...readFileSync(join(root, file), "utf8").matchAll(/from "node:([^"]+)"/g)];
  return modules.every(([, name]) => name === "assert/strict");
}

/** Test files are required only once mocha's globals are there. */
function entry(files: readonly string[]): string {
  const requires = files.map((file) => `require(${JSON.stringify(`./${file}`)});`).join(" ");
  return `const { runSuite } = require("./test/host/run-suite.ts");
    exports.run = () => runSuite(() => { ${requires} }, ${JSON.stringify(process.env["REINS_TEST_GREP"] ?? "")});`;
}

/** Desktop VS Code shows the marked lines as they are; the adapter has removed the marks already. */
function withoutMarks(): NodeJS.WritableStream {
  const stream = process.stdout;
  return Object.assign(Object.create(stream) as NodeJS.WriteStream, {
    // Only write() is called, with chunks that rarely split a line; a split line keeps its mark and is still readable.
    write: (chunk: Uint8Array | string) =>
      stream.write(
        String(chunk)
          .split("\n")
          .map((line) => printedBySuite(line) ?? line)
          .join("\n"),
      ),
  });
}
