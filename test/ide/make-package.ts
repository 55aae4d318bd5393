// Makes the VSIX that users install, and refuses one that is too big, that lacks or leaks a file, or that contains code
// under a licence that we do not ship.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createVSIX } from "@vscode/vsce";
import { SetupError } from "./npm.mjs";
import { vsixPath } from "./vsix.ts";
import { zipEntries } from "./zip-entries.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sizeLimit = 2 * 1024 * 1024;

/** Everything in the package. In .vscodeignore an exception outweighs every rule, so each file is one there. */
const contents = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  "extension/package.json",
  "extension/readme.md",
  "extension/changelog.md",
  "extension/LICENSE.txt",
  "extension/dist/extension.node.cjs",
  "extension/dist/anthropic-sdk.cjs",
  "extension/dist/openai-sdk.cjs",
  "extension/dist/extension.web.js",
  "extension/dist/webview.js",
  "extension/media/icon.png",
  "extension/media/reins.svg",
];

const forbiddenPackages = ["fast-sha256", "standardwebhooks"];

/** Returns the path of `reins-<version>.vsix`. Rejects with a SetupError if what was made must not be shipped. */
export async function makePackage(): Promise<string> {
  const packagePath = vsixPath();
  // Runs `vscode:prepublish`, which builds for production.
  await createVSIX({
    cwd: root,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false, // There is no repository to point them to.
  });
  const problems = [...bundleProblems(), ...contentProblems(packagePath), ...sizeProblems(packagePath)];
  if (problems.length > 0)
    throw new SetupError(`${packagePath} must not be shipped:\n${problems.join("\n")}`);
  console.log(`${packagePath}: ${(statSync(packagePath).size / 1024).toFixed(0)} KiB`);
  return packagePath;
}

function bundleProblems(): string[] {
  // Written by esbuild.mjs: for each bundle, the modules in it.
  const outputs = JSON.parse(readFileSync(join(root, "dist/meta.json"), "utf8")) as Record<
    string,
    { readonly inputs: Readonly<Record<string, unknown>> }
  >;
  return Object.entries(outputs).flatMap(([bundle, { inputs }]) =>
    forbiddenPackages
      .filter((name) => Object.keys(inputs).some((path) => path.includes(`node_modules/${name}/`)))
      .map((name) => `${bundle} contains ${name}`),
  );
}

function contentProblems(packagePath: string): string[] {
  const names = zipEntries(packagePath);
  const extra = names.filter((name) => !contents.includes(name));
  const missing = contents.filter((name) => !names.includes(name));
  return [...extra.map((name) => `it contains ${name}`), ...missing.map((name) => `it lacks ${name}`)];
}

function sizeProblems(packagePath: string): string[] {
  const { size } = statSync(packagePath);
  return size <= sizeLimit ? [] : [`it has ${size} bytes, and ${sizeLimit} are allowed`];
}
