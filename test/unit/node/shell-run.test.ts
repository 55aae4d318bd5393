// Real commands through a real shell: what arrives, how it ends, and that nothing is left.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { commandEnvironment, findShell } from "../../../src/node/shell.ts";
import { startShell } from "../../../src/node/shell-run.ts";
import type { ShellOptions, ShellResult, ShellRun } from "../../../src/node/shell-run.ts";

interface Started {
  readonly run: ShellRun;
  readonly output: () => string;
  readonly abort: AbortController;
  /** Resolves when the output contains the text. */
  readonly printed: (text: string) => Promise<void>;
}

async function start(command: string, options: Partial<ShellOptions> = {}): Promise<Started> {
  let output = "";
  const waiting = new Set<() => void>();
  const abort = new AbortController();
  const run = await startShell({
    shell: findShell(process.env)?.path ?? "/bin/sh",
    command,
    cwd: "/tmp",
    env: commandEnvironment(process.env),
    timeoutMs: 20_000,
    signal: abort.signal,
    onOutput: (text) => {
      output += text;
      for (const check of waiting) check();
      return undefined;
    },
    ...options,
  });
  const printed = (text: string) =>
    new Promise<void>((resolve) => {
      const check = () => output.includes(text) && resolve();
      waiting.add(check);
      check();
    });
  return { run, output: () => output, abort, printed };
}

async function finished(command: string, options: Partial<ShellOptions> = {}) {
  const started = await start(command, options);
  const result: ShellResult = await started.run.result;
  return { ...result, output: started.output() };
}

async function processesWith(text: string): Promise<string[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")));
  return lines.filter((line) => line.split("\0").includes(text));
}

describe("A command in a shell", function () {
  const complete: readonly (readonly [id: string, command: string, output: string])[] = [
    ["T01 several lines", "for i in 1 2\ndo\n  echo $i\ndone", "1\n2\n"],
    ["T03 a command after a heredoc", "cat - <<'EOF'\nfirst\nEOF\necho second", "first\nsecond\n"],
    ["T05 a template literal in a heredoc", "cat <<'EOF'\n`${index + 1}`\nEOF", "`${index + 1}`\n"],
    ["T15 leading punctuation", "printf ',a,b\\n--- x\\n%%y\\n> z\\n'", ",a,b\n--- x\n%y\n> z\n"],
    ["T32 quotes", `printf '%s|' "a \\"b\\" c" 'x != y' "it's!"`, `a "b" c|x != y|it's!|`],
    ["T32 a continued line", "printf '[%s]' a \\\n b", "[a][b]"],
  ];
  for (const [name, command, output] of complete) {
    it(`prints exactly what it should: ${name}`, async () => {
      assert.deepEqual(await finished(command), { exitCode: 0, end: "exited", output });
    });
  }

  it("T10 loses nothing of a short command, again and again", async () => {
    for (let i = 0; i < 6; i++) {
      const five = Array.from({ length: 5 }, () => finished("echo l1; echo l2 >&2; true"));
      for (const { output } of await Promise.all(five)) assert.equal(output.length, 6);
    }
  });

  it("T16 keeps characters whole that arrive in two pieces", async () => {
    const { output } = await finished("printf 'x \\xe2'; sleep 0.2; printf '\\x80\\x94 y'");
    assert.equal(output, "x — y");
  });

  it("T39 reports an exit code, and 128 + n for a signal", async () => {
    assert.equal((await finished("exit 3")).exitCode, 3);
    assert.equal((await finished("kill -9 $$")).exitCode, 137);
  });

  it("T21 ends after its time with the output so far", async () => {
    const result = await finished("for i in 1 2 3 4; do echo $i; sleep 5; done", { timeoutMs: 1000 });
    assert.equal(result.end, "timeout");
    assert.equal(result.output, "1\n");
  });

  it("T22 can be answered", async () => {
    const { run, output, printed } = await start("printf 'Ok? '; read x; echo got:$x");
    await printed("Ok? ");
    run.write("yes\n");
    assert.equal((await run.result).exitCode, 0);
    assert.equal(output(), "Ok? got:yes\n");
  });

  it("can be interrupted as by Ctrl+C", async () => {
    const { run, printed } = await start("echo on; sleep 60");
    await printed("on");
    run.interrupt();
    const result = await run.result;
    assert.equal(result.end, "exited");
    assert.equal(result.exitCode, 130);
  });

  it("T24 takes its whole process tree along when it is aborted, strays included", async function () {
    if (process.platform !== "linux") this.skip();
    const { run, abort, printed } = await start(
      "trap '' TERM; sleep 30.987 & setsid sleep 31.987 & sleep 0.1; echo on; sleep 32.987; wait",
    );
    await printed("on");
    abort.abort();
    assert.equal((await run.result).end, "aborted");
    for (const seconds of ["30.987", "31.987", "32.987"]) assert.deepEqual(await processesWith(seconds), []);
  });

  it("does not wait for background processes, and ends them", async function () {
    if (process.platform !== "linux") this.skip();
    const begin = Date.now();
    const result = await finished("sleep 33.987 & echo bg");
    assert.deepEqual(result, { exitCode: 0, end: "exited", output: "bg\n" });
    assert.ok(Date.now() - begin < 5000);
    assert.deepEqual(await processesWith("33.987"), []);
  });

  it("T27 ends as closed when its terminal is closed", async () => {
    const { run, printed } = await start("echo on; sleep 60");
    await printed("on");
    run.close();
    assert.equal((await run.result).end, "closed");
  });

  it("holds the output back while the reader is behind, and loses none", async () => {
    let lines = 0;
    const result = await finished("seq 1 200000", {
      onOutput: (text) => {
        lines += text.split("\n").length - 1;
        return new Promise((resolve) => setImmediate(resolve));
      },
    });
    assert.equal(result.exitCode, 0);
    assert.equal(lines, 200_000);
  });

  it("says which shell could not be started", async () => {
    await assert.rejects(start("true", { shell: "/nope/bash" }), /\/nope\/bash could not be started/);
  });
});
