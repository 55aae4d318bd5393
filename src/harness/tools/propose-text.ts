// How edit and write hand a new text over: as a proposal, with its progress shown, and its outcome told to the model.
import type { ToolContext, ToolOutcome } from "../../agent/types.ts";
import { UserError } from "../../shared/errors.ts";
import { acceptsEditsUnseen } from "../approvals/policy.ts";
import type { PolicyContext } from "../approvals/policy.ts";
import type { TextSnapshot } from "../ports.ts";
import type { Proposals } from "../proposals/proposals.ts";
import type { ProposalOutcome } from "../proposals/review-log.ts";
import type { ProposalView } from "../proposals/types.ts";
import type { EditDetails } from "./details.ts";
import type { Place } from "./paths.ts";
import type { ReadRecords } from "./read-records.ts";
import { describeReview } from "./review-result.ts";

export interface EditToolContext extends PolicyContext {
  readonly reads: ReadRecords;
  readonly proposals: Proposals;
}

export interface NewText {
  readonly tool: EditDetails["tool"];
  readonly place: Place;
  /** Undefined creates the file. */
  readonly base: TextSnapshot | undefined;
  readonly text: string;
  /** Told to the model after the outcome. */
  readonly note?: string | undefined;
}

/** Resolves when the user has decided. Throws a UserError when it could not be applied unseen. */
export async function proposeText(
  context: EditToolContext,
  { tool, place, base, text, note }: NewText,
  { toolCallId, signal, onProgress, whileAsking }: ToolContext,
): Promise<ToolOutcome> {
  const { uri, path } = place;
  const details = (proposal: ProposalView): EditDetails => ({ tool, path, uri, proposal });
  const auto = acceptsEditsUnseen(place, context);
  const kind = base === undefined ? "create" : "edit";
  const proposed = context.proposals.propose(
    { toolCallId, uri, path, kind, base, text },
    { signal, auto, onChange: (view) => onProgress({ details: details(view) }) },
  );
  const outcome = await (auto ? proposed : whileAsking(proposed));
  await rememberResult(context, place, outcome);
  const result = describeReview(outcome, auto);
  return {
    content: [{ type: "text", text: note === undefined ? result.text : `${result.text}\n\n${note}` }],
    details: details(outcome.view),
    isError: result.isError,
  };
}

/** The model knows the file as its result describes it, so it need not read it again before the next edit. */
async function rememberResult(
  { files, reads }: EditToolContext,
  { uri, realUri }: Place,
  outcome: ProposalOutcome,
): Promise<void> {
  if (!outcome.view.hunks.some((hunk) => hunk.status === "accepted")) return;
  try {
    const now = await files.readText(uri);
    reads.remember(realUri, now.text === outcome.text ? now.version : undefined);
  } catch (error) {
    // Gone again already: there is no version to remember, and the next call will say so.
    if (!(error instanceof UserError)) throw error;
  }
}
