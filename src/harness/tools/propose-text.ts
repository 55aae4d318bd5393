// How edit and write hand a new text over: as a proposal, with its progress shown, and its outcome told to the model.
import type { ToolContext, ToolOutcome } from "../../agent/types.ts";
import { UserError } from "../../shared/errors.ts";
import { acceptsEditsUnseen } from "../approvals/policy.ts";
import type { PolicyContext } from "../approvals/policy.ts";
import type { TextSnapshot } from "../ports.ts";
import type { Proposals } from "../proposals/proposals.ts";
import type { ProposalOutcome } from "../proposals/review-log.ts";
import type { ProposalView } from "../proposals/types.ts";
import type { EditDetails, SeenDetails } from "./details.ts";
import type { Place } from "./paths.ts";
import type { ReadRecords } from "./read-records.ts";
import { EditProblems } from "./edit-problems.ts";
import type { EditProblemsContext } from "./edit-problems.ts";
import { describeReview } from "./review-result.ts";

export interface EditToolContext extends PolicyContext, EditProblemsContext {
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
  change: NewText,
  call: ToolContext,
): Promise<ToolOutcome> {
  const problems = new EditProblems(context, change.place.uri);
  try {
    return await propose(context, change, { ...call, problems });
  } finally {
    problems.dispose();
  }
}

async function propose(
  context: EditToolContext,
  { tool, place, base, text, note }: NewText,
  {
    toolCallId,
    signal,
    onProgress,
    whileAsking,
    problems,
  }: ToolContext & { readonly problems: EditProblems },
): Promise<ToolOutcome> {
  const { uri, path } = place;
  const details = (proposal: ProposalView): EditDetails => ({ tool, path, uri, proposal });
  const auto = acceptsEditsUnseen(place, context);
  const kind = base === undefined ? "create" : "edit";
  const proposed = context.proposals.propose(
    { toolCallId, uri, path, kind, base, text },
    {
      ...{ signal, auto, onApply: () => problems.remember() },
      onChange: (view) => onProgress({ details: details(view) }),
    },
  );
  const outcome = await (auto ? proposed : whileAsking(proposed));
  const seen = await rememberResult(context, place, outcome);
  const result = describeReview(outcome, auto);
  const news = await problems.report({ uri, before: base?.text ?? "", after: outcome.text }, signal);
  return {
    content: [
      { type: "text", text: [result.text, ...news, ...(note === undefined ? [] : [note])].join("\n\n") },
    ],
    details: { ...details(outcome.view), ...(seen && { seen }) },
    isError: result.isError,
  };
}

/** The model knows the file as its result describes it, so it need not read it again before the next edit. */
async function rememberResult(
  { files, reads }: EditToolContext,
  { uri, realUri }: Place,
  outcome: ProposalOutcome,
): Promise<SeenDetails | undefined> {
  if (!outcome.view.hunks.some((hunk) => hunk.status === "accepted")) return undefined;
  try {
    const now = await files.readText(uri);
    const known = now.text === outcome.text ? now : undefined;
    reads.remember(realUri, { version: known?.version, text: outcome.text });
    return { realUri, ...(known && { version: known.version }) };
  } catch (error) {
    // Gone again already: there is no version to remember, and the next call will say so.
    if (!(error instanceof UserError)) throw error;
    return undefined;
  }
}
