// A host that is killed can end nothing itself.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import assert from "node:assert/strict";
import { isAlive } from "../../ide/processes.ts";
import { setTimeout as delay } from "node:timers/promises";

const shellRun = fileURLToPath(new URL("../../../src/node/shell-run.ts", import.meta.url));

/** Starts a command in another process, which prints the command's id. */
const host = `
  const { startShell } = await import(${JSON.stringify(shellRun)});
  const run = await startShell({
    shell: "/bin/sh", command: "sleep 1000; echo never", cwd: "/", env: process.env, timeoutMs: 60_000,
    signal: new AbortController().signal, onOutput: () => undefined,
  });
  console.log(run.pid);
`;

describe("A command whose host is killed", () => {
  before(function () {
    if (process.platform === "win32") this.skip();
  });

  it("is ended as well", async () => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", host], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const pid = Number(line.toString());
    assert.ok(isAlive(pid));
    child.kill("SIGKILL");
    while (isAlive(pid)) await delay(20);
  });
});
