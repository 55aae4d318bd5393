// What the model is told about a call that did not run, or did not finish. Every text names what to do next.
import type { ToolCallBlock } from "../ai/types.ts";
import { errorText } from "../shared/errors.ts";
import type { AgentTool, ToolOutcome } from "./types.ts";

const MAX_RAW = 4_000;

export function errorOutcome(text: string): ToolOutcome {
  return { content: [{ type: "text", text }], isError: true };
}

export function thrownOutcome(error: unknown): ToolOutcome {
  return errorOutcome(errorText(error));
}

/** `removed`: the conversation declared it earlier. */
export function unknownTool(name: string, tools: readonly AgentTool[], removed: boolean): ToolOutcome {
  const names = tools.map((tool) => tool.name).join(", ");
  const what = removed ? `The tool "${name}" is not available any more.` : `There is no tool "${name}".`;
  return errorOutcome(`${what} ${names === "" ? "No tools are available now." : `Use one of: ${names}.`}`);
}

export function badArguments(call: ToolCallBlock, problem: string): ToolOutcome {
  const raw = problem.length <= MAX_RAW ? problem : `${problem.slice(0, MAX_RAW)}…`;
  return errorOutcome(
    `The arguments of "${call.name}" are not a JSON object, so it did not run. ${raw}\nSend the call again with valid JSON.`,
  );
}

export function cutAtOutputLimit(name: string): ToolOutcome {
  return errorOutcome(
    `"${name}" did not run: the response hit the output limit, so its arguments may be cut off. ` +
      "Make smaller steps, for example several calls with less content each.",
  );
}

/** How a run that is stopped shows in its results: by the user, or by a failure. */
export interface StopCause {
  readonly failure: string | undefined;
}

export function notStarted({ failure }: StopCause): ToolOutcome {
  return stopped(failure, "This call had not started; nothing was done.");
}

/** `report`: what the tool itself said when it stopped. */
export function stoppedWhileRunning({ failure }: StopCause, report?: string): ToolOutcome {
  const said = report === undefined ? "" : ` It reported: ${report}`;
  return stopped(failure, `This call had started and was cut off; part of its work may be done.${said}`);
}

export function leftBehind({ failure }: StopCause, graceMs: number): ToolOutcome {
  return stopped(
    failure,
    `This call had started and did not stop within ${graceMs} ms; it may still be going on, and its result is lost.`,
  );
}

export function heldByLost(name: string): ToolOutcome {
  return errorOutcome(
    `"${name}" did not run: an earlier call that was stopped is still at work on the same thing. ` +
      "Do something else first, or ask the user.",
  );
}

function stopped(failure: string | undefined, text: string): ToolOutcome {
  const cause = failure === undefined ? "The user stopped the run." : "The run ended with an error.";
  return {
    ...errorOutcome(`${cause} ${text}`),
    details: { tool: "none", why: failure === undefined ? "aborted" : "interrupted" },
  };
}
