// The bash tool: one command in the terminal the user sees, its output and how it ended. Approval comes before it.
import { Type } from "@sinclair/typebox";
import type { AgentTool, ToolContext, ToolOutcome } from "../../agent/types.ts";
import { UserError } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { Clock, CommandResult, CommandRunner, Settings, Workspace } from "../ports.ts";
import type { BashDetails } from "./details.ts";
import { LiveOutput } from "./live-output.ts";
import type { TailText } from "./output-tail.ts";
import { OutputTail } from "./output-tail.ts";
import { plainNumbers, typedArguments } from "./tool-arguments.ts";
import { takeEnd } from "./truncate.ts";

const parameters = Type.Object({
  command: Type.String(),
  timeout: Type.Optional(Type.Number({ description: "Seconds" })),
});

/** The longest a timer can wait. */
const maxTimeoutSeconds = 2_147_483;
/** Of the output, kept for showing it again after a reload, in bytes. */
const detailsTail = 4096;

export interface BashToolContext {
  readonly commands: CommandRunner;
  readonly workspace: Workspace;
  readonly settings: Settings;
  readonly clock: Clock;
}

export function createBashTool(context: BashToolContext): AgentTool {
  return {
    name: "bash",
    label: "Run",
    description:
      "Run a shell command in the first workspace folder. Each starts anew: cd and variables do not last. Long output is cut to its end.",
    parameters,
    executionMode: "sequential",
    prepareArguments: (args) => plainNumbers(refuseArgv(args), ["timeout"]),
    execute: (args, call) => runCommand(context, args, call),
  };
}

async function runCommand(
  context: BashToolContext,
  args: JsonObject,
  call: ToolContext,
): Promise<ToolOutcome> {
  const { command, timeout = defaultTimeout(context.settings) } = typedArguments(parameters, args);
  if (command.trim() === "") throw new UserError("command is empty. Give the command to run.");
  if (!(timeout > 0 && timeout <= maxTimeoutSeconds)) {
    throw new UserError(
      `timeout is in seconds, more than 0 and at most ${maxTimeoutSeconds}; it was ${timeout}.`,
    );
  }
  const cwd = context.workspace.folders[0]?.path;
  if (cwd === undefined)
    throw new UserError("No folder is open to run commands in. Ask the user to open one.");
  const details: BashDetails = { tool: "bash", command, cwd };
  call.onProgress({ details });
  const tail = new OutputTail();
  const live = new LiveOutput(context.clock, (output) => call.onProgress({ output }));
  const onOutput = (text: string): void => {
    tail.push(text);
    live.push(text);
  };
  const options = {
    toolCallId: call.toolCallId,
    cwd,
    timeoutMs: timeout * 1000,
    signal: call.signal,
    onOutput,
  };
  const result = await context.commands.run(command, options).finally(() => live.dispose());
  const output = tail.result(result.logPath);
  const isError = result.end !== "exited" || result.exitCode !== 0;
  return {
    content: [{ type: "text", text: describeRun(output, result, timeout) }],
    details: endDetails(details, output, result),
    isError,
  };
}

function describeRun({ text, notice, binary }: TailText, result: CommandResult, timeout: number): string {
  const notes = [
    ...(notice === undefined ? [] : [notice]),
    ...(binary ? ["[Binary output: control characters were left out.]"] : []),
    ...endNote(result, timeout),
  ];
  return [text === "" ? "(no output)" : text, ...(notes.length > 0 ? [notes.join("\n")] : [])].join("\n\n");
}

function endNote({ end, exitCode }: CommandResult, timeout: number): string[] {
  switch (end) {
    case "timeout":
      return [
        `Command timed out after ${timeout} seconds; it and everything it started were killed. Give a longer timeout, or run less.`,
      ];
    case "aborted":
      return ["Command was stopped by the user; it and everything it started were killed."];
    case "closed":
      return ["The user closed the terminal while the command ran. Its exit code is not known."];
    case "exited":
      if (exitCode === undefined) return ["Command ended; its exit code is not known."];
      return exitCode === 0 ? [] : [`Command exited with code ${exitCode}.`];
  }
}

function endDetails(
  details: BashDetails,
  output: TailText,
  { end, exitCode, logPath }: CommandResult,
): BashDetails {
  const tail = takeEnd(output.text, detailsTail);
  return { ...details, end, logPath, tail, ...(exitCode !== undefined && { exitCode }) };
}

function defaultTimeout(settings: Settings): number {
  const seconds = settings.current().bashTimeoutSeconds;
  return seconds > 0 ? Math.min(seconds, maxTimeoutSeconds) : maxTimeoutSeconds;
}

/** A list of words would have to be quoted by guesswork, so it is sent back. */
function refuseArgv(args: JsonObject): JsonObject {
  const { args: words, ...rest } = args;
  const isList = typeof args["command"] === "object" || (Array.isArray(words) && words.length > 0);
  if (isList) throw new UserError('command is one string, as typed in a shell, for example "ls -la src".');
  return rest;
}
