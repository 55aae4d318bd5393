// Changes that were reviewed after their calls had ended: which still wait, and what the transcript says became of them.
import type { AppMessage } from "../../src/agent/types.ts";
import type { ProposalView } from "../../src/harness/proposals/types.ts";
import { isJsonObject } from "../../src/shared/json.ts";
import type { JsonObject } from "../../src/shared/json.ts";
import { plural } from "../format.ts";
import type { ToolRow } from "./row-types.ts";

export type Reviewed = NonNullable<ToolRow["reviewed"]>;

/** The proposal that waited when its call ended. */
export function waitingProposal(details: JsonObject | undefined): string | undefined {
  const proposal = details?.["proposal"];
  if (!isJsonObject(proposal) || proposal["state"] !== "pending") return undefined;
  return typeof proposal["id"] === "string" ? proposal["id"] : undefined;
}

/** What a message of the application tells of one. */
export function reviewIn({
  kind,
  details,
}: AppMessage): { readonly id: string; readonly reviewed: Reviewed } | undefined {
  if (kind !== "review") return undefined;
  if (typeof details?.["lost"] === "string") return { id: details["lost"], reviewed: "lost" };
  const proposal = viewIn(details);
  return proposal && { id: proposal.id, reviewed: proposal };
}

/** For people; the message's own text is for the model. */
export function reviewText({ text, details }: AppMessage): string {
  const proposal = viewIn(details);
  if (!proposal) return text;
  const { hunks, path } = proposal;
  const accepted = hunks.filter(({ status }) => status === "accepted").length;
  if (accepted === hunks.length) return `You accepted the change of ${path}`;
  if (accepted === 0) return `You rejected the change of ${path}`;
  return `You accepted ${accepted} of ${plural(hunks.length, "hunk")} in ${path}`;
}

function viewIn(details: JsonObject | undefined): ProposalView | undefined {
  const proposal = details?.["proposal"];
  if (!isJsonObject(proposal) || !Array.isArray(proposal["hunks"])) return undefined;
  // Written by our own tools with this message; the compiler cannot follow from JSON to a named type.
  return proposal as unknown as ProposalView;
}
