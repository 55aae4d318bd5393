// What the model knows of a file after its change was reviewed.
import { UserError } from "../../shared/errors.ts";
import type { ProposalOutcome } from "../proposals/review-log.ts";
import type { SeenDetails } from "./details.ts";
import type { EditToolContext } from "./edit-context.ts";
import type { Place } from "./paths.ts";

export interface Remembered {
  readonly seen?: SeenDetails;
  /** The outcome without trouble with saving that is over by now: the user saved, or auto-save did. */
  readonly told: ProposalOutcome;
}

/** The model knows the file as its result describes it, so it need not read it again before the next edit. */
export async function rememberResult(
  { files, reads }: Pick<EditToolContext, "files" | "reads">,
  { uri, realUri }: Pick<Place, "uri" | "realUri">,
  outcome: ProposalOutcome,
): Promise<Remembered> {
  if (!outcome.view.hunks.some((hunk) => hunk.status === "accepted")) return { told: outcome };
  try {
    const now = await files.readText(uri);
    const known = now.text === outcome.text ? now : undefined;
    reads.remember(realUri, { version: known?.version, text: outcome.text });
    const seen = { realUri, ...(known && { version: known.version }) };
    return { seen, told: known?.dirty === false ? saved(outcome) : outcome };
  } catch (error) {
    // Gone again already: there is no version to remember, and the next call will say so.
    if (!(error instanceof UserError)) throw error;
    return { told: outcome };
  }
}

function saved({ saveError: _saveError, ...outcome }: ProposalOutcome): ProposalOutcome {
  return { ...outcome, leftUnsaved: false };
}
