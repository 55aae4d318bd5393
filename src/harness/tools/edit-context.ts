// What the tools that change a file's text need, and the change that they hand over.
import type { PolicyContext } from "../approvals/policy.ts";
import type { Clock, TextSnapshot } from "../ports.ts";
import type { Proposals } from "../proposals/proposals.ts";
import type { SessionWriter } from "../session-tools.ts";
import type { EditDetails } from "./details.ts";
import type { EditProblemsContext } from "./edit-problems.ts";
import type { Place } from "./paths.ts";
import type { ReadRecords } from "./read-records.ts";

export interface EditToolContext extends PolicyContext, EditProblemsContext {
  readonly reads: ReadRecords;
  readonly proposals: Proposals;
  readonly clock: Clock;
  readonly writer: SessionWriter;
}

export interface NewText {
  readonly tool: EditDetails["tool"];
  readonly place: Place;
  /** Undefined creates the file. */
  readonly base: TextSnapshot | undefined;
  readonly text: string;
  /** Told to the model after the outcome. */
  readonly note?: string | undefined;
}
