// What happened in a review beside the decisions, kept for telling the model: typing, formatters, trouble with saving.
import { errorText } from "../../shared/errors.ts";
import type { TextApplied } from "../ports.ts";
import { compactDiff } from "./compact-diff.ts";
import { keepLineEnds } from "./lines.ts";
import type { ProposalState } from "./proposal.ts";
import { documentTextOf } from "./proposal.ts";
import type { ProposalView } from "./types.ts";

/** How a review ended. Diffs are for the model, see compact-diff.ts; empty when there is nothing to tell. */
export interface ProposalOutcome {
  readonly view: ProposalView;
  /** The document's text at the end. */
  readonly text: string;
  /** In accepted hunks, against what the model proposed. */
  readonly userEdits: readonly string[];
  /** What the user typed into the real document meanwhile. */
  readonly userTyped: string;
  /** What save participants (a formatter) made of accepted hunks. */
  readonly formatted: readonly string[];
  /** Accepted, but not on disk: the file had unsaved changes of the user. */
  readonly leftUnsaved: boolean;
  /** Why accepting hunks failed, for each time it did. */
  readonly failures: readonly string[];
  readonly saveError?: string;
}

export class ReviewLog {
  private readonly formatted: string[] = [];
  private readonly typed: string[] = [];
  private typedSince: string | undefined;
  private readonly failures: string[] = [];
  private lastSave: TextApplied | undefined;

  /** The document is about to change by other hands; `text` is what it was. */
  documentChanges(text: string): void {
    this.typedSince ??= text;
  }

  /** Hunks were applied as `to` on a document that was `from`. */
  applied(from: string, to: string, result: TextApplied): void {
    this.flushTyped(from);
    this.lastSave = result;
    for (const { by, before, after } of result.later ?? [{ by: "save", before: to, after: result.text }]) {
      if (before !== after) (by === "user" ? this.typed : this.formatted).push(compactDiff(before, after));
    }
  }

  /** A step of accepting hunks: when it fails, nothing was changed. */
  async failing<T>(step: Promise<T>): Promise<T> {
    try {
      return await step;
    } catch (error) {
      const why = errorText(error);
      if (!this.failures.includes(why)) this.failures.push(why);
      throw error;
    }
  }

  outcome(view: ProposalView, state: ProposalState): ProposalOutcome {
    const text = documentTextOf(state);
    this.flushTyped(text);
    const saveError = this.lastSave?.saveError;
    return {
      view,
      text,
      userEdits: state.entries
        .filter((entry) => entry.status === "accepted" && entry.userEdited)
        .map(({ modelLines = [], newLines, start }) =>
          compactDiff(modelLines.join(""), newLines.join(""), start + 1),
        ),
      userTyped: this.typed.join("\n"),
      formatted: this.formatted,
      leftUnsaved: this.lastSave?.saved === false,
      failures: this.failures,
      ...(saveError !== undefined && { saveError }),
    };
  }

  private flushTyped(text: string): void {
    const before = this.typedSince;
    this.typedSince = undefined;
    // A buffer that the editor gave uniform line ends is not something the user typed.
    if (before === undefined || keepLineEnds(before, text) === before) return;
    this.typed.push(compactDiff(before, text));
  }
}
