// The harness as the layers above see it: one open session and what can be asked of it. Implemented in coding-agent.ts.
import type { SequencedEvent } from "../agent/events.ts";
import type { TranscriptState } from "../agent/transcript.ts";
import type { QueueKind } from "../agent/types.ts";
import type { ResolvedProviders } from "../ai/models.ts";
import type { Model, ThinkingLevel } from "../ai/types.ts";
import type { Disposable } from "../shared/disposable.ts";
import type { Event } from "../shared/event.ts";
import type { ApprovalAnswer, PendingDecision } from "./approvals/types.ts";
import type { CheckpointBook } from "./checkpoints/types.ts";
import type { ProposalDecision, ProposalView } from "./proposals/types.ts";

export interface SessionInfo {
  readonly id: string;
  /** The user's, else the first prompt's first line, else "New session". */
  readonly title: string;
  /** Unix milliseconds of the last message. */
  readonly modified: number;
}

export interface RetryInfo {
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Unix milliseconds at which it is tried again. */
  readonly at: number;
  readonly error: string;
}

export interface Meter {
  /** Tokens in the context now; `estimated` until the provider has reported. */
  readonly contextTokens: number;
  readonly estimated: boolean;
  readonly contextWindow: number;
  /** US dollars of this session; undefined when the model's price is not known. */
  readonly cost: number | undefined;
  /** 0..1 of the last request's input; undefined before the first. */
  readonly cacheHitRate: number | undefined;
}

/** One proposal under review, with its two texts. `documentText` is the live document as the harness last saw it. */
export interface OpenProposal {
  readonly view: ProposalView;
  readonly documentText: string;
  readonly proposedText: string;
}

/** Proposals that wait. The review in the editor drives it; cards and keys do too. */
export interface ProposalBook {
  readonly pending: readonly OpenProposal[];
  get(id: string): OpenProposal | undefined;
  /** A proposal was added, changed or settled (then it is no longer pending). */
  readonly onDidChange: Event<string>;
  /** Resolves when applied. Rejects with a UserError when it could not be (nothing is lost). Unknown ids do nothing. */
  decide(id: string, decision: ProposalDecision): Promise<void>;
  /** The user typed into the proposed side, or took a hunk out with the diff editor's own arrow. */
  proposedTextChanged(id: string, text: string): void;
  /** The user typed into the real document. */
  documentTextChanged(id: string, text: string): void;
}

/** An open session with its agent. */
export interface CodingSession extends Disposable {
  readonly id: string;
  readonly title: string;
  readonly transcript: TranscriptState;
  readonly model: Model | undefined;
  /** As it was chosen. */
  readonly thinkingLevel: ThinkingLevel;
  /** The levels the model has, in rising order, and the one that is used: the chosen one, or the nearest it has. */
  readonly thinking: { readonly levels: readonly ThinkingLevel[]; readonly used: ThinkingLevel };
  readonly decisions: readonly PendingDecision[];
  readonly proposals: ProposalBook;
  /** What was changed in files, and the way back. */
  readonly checkpoints: CheckpointBook;
  readonly retry: RetryInfo | undefined;
  readonly meter: Meter;
  /** A run was cut off by a reload or crash and can be continued. */
  readonly interrupted: boolean;
  /** Every agent event, in order. Never awaited. */
  readonly onEvent: Event<SequencedEvent>;
  /** Any of the other properties changed. */
  readonly onDidChange: Event<void>;

  /** Starts a run, or steers the one that is on. Rejects with a UserError when no model is chosen. Resolves when the run has settled. */
  prompt(text: string): Promise<void>;
  queue(kind: QueueKind, text: string): void;
  editQueued(id: string, change: { readonly text?: string; readonly kind?: QueueKind }): void;
  /** `before` undefined moves it to the end of its kind. */
  moveQueued(id: string, before: string | undefined): void;
  removeQueued(id: string): void;
  /** Stops everything and settles. Returns the text of queued messages, for the composer. */
  stop(): Promise<string>;
  /** Continues an interrupted, failed or limited run. `raiseBy`: of the limit that paused it, in its unit. */
  continue(raiseBy?: number): Promise<void>;
  /** Tries a failed request again at once instead of waiting; without a wait it does nothing. */
  retryNow(): void;
  answerApproval(id: string, answer: ApprovalAnswer): void;
  setModel(ref: string): void;
  setThinkingLevel(level: ThinkingLevel): void;
  rename(title: string): Promise<void>;
  /** Resolves when everything is on disk. */
  flush(): Promise<void>;
}

/** The sessions of this workspace; exactly one is open. */
export interface Sessions extends Disposable {
  readonly current: CodingSession;
  readonly onDidChangeCurrent: Event<CodingSession>;
  list(): Promise<readonly SessionInfo[]>;
  create(): Promise<CodingSession>;
  /** Rejects with a UserError when it cannot be read. */
  open(id: string): Promise<CodingSession>;
  /** A new session with the guided tour as its model, and its first prompt sent. */
  startTour(): Promise<CodingSession>;
  /** Providers and their models, overrides applied; what is wrong in `reins.providers`; and whose address is not set yet. */
  models(): Pick<ResolvedProviders, "providers" | "models" | "problems" | "unready">;
  /** Of `<provider>/<model id>`, listed or not. */
  findModel(ref: string): Model | undefined;
  /** Other models were found. */
  readonly onDidChangeModels: Event<void>;
  /** Looks again for servers on this machine and the editor's models. Never rejects. */
  refreshModels(): Promise<void>;
}
