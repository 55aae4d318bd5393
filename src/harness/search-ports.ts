// What searching needs of the machine, a part of ports.ts: where to look and for what, and the engine that a host may
// have. The harness's own engine and the tools stand in search/ and tools/.

/** Where a search looks. Every path is relative to `root`, with `/`; hidden files are searched, `.git` and links never. */
export interface SearchScope {
  /** A folder's URI. */
  readonly root: string;
  /** The folder or file in it to search; "" is the root itself. A file is searched whatever the rules say. */
  readonly path: string;
  /** Lines as in a .gitignore in `root`. Those of ignore files in `path` and below go before them. */
  readonly rules: readonly string[];
  /** Globs; what matches is not entered. */
  readonly excludes: readonly string[];
  /** Which files are wanted. */
  readonly accepts: (path: string) => boolean;
  /** A plain glob that the name of every wanted file matches, to be quick. */
  readonly names?: string | undefined;
}

/** What to look for in lines. */
export interface LineQuery {
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  /** Lines shown before and after a match. */
  readonly context: number;
  /** Matching lines of one file after which it is left. */
  readonly limit: number;
}

export interface FoundLine {
  /** From 1. */
  readonly line: number;
  /** Without its line end; may be cut after 2,000 characters. */
  readonly text: string;
  /** False: it is context. */
  readonly match: boolean;
}

export interface SearchEnd {
  /** Files looked into. */
  readonly searched: number;
  /** What was left out and why, for example "2 files over 5.0 MiB". Ignored and binary files are not named. */
  readonly skipped: readonly string[];
}

/**
 * Finds lines and files. Files come in any order, each at most once; the search ends early, without an error, once a
 * callback returns false. Rejects with an AbortError when aborted, and with a UserError for a wrong pattern.
 */
export interface SearchEngine {
  /** Files with matching text; binary ones are left out. */
  text(scope: SearchScope, query: LineQuery, run: SearchRun<readonly FoundLine[]>): Promise<SearchEnd>;
  /** All files. */
  files(scope: SearchScope, run: SearchRun<void>): Promise<SearchEnd>;
  /** The lines of a text in memory. */
  lines(text: string, query: LineQuery, signal: AbortSignal): Promise<readonly FoundLine[]>;
}

export interface SearchRun<Found> {
  /** False: enough. */
  readonly onFile: (path: string, found: Found) => boolean | Promise<boolean>;
  readonly signal: AbortSignal;
}

/** What searching needs of the host. */
export interface Search {
  /** A quick one for this place; undefined where there is none: then the harness looks through `Files`. */
  engineFor(uri: string): Promise<SearchEngine | undefined>;
  /** Globs relative to a workspace folder, or to nothing: `files.exclude` and `search.exclude`. */
  excludes(folderUri: string | undefined): readonly string[];
  /** Open buffers that differ from their files. */
  unsaved(): readonly { readonly uri: string; readonly text: string }[];
}
