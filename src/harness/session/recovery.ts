// What a session that was cut off (window closed, host killed, power lost) still lacks: results of calls and the end
// of a streamed message. Computed when it is opened; written only with the next thing that is appended.
import type { AgentMessage } from "../../agent/types.ts";
import type { AssistantMessage, ToolCallBlock, ToolResultMessage } from "../../ai/types.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { CutOffChange } from "../checkpoints/cut-off.ts";
import { ChangeHistory } from "../checkpoints/history.ts";
import type { FileChange } from "../checkpoints/history.ts";
import { factData } from "./entries.ts";
import type { SessionEntry } from "./entries.ts";
import { messageFromPartials } from "./partial.ts";

export interface Recovery {
  /** To add at the leaf, in order. An id is given where the message had one already. */
  readonly messages: readonly { readonly id?: string; readonly message: AgentMessage }[];
  /** A run was on and did not end. */
  readonly interrupted: boolean;
}

/** What is known of a call that has no result. */
interface CallTrace {
  readonly started: boolean;
  readonly ended: boolean;
  readonly output: string;
  readonly details: JsonObject | undefined;
}

/** What its changes came to: the files themselves were looked at. */
interface Written {
  /** A file is not what it was before the call. */
  readonly some: boolean;
  /** The last change, where the window went away in its middle. */
  readonly last: CutOffChange["state"] | undefined;
}

type Traced = CallTrace & { readonly written: Written };

const outputLimit = 16_384;
const reason = "Interrupted: the window was closed or reloaded.";

/** `now` in Unix milliseconds, for the messages that are made. */
export function recover(
  path: readonly SessionEntry[],
  now: number,
  cutOff: readonly CutOffChange[] = [],
): Recovery {
  const tail = path.slice(Math.max(0, path.findLastIndex(isConversation)));
  const since = path.slice(Math.max(0, path.findLastIndex(isTurnEntry)));
  const changes = new ChangeHistory(since).changes;
  const results = unansweredCalls(path).map((call) => ({
    message: interruptedResult(
      call,
      { ...traceCall(path, call.id), written: writtenOf(call.id, changes, cutOff) },
      now,
    ),
  }));
  const streamed = cutOffMessage(tail);
  const messages = [...results, ...(streamed ? [streamed] : [])];
  return { messages, interrupted: messages.length > 0 || isOpenEnd(tail) };
}

/** Calls of the last response that have no result. Results follow in source order, so they are the last ones. */
function unansweredCalls(path: readonly SessionEntry[]): readonly ToolCallBlock[] {
  const at = path.findLastIndex((entry) => entry.type === "message" && isTurn(entry.message));
  const answered = new Set<string>();
  for (const entry of path.slice(at + 1)) {
    if (entry.type === "message" && entry.message.role === "toolResult")
      answered.add(entry.message.toolCallId);
  }
  const entry = path[at];
  if (entry?.type !== "message" || entry.message.role !== "assistant" || hasFailed(entry.message)) return [];
  return entry.message.content
    .filter((block) => block.type === "toolCall")
    .filter((call) => !answered.has(call.id));
}

function traceCall(path: readonly SessionEntry[], toolCallId: string): CallTrace {
  let trace: CallTrace = { started: false, ended: false, output: "", details: undefined };
  for (const entry of path) {
    if (factData(entry, "reins.toolStarted")?.toolCallId === toolCallId) trace = { ...trace, started: true };
    const data = factData(entry, "reins.output");
    if (data?.toolCallId !== toolCallId) continue;
    const output = trace.output + (typeof data.output === "string" ? data.output : "");
    const details = isJsonObject(data.details) ? data.details : trace.details;
    trace = { started: true, ended: data.ended === true, output: output.slice(-outputLimit), details };
  }
  return trace;
}

function writtenOf(
  toolCallId: string,
  changes: readonly FileChange[],
  cutOff: readonly CutOffChange[],
): Written {
  const own = changes.filter((change) => change.toolCallId === toolCallId);
  const last = cutOff.findLast((change) => change.toolCallId === toolCallId)?.state;
  const ended = own.some(
    ({ before, after }) => after !== undefined && after !== (before === null ? null : before?.hash),
  );
  return { some: ended || last === "written" || last === "other", last };
}

function interruptedResult(call: ToolCallBlock, trace: Traced, now: number): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: describe(call, trace) }],
    details: resultDetails(call, trace),
    isError: true,
    timestamp: now,
  };
}

function describe(call: ToolCallBlock, trace: Traced): string {
  if (!trace.started)
    return "Interrupted: the editor was closed or reloaded before this had started. Nothing was done.";
  const proposal = proposalOf(trace);
  if (proposal) return describeProposal(proposal, trace.written);
  if (trace.written.some || changesFiles.has(call.name)) return describeChange(call, trace.written);
  const known = trace.ended
    ? "Interrupted: this had ended, but the editor was closed or reloaded before its result was recorded."
    : "Interrupted: the editor was closed or reloaded while this ran. It had started; how far it came is not known.";
  const output = trace.output.trim() === "" ? "" : `\nIts output so far:\n${trace.output}`;
  return `${known} Check its effects before you repeat it.${output}`;
}

/** Every change of theirs is recorded before it is made: without a record there was none. */
const changesFiles: ReadonlySet<string> = new Set(["edit", "write", "delete", "move"]);

function describeChange({ arguments: args }: ToolCallBlock, { some, last }: Written): string {
  const paths = [args["path"], args["from"], args["to"]].filter((path) => typeof path === "string");
  const files = paths.length > 0 ? paths.join(" and ") : "the file";
  const changed = `${files} ${paths.length > 1 ? "were" : "was"} changed`;
  const what = some ? `What it was to do is done, at least in part: ${changed}.` : `Nothing was changed.`;
  return `Interrupted: the editor was closed or reloaded before the result was recorded. ${what}${lastText(last)} Look at ${files} before you repeat it.`;
}

/** What of it was accepted is in the file: only that is ever written. */
function describeProposal({ path, hunks }: JsonObject, { some, last }: Written): string {
  const file = typeof path === "string" ? path : "the file";
  const all: readonly unknown[] = Array.isArray(hunks) ? hunks : [];
  const accepted = all.filter((hunk) => isJsonObject(hunk) && hunk.status === "accepted").length;
  const seen = some || accepted > 0;
  const what = !seen
    ? `The change of ${file} was not applied.`
    : some && (accepted === 0 || last === "written")
      ? `What the user had accepted is in ${file}, the rest was not applied.`
      : `${accepted} of ${all.length} changes are in ${file}, the rest was not applied.`;
  return `Interrupted: the editor was closed or reloaded before ${seen ? "this was done with" : "the user had decided everything"}. ${what}${lastText(last)} Read it before you change it again.`;
}

function lastText(last: CutOffChange["state"] | undefined): string {
  switch (last) {
    case "before":
      return " A change that was being written then is not in it.";
    case "other":
      return " It is neither what it was before the last change nor what was being written: a formatter or somebody else changed it too.";
    case "unknown":
      return " Whether the last change was written is not known, because it cannot be read now.";
    case "written":
    case undefined:
      return "";
  }
}

/** The change that the user was asked about, as it was last shown. */
function proposalOf({ details }: CallTrace): JsonObject | undefined {
  return isJsonObject(details?.proposal) ? details.proposal : undefined;
}

function resultDetails(call: ToolCallBlock, trace: Traced): JsonObject {
  const proposal = proposalOf(trace);
  if (proposal) {
    return {
      ...trace.details,
      proposal: proposal.state === "pending" ? { ...proposal, state: "cancelled" } : proposal,
    };
  }
  if (call.name !== "bash" || !trace.started) return { tool: "none", why: "interrupted" };
  const command = typeof call.arguments.command === "string" ? call.arguments.command : "";
  const tail = trace.output === "" ? {} : { tail: trace.output };
  return { tool: "bash", command, cwd: "", ...trace.details, ...tail };
}

/** A message of which there are only deltas. */
function cutOffMessage(tail: readonly SessionEntry[]): { id: string; message: AgentMessage } | undefined {
  const batches = tail.map((entry) => factData(entry, "reins.partial")).filter((data) => data !== undefined);
  const id = batches.at(-1)?.messageId;
  if (typeof id !== "string" || tail.some((entry) => entry.id === id)) return undefined;
  const own = batches.filter((batch) => batch.messageId === id);
  const message = messageFromPartials(own, reason);
  return message && { id, message };
}

/** The conversation stops where something was still to come, and no end of a run is recorded. */
function isOpenEnd(tail: readonly SessionEntry[]): boolean {
  const last = tail[0];
  if (last?.type !== "message") return false;
  if (last.message.role === "assistant" && !hasFailed(last.message)) return false;
  return !tail.some((entry) => factData(entry, "reins.runEnd") !== undefined);
}

function isConversation(entry: SessionEntry): boolean {
  return entry.type === "message" && (isTurn(entry.message) || entry.message.role === "toolResult");
}

function isTurnEntry(entry: SessionEntry): boolean {
  return entry.type === "message" && isTurn(entry.message);
}

function isTurn(message: AgentMessage): boolean {
  return message.role === "user" || message.role === "assistant";
}

function hasFailed(message: AssistantMessage): boolean {
  return message.stopReason === "error" || message.stopReason === "aborted";
}
