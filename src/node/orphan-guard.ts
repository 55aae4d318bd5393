// Ends a command when this process dies without being able to do so itself (killed, crashed, out of memory). Leaves
// the orderly ways to end to process-tree.ts.
import { spawn } from "node:child_process";

/** Reading ends with the input, and that closes when the process that holds its other end is gone, however it went. */
const script = 'read -r _; kill -TERM "-$1"; sleep 2; kill -KILL "-$1"';

/**
 * Watches over a process group from outside until the returned function is called. Where it cannot (Windows, no `sh`),
 * nothing happens.
 */
export function guardAgainstOrphans(group: number): () => void {
  if (process.platform === "win32") return () => undefined;
  const guard = spawn("/bin/sh", ["-c", script, "sh", String(group)], {
    // In a group of its own, so that what kills ours does not take it along.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without it commands run all the same.
  guard.once("error", () => undefined);
  guard.stdin.once("error", () => undefined);
  guard.unref();
  return () => void guard.kill("SIGKILL");
}
