// What the model knows of a file after its change was reviewed.
import { UserError } from "../../shared/errors.ts";
import type { ProposalOutcome } from "../proposals/review-log.ts";
import type { SeenDetails } from "./details.ts";
import type { EditToolContext } from "./edit-context.ts";
import type { Place } from "./paths.ts";

/** The model knows the file as its result describes it, so it need not read it again before the next edit. */
export async function rememberResult(
  { files, reads }: Pick<EditToolContext, "files" | "reads">,
  { uri, realUri }: Pick<Place, "uri" | "realUri">,
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
