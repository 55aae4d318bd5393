// The ripgrep of the VS Code that the suites install, for tests outside of it.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory } from "../ide/cache.mjs";
import { candidates } from "../../src/node/ripgrep-binary.ts";

/** Undefined where no VS Code has been installed yet. */
export function installedRipgrep(): string | undefined {
  const cache = cacheDirectory();
  if (!existsSync(cache)) return undefined;
  return readdirSync(cache)
    .filter((name) => name.startsWith("vscode-"))
    .map((name) => join(cache, name, "node_modules/code-server/lib/vscode"))
    .flatMap((appRoot) => candidates({ appRoot, env: {} }))
    .find((path) => existsSync(path));
}
