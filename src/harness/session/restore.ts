// An opened session file as the state a session starts with. It adds what was cut off to the log's memory, to be
// written with whatever comes next; opening alone writes nothing.
import type { MessageEntry } from "../../agent/types.ts";
import type { ThinkingLevel } from "../../ai/types.ts";
import { fact } from "./entries.ts";
import type { SessionEntry } from "./entries.ts";
import type { SessionLog } from "./log.ts";
import { projectForDisplay } from "./projection.ts";
import { recover } from "./recovery.ts";
import { titleOf } from "./store.ts";
import type { LoadedSession } from "./store.ts";

export interface RestoredSession {
  readonly messages: readonly MessageEntry[];
  readonly title: string | undefined;
  /** `<provider>/<model id>` chosen in this session. */
  readonly modelRef: string | undefined;
  readonly thinkingLevel: ThinkingLevel | undefined;
  readonly interrupted: boolean;
}

/** Problems of the file are told to the user once. `now` in Unix milliseconds. */
export function restore(
  log: SessionLog,
  { problems, cutOff = [] }: Pick<LoadedSession, "problems" | "cutOff">,
  now: number,
): RestoredSession {
  const path = log.tree.path();
  const { messages, interrupted } = recover(path, now, cutOff);
  for (const { changeId, now: after } of cutOff)
    if (after !== undefined) log.note(fact("reins.checkpointEnd", { changeId, after }));
  for (const { id, message } of messages) log.note({ type: "message", message }, id);
  if (problems.length > 0 && problems.length > toldProblems(path)) log.note(problemNotice(problems));
  return {
    messages: projectForDisplay(log.tree.path()),
    title: titleOf(path),
    modelRef: chosenModel(path),
    thinkingLevel: chosenThinkingLevel(path),
    interrupted,
  };
}

function problemNotice(problems: readonly string[]) {
  const some = problems.slice(0, 3).join(" ");
  const more = problems.length > 3 ? ` And ${problems.length - 3} more.` : "";
  const text = `Parts of this session's file are damaged; everything else is here. ${some}${more}`;
  return fact("reins.notice", { kind: "notice", text, details: { problems: problems.length } });
}

function toldProblems(path: readonly SessionEntry[]): number {
  return projectForDisplay(path).reduce((told, { message }) => {
    const count = message.role === "app" ? message.details?.problems : undefined;
    return typeof count === "number" ? Math.max(told, count) : told;
  }, 0);
}

function chosenModel(path: readonly SessionEntry[]): string | undefined {
  const change = path.findLast((entry) => entry.type === "model_change");
  return change?.type === "model_change" ? `${change.provider}/${change.modelId}` : undefined;
}

function chosenThinkingLevel(path: readonly SessionEntry[]): ThinkingLevel | undefined {
  const change = path.findLast((entry) => entry.type === "thinking_level_change");
  return change?.type === "thinking_level_change" ? change.thinkingLevel : undefined;
}
