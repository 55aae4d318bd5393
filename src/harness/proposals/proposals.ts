// The book of proposals that wait for the user. Tools propose and wait for the outcome; the review in the editor, cards
// and keys decide. One review's course is review.ts' business.
import { v4 as uuid } from "uuid";
import { Emitter } from "../../shared/event.ts";
import type { Files, TextSnapshot } from "../ports.ts";
import type { OpenProposal, ProposalBook } from "../types.ts";
import type { ProposalOutcome } from "./review-log.ts";
import { createProposal } from "./proposal.ts";
import type { ProposalState, SavedHunk } from "./proposal.ts";
import type { ComputeText, HandOver } from "./review.ts";
import { Review } from "./review.ts";
import type { ProposalLabel } from "./proposal-view.ts";
import type { ProposalDecision, ProposalView } from "./types.ts";

export interface ProposalInput {
  readonly toolCallId: string;
  readonly uri: string;
  /** For people; the real place where it is outside the workspace. */
  readonly path: string;
  readonly kind: ProposalView["kind"];
  /** The text the change was computed on; undefined where there is no file. */
  readonly base: TextSnapshot | undefined;
  /** The whole proposed text. */
  readonly text: string;
}

export interface ProposeOptions {
  /** Aborting cancels the proposal; nothing more is applied. */
  readonly signal: AbortSignal;
  /** Accepts everything at once, without showing it. What then overlaps a change of the user is shown after all. */
  readonly auto: boolean;
  /** The file is about to be changed. */
  readonly onApply?: () => void;
  /** On every change, first and last included. */
  readonly onChange: (view: ProposalView) => void;
}

export interface OpenHooks extends Pick<ProposeOptions, "onChange"> {
  readonly onApply: () => void;
  /** The user has decided on every hunk. Not called for one that is handed over. */
  readonly onSettled: (outcome: ProposalOutcome) => void;
}

export class Proposals implements ProposalBook {
  private readonly reviews = new Map<string, Review>();
  private readonly changed = new Emitter<string>();
  readonly onDidChange = this.changed.event;
  private readonly files: Files;

  constructor(files: Files) {
    this.files = files;
  }

  get pending(): readonly OpenProposal[] {
    return [...this.reviews.values()].map((review) => review.open);
  }

  get(id: string): OpenProposal | undefined {
    return this.reviews.get(id)?.open;
  }

  /** Resolves when the review ended. Rejects with a UserError when `auto` could not apply the change. */
  async propose(input: ProposalInput, options: ProposeOptions): Promise<ProposalOutcome> {
    const { base, text, ...rest } = input;
    const label = { id: uuid(), ...rest };
    const review: Review = new Review(
      {
        ...{ files: this.files, label },
        onChange: () => this.reviewChanged(review, options),
        onApply: () => options.onApply?.(),
      },
      createProposal(base?.text ?? "", text, base === undefined),
    );
    const cancel = (): void => review.cancel();
    options.signal.addEventListener("abort", cancel, { once: true });
    try {
      if (options.signal.aborted) cancel();
      else if (options.auto) await review.decide({ type: "acceptAll" }, true);
      if (!options.signal.aborted && review.view.state === "pending") this.show(label.id, review, options);
      return await review.outcome;
    } finally {
      options.signal.removeEventListener("abort", cancel);
      if (this.reviews.delete(label.id)) this.changed.fire(label.id);
    }
  }

  /** Puts a change up for review that nobody waits for here. Of one without any hunk nothing is shown. */
  open(input: ProposalInput, hooks: OpenHooks): ProposalView {
    const { base, text, ...rest } = input;
    return this.openAs(
      { id: uuid(), ...rest },
      createProposal(base?.text ?? "", text, base === undefined),
      hooks,
    );
  }

  /** As `open`, for one that is known from an earlier window. */
  openAs(label: ProposalLabel, state: ProposalState, hooks: OpenHooks): ProposalView {
    const onChange = (): void => this.reviewChanged(review, hooks);
    const review: Review = new Review({ files: this.files, label, onChange, onApply: hooks.onApply }, state);
    if (review.view.state !== "pending") return review.view;
    this.show(label.id, review, hooks);
    void review.outcome.then((outcome) => {
      if (outcome.view.state === "done") hooks.onSettled(outcome);
    });
    return review.view;
  }

  /** What waits for the user of this file. */
  waitingFor(uri: string): OpenProposal | undefined {
    return this.pending.find(({ view }) => view.uri === uri);
  }

  /** Of one that waits, for keeping it. */
  openHunks(id: string): readonly SavedHunk[] {
    return this.reviews.get(id)?.openHunks ?? [];
  }

  /** See Review. */
  handOver(id: string, compute: ComputeText): Promise<HandOver | undefined> {
    return this.reviews.get(id)?.handOver(compute) ?? Promise.resolve(undefined);
  }

  decide(id: string, decision: ProposalDecision): Promise<void> {
    return this.reviews.get(id)?.decide(decision) ?? Promise.resolve();
  }

  proposedTextChanged(id: string, text: string): void {
    this.reviews.get(id)?.proposedTextChanged(text);
  }

  documentTextChanged(id: string, text: string): void {
    this.reviews.get(id)?.documentTextChanged(text);
  }

  private show(id: string, review: Review, options: Pick<ProposeOptions, "onChange">): void {
    this.reviews.set(id, review);
    this.reviewChanged(review, options);
  }

  private reviewChanged(review: Review, options: Pick<ProposeOptions, "onChange">): void {
    const { view } = review;
    options.onChange(view);
    const shown = view.state === "pending" ? this.reviews.has(view.id) : this.reviews.delete(view.id);
    if (shown) this.changed.fire(view.id);
  }
}
