// What the model is told about how its change was received: what is in the file now, what the user said and changed,
// and what saving did. Exact, because the next edit is made on it.
import { rejectionText } from "../approvals/before-tool-call.ts";
import type { ProposalOutcome } from "../proposals/review-log.ts";
import type { HunkView } from "../proposals/types.ts";

const maxHunkLines = 12;

export interface ReviewResult {
  readonly text: string;
  readonly isError: boolean;
}

export function describeReview(outcome: ProposalOutcome, unseen: boolean): ReviewResult {
  const { view } = outcome;
  const accepted = view.hunks.filter((hunk) => hunk.status === "accepted");
  const parts = [
    headline(outcome, accepted.length, unseen),
    ...rejections(view.hunks, accepted.length),
    ...outcome.userEdits.map((diff) => `The user changed your proposal before accepting it:\n${diff}`),
    ...(outcome.userTyped === "" ? [] : [`Meanwhile the user changed the file:\n${outcome.userTyped}`]),
    ...outcome.formatted.map((diff) => `Saving changed it further (formatter):\n${diff}`),
    ...saveProblems(outcome, accepted.length),
  ];
  return { text: parts.join("\n\n"), isError: accepted.length === 0 || outcome.saveError !== undefined };
}

function headline({ view }: ProposalOutcome, accepted: number, unseen: boolean): string {
  const { path, kind, hunks } = view;
  const open = hunks.filter((hunk) => hunk.status === "pending" || hunk.status === "conflict").length;
  if (open > 0) {
    const done = accepted > 0 ? `${accepted} of ${hunks.length} changes are in ${path}, the` : "The";
    const rest = accepted > 0 ? "rest was not applied" : `change of ${path} was not applied`;
    return `The run was stopped before the user decided. ${done} ${rest}.`;
  }
  const user = unseen ? "" : " The user accepted it.";
  if (kind === "create" && accepted === hunks.length) return `Created ${path}.${user}`;
  if (accepted === hunks.length) return `Changed ${path} (${plural(accepted, "hunk")}).${user}`;
  if (accepted > 0) return `The user accepted ${accepted} of ${hunks.length} hunks in ${path}.`;
  const [reason] = new Set(hunks.map((hunk) => hunk.reason).filter((text) => text !== undefined));
  const unchanged = kind === "create" ? `${path} was not created.` : `${path} is unchanged.`;
  return `${rejectionText(reason)}\n${unchanged}`;
}

/** Each rejected hunk with its reason; when all went for one reason the headline has said it. */
function rejections(hunks: readonly HunkView[], accepted: number): string[] {
  const rejected = hunks.filter((hunk) => hunk.status === "rejected");
  const reasons = new Set(rejected.map((hunk) => hunk.reason));
  if (accepted === 0 && reasons.size <= 1) return [];
  return rejected.map((hunk) => {
    const why = hunk.reason === undefined ? "without a reason" : `with this reason: ${hunk.reason}`;
    const lines = [...hunk.oldLines.map((line) => `-${line}`), ...hunk.newLines.map((line) => `+${line}`)];
    const more = lines.length > maxHunkLines ? [`… ${lines.length - maxHunkLines} more lines`] : [];
    return [
      `The user rejected the hunk at line ${hunk.line} ${why}`,
      ...lines.slice(0, maxHunkLines),
      ...more,
    ].join("\n");
  });
}

function saveProblems(outcome: ProposalOutcome, accepted: number): string[] {
  const { path } = outcome.view;
  if (accepted === 0) return [];
  if (outcome.saveError !== undefined) {
    return [`${path} has the change in the editor, but saving failed: ${outcome.saveError}`];
  }
  if (!outcome.leftUnsaved) return [];
  return [`${path} has unsaved changes of the user, so it was not saved: commands still see the old file.`];
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
