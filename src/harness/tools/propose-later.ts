// Changes that wait for the user while the agent goes on: the call ends at once and says so, what the user decides is
// told to the model with its next request, and what is still open is kept over a reload.
import type { ToolContext, ToolOutcome } from "../../agent/types.ts";
import type { ProposalLabel } from "../proposals/proposal-view.ts";
import type { ProposalState } from "../proposals/proposal.ts";
import type { OpenHooks } from "../proposals/proposals.ts";
import type { ProposalOutcome } from "../proposals/review-log.ts";
import type { ProposalView } from "../proposals/types.ts";
import { fact } from "../session/entries.ts";
import type { Disposable } from "../../shared/disposable.ts";
import type { EditDetails } from "./details.ts";
import type { EditToolContext, NewText } from "./edit-context.ts";
import { EditProblems } from "./edit-problems.ts";
import { rememberResult } from "./remember-result.ts";
import { describeReview, pendingText } from "./review-result.ts";

/** Milliseconds after which typing into a change that waits is kept. */
const typingMs = 500;

/** Puts the change up for review and returns at once. */
export function proposeLater(
  context: EditToolContext,
  { tool, place, base, text, note }: NewText,
  { toolCallId }: Pick<ToolContext, "toolCallId">,
): ToolOutcome {
  const { uri, path } = place;
  const kind = base === undefined ? "create" : "edit";
  const reviewed = new LaterReview(context, { uri, realUri: place.realUri, path, version: base?.version });
  const view = context.proposals.open({ toolCallId, uri, path, kind, base, text }, reviewed);
  const details: EditDetails = { tool, path, uri, proposal: view };
  const said = [pendingText(view), ...(note === undefined ? [] : [note])].join("\n\n");
  return { content: [{ type: "text", text: said }], details };
}

/** As it was in an earlier window. */
export function reopenLater(
  context: EditToolContext,
  place: LaterPlace,
  { label, state }: { readonly label: ProposalLabel; readonly state: ProposalState },
): void {
  context.proposals.openAs(label, state, new LaterReview(context, place));
}

interface LaterPlace {
  readonly uri: string;
  readonly realUri: string;
  readonly path: string;
  /** Of the text that the change was made on; undefined where there was no file. */
  readonly version: string | undefined;
}

/** What follows from what happens to one change that waits. */
class LaterReview implements OpenHooks {
  private readonly context: EditToolContext;
  private readonly place: LaterPlace;
  private readonly problems: EditProblems;
  private id = "";
  private before = "";
  private decided = "";
  private kept = "";
  private timer: Disposable | undefined;

  constructor(context: EditToolContext, place: LaterPlace) {
    this.context = context;
    this.place = place;
    this.problems = new EditProblems(context, place.uri);
  }

  readonly onApply = (): void => {
    if (this.before === "") this.before = this.context.proposals.get(this.id)?.documentText ?? "";
    this.problems.remember();
  };

  readonly onChange = (view: ProposalView): void => {
    this.id = view.id;
    // Its end is the message that tells of it, or the record of what takes it in: until then it is not lost.
    if (view.state !== "pending") return this.timer?.dispose();
    const decided = view.hunks.map(({ id, status }) => `${id} ${status}`).join();
    if (decided === this.decided) return this.keepSoon();
    this.decided = decided;
    this.keep(view);
  };

  readonly onSettled = (outcome: ProposalOutcome): void => void this.tell(outcome);

  /** The user types into it, or beside it. */
  private keepSoon(): void {
    this.timer ??= this.context.clock.schedule(typingMs, () => {
      this.timer = undefined;
      const open = this.context.proposals.get(this.id);
      if (open) this.keep(open.view);
    });
  }

  private keep({ id, toolCallId, uri, path, kind }: ProposalView): void {
    const { proposals, writer } = this.context;
    const { version } = this.place;
    const hunks = proposals.openHunks(id);
    const proposal = { id, toolCallId, uri, path, kind, hunks, ...(version !== undefined && { version }) };
    const text = JSON.stringify(proposal);
    if (text === this.kept) return;
    this.kept = text;
    writer.write(fact("reins.proposal", proposal));
  }

  private async tell(outcome: ProposalOutcome): Promise<void> {
    const { writer, clock } = this.context;
    const { seen, told } = await rememberResult(this.context, this.place, outcome);
    const text = { uri: this.place.uri, before: this.before, after: outcome.text };
    const news = await this.problems.report(text, new AbortController().signal);
    this.problems.dispose();
    writer.tell({
      role: "app",
      kind: "review",
      text: [describeReview(told, false).text, ...news].join("\n\n"),
      details: { proposal: outcome.view, ...(seen && { seen }) },
      timestamp: clock.now(),
    });
  }
}
