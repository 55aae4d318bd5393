// What the model is told about how its change was received: what is in the file now, what the user said and changed,
// and what saving did. Exact, because the next edit is made on it.
import { rejectionText } from "../approvals/before-tool-call.ts";
import { isOpen } from "../proposals/proposal.ts";
import type { ProposalOutcome } from "../proposals/review-log.ts";
import type { HunkView, ProposalView } from "../proposals/types.ts";

const maxHunkLines = 12;

export interface ReviewResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Of a change that waits while the agent goes on. */
export function pendingText({ path, kind, hunks }: ProposalView): string {
  if (hunks.length === 0)
    return `Nothing of your changes of ${path} waits for review any more: its text is as it was.`;
  const what =
    kind === "create"
      ? `Proposed the new file ${path}`
      : `Proposed ${plural(hunks.length, "hunk")} in ${path}`;
  const until =
    kind === "create"
      ? "Until then it does not exist."
      : "Until then the file, and what you read of it, is without them.";
  return `${what}; pending: the user reviews it later, and you will be told. ${until} Go on, and do not propose it again.`;
}

/** What became of a change whose open part another one has taken in; empty when nothing of it was decided. */
export function handedOverText(outcome: ProposalOutcome): string {
  const { hunks, path } = outcome.view;
  const decided = hunks.filter((hunk) => !isOpen(hunk));
  const accepted = decided.filter(({ status }) => status === "accepted").length;
  const parts = [
    ...(decided.length === 0
      ? []
      : [
          `Of your earlier change of ${path} the user accepted ${accepted} of ${plural(hunks.length, "hunk")}.`,
        ]),
    ...rejections(hunks, 1),
    ...hunks.filter((hunk) => hunk.userEdited && isOpen(hunk)).map(retypedText),
    ...details(outcome, accepted),
  ];
  return parts.join("\n\n");
}

function retypedText({ line, newLines }: HunkView): string {
  const lines = newLines.slice(0, maxHunkLines).map((each) => `+${each}`);
  const more = newLines.length > maxHunkLines ? [`… ${newLines.length - maxHunkLines} more lines`] : [];
  return [`The user changed what you had proposed at line ${line}; it waits as:`, ...lines, ...more].join(
    "\n",
  );
}

export function describeReview(outcome: ProposalOutcome, unseen: boolean): ReviewResult {
  const { view } = outcome;
  const accepted = view.hunks.filter((hunk) => hunk.status === "accepted");
  const parts = [
    headline(outcome, accepted.length, unseen),
    ...rejections(view.hunks, accepted.length),
    ...details(outcome, accepted.length),
  ];
  return { text: parts.join("\n\n"), isError: accepted.length === 0 || outcome.saveError !== undefined };
}

function details(outcome: ProposalOutcome, accepted: number): string[] {
  return [
    ...outcome.userEdits.map((diff) => `The user changed your proposal before accepting it:\n${diff}`),
    ...(outcome.userTyped === "" ? [] : [`Meanwhile the user changed the file:\n${outcome.userTyped}`]),
    ...outcome.formatted.map((diff) => `Saving changed it further (formatter):\n${diff}`),
    ...failures(outcome, accepted),
    ...saveProblems(outcome, accepted),
  ];
}

function headline({ view }: ProposalOutcome, accepted: number, unseen: boolean): string {
  const { path, kind, hunks } = view;
  if (hunks.some(isOpen)) {
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

/** Why the user may have rejected what they meant to accept. */
function failures({ failures: reasons, view }: ProposalOutcome, accepted: number): string[] {
  if (accepted === view.hunks.length) return [];
  return reasons.map((why) => `The user tried to accept it before, which failed: ${why}`);
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
