// What state a tool call is in, and what is known about it, gathered from wherever it stands at that moment.
import { parse, Allow } from "partial-json";
import type { ProposalView } from "../../src/harness/proposals/types.ts";
import type {
  BashDetails,
  EditDetails,
  FileDetails,
  NotRunDetails,
  ReadDetails,
  SearchDetails,
} from "../../src/protocol/to-webview.ts";
import { isJsonObject } from "../../src/shared/json.ts";
import type { JsonObject } from "../../src/shared/json.ts";
import type { IconName } from "../icons.ts";
import { waitingProposal } from "./later-reviews.ts";
import type { ToolRow } from "./row-types.ts";

export type ToolState =
  "preparing" | "waiting" | "running" | "done" | "failed" | "rejected" | "interrupted" | "superseded";

/** Told apart by word and shape; colour only helps. `preparing` and `running` turn a ring instead of an icon. */
export const stateLabels: {
  readonly [state in ToolState]: { readonly word: string; readonly icon: IconName };
} = {
  preparing: { word: "Preparing", icon: "clock" },
  waiting: { word: "Waiting", icon: "clock" },
  running: { word: "Running", icon: "clock" },
  done: { word: "Done", icon: "check" },
  failed: { word: "Failed", icon: "cross" },
  rejected: { word: "Rejected", icon: "banned" },
  interrupted: { word: "Interrupted", icon: "broken" },
  superseded: { word: "In a later change", icon: "next" },
};

export interface ToolFacts {
  readonly state: ToolState;
  readonly args: JsonObject;
  readonly read: ReadDetails | undefined;
  readonly file: FileDetails | undefined;
  readonly bash: BashDetails | undefined;
  readonly search: SearchDetails | undefined;
  readonly proposal: ProposalView | undefined;
  readonly notRun: NotRunDetails | undefined;
  /** Live output while it runs. */
  readonly output: string;
  /** What the model was told. */
  readonly resultText: string;
}

export function toolFacts(row: ToolRow): ToolFacts {
  const details = row.result?.details ?? row.active?.details;
  const proposal = proposalOf(row, details);
  const facts = {
    args: row.partial === undefined ? row.call.arguments : partialArguments(row.partial),
    // What the tools of this version write; the `tool` field says which of the types it is.
    read: details?.["tool"] === "read" ? (details as ReadDetails) : undefined,
    search: isSearch(details) ? (details as SearchDetails) : undefined,
    file:
      details?.["tool"] === "delete" || details?.["tool"] === "move" ? (details as FileDetails) : undefined,
    bash: details?.["tool"] === "bash" ? (details as BashDetails) : undefined,
    notRun: details?.["tool"] === "none" ? (details as NotRunDetails) : undefined,
    proposal,
    output: row.active?.output ?? "",
    resultText: resultText(row),
  };
  return { ...facts, state: stateOf(row, facts) };
}

function isSearch(details: JsonObject | undefined): boolean {
  const tool = details?.["tool"];
  return (tool === "grep" || tool === "find" || tool === "ls") && Array.isArray(details?.["hits"]);
}

/** As it is now, which may be long after its call has ended. */
function proposalOf(row: ToolRow, details: JsonObject | undefined): ProposalView | undefined {
  if (row.decision?.type === "proposal") return row.decision.proposal;
  if (row.reviewed !== undefined && row.reviewed !== "lost") return row.reviewed;
  const told = proposalIn(details);
  // It neither waits any more nor was it decided: nothing of it can be pressed.
  return row.result && told?.state === "pending" ? { ...told, state: "cancelled" } : told;
}

function proposalIn(details: JsonObject | undefined): ProposalView | undefined {
  const tool = details?.["tool"];
  if ((tool !== "edit" && tool !== "write") || !isJsonObject(details?.["proposal"])) return undefined;
  // As above: written by our own edit and write tools; the compiler cannot follow from JSON to a named type.
  return Array.isArray(details["proposal"]["hunks"])
    ? (details as unknown as EditDetails).proposal
    : undefined;
}

function stateOf(row: ToolRow, facts: Omit<ToolFacts, "state">): ToolState {
  const { result, active } = row;
  if (row.partial !== undefined) return "preparing";
  if (result && row.decision) return "waiting";
  if (result && isTakenIn(row)) return "superseded";
  if (result || active?.phase === "ended")
    return endState(facts, result?.isError ?? active?.isError ?? false);
  if (row.decision) return "waiting";
  if (active) return active.phase === "running" ? "running" : "waiting";
  return row.live ? "waiting" : "interrupted";
}

/** A later change of the same file has taken it in. */
function isTakenIn({ result, reviewed }: ToolRow): boolean {
  return waitingProposal(result?.details) !== undefined && reviewed === undefined;
}

function endState({ notRun, proposal, bash }: Omit<ToolFacts, "state">, isError: boolean): ToolState {
  if (notRun) return notRun.why === "rejected" ? "rejected" : "interrupted";
  if (proposal?.state === "cancelled") return "interrupted";
  const hunks = proposal?.hunks ?? [];
  if (hunks.length > 0 && hunks.every((hunk) => hunk.status === "rejected")) return "rejected";
  if (bash?.end === "aborted" || bash?.end === "closed") return "interrupted";
  if (bash && isError && bash.end === undefined) return "interrupted";
  if (bash?.end === "timeout" || (bash?.exitCode ?? 0) !== 0) return "failed";
  return isError ? "failed" : "done";
}

function resultText(row: ToolRow): string {
  return (row.result?.content ?? [])
    .map((block) => (block.type === "text" ? block.text : `[image, ${block.mimeType}]`))
    .join("\n");
}

/** Enough to see what is coming; the rest of a long argument adds nothing to a one-line title. Characters. */
const partialPreview = 4_000;

function partialArguments(raw: string): JsonObject {
  try {
    const value: unknown = parse(raw.slice(0, partialPreview), Allow.ALL);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The text of a string argument, or nothing. */
export function textArgument(args: JsonObject, name: string): string {
  const value = args[name];
  return typeof value === "string" ? value : "";
}
