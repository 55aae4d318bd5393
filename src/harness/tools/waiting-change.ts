// A new change of a file that already has one waiting: the two become one proposal, so that a file is reviewed in one
// place and nothing is proposed twice. What the user decided or typed meanwhile is kept, and told to the model.
import type { ToolContext, ToolOutcome } from "../../agent/types.ts";
import { UserError } from "../../shared/errors.ts";
import { editMode } from "../approvals/policy.ts";
import { fact } from "../session/entries.ts";
import type { ComputeText } from "../proposals/review.ts";
import { applyEdits } from "./apply-edits.ts";
import { carryOver } from "./carry-over.ts";
import type { EditToolContext, NewText } from "./edit-context.ts";
import type { TextEdit } from "./match.ts";
import { proposeText } from "./propose-text.ts";
import { handedOverText } from "./review-result.ts";

/**
 * Undefined: no change of the file waits, or it is decided on meanwhile. Throws what `compute` throws; then what waits
 * goes on waiting.
 */
export async function proposeOnWaiting(
  context: EditToolContext,
  { tool, place, compute }: Pick<NewText, "tool" | "place"> & { readonly compute: ComputeText },
  call: ToolContext,
): Promise<ToolOutcome | undefined> {
  const waiting = context.proposals.waitingFor(place.uri);
  // What is applied unseen is not mixed with what the user has still to see; that one follows.
  if (waiting === undefined || editMode(place, context) === "auto") return undefined;
  const { id } = waiting.view;
  const { uri } = place;
  const taken = await context.proposals.handOver(id, async (file, proposed) => {
    const next = await compute(file, proposed);
    await context.files.checkText({ uri, base: file, text: next, toolCallId: call.toolCallId });
    return next;
  });
  if (taken === undefined) return undefined;
  const { base, text, outcome } = taken;
  const earlier = handedOverText(outcome);
  const note = [earlier, `What still waited of your earlier change of ${place.path} is part of this one.`];
  const change = { tool, place, base, text, note: note.filter(Boolean).join("\n\n") };
  try {
    return await proposeText(context, change, call);
  } finally {
    // Last, so that a window that goes away before still has the earlier one.
    context.writer.write(fact("reins.proposalEnd", { id }));
  }
}

/** Edits on what the model proposed, else on the file's own text; `onFile` makes them there. */
export function editWaiting(
  { file, proposed, path }: { readonly file: string; readonly proposed: string; readonly path: string },
  edits: readonly TextEdit[],
  onFile: () => string,
): string {
  try {
    return applyEdits(proposed, edits, path);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
  const why = `These lines of ${path} are part of your change that waits for review. Nothing was changed. With it they are:`;
  return carryOver({ known: file, edited: onFile(), now: proposed }, path, why);
}
