// What the extension host tells the panel. The panel holds no truth: a snapshot replaces everything it has.
import type { SequencedEvent } from "../agent/events.ts";
import type { TranscriptState } from "../agent/transcript.ts";
import type { ThinkingLevel } from "../ai/types.ts";
import type { PendingDecision } from "../harness/approvals/types.ts";
import type { Meter, RetryInfo } from "../harness/types.ts";

/** What `details` of a tool call in the transcript may be, by its `tool`. */
export type {
  BashDetails,
  EditDetails,
  FileDetails,
  NotRunDetails,
  ReadDetails,
  SearchDetails,
} from "../harness/tools/details.ts";

export interface ModelChoice {
  /** `<provider>/<model id>`. */
  readonly ref: string;
  readonly name: string;
  readonly provider: string;
  /** The guided tour: shown as such, never as a model. */
  readonly isTour: boolean;
  readonly reasoning: boolean;
}

/** Everything beside the transcript; small, always sent whole. */
export interface PanelState {
  readonly sessionId: string;
  readonly title: string;
  /** Undefined: none is chosen, the panel offers how to power Reins. */
  readonly model: ModelChoice | undefined;
  /** As it was chosen. */
  readonly thinkingLevel: ThinkingLevel;
  /** The levels the model has, in rising order, and the one that is used. */
  readonly thinking: { readonly levels: readonly ThinkingLevel[]; readonly used: ThinkingLevel };
  readonly approvalEdits: "ask" | "later" | "auto";
  readonly approvalCommands: "ask" | "auto";
  readonly decisions: readonly PendingDecision[];
  /** Files with changes that were accepted unseen and not looked at since. */
  readonly unseenFiles: number;
  readonly retry: RetryInfo | undefined;
  readonly meter: Meter;
  readonly interrupted: boolean;
  readonly hasFolder: boolean;
  readonly trusted: boolean;
  /** Why commands cannot run here; undefined where they can. */
  readonly commandsUnavailable: string | undefined;
  /** What is wrong in the settings; each names its setting. */
  readonly problems: readonly string[];
  /** How keys are written. */
  readonly platform: "mac" | "other";
}

export type ToWebview =
  /** `draft` is the composer's kept text of this session. */
  | {
      readonly type: "snapshot";
      readonly transcript: TranscriptState;
      readonly panel: PanelState;
      readonly draft: string;
    }
  /** In order of `seq`; a gap means: ask for a snapshot. */
  | { readonly type: "events"; readonly events: readonly SequencedEvent[] }
  | { readonly type: "panel"; readonly panel: PanelState }
  /** Put text into the composer, after what is there (added selection, queued text that came back). */
  | { readonly type: "insertText"; readonly text: string }
  | { readonly type: "focusComposer" };
