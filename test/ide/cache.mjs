// The folder outside the repository where Node 24, the browser VS Code and profiles are kept, and how something
// gets into it: completely or not at all, and once, even when two starts want it at the same time.
// Node built-ins only: this runs before the dependencies are there.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * `REINS_CACHE`, else the platform's folder for caches plus `reins`.
 * @returns {string} an absolute path; the folder may not exist yet
 */
export function cacheDirectory() {
  const { REINS_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (REINS_CACHE) return REINS_CACHE;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, "reins");
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches", "reins");
  if (process.platform === "win32" && LOCALAPPDATA) return join(LOCALAPPDATA, "reins");
  return join(homedir(), ".cache", "reins");
}

/**
 * Returns the folder `name` of the cache, made by `install` if it is not there. `install` fills a temporary folder
 * beside it that is renamed when it has succeeded, so that a broken download never looks like a finished one.
 * @param {string} name
 * @param {(folder: string) => Promise<void>} install
 * @returns {Promise<string>}
 */
export async function installOnce(name, install) {
  const folder = join(cacheDirectory(), name);
  const finished = join(folder, ".ok");
  if (existsSync(finished)) return folder;
  mkdirSync(cacheDirectory(), { recursive: true });
  const unlock = await lock(`${folder}.lock`);
  try {
    if (existsSync(finished)) return folder;
    const partial = `${folder}.partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    await install(partial);
    writeFileSync(join(partial, ".ok"), "");
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
    return folder;
  } finally {
    unlock();
  }
}

/**
 * Waits until no living process holds `path`, then takes it. A folder is the lock because making one is atomic.
 * @param {string} path
 * @returns {Promise<() => void>} gives the lock back
 */
async function lock(path) {
  let told = false;
  while (!take(path)) {
    if (!told) console.log("Another Reins start is installing the same thing: waiting for it.");
    told = true;
    await sleep(300);
  }
  return () => rmSync(path, { recursive: true, force: true });
}

/** @param {string} path */
function take(path) {
  try {
    mkdirSync(path);
    writeFileSync(join(path, "pid"), String(process.pid));
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    const owner = ownerOf(path);
    if (owner !== undefined && !isAlive(owner)) rmSync(path, { recursive: true, force: true });
    return false;
  }
}

/** @param {string} path */
function ownerOf(path) {
  try {
    return Number(readFileSync(join(path, "pid"), "utf8")) || undefined;
  } catch {
    return undefined; // The owner is between making the folder and writing into it.
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
