// The changes that wait behind the one that the dock asks about: which files, and how much of each is still open.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { PendingDecision } from "../../src/harness/approvals/types.ts";
import type { ProposalView } from "../../src/harness/proposals/types.ts";
import { plural } from "../format.ts";
import type { PanelContext } from "../panel-element.ts";

/** `waiting`: without the one that is asked about. */
export function waitingList(
  waiting: readonly PendingDecision[],
  context: PanelContext,
): TemplateResult | typeof nothing {
  const proposals = waiting.flatMap((each) => (each.type === "proposal" ? [each.proposal] : []));
  if (proposals.length === 0) return nothing;
  return html`<ul class="dock-list" aria-label="Also waiting">
    ${proposals.map(
      (proposal) => html`<li class="dock-file">${fileLine(proposal, openText(proposal), context)}</li>`,
    )}
  </ul>`;
}

/** One file with its size; pressing its path opens the diff. */
export function fileLine(
  { id, path, added, removed }: ProposalView,
  what: string,
  { send }: PanelContext,
): TemplateResult {
  return html`<button
      type="button"
      class="plain path link"
      dir="ltr"
      title=${path}
      @click=${() => send({ type: "openProposal", id })}
    >
      ${path}
    </button>
    <span class="stat nowrap"
      ><span class="plus">+${added}</span> <span class="minus">−${removed}</span></span
    >
    <span class="dim nowrap">${what}</span>`;
}

/** What of a proposal is still to be decided. */
function openText({ kind, hunks }: Pick<ProposalView, "kind" | "hunks">): string {
  if (kind === "create") return "New file";
  const open = hunks.filter(({ status }) => status === "pending" || status === "conflict");
  return open.length === hunks.length
    ? plural(open.length, "hunk")
    : `${open.length} of ${plural(hunks.length, "hunk")}`;
}
