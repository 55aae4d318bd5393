// A proposal as a diff inside its card, hunk by hunk, each to be accepted or rejected where it stands.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { HunkView, ProposalView } from "../../src/harness/proposals/types.ts";
import { button, textField } from "../controls.ts";
import { isImeKey } from "../composer/ime.ts";
import { plural } from "../format.ts";
import { icon } from "../icons.ts";
import { highlight, languageOfPath } from "./highlight.ts";
import type { Segment } from "./highlight.ts";
import type { RowScope } from "./row-scope.ts";

/** A card is for judging, the editor for reading: more lines of one hunk are only there. */
const maxLines = 160;

export function diffStat({ added, removed }: ProposalView): TemplateResult {
  return html`<span class="stat"
    ><span class="sr-only">${plural(added, "line")} added, ${plural(removed, "line")} removed</span
    ><span aria-hidden="true"
      ><span class="plus">+${added}</span> <span class="minus">−${removed}</span></span
    ></span
  >`;
}

export function diffBody(proposal: ProposalView, scope: RowScope): TemplateResult {
  return html`${proposal.hunks.map((hunk) => hunkView(proposal, hunk, scope))}`;
}

function hunkView(proposal: ProposalView, hunk: HunkView, scope: RowScope): TemplateResult {
  const pending = proposal.state === "pending" && hunk.status === "pending";
  return html`<div
    class="hunk ${hunk.status}"
    role="group"
    aria-label="Change at line ${hunk.line}, ${pending || hunk.status !== "pending" ? hunk.status : "not decided"}"
  >
    <div class="hunk-bar">
      <span class="grow">line ${hunk.line}${hunk.userEdited ? " · edited by you" : ""}</span>
      ${pending ? hunkButtons(proposal, hunk, scope) : hunkOutcome(hunk)}
    </div>
    ${scope.memory.reasonFor === hunk.id && pending ? reasonField(proposal, hunk, scope) : nothing}
    ${hunkLines(proposal, hunk, scope)}
  </div>`;
}

function hunkButtons(proposal: ProposalView, hunk: HunkView, scope: RowScope): TemplateResult {
  const { context, memory, remember } = scope;
  const { id } = proposal;
  const explaining = memory.reasonFor === hunk.id;
  const name = (what: string) => `${what} the change at line ${hunk.line}`;
  return html`<span class="hunk-buttons"
    >${button({
      label: "Accept",
      name: name("Accept"),
      icon: "check",
      className: "small",
      onClick: () =>
        context.send({ type: "decideProposal", id, decision: { type: "acceptHunk", hunkId: hunk.id } }),
    })}${button({
      label: "Reject",
      name: name("Reject"),
      icon: "cross",
      className: "small",
      onClick: () => reject(proposal, hunk, scope),
    })}${button({
      label: "Say why",
      name: name("Say why you reject"),
      look: "icon",
      icon: "comment",
      onClick: () =>
        remember(explaining ? { reasonFor: "", reason: "" } : { reasonFor: hunk.id, reason: "" }),
    })}${button({
      label: "Open in editor",
      name: `${name("Open")} in the editor`,
      look: "icon",
      icon: "open",
      onClick: () => context.send({ type: "openProposal", id, hunkId: hunk.id }),
    })}</span
  >`;
}

function reject(proposal: ProposalView, hunk: HunkView, { context, memory, remember }: RowScope): void {
  const reason = memory.reasonFor === hunk.id ? (memory.reason ?? "").trim() : "";
  remember({ reasonFor: "", reason: "" });
  context.send({
    type: "decideProposal",
    id: proposal.id,
    decision: { type: "rejectHunk", hunkId: hunk.id, ...(reason === "" ? {} : { reason }) },
  });
}

function reasonField(proposal: ProposalView, hunk: HunkView, scope: RowScope): TemplateResult {
  return html`<div class="hunk-reason">
    ${textField({
      label: `Why you reject the change at line ${hunk.line}`,
      placeholder: "Why? Enter rejects with this reason",
      value: scope.memory.reason ?? "",
      onInput: (reason) => scope.remember({ reason }),
      onKeydown: (event) => {
        if (event.key === "Enter" && !isImeKey(event)) reject(proposal, hunk, scope);
        if (event.key !== "Escape" || isImeKey(event)) return;
        event.stopPropagation(); // The host would stop the run.
        scope.remember({ reasonFor: "", reason: "" });
      },
    })}
  </div>`;
}

function hunkOutcome(hunk: HunkView): TemplateResult {
  const { status, reason } = hunk;
  const outcomes = {
    accepted: { icon: "check", word: "accepted" },
    rejected: { icon: "cross", word: "rejected" },
    conflict: { icon: "alert", word: "conflict: the file changed here" },
    pending: { icon: "clock", word: "not decided" },
  } as const;
  const { icon: name, word } = outcomes[status];
  return html`<span class="outcome ${status}"
    >${icon(name)}<span class="clip" title=${reason ?? nothing}
      >${reason ? `${word}: ${reason}` : word}</span
    ></span
  >`;
}

interface DiffLine {
  readonly sign: " " | "-" | "+";
  readonly segments: readonly Segment[];
}

function hunkLines(proposal: ProposalView, hunk: HunkView, scope: RowScope): TemplateResult {
  const lines = diffLines(hunk, languageOfPath(proposal.path));
  const hidden = lines.length - maxLines;
  return html`<div class="diff" role="group" tabindex="0" dir="ltr" aria-label="Changed lines">
      <div class="diff-lines">${lines.slice(0, maxLines).map(diffLine)}</div>
    </div>
    ${hidden > 0 ? moreLines(hidden, () => openHunk(proposal, hunk, scope)) : nothing}`;
}

function moreLines(count: number, open: () => void): TemplateResult {
  return html`<button type="button" class="plain link more" @click=${open}>
    ${plural(count, "more line")}: open in the editor
  </button>`;
}

function openHunk({ id }: ProposalView, hunk: HunkView, { context }: RowScope): void {
  context.send({ type: "openProposal", id, hunkId: hunk.id });
}

/** Both versions are coloured as a whole, so that a string or comment over several lines is right in each. */
function diffLines(hunk: HunkView, language: string): DiffLine[] {
  const { before, oldLines, newLines, after } = hunk;
  const old = highlight([...before, ...oldLines, ...after].join("\n"), language);
  const fresh = highlight([...before, ...newLines, ...after].join("\n"), language);
  const line = (sign: DiffLine["sign"]) => (segments: readonly Segment[]) => ({ sign, segments });
  const start = before.length;
  return [
    ...fresh.slice(0, start).map(line(" ")),
    ...old.slice(start, start + oldLines.length).map(line("-")),
    ...fresh.slice(start, start + newLines.length).map(line("+")),
    ...fresh.slice(start + newLines.length, start + newLines.length + after.length).map(line(" ")),
  ];
}

/** No space between the tags: a line is shown, and copied, exactly as it is. */
function diffLine({ sign, segments }: DiffLine): TemplateResult {
  const kind = sign === "+" ? "added" : sign === "-" ? "removed" : "same";
  const parts = segments.map(({ text, className }) =>
    className === "" ? text : html`<span class=${className}>${text}</span>`,
  );
  return html`<div class="diff-line ${kind}">${[html`<span class="sign">${sign}</span>`, ...parts]}</div>`;
}
