// What the tools tell the panel, in `details` of progress and of results. JSON only; never sent to a model.
// Written as types, not interfaces, so that they are assignable to JsonObject.
import type { ProposalView } from "../proposals/types.ts";

/** What the model has seen of a file with this result: for knowing after a reload whether it has changed since. */
export type SeenDetails = {
  readonly realUri: string;
  /** Of the text, by content; absent where that is not known. */
  readonly version?: string;
};

export type ReadDetails = {
  readonly tool: "read";
  readonly path: string;
  readonly uri: string;
  /** 1-based, inclusive; absent for images and empty files. */
  readonly firstLine?: number;
  readonly lastLine?: number;
  readonly totalLines?: number;
  /** A notebook: its cells, and the first and the last one of which something is shown. No lines then. */
  readonly cells?: { readonly total: number; readonly first: number; readonly last: number };
  readonly unsaved?: boolean;
  readonly seen?: SeenDetails;
};

export type EditDetails = {
  readonly tool: "edit" | "write";
  readonly path: string;
  readonly uri: string;
  readonly proposal: ProposalView;
  readonly seen?: SeenDetails;
};

export type FileDetails = {
  readonly tool: "delete" | "move";
  readonly path: string;
  /** The new path of what was moved, with its URI. */
  readonly to?: string;
  readonly uri?: string;
  /** Where nothing is any more, links resolved. */
  readonly gone: string;
  /** What was known of the file, at its new place. */
  readonly seen?: SeenDetails;
};

export type BashDetails = {
  readonly tool: "bash";
  readonly command: string;
  readonly cwd: string;
  /** Set once it ended. */
  readonly exitCode?: number;
  readonly end?: "exited" | "timeout" | "aborted" | "closed";
  readonly logPath?: string;
  /** The last lines of the output, for showing it again after a reload. */
  readonly tail?: string;
};

/** One line of a search's list. */
export type SearchHit = {
  readonly path: string;
  /** Absent for folders, which no editor opens. */
  readonly uri?: string;
  /** 1-based. */
  readonly line?: number;
  readonly text?: string;
};

export type SearchDetails = {
  readonly tool: "grep" | "find" | "ls";
  /** Absent for `ls`. */
  readonly pattern?: string;
  /** Where, as the model is told. */
  readonly path: string;
  /** Matching lines, or names. */
  readonly count: number;
  /** With matching lines. */
  readonly files?: number;
  /** There are more than `count`. */
  readonly more: boolean;
  /** The first of them, for showing them in the panel. */
  readonly hits: readonly SearchHit[];
};

/** A call that did not run: the user rejected it, or it was cut off. */
export type NotRunDetails = {
  readonly tool: "none";
  readonly why: "rejected" | "interrupted" | "aborted";
  readonly reason?: string;
};

export type ToolDetails =
  ReadDetails | EditDetails | FileDetails | BashDetails | SearchDetails | NotRunDetails;
