// The changes that waited for the user when a window went away, as its session's file tells: they wait again where the
// file still has the lines that they change.
import { hunkEnd } from "../proposals/hunks.ts";
import { splitLines } from "../proposals/lines.ts";
import type { ProposalLabel } from "../proposals/proposal-view.ts";
import { proposalOf } from "../proposals/proposal.ts";
import type { SavedHunk } from "../proposals/proposal.ts";
import { factData } from "../session/entries.ts";
import type { SessionEntry } from "../session/entries.ts";
import { isJsonObject } from "../../shared/json.ts";
import { UserError, errorText } from "../../shared/errors.ts";
import type { TextSnapshot } from "../ports.ts";
import type { EditToolContext } from "./edit-context.ts";
import { describePlace } from "./paths.ts";
import { reopenLater } from "./propose-later.ts";

export interface WaitingProposal {
  readonly label: ProposalLabel;
  readonly version: string | undefined;
  readonly hunks: readonly SavedHunk[];
}

/** Those that waited last; a record that is damaged is left out. */
export function waitingProposals(path: readonly SessionEntry[]): readonly WaitingProposal[] {
  const waiting = new Map<string, WaitingProposal>();
  for (const entry of path) {
    const proposal = parse(factData(entry, "reins.proposal"));
    if (proposal) waiting.set(proposal.label.id, proposal);
    const ended = endOf(entry);
    if (typeof ended === "string") waiting.delete(ended);
  }
  return [...waiting.values()];
}

/** Which proposal waits no more after it: it was told of, or another has taken it in. */
function endOf(entry: SessionEntry): unknown {
  const told = factData(entry, "reins.notice");
  if (told?.kind !== "review" || !isJsonObject(told.details)) return factData(entry, "reins.proposalEnd")?.id;
  const { proposal, lost } = told.details;
  return isJsonObject(proposal) ? proposal.id : lost;
}

/** Shows them again. Of one whose lines are gone user and model are told. Never rejects. */
export async function reopenWaiting(
  context: EditToolContext,
  waiting: readonly WaitingProposal[],
): Promise<void> {
  for (const each of waiting) {
    try {
      await reopen(context, each);
    } catch (error) {
      const why = errorText(error);
      end(
        context,
        each,
        `What still waited of the change of ${each.label.path} cannot be shown for review any more: ${why} Read it before you change it again.`,
      );
    }
  }
}

async function reopen(context: EditToolContext, waiting: WaitingProposal): Promise<void> {
  const { label, version, hunks } = waiting;
  const { uri, path, kind } = label;
  const exists = (await context.files.stat(uri)) !== undefined;
  if (!exists && kind === "edit") throw new UserError(`${path} does not exist any more.`);
  const now = exists ? await context.files.readText(uri) : undefined;
  const lines = splitLines(now?.text ?? "");
  const open = kind === "create" && now === undefined ? hunks : stillOpen(lines, hunks, { version, now });
  if (open === undefined) throw new UserError(`${path} has changed since in the same lines.`);
  if (open.length === 0)
    return end(context, waiting, `All that still waited of the change of ${path} is in the file already.`);
  const { realUri } = await describePlace(uri, context);
  const state = proposalOf(lines, open, now === undefined);
  reopenLater(context, { uri, realUri, path, version: now?.version }, { label, state });
}

/**
 * The hunks where they are now, without those that were accepted right before the window went away. Undefined: of one
 * neither the old nor the new lines are there.
 */
function stillOpen(
  lines: readonly string[],
  hunks: readonly SavedHunk[],
  { version, now }: { readonly version: string | undefined; readonly now: TextSnapshot | undefined },
): readonly SavedHunk[] | undefined {
  const isSame = version !== undefined && version === now?.version;
  const open: SavedHunk[] = [];
  let shift = 0;
  for (const hunk of hunks) {
    const start = hunk.start + shift;
    const has = (wanted: readonly string[]) => wanted.every((line, i) => lines[start + i] === line);
    if (
      !isSame &&
      hunk.newLines.length > 0 &&
      has(hunk.newLines) &&
      !(hunk.oldLines.length > 0 && has(hunk.oldLines))
    )
      shift += hunk.newLines.length - hunk.oldLines.length;
    else if (start >= 0 && start <= lines.length && has(hunk.oldLines)) open.push({ ...hunk, start });
    else return undefined;
  }
  return open.every((hunk, i) => i === 0 || hunkEnd(open[i - 1] ?? hunk) <= hunk.start) ? open : undefined;
}

/** It waits no more, which user and model are told. */
function end({ writer, clock }: EditToolContext, { label }: WaitingProposal, text: string): void {
  const details = { lost: label.id };
  writer.tell({ role: "app", kind: "review", text, details, timestamp: clock.now() });
}

function parse(data: ReturnType<typeof factData>): WaitingProposal | undefined {
  if (!data || !Array.isArray(data.hunks)) return undefined;
  const { id, toolCallId, uri, path, kind, version } = data;
  const hunks: readonly unknown[] = data.hunks;
  const texts = [id, toolCallId, uri, path];
  if (!texts.every((text) => typeof text === "string") || !hunks.every(isSavedHunk)) return undefined;
  const [ownId = "", call = "", ownUri = "", ownPath = ""] = texts;
  return {
    label: {
      id: ownId,
      toolCallId: call,
      uri: ownUri,
      path: ownPath,
      kind: kind === "create" ? "create" : "edit",
    },
    version: typeof version === "string" ? version : undefined,
    hunks,
  };
}

function isSavedHunk(value: unknown): value is SavedHunk {
  if (!isJsonObject(value) || typeof value["start"] !== "number") return false;
  const { oldLines, newLines, modelLines = [] } = value;
  return [oldLines, newLines, modelLines].every(
    (lines) => Array.isArray(lines) && lines.every((line: unknown) => typeof line === "string"),
  );
}
