// One proposal under review: takes decisions one after the other, applies them to the live document, and keeps up with
// what the user types on either side. Leaves what hunks are to proposal.ts, and who looks at them to proposals.ts.
import { ChangedMeanwhileError, UserError } from "../../shared/errors.ts";
import type { Files, TextSnapshot } from "../ports.ts";
import type { OpenProposal } from "../types.ts";
import type { ProposalState, SavedHunk } from "./proposal.ts";
import {
  acceptHunks,
  acceptedText,
  changeDocument,
  changeProposed,
  documentTextOf,
  isOpen,
  openIds,
  proposedTextOf,
  rejectHunks,
  savedHunk,
} from "./proposal.ts";
import type { ProposalLabel } from "./proposal-view.ts";
import { viewProposal } from "./proposal-view.ts";
import type { ProposalOutcome } from "./review-log.ts";
import { ReviewLog } from "./review-log.ts";
import type { ProposalDecision, ProposalView } from "./types.ts";

/** How often an acceptance is tried while the user types. */
const mostTries = 30;

interface Applying {
  readonly from: string;
  readonly to: string;
  /** What was typed meanwhile; taken up afterwards. */
  proposed?: string;
  documentChanged?: boolean;
}

export interface ReviewDeps {
  readonly files: Files;
  readonly label: ProposalLabel;
  readonly onChange: () => void;
  /** The document is about to be changed by an acceptance. */
  readonly onApply: () => void;
}

/** `base`: the file as it is, undefined while there is none. `proposed`: with all that is open in it. */
export type ComputeText = (base: TextSnapshot | undefined, proposed: string) => string | Promise<string>;

export interface HandOver {
  readonly base: TextSnapshot | undefined;
  readonly text: string;
  /** Of the review that ended; what was open is `pending` in it. */
  readonly outcome: ProposalOutcome;
}

interface Shown {
  readonly state: ProposalState;
  readonly cancelled: boolean;
  readonly open: OpenProposal;
}

export class Review {
  /** Resolves when every hunk is decided, or when it was cancelled. */
  readonly outcome: Promise<ProposalOutcome>;
  private state: ProposalState;
  private cancelled = false;
  private shown: Shown | undefined;
  private applying: Applying | undefined;
  private queue: Promise<void> = Promise.resolve();
  private settle: (outcome: ProposalOutcome) => void = () => undefined;
  private readonly log = new ReviewLog();
  private readonly deps: ReviewDeps;

  constructor(deps: ReviewDeps, state: ProposalState) {
    this.deps = deps;
    this.state = state;
    this.outcome = new Promise((resolve) => (this.settle = resolve));
    if (this.isSettled()) this.settle(this.log.outcome(this.view, this.state));
  }

  get view(): ProposalView {
    return this.open.view;
  }

  /** Those that are not decided, as they are kept. */
  get openHunks(): readonly SavedHunk[] {
    return this.state.entries.filter(isOpen).map(savedHunk);
  }

  /** The same object until something changes: with many reviews, each change of one is looked at by all who show them. */
  get open(): OpenProposal {
    const { state, cancelled } = this;
    if (this.shown?.state !== state || this.shown.cancelled !== cancelled) {
      const view = viewProposal(this.deps.label, state, cancelled);
      const open = { view, documentText: documentTextOf(state), proposedText: proposedTextOf(state) };
      this.shown = { state, cancelled, open };
    }
    return this.shown.open;
  }

  /**
   * Serialised. Resolves when applied; rejects with a UserError when it could not be, with the hunks still open.
   * `unseen`: nobody looked at it before.
   */
  decide(decision: ProposalDecision, unseen = false): Promise<void> {
    const result = this.queue.then(() => this.decideNow(decision, unseen));
    this.queue = result.catch(() => undefined);
    return result;
  }

  proposedTextChanged(text: string): void {
    if (this.isSettled()) return;
    if (this.applying !== undefined) this.applying.proposed = text;
    else this.update(changeProposed(this.state, text));
  }

  documentTextChanged(text: string): void {
    if (this.isSettled()) return;
    if (this.applying === undefined) this.takeDocument(text);
    else if (text !== this.applying.from && text !== this.applying.to) this.applying.documentChanged = true;
  }

  /**
   * Ends it in favour of a proposal that takes in what is open here. `compute` makes that one's text; what it throws is
   * thrown here, and the review goes on; it is asked again where the user types meanwhile. Undefined: it had ended.
   */
  handOver(compute: ComputeText): Promise<HandOver | undefined> {
    const result = this.queue.then(async () => {
      let base: TextSnapshot | undefined;
      let text = "";
      let state: ProposalState | undefined;
      while (state !== this.state) {
        if (this.isSettled()) return undefined;
        base = await this.refresh();
        if (conflicts(this.state).size > 0) throw overlapsWaiting(this.deps.label.path);
        state = this.state;
        text = await compute(base, proposedTextOf(state));
      }
      if (this.isSettled()) return undefined;
      this.cancelled = true;
      const outcome = this.log.outcome(this.view, this.state);
      this.settle(outcome);
      this.deps.onChange();
      return { base, text, outcome };
    });
    this.queue = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Nothing more is applied. What is being applied right now is finished and reported first. */
  cancel(): void {
    this.cancelled = true;
    this.queue = this.queue.then(() => {
      this.settle(this.log.outcome(this.view, this.state));
      this.deps.onChange();
    });
  }

  private async decideNow(decision: ProposalDecision, unseen: boolean): Promise<void> {
    if (this.isSettled()) return;
    switch (decision.type) {
      case "acceptHunk":
        await this.accept(() => openIds(this.state, (entry) => entry.id === decision.hunkId), unseen);
        return;
      case "acceptAll": {
        const choose = () => openIds(this.state, (entry) => entry.status === "pending");
        const accepted = await this.accept(choose, unseen);
        if (accepted === 0 && conflicts(this.state).size > 0) throw overlaps(this.deps.label.path);
        return;
      }
      case "rejectHunk": {
        const ids = openIds(this.state, (entry) => entry.id === decision.hunkId);
        return this.update(rejectHunks(this.state, ids, decision.reason));
      }
      case "rejectAll":
        return this.update(rejectHunks(this.state, openIds(this.state), decision.reason));
    }
  }

  /** How many hunks were accepted. `choose` is asked again after the document was looked at. */
  private async accept(choose: () => ReadonlySet<string>, unseen: boolean): Promise<number> {
    const before = conflicts(this.state);
    const attempt = async (): Promise<number | "overlaps"> => {
      const base = await this.refresh();
      const ids = choose();
      if ([...conflicts(this.state)].some((id) => ids.has(id) && !before.has(id))) return "overlaps";
      if (ids.size === 0 || this.cancelled) return 0;
      await this.apply(base, ids, unseen);
      return ids.size;
    };
    const accepted = await this.log.failing(whileTyping(attempt));
    if (accepted === "overlaps") throw overlaps(this.deps.label.path);
    return accepted;
  }

  /** The live document, with the proposal moved onto it if it is no longer what it was. */
  private async refresh(): Promise<TextSnapshot | undefined> {
    const { uri } = this.deps.label;
    if (this.state.creates && (await this.deps.files.stat(uri)) === undefined) return undefined;
    const snapshot = await this.deps.files.readText(uri);
    if (this.state.creates || snapshot.text !== documentTextOf(this.state)) this.takeDocument(snapshot.text);
    return snapshot;
  }

  private async apply(
    base: TextSnapshot | undefined,
    ids: ReadonlySet<string>,
    unseen: boolean,
  ): Promise<void> {
    const applying: Applying = { from: base?.text ?? "", to: acceptedText(this.state, ids) };
    this.applying = applying;
    this.deps.onApply();
    try {
      const { uri, toolCallId } = this.deps.label;
      const applied = await this.deps.files.applyText({ uri, base, text: applying.to, toolCallId, unseen });
      this.log.applied(applying.from, applying.to, applied);
      this.state = acceptHunks(this.state, ids);
      if (applied.text !== applying.to) this.state = changeDocument(this.state, applied.text);
    } finally {
      this.applying = undefined;
      if (applying.proposed !== undefined) this.update(changeProposed(this.state, applying.proposed));
    }
    if (applying.documentChanged === true && openIds(this.state).size > 0) await this.refresh();
    this.update(this.state);
  }

  private takeDocument(text: string): void {
    const before = documentTextOf(this.state);
    if (text === before && !this.state.creates) return;
    this.log.documentChanges(before);
    this.update(changeDocument(this.state, text));
  }

  private update(state: ProposalState): void {
    this.state = state;
    if (openIds(state).size === 0) this.settle(this.log.outcome(this.view, state));
    this.deps.onChange();
  }

  private isSettled(): boolean {
    return this.cancelled || openIds(this.state).size === 0;
  }
}

/** Tries again where the user typed right then: their text stays, and the hunks follow it. */
async function whileTyping<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhileError) || tries === mostTries) throw error;
    }
  }
}

function conflicts(state: ProposalState): ReadonlySet<string> {
  return openIds(state, (entry) => entry.status === "conflict");
}

function overlapsWaiting(path: string): UserError {
  return new UserError(
    `Your change of ${path} that waits for review overlaps what the user changed meanwhile. Go on elsewhere until they have decided.`,
  );
}

function overlaps(path: string): UserError {
  return new UserError(
    `This change overlaps your own change of ${path}. Compare the two, then accept or reject it on its own.`,
  );
}
