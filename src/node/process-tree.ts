// The certain end of a process and of everything it started. Leaves to callers when that is wanted.
import { spawn } from "node:child_process";
import { readFile, readdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** How long a tree may take to end by itself after SIGTERM, in milliseconds. */
const graceMs = 2000;
const pollMs = 25;

interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
}

/** Ends the process group of `pid` and its descendants outside it: politely, after two seconds by force. */
export async function killTree(pid: number): Promise<void> {
  if (process.platform === "win32") return killWindowsTree(pid);
  const strays = await descendantsOutside(pid);
  signalAll(pid, strays, "SIGTERM");
  if (await gone(pid, strays, graceMs)) return;
  signalAll(pid, strays, "SIGKILL");
  await gone(pid, strays, 1000);
}

/** Whether a living process is left in the group. */
export async function isGroupAlive(pid: number): Promise<boolean> {
  if (process.platform === "win32") return false;
  const processes = await linuxProcesses();
  if (processes) return processes.some((other) => other.group === pid);
  return isAlive(-pid);
}

/** Sends a signal to a process or, with a negative id, to a group. Does nothing when there is none. */
export function sendSignal(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // It ended between the decision and the signal, which is what was wanted.
  }
}

async function gone(pid: number, strays: readonly number[], timeoutMs: number): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while ((await isGroupAlive(pid)) || strays.some(isAlive)) {
    if (Date.now() >= end) return false;
    await delay(pollMs);
  }
  return true;
}

function signalAll(pid: number, strays: readonly number[], signal: NodeJS.Signals): void {
  sendSignal(-pid, signal);
  for (const stray of strays) sendSignal(stray, signal);
}

/** Descendants that made a group of their own (`setsid`); they would survive a signal to the group. */
async function descendantsOutside(pid: number): Promise<number[]> {
  const processes = (await linuxProcesses()) ?? [];
  const family = new Set([pid]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const one of processes) if (family.has(one.parent)) family.add(one.pid);
  }
  return processes.filter((one) => family.has(one.pid) && one.group !== pid).map((one) => one.pid);
}

/** All processes that are not zombies; undefined where there is no `/proc` to read them from. */
async function linuxProcesses(): Promise<ProcessInfo[] | undefined> {
  if (process.platform !== "linux") return undefined;
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(ids.map((id) => readFile(`/proc/${id}/stat`, "utf8").catch(() => "")));
  return stats.flatMap(parseStat);
}

function parseStat(stat: string): ProcessInfo[] {
  // The second field is the program's name in parentheses and may contain anything.
  const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (!state || state === "Z" || state === "X") return [];
  return [{ pid: Number.parseInt(stat, 10), parent: Number(parent), group: Number(group) }];
}

function isAlive(target: number): boolean {
  try {
    return process.kill(target, 0);
  } catch {
    return false;
  }
}

function killWindowsTree(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const killer = spawn("taskkill", ["/pid", String(pid), "/T", "/F"], {
      stdio: "ignore",
      windowsHide: true,
    });
    killer.once("close", () => resolve());
    killer.once("error", () => resolve());
  });
}
