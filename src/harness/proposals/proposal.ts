// One proposal's state: the document as it is, and hunks with their decisions. Pure: every step returns a new state.
// Invariant: the proposed text is the document with all open hunks applied; deciding one never moves another's lines.
import type { Hunk } from "./hunks.ts";
import { applyHunks, computeHunks } from "./hunks.ts";
import type { LineChange } from "./lines.ts";
import { contentChanges, keepLineEnds, sameContent, splitLines } from "./lines.ts";
import { matchHunks } from "./hunk-identity.ts";
import type { RebasedHunk } from "./rebase.ts";
import { rebaseHunks } from "./rebase.ts";
import type { HunkStatus } from "./types.ts";

export interface HunkEntry extends Hunk {
  readonly id: string;
  readonly status: HunkStatus;
  /** What the model proposed for these lines; undefined for a hunk that the user wrote. */
  readonly modelLines: readonly string[] | undefined;
  readonly userEdited: boolean;
  readonly reason?: string;
  /** A conflict's old lines before the user's change: when they come back, the conflict is over. */
  readonly conflictBase?: readonly string[];
  /** Set with the decision: what was around the hunk then. `line` is 0-based. */
  readonly decided?: {
    readonly line: number;
    readonly before: readonly string[];
    readonly after: readonly string[];
  };
}

/** An open hunk as it is kept over a reload. */
export interface SavedHunk extends Hunk {
  /** It overlaps what the user changed. */
  readonly conflict?: boolean;
  /** The user changed `newLines`: what the model had proposed; none for a hunk that is the user's alone. */
  readonly modelLines?: readonly string[];
  readonly userEdited?: boolean;
}

export interface ProposalState {
  readonly document: readonly string[];
  /** There is no file yet. */
  readonly creates: boolean;
  /** In document order; a decided one's `start` goes on following the document. */
  readonly entries: readonly HunkEntry[];
  readonly nextId: number;
}

export function createProposal(documentText: string, proposedText: string, creates: boolean): ProposalState {
  const document = splitLines(documentText);
  const hunks = withCreation(computeHunks(document, splitLines(proposedText)), creates);
  return proposalOf(document, hunks, creates);
}

/** A proposal of known hunks, which must be in order and not overlap. */
export function proposalOf(
  document: readonly string[],
  hunks: readonly SavedHunk[],
  creates: boolean,
): ProposalState {
  const entries = hunks.map(({ conflict, userEdited = false, ...hunk }, i): HunkEntry => {
    const modelLines = userEdited ? hunk.modelLines : hunk.newLines;
    const entry = { ...hunk, ...newEntry(i + 1, modelLines), userEdited };
    return conflict === true ? { ...entry, status: "conflict" } : entry;
  });
  return { document, creates, entries, nextId: hunks.length + 1 };
}

export function savedHunk({
  start,
  oldLines,
  newLines,
  status,
  userEdited,
  modelLines,
}: HunkEntry): SavedHunk {
  return {
    ...{ start, oldLines, newLines },
    ...(status === "conflict" && { conflict: true }),
    ...(userEdited && { userEdited, ...(modelLines && { modelLines }) }),
  };
}

export function documentTextOf(state: ProposalState): string {
  return state.document.join("");
}

export function proposedTextOf(state: ProposalState): string {
  return applyHunks(state.document, state.entries.filter(isOpen)).join("");
}

/** Whether the user has still to decide. */
export function isOpen({ status }: Pick<HunkEntry, "status">): boolean {
  return status === "pending" || status === "conflict";
}

/** The hunks the user has still to decide on. */
export function openIds(
  state: ProposalState,
  choose: (entry: HunkEntry) => boolean = () => true,
): ReadonlySet<string> {
  return new Set(state.entries.filter((entry) => isOpen(entry) && choose(entry)).map(({ id }) => id));
}

/** The document's text if these hunks were accepted. */
export function acceptedText(state: ProposalState, ids: ReadonlySet<string>): string {
  const chosen = state.entries.filter((entry) => isOpen(entry) && ids.has(entry.id));
  return applyHunks(state.document, chosen).join("");
}

/** The hunks are in the document now. */
export function acceptHunks(state: ProposalState, ids: ReadonlySet<string>): ProposalState {
  let shift = 0;
  const entries = state.entries.map((entry): HunkEntry => {
    const moved = { ...entry, start: entry.start + shift };
    if (!isOpen(entry) || !ids.has(entry.id)) return moved;
    shift += entry.newLines.length - entry.oldLines.length;
    return { ...moved, status: "accepted", decided: surroundings(state.document, entry) };
  });
  const document = splitLines(acceptedText(state, ids));
  return { ...state, document, entries, creates: state.creates && ids.size === 0 };
}

export function rejectHunks(
  state: ProposalState,
  ids: ReadonlySet<string>,
  reason: string | undefined,
): ProposalState {
  const entries = state.entries.map((entry) =>
    isOpen(entry) && ids.has(entry.id) ? rejected(state, entry, reason) : entry,
  );
  return { ...state, entries };
}

/** The document changed by other hands. Hunks follow; what overlaps becomes a conflict; what is there already is accepted. */
export function changeDocument(state: ProposalState, text: string): ProposalState {
  const document = splitLines(text);
  if (state.creates) return fileAppeared(state, document);
  const open = state.entries.filter(isOpen);
  const { hunks, mapLine } = rebaseHunks(state.document, open, document);
  const rebased = new Map(hunks.map((hunk) => [open[hunk.sources[0] ?? -1], hunk]));
  const entries = state.entries.flatMap((entry): HunkEntry[] => {
    if (!isOpen(entry)) return [{ ...entry, start: mapLine(entry.start) }];
    const hunk = rebased.get(entry);
    if (hunk === undefined) return [];
    return [settleMoved(document, hunk.conflict ? conflicting(entry, hunk) : follow(entry, hunk))];
  });
  return { ...state, document, entries };
}

/** The user changed the proposed side. Hunks that are gone from it are rejected. */
export function changeProposed(state: ProposalState, text: string): ProposalState {
  const before = proposedTextOf(state);
  const proposed = keepLineEnds(before, text);
  if (proposed === before) return state;
  const lines = splitLines(proposed);
  const hunks = withCreation(computeHunks(state.document, lines), state.creates);
  const touched = touchedBy(contentChanges(splitLines(before), lines), hunks);
  const { matches, gone } = matchHunks(state.entries, hunks);
  let { nextId } = state;
  const found = hunks.map((hunk, i): HunkEntry => {
    const entry = matches[i];
    if (entry === undefined) return { ...hunk, ...userEntry(nextId++, hunk, touched.has(hunk)) };
    return retyped(entry, hunk, touched.has(hunk));
  });
  const ids = new Set(found.map((entry) => entry.id));
  const kept = state.entries
    .filter((entry) => !ids.has(entry.id) && (!isOpen(entry) || gone.has(entry)))
    .map((entry) => (isOpen(entry) ? rejected(state, entry, undefined) : entry));
  const entries = [...kept, ...found].sort((a, b) => a.start - b.start);
  return { ...state, entries, nextId };
}

function newEntry(number: number, modelLines: readonly string[] | undefined) {
  return { id: `h${number}`, status: "pending" as const, modelLines, userEdited: false };
}

function userEntry(number: number, hunk: Hunk, touched: boolean) {
  return { ...newEntry(number, hunk.newLines), ...(touched && { modelLines: undefined, userEdited: true }) };
}

/** A new file is something to decide on even when it is empty. */
function withCreation(hunks: readonly Hunk[], creates: boolean): readonly Hunk[] {
  return creates && hunks.length === 0 ? [{ start: 0, oldLines: [], newLines: [] }] : hunks;
}

function retyped(entry: HunkEntry, hunk: Hunk, touched: boolean): HunkEntry {
  const { conflictBase, reason: _reason, decided: _decided, ...rest } = entry;
  const conflict = entry.status === "conflict" && !touched;
  const modelLines = touched || entry.userEdited ? entry.modelLines : hunk.newLines;
  const userEdited = touched ? !sameContent(hunk.newLines, modelLines ?? []) : entry.userEdited;
  return {
    ...rest,
    ...hunk,
    modelLines,
    userEdited: modelLines === undefined || userEdited,
    status: conflict ? "conflict" : "pending",
    ...(conflict && conflictBase && { conflictBase }),
  };
}

function rejected(state: ProposalState, entry: HunkEntry, reason: string | undefined): HunkEntry {
  return {
    ...entry,
    status: "rejected",
    decided: surroundings(state.document, entry),
    ...(reason !== undefined && reason !== "" && { reason }),
  };
}

function conflicting(entry: HunkEntry, hunk: RebasedHunk): HunkEntry {
  const { conflictBase, ...rest } = follow(entry, hunk);
  const continued = conflictBase !== undefined && sameContent(hunk.baseLines, entry.oldLines);
  const base = continued ? conflictBase : hunk.baseLines;
  if (sameContent(hunk.oldLines, base)) return { ...rest, status: "pending" };
  return { ...rest, status: "conflict", conflictBase: base };
}

/** What the model proposed grows with the region: a conflict takes in lines around the hunk, unchanged ones. */
function follow(entry: HunkEntry, { start, oldLines, newLines }: RebasedHunk): HunkEntry {
  const modelLines = entry.userEdited ? entry.modelLines : newLines;
  return { ...entry, start, oldLines, newLines, modelLines };
}

function settleMoved(document: readonly string[], entry: HunkEntry): HunkEntry {
  if (!sameContent(entry.oldLines, entry.newLines)) return entry;
  return { ...entry, status: "accepted", decided: surroundings(document, entry) };
}

function fileAppeared(state: ProposalState, document: readonly string[]): ProposalState {
  const entries = state.entries.map((entry): HunkEntry => {
    if (!isOpen(entry)) return entry;
    if (document.length === 0 && entry.newLines.length > 0) return entry;
    const whole = { ...entry, start: 0, oldLines: document, status: "conflict" as const, conflictBase: [] };
    return settleMoved(document, whole);
  });
  return { ...state, document, entries, creates: false };
}

function touchedBy(changes: readonly LineChange[], hunks: readonly Hunk[]): Set<Hunk> {
  const touched = new Set<Hunk>();
  let shift = 0;
  for (const hunk of hunks) {
    const start = hunk.start + shift;
    const end = start + hunk.newLines.length;
    if (changes.some((change) => change.newStart <= end && start <= change.newEnd)) touched.add(hunk);
    shift += hunk.newLines.length - hunk.oldLines.length;
  }
  return touched;
}

function surroundings(document: readonly string[], { start, oldLines }: Hunk) {
  const end = start + oldLines.length;
  return {
    line: start,
    before: document.slice(Math.max(0, start - 3), start),
    after: document.slice(end, end + 3),
  };
}
