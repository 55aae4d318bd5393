// VS Code for the browser, as npm's code-server package carries it: installed into the cache without compiling
// anything, and where its parts are.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { installOnce } from "./cache.mjs";
import { runNpm } from "./npm.mjs";

const version = "4.139.1";
const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];

/** @returns the folder of the VS Code server: `out/server-main.js` starts it. Rejects with a SetupError. */
export async function ensureVsCode(): Promise<string> {
  const folder = await installOnce(`vscode-${version}`, async (target) => {
    console.log("Installing VS Code for the browser into the cache (once; about two minutes, 800 MB) …");
    const dependencies = { "code-server": version };
    writeFileSync(join(target, "package.json"), JSON.stringify({ private: true, dependencies }));
    const what = "install VS Code for the browser";
    await runNpm(["install", ...flags], { cwd: target, what });
    // Its own lock file does not satisfy `npm ci`; what needs compiling is optional and left out with the scripts.
    const server = join(target, "node_modules/code-server/lib/vscode");
    await runNpm(["install", "--omit=dev", ...flags], { cwd: server, what });
    await runNpm(["install", "--omit=dev", ...flags], { cwd: join(server, "extensions"), what });
  });
  return join(folder, "node_modules/code-server/lib/vscode");
}
