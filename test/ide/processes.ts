// Child processes that are certain to end: each runs in a group of its own, and it and everything it started is
// ended when the caller stops it, or when this process is told to end.
import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess, SpawnOptions } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface Group {
  readonly child: ChildProcess;
  /** Resolves when the process has ended, however it did. */
  readonly ended: Promise<number>;
  /** Asks the whole tree to end, insists after `grace` milliseconds (2000), and resolves when nothing of it is left. */
  stop(grace?: number): Promise<void>;
  /** Takes the group away at once, as a crash would; what it started in groups of its own is left alone. */
  kill(): Promise<void>;
}

const running = new Set<Group>();
let ending: Promise<void> | undefined;

/** Starts `command` as the leader of a process group. Does not throw: a command that cannot start has ended with 127. */
export function startGroup(command: string, args: readonly string[], options: SpawnOptions = {}): Group {
  const child = spawn(command, args, { ...options, detached: process.platform !== "win32" });
  const ended = new Promise<number>((resolve) => {
    child.once("error", () => resolve(127));
    child.once("exit", (code, signal) => resolve(code ?? (signal ? 143 : 1)));
  });
  const group: Group = {
    child,
    ended,
    stop: (grace = 2000) => stopTree(child.pid, ended, grace),
    kill: async () => {
      if (child.pid !== undefined) signal(-child.pid, "SIGKILL");
      await ended;
    },
  };
  running.add(group);
  void ended.then(() => running.delete(group));
  return group;
}

/** Stops every group that is still on. Also called by `stopOnSignals`. */
export function stopAll(): Promise<void> {
  ending ??= Promise.all([...running].map((group) => group.stop())).then(() => undefined);
  return ending;
}

/**
 * From now on Ctrl+C, SIGTERM, a closed terminal, and the end of the parent (npm may be killed without passing a
 * signal on) stop every group and then this process.
 */
export function stopOnSignals(beforeExit: () => Promise<void> = () => Promise.resolve()): void {
  const end = (code: number) => void beforeExit().finally(() => stopAll().finally(() => process.exit(code)));
  process.on("SIGINT", () => end(130));
  process.on("SIGTERM", () => end(143));
  process.on("SIGHUP", () => end(129));
  const parent = process.ppid;
  if (process.env["npm_lifecycle_event"])
    setInterval(() => process.ppid !== parent && end(143), 1000).unref();
}

async function stopTree(pid: number | undefined, ended: Promise<number>, grace: number): Promise<void> {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    execFileSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore" });
    return;
  }
  // Terminals and commands lead groups of their own: the tree is written down while it still hangs together.
  const tree = [pid, ...descendants(pid)];
  signal(-pid, "SIGTERM");
  await Promise.race([ended, sleep(grace, undefined, { ref: false })]);
  for (const each of new Set([...tree, ...tree.flatMap(descendants)])) signal(each, "SIGTERM");
  const deadline = Date.now() + Math.min(grace, 3000);
  while (tree.some(isAlive) && Date.now() < deadline) await sleep(50);
  for (const each of tree) if (isAlive(each)) signal(each, "SIGKILL");
  signal(-pid, "SIGKILL");
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already, which is what was wanted.
  }
}

/** Whether there is such a process and it has not ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** In a container without an init, orphans stay in the process table after their end. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

/** All processes below `pid`, at any depth. */
export function descendants(pid: number): number[] {
  const parents = process.platform === "linux" ? parentsFromProc() : parentsFromPs();
  const below = (parent: number): number[] =>
    parents.filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

type ChildAndParent = readonly [child: number, parent: number];

function parentsFromProc(): ChildAndParent[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): ChildAndParent[] => {
      try {
        // The command's name, in parentheses, may contain anything; the parent's id is the second field after it.
        const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").pop()?.split(" ");
        return [[Number(name), Number(fields?.[1])]];
      } catch {
        return [];
      }
    });
}

function parentsFromPs(): ChildAndParent[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line): ChildAndParent => {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    return [child ?? 0, parent ?? 0];
  });
}
