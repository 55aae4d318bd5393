// Runs the agent's commands in terminals the user sees. Consecutive commands share one terminal, parallel ones
// get another. Leaves processes to `shell-run.ts` and terminals to `terminal.ts`.
import { stat } from "node:fs/promises";
import type { CommandOptions, CommandResult, CommandRunner, Log } from "../harness/ports.ts";
import { UserError, errorText } from "../shared/errors.ts";
import { cleanCommandLogs, openCommandLog } from "./command-log.ts";
import type { CommandLog } from "./command-log.ts";
import { commandEnvironment, findShell } from "./shell.ts";
import { startShell } from "./shell-run.ts";
import type { ShellResult, ShellRun } from "./shell-run.ts";
import { ReinsTerminal } from "./terminal.ts";

export class TerminalCommandRunner implements CommandRunner {
  readonly unavailable: string | undefined;
  readonly shell: string;
  private readonly logFolder: string;
  private readonly log: Log;
  private readonly shellPath: string;
  private readonly terminals = new Set<ReinsTerminal>();
  private readonly byCall = new Map<string, ReinsTerminal>();
  private readonly runs = new Set<ShellRun>();
  private used = false;

  /** `logFolder` is created when the first command runs. */
  constructor(logFolder: string, log: Log) {
    const shell = findShell(process.env);
    this.shell = shell?.name ?? "sh";
    this.shellPath = shell?.path ?? "";
    this.unavailable = shell
      ? undefined
      : "Commands need bash, and there is none on this machine. Install Git for Windows (it brings one), then reload the window.";
    this.logFolder = logFolder;
    this.log = log;
  }

  async run(command: string, options: CommandOptions): Promise<CommandResult> {
    if (this.unavailable) throw new UserError(this.unavailable);
    await checkFolder(options.cwd);
    const log = await this.openLog(options.toolCallId);
    const terminal = this.takeTerminal(options.toolCallId, command);
    let result: ShellResult | undefined;
    try {
      result = await this.runIn(terminal, log, command, options);
    } finally {
      terminal.end(describeEnd(result));
      await log.close();
    }
    return { ...result, logPath: log.path };
  }

  show(toolCallId: string): void {
    const terminal = this.byCall.get(toolCallId);
    if (!terminal)
      throw new UserError("The terminal of this command was closed. Its output is in the command's card.");
    terminal.reveal();
  }

  /** Ends all commands. Resolves when their processes are gone. */
  async shutdown(): Promise<void> {
    const runs = [...this.runs];
    for (const run of runs) run.close();
    await Promise.all(runs.map((run) => run.result));
  }

  /** The process groups of commands that run, for the last moment of this process. */
  runningGroups(): readonly number[] {
    return [...this.runs].map((run) => run.pid);
  }

  private async openLog(toolCallId: string): Promise<CommandLog> {
    if (!this.used) await cleanCommandLogs(this.logFolder, Date.now());
    return openCommandLog(this.logFolder, toolCallId, (error) => {
      this.log.error(`The log of a command could not be written: ${errorText(error)}`);
    });
  }

  private takeTerminal(toolCallId: string, command: string): ReinsTerminal {
    const terminal = [...this.terminals].find((other) => !other.busy) ?? this.createTerminal();
    terminal.begin(command);
    this.byCall.set(toolCallId, terminal);
    if (!this.used) terminal.reveal();
    this.used = true;
    return terminal;
  }

  private createTerminal(): ReinsTerminal {
    const terminal: ReinsTerminal = new ReinsTerminal(() => {
      this.terminals.delete(terminal);
      for (const [call, other] of this.byCall) if (other === terminal) this.byCall.delete(call);
    });
    this.terminals.add(terminal);
    return terminal;
  }

  private async runIn(
    terminal: ReinsTerminal,
    log: CommandLog,
    command: string,
    options: CommandOptions,
  ): Promise<ShellResult> {
    const run = await startShell({
      shell: this.shellPath,
      command,
      cwd: options.cwd,
      env: commandEnvironment(process.env),
      timeoutMs: options.timeoutMs,
      signal: options.signal,
      onOutput: (text) => {
        terminal.print(text);
        options.onOutput(text);
        return log.write(text);
      },
    });
    this.runs.add(run);
    terminal.attach(run);
    const result = await run.result;
    this.runs.delete(run);
    return result;
  }
}

async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new UserError(`The command was not run: its folder ${path} does not exist. Open or create it first.`);
}

function describeEnd(result: ShellResult | undefined): string {
  if (!result) return "not started";
  if (result.end === "timeout") return "stopped: it took too long";
  if (result.end === "aborted" || result.end === "closed") return "stopped";
  return result.exitCode === 0 ? "done" : `exit code ${result.exitCode ?? "unknown"}`;
}
