// One command in a shell: output in the order of arrival, the exit code, and one of four ways to end. Knows no
// terminal; `process-tree.ts` makes sure that nothing survives it.
import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { UserError, errorText } from "../shared/errors.ts";
import { guardAgainstOrphans } from "./orphan-guard.ts";
import { isGroupAlive, killTree, sendSignal } from "./process-tree.ts";

export interface ShellOptions {
  /** Path of the shell; it must understand `-c`. */
  readonly shell: string;
  readonly command: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Decoded output. A returned promise holds the command's output back until it resolves. */
  readonly onOutput: (text: string) => Promise<void> | undefined;
}

export type ShellEnd = "exited" | "timeout" | "aborted" | "closed";

export interface ShellResult {
  /** 128 + n for signal n; undefined when it is not known. */
  readonly exitCode: number | undefined;
  readonly end: ShellEnd;
}

export interface ShellRun {
  readonly pid: number;
  /** Resolves when the whole process tree is gone. */
  readonly result: Promise<ShellResult>;
  /** To the command's standard input. */
  write(text: string): void;
  endInput(): void;
  /** What Ctrl+C does. */
  interrupt(): void;
  /** Kills it; it then ends as `closed`. */
  close(): void;
}

/** After the shell has exited: how long silent pipes, and how long any pipes, are waited for, in milliseconds. */
const idleMs = 100;
const drainMs = 2000;

/** Starts the command. Rejects with a UserError when the shell cannot be started. */
export async function startShell(options: ShellOptions): Promise<ShellRun> {
  const child = spawn(options.shell, ["-c", options.command], {
    cwd: options.cwd,
    env: options.env,
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const pid = await spawned(child, options.shell);
  // Writing to a command that has closed its input is no failure of the command.
  child.stdin.on("error", () => undefined);
  const stopped = Promise.withResolvers<ShellEnd>();
  return {
    pid,
    result: finish(child, pid, options, stopped),
    write: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    interrupt: () => sendSignal(process.platform === "win32" ? pid : -pid, "SIGINT"),
    close: () => stopped.resolve("closed"),
  };
}

function spawned(child: ChildProcessWithoutNullStreams, shell: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      reject(new UserError(`The shell ${shell} could not be started: ${errorText(error)}`));
    });
    child.once("spawn", () => resolve(child.pid ?? 0));
  });
}

async function finish(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  options: ShellOptions,
  stopped: PromiseWithResolvers<ShellEnd>,
): Promise<ShellResult> {
  const release = guardAgainstOrphans(pid);
  const pipes = new Pipes(child, options.onOutput);
  let exitCode: number | undefined;
  const exited = new Promise<ShellEnd>((resolve) => {
    child.once("exit", (code, signal) => {
      exitCode = code ?? (signal ? 128 + constants.signals[signal] : undefined);
      resolve("exited");
    });
  });
  const timer = setTimeout(() => stopped.resolve("timeout"), options.timeoutMs);
  const abort = () => stopped.resolve("aborted");
  options.signal.addEventListener("abort", abort);
  if (options.signal.aborted) abort();

  const end = await Promise.race([exited, stopped.promise]);
  clearTimeout(timer);
  if (end === "exited") await Promise.race([pipes.drained(), stopped.promise]);
  options.signal.removeEventListener("abort", abort);
  if (end !== "exited" || (await isGroupAlive(pid))) await killTree(pid);
  release();
  await Promise.race([Promise.all([exited, pipes.closed]), delay(idleMs)]);
  pipes.finish();
  return { exitCode, end };
}

/** Both output pipes, each with its own decoder, so that a character split between chunks stays whole. */
class Pipes {
  readonly closed: Promise<unknown>;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly onOutput: ShellOptions["onOutput"];
  private readonly flushes: (() => void)[] = [];
  private lastData = Date.now();
  private held = 0;
  private finished = false;

  constructor(child: ChildProcessWithoutNullStreams, onOutput: ShellOptions["onOutput"]) {
    this.child = child;
    this.onOutput = onOutput;
    this.closed = new Promise((resolve) => child.once("close", resolve));
    this.read(child.stdout);
    this.read(child.stderr);
  }

  /** The pipes are closed, or a background process holds them and has been silent, or was given time enough. */
  async drained(): Promise<void> {
    const started = Date.now();
    let open = true;
    void this.closed.then(() => (open = false));
    const done = () => {
      const now = Date.now();
      return now - Math.max(this.lastData, started) >= idleMs || now - started >= drainMs;
    };
    while (open && (this.held > 0 || !done())) await Promise.race([this.closed, delay(20)]);
  }

  /** Emits what the decoders still hold and lets go of the pipes. */
  finish(): void {
    for (const flush of this.flushes) flush();
    this.finished = true;
    for (const pipe of [this.child.stdout, this.child.stderr, this.child.stdin]) pipe.destroy();
  }

  private read(pipe: Readable): void {
    const decoder = new TextDecoder();
    const emit = (text: string) => {
      const wait = text && !this.finished ? this.onOutput(text) : undefined;
      if (!wait) return;
      pipe.pause();
      this.held++;
      void wait.finally(() => {
        this.held--;
        pipe.resume();
      });
    };
    pipe.on("data", (chunk: Buffer) => {
      this.lastData = Date.now();
      emit(decoder.decode(chunk, { stream: true }));
    });
    // A pipe that breaks has no more output, which is all there is to know.
    pipe.on("error", () => undefined);
    this.flushes.push(() => emit(decoder.decode()));
  }
}
