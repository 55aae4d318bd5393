// How edit and write hand a new text over: as a proposal, with its progress shown, and its outcome told to the model.
import type { ToolContext, ToolOutcome } from "../../agent/types.ts";
import { editMode } from "../approvals/policy.ts";
import type { ProposalView } from "../proposals/types.ts";
import type { EditDetails } from "./details.ts";
import type { EditToolContext, NewText } from "./edit-context.ts";
import { EditProblems } from "./edit-problems.ts";
import { proposeLater } from "./propose-later.ts";
import { rememberResult } from "./remember-result.ts";
import { describeReview } from "./review-result.ts";

/**
 * Resolves when the user has decided, or at once where their settings say that they decide later. Throws a UserError,
 * before anyone is asked, for a text that cannot be kept; and when it could not be applied unseen.
 */
export async function proposeText(
  context: EditToolContext,
  change: NewText,
  call: ToolContext,
): Promise<ToolOutcome> {
  const { place, base, text } = change;
  await context.files.checkText({ uri: place.uri, base, text });
  const mode = editMode(place, context);
  if (mode === "later") return proposeLater(context, change, call);
  const problems = new EditProblems(context, place.uri);
  try {
    return await propose(context, change, { ...call, problems, mode });
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
    mode,
  }: ToolContext & { readonly problems: EditProblems; readonly mode: "ask" | "auto" },
): Promise<ToolOutcome> {
  const { uri, path } = place;
  const details = (proposal: ProposalView): EditDetails => ({ tool, path, uri, proposal });
  const auto = mode === "auto";
  const kind = base === undefined ? "create" : "edit";
  const proposed = context.proposals.propose(
    { toolCallId, uri, path, kind, base, text },
    {
      ...{ signal, auto, onApply: () => problems.remember() },
      onChange: (view) => onProgress({ details: details(view) }),
    },
  );
  const outcome = await (auto ? proposed : whileAsking(proposed));
  const { seen, told } = await rememberResult(context, place, outcome);
  const result = describeReview(told, auto);
  const news = await problems.report({ uri, before: base?.text ?? "", after: outcome.text }, signal);
  return {
    content: [
      { type: "text", text: [result.text, ...news, ...(note === undefined ? [] : [note])].join("\n\n") },
    ],
    details: { ...details(outcome.view), ...(seen && { seen }) },
    isError: result.isError,
  };
}
