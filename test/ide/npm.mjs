// Calls the npm that came with the user's Node, quietly, and turns a failure into a text that says what to do.
// Node built-ins only: this runs before the dependencies are there.
import { spawn } from "node:child_process";

/** A failure that the person at the keyboard can do something about; its message says what. */
export class SetupError extends Error {}

/**
 * Runs npm to its end. Its output is shown only when it fails.
 * @param {string[]} args
 * @param {{ cwd: string, what: string }} options `what` completes the sentence "Could not …"
 * @returns {Promise<void>}
 */
export function runNpm(args, { cwd, what }) {
  const fromNpm = process.env.npm_execpath;
  const useNode = fromNpm !== undefined && /npm-cli\.c?js$/.test(fromNpm);
  const child = useNode
    ? spawn(process.execPath, [fromNpm, ...args], { cwd, env: environment() })
    : spawn("npm", args, { cwd, env: environment(), shell: process.platform === "win32" });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", (error) =>
      reject(
        new SetupError(`Could not ${what}: npm did not start (${error.message}). Install npm 10 or later.`),
      ),
    );
    child.on("close", (code) => {
      if (code === 0) return resolve();
      reject(new SetupError(`Could not ${what}: npm ${args[0]} ended with code ${code}.\n${advice(output)}`));
    });
  });
}

/** What npm passes to its scripts about this repository would mislead an npm that works in another folder. */
function environment() {
  const env = { ...process.env };
  for (const name of ["npm_config_local_prefix", "npm_config_omit", "npm_config_production", "NODE_ENV"])
    delete env[name];
  return env;
}

/** @param {string} output */
function advice(output) {
  const tail = output.trim().split("\n").slice(-15).join("\n");
  if (/ENOSPC/.test(output))
    return `${tail}\nThe disk is full: free about 1 GB, or set REINS_CACHE to a folder elsewhere.`;
  if (/EACCES|EPERM/.test(output))
    return `${tail}\nA folder is not writable: set REINS_CACHE to one that is.`;
  return `${tail}\nCheck the network (and npm's proxy settings), then run the same command again.`;
}
