// The decision that waits, always in sight above the composer: what, why, and the ways to answer. It never takes focus.
import { html, nothing } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import type { ApprovalRequest, PendingDecision } from "../../src/harness/approvals/types.ts";
import type { ProposalView } from "../../src/harness/proposals/types.ts";
import { isImeKey } from "../composer/ime.ts";
import { button, textField } from "../controls.ts";
import { keyLabel, plural } from "../format.ts";
import { icon } from "../icons.ts";
import { PanelElement } from "../panel-element.ts";
import { AnswerGuard } from "./guard.ts";
import { fileLine, waitingList } from "./waiting-list.ts";

export class ApprovalDock extends PanelElement {
  static override properties = {
    decisions: { attribute: false },
    platform: { attribute: false },
    reason: { state: true },
    guarded: { state: true },
  };

  declare decisions: readonly PendingDecision[];
  declare platform: "mac" | "other";
  declare reason: string;
  /** Answers are not taken yet, and the buttons say so. */
  declare guarded: boolean;
  private readonly guard = new AnswerGuard();

  constructor() {
    super();
    this.reason = "";
    this.guarded = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("decisions")) return;
    const first = this.decisions[0];
    const id = first && decisionId(first);
    if (!this.guard.appeared(id, this.context.lastTyped)) return;
    this.reason = "";
    this.guarded = !this.guard.passes();
    const guardMs = this.guard.remaining();
    // Keys reach the host past this page, so the host keeps the same guard.
    this.context.send({ type: "decisionShown", guardMs, ...(id !== undefined && { id }) });
    if (this.guarded) window.setTimeout(() => this.endGuard(), this.guard.remaining());
  }

  /** Timers may be early, and another decision may have come meanwhile. */
  private endGuard(): void {
    this.guarded = !this.guard.passes();
    if (this.guarded) window.setTimeout(() => this.endGuard(), this.guard.remaining());
  }

  protected override render(): TemplateResult | typeof nothing {
    const [first] = this.decisions;
    if (!first) return nothing;
    const title = first.type === "approval" ? first.request.title : "Apply this change?";
    return html`<section class="dock" aria-label="Waiting for you: ${title}">
      <div class="dock-head">
        ${icon("alert")}<strong class="grow">${title}</strong>
        ${
          this.decisions.length > 1
            ? html`<span class="dim nowrap">1 of ${this.decisions.length}</span>`
            : nothing
        }
      </div>
      ${first.type === "approval" ? this.request(first.request) : this.proposal(first.proposal)}
      ${waitingList(this.decisions.slice(1), this.context)}
    </section>`;
  }

  private request(request: ApprovalRequest): TemplateResult {
    return html`<pre class="subject" tabindex="0" dir="ltr" aria-label=${subjectLabels[request.kind]}>
${request.subject}</pre>
      ${request.why ? html`<div class="dim wrap" dir="auto">${request.why}</div>` : nothing}
      ${this.answers("Allow once", (accept) => this.answer(accept))}`;
  }

  private proposal(proposal: ProposalView): TemplateResult {
    const open = proposal.hunks.filter((hunk) => hunk.status === "pending").length;
    const what = proposal.kind === "create" ? "New file" : `${plural(open, "hunk")} to decide`;
    const review = button({
      label: "Review",
      icon: "open",
      title: "Open the diff in the editor",
      onClick: () => this.context.send({ type: "openProposal", id: proposal.id }),
    });
    const waiting = this.decisions.filter(({ type }) => type === "proposal").length;
    const reviewAll = button({
      label: `All ${waiting} files`,
      icon: "list",
      title: "Open all waiting changes together",
      onClick: () => this.context.send({ type: "reviewAll" }),
    });
    const more = waiting > 1 ? html`${review}${reviewAll}` : review;
    return html`<div class="dock-file">${fileLine(proposal, what, this.context)}</div>
      ${this.answers(open > 1 ? "Accept all" : "Accept", (accept) => this.decideAll(accept), more)}`;
  }

  /** The reason field and the buttons. `more` comes after those that answer. */
  private answers(
    acceptLabel: string,
    answer: (accept: boolean) => void,
    more: TemplateResult | typeof nothing = nothing,
  ): TemplateResult {
    return html`${this.reasonField(() => answer(false))}
      <div
        class="actions"
        role="group"
        aria-label="Your decision"
        aria-disabled=${this.guarded ? "true" : nothing}
      >
        ${button({
          label: acceptLabel,
          look: "primary",
          key: keyLabel("allow", this.platform),
          onClick: () => answer(true),
        })}
        ${button({
          label: "Reject",
          key: keyLabel("reject", this.platform),
          onClick: () => answer(false),
        })}
        ${more}
      </div>`;
  }

  private reasonField(reject: () => void): TemplateResult {
    return textField({
      label: "Why you reject it, for the model",
      placeholder: "Rejecting? Say why (optional)",
      value: this.reason,
      className: "reason",
      onInput: (text) => (this.reason = text),
      onKeydown: (event) => {
        if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && !isImeKey(event)) reject();
      },
    });
  }

  private answer(allow: boolean): void {
    const [first] = this.decisions;
    if (first?.type !== "approval" || !this.guard.passes()) return;
    const { id } = first.request;
    this.context.send({
      type: "answerApproval",
      id,
      answer: allow ? { type: "allowOnce" } : { type: "reject", ...this.reasonPart() },
    });
  }

  private decideAll(accept: boolean): void {
    const [first] = this.decisions;
    if (first?.type !== "proposal" || !this.guard.passes()) return;
    this.context.send({
      type: "decideProposal",
      id: first.proposal.id,
      decision: accept ? { type: "acceptAll" } : { type: "rejectAll", ...this.reasonPart() },
    });
  }

  private reasonPart(): { readonly reason?: string } {
    const reason = this.reason.trim();
    return reason === "" ? {} : { reason };
  }
}

const subjectLabels: { readonly [kind in ApprovalRequest["kind"]]: string } = {
  command: "What would run",
  read: "What would be read",
  delete: "What would be deleted",
  move: "What would be moved",
};

export function decisionId(decision: PendingDecision): string {
  return decision.type === "approval" ? decision.request.id : decision.proposal.id;
}

customElements.define("reins-dock", ApprovalDock);
