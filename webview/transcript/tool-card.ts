// The card of one tool call: its head, its state, and the raw call for whoever wants to see exactly what was sent.
// Leaves diffs and command output to their own files.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { spinner } from "../controls.ts";
import { formatDuration, formatTokens } from "../format.ts";
import { icon } from "../icons.ts";
import type { IconName } from "../icons.ts";
import { commandBody, commandStat, plainBox } from "./command-card.ts";
import { diffBody, diffStat } from "./diff-view.ts";
import { pathLink } from "./path-link.ts";
import { readLine, readParts } from "./read-line.ts";
import type { RowScope } from "./row-scope.ts";
import type { ToolRow } from "./row-types.ts";
import { searchBody, searchLine, searchParts } from "./search-card.ts";
import { stateLabels, textArgument, toolFacts } from "./tool-state.ts";
import type { ToolFacts } from "./tool-state.ts";

export function toolRow(row: ToolRow, scope: RowScope): TemplateResult {
  const facts = toolFacts(row);
  switch (row.call.name) {
    case "read":
      return facts.state === "done" && !scope.memory.open
        ? readLine(facts, scope)
        : readCard(row, facts, scope);
    case "grep":
    case "find":
    case "ls":
      return facts.state === "done" && !scope.memory.open
        ? searchLine(row, facts, scope)
        : searchCard(row, facts, scope);
    case "edit":
    case "write":
      return changeCard(row, facts, scope);
    case "delete":
    case "move":
      return fileCard(row, facts, scope);
    case "bash":
      return commandCard(row, facts, scope);
    default:
      return otherCard(row, facts, scope);
  }
}

interface CardParts {
  readonly icon: IconName;
  readonly label: string;
  readonly title: TemplateResult | string;
  /** Plain text of the title, for the card's name. */
  readonly name: string;
  readonly stat?: TemplateResult | typeof nothing;
  readonly badge?: TemplateResult | typeof nothing;
  readonly body: TemplateResult | typeof nothing;
  /** At the right of the card's last line. */
  readonly actions?: TemplateResult | typeof nothing;
  /** Absent: nothing can be folded away. */
  readonly open?: boolean;
}

function card(row: ToolRow, facts: ToolFacts, scope: RowScope, parts: CardParts): TemplateResult {
  const open = parts.open ?? true;
  const foot =
    row.partial === undefined
      ? html`<div class="card-foot">
          ${rawCall(row, facts, scope)}
          ${parts.actions ? html`<div class="card-actions">${parts.actions}</div>` : nothing}
        </div>`
      : nothing;
  return html`<section
    class="card tool ${facts.state}"
    aria-label="${parts.label} ${parts.name}, ${stateLabels[facts.state].word.toLowerCase()}"
  >
    <div class="head">
      ${
        parts.open === undefined
          ? icon(parts.icon)
          : html`<button
              type="button"
              class="plain icon-only fold"
              aria-expanded=${String(open)}
              aria-label="Show ${parts.label} ${parts.name}"
              @click=${() => scope.remember({ open: !open })}
            >
              ${icon(parts.icon)}
            </button>`
      }
      <span class="what">${parts.label}</span>
      <span class="title grow">${parts.title}</span>
      ${parts.stat ?? nothing} ${parts.badge ?? stateBadge(facts)}
    </div>
    ${open ? html`${parts.body}${foot}` : nothing}
  </section>`;
}

/** `more` is left out visibly where the panel is narrow. */
function stateBadge({ state }: ToolFacts, word?: string, more = ""): TemplateResult {
  const label = stateLabels[state];
  const turning = state === "running" || state === "preparing";
  return html`<span class="badge ${state}"
    >${turning ? spinner() : icon(label.icon)}<span
      >${word ?? label.word}${more ? html`<span class="narrow-hidden">${more}</span>` : nothing}</span
    ></span
  >`;
}

function readCard(row: ToolRow, facts: ToolFacts, scope: RowScope): TemplateResult {
  const { path, link } = readParts(facts, scope);
  const failed = facts.state === "failed" ? resultBox(facts.resultText) : nothing;
  const open = facts.state === "done" ? true : undefined;
  return card(row, facts, scope, {
    icon: "file",
    label: "Read",
    title: link,
    name: path,
    body: html`${failed}${notRunNote(facts)}`,
    ...(open === undefined ? {} : { open }),
  });
}

function searchCard(row: ToolRow, facts: ToolFacts, scope: RowScope): TemplateResult {
  const { label, icon: sign, title, name, count } = searchParts(row, facts);
  const done = facts.state === "done";
  return card(row, facts, scope, {
    ...{ icon: sign, label, title, name },
    ...(done ? { badge: html`<span class="stat dim">${count}</span>`, open: true } : {}),
    body: html`${done ? searchBody(facts, scope) : nothing}
    ${facts.state === "failed" ? resultBox(facts.resultText) : nothing}${notRunNote(facts)}`,
  });
}

function changeCard(row: ToolRow, facts: ToolFacts, scope: RowScope): TemplateResult {
  const { proposal, args, state } = facts;
  const path = proposal?.path ?? textArgument(args, "path");
  const lines = (proposal?.added ?? 0) + (proposal?.removed ?? 0);
  const settled = state !== "waiting" && state !== "running" && state !== "preparing";
  const create = row.call.name === "write";
  const body = proposal
    ? diffBody(proposal, scope)
    : facts.state === "failed"
      ? resultBox(facts.resultText)
      : nothing;
  return card(row, facts, scope, {
    icon: create ? "newFile" : "pencil",
    label: create ? "Write" : "Edit",
    title: pathLink(path, proposal?.uri, proposal?.hunks[0]?.line, scope),
    name: path,
    stat: proposal ? diffStat(proposal) : streamedSize(row),
    badge: changeBadge(facts),
    body: html`${body}${notRunNote(facts)}`,
    ...(settled && proposal ? { open: scope.memory.open ?? (lines <= 24 && state !== "superseded") } : {}),
  });
}

function fileCard(row: ToolRow, facts: ToolFacts, scope: RowScope): TemplateResult {
  const { file, args, state } = facts;
  const isMove = row.call.name === "move";
  const path = file?.path ?? textArgument(args, isMove ? "from" : "path");
  const to = file?.to ?? textArgument(args, "to");
  const target = isMove ? html` → ${pathLink(to, file?.uri, undefined, scope)}` : nothing;
  return card(row, facts, scope, {
    icon: isMove ? "moveFile" : "trash",
    label: isMove ? "Move" : "Delete",
    title: html`${pathLink(path, undefined, undefined, scope)}${target}`,
    name: isMove ? `${path} to ${to}` : path,
    body: html`${state === "failed" ? resultBox(facts.resultText) : nothing}${notRunNote(facts)}`,
  });
}

function changeBadge(facts: ToolFacts): TemplateResult {
  const hunks = facts.proposal?.hunks ?? [];
  const open = hunks.filter((hunk) => hunk.status === "pending").length;
  if (facts.state === "waiting" && open > 0) {
    return stateBadge(
      facts,
      hunks.length === 1 ? "To decide" : `${open} of ${hunks.length}`,
      hunks.length > 1 ? " to decide" : "",
    );
  }
  const accepted = hunks.filter((hunk) => hunk.status === "accepted").length;
  if (facts.state !== "done" || hunks.length === 0) return stateBadge(facts);
  if (accepted === hunks.length) return stateBadge(facts, "Accepted");
  return stateBadge(facts, `${accepted} of ${hunks.length}`, " accepted");
}

/** While the arguments still arrive, their size shows that something moves. */
function streamedSize(row: ToolRow): TemplateResult | typeof nothing {
  return row.partial === undefined || row.partial.length < 400
    ? nothing
    : html`<span class="stat dim">${formatTokens(row.partial.length)} chars</span>`;
}

function commandCard(row: ToolRow, facts: ToolFacts, scope: RowScope): TemplateResult {
  const command = facts.bash?.command ?? textArgument(facts.args, "command");
  const { foldable, body, actions } = commandBody(row, facts, scope);
  return card(row, facts, scope, {
    icon: "terminal",
    label: "Run",
    title: html`<code class="command" dir="ltr" title=${command}>${command.split("\n")[0]}</code>`,
    name: command.split("\n")[0] ?? "",
    stat: commandStat(row),
    badge: commandBadge(facts),
    body: html`${body}${notRunNote(facts)}`,
    ...(actions === nothing ? {} : { actions }),
    ...(foldable ? { open: scope.memory.open ?? facts.state === "failed" } : {}),
  });
}

function commandBadge(facts: ToolFacts): TemplateResult {
  const { bash, state } = facts;
  if (bash?.end === "timeout") return stateBadge(facts, "Timed out");
  if (bash?.end === "aborted") return stateBadge(facts, "Stopped");
  if (bash?.exitCode !== undefined && (state === "done" || state === "failed")) {
    return stateBadge(facts, `exit ${bash.exitCode}`);
  }
  return stateBadge(facts);
}

function otherCard(row: ToolRow, facts: ToolFacts, scope: RowScope): TemplateResult {
  const summary = Object.values(facts.args).find((value) => typeof value === "string") ?? "";
  const took = row.result?.durationMs;
  return card(row, facts, scope, {
    icon: "tool",
    label: row.call.name,
    title: html`<span class="clip dim" dir="auto">${summary}</span>`,
    name: "",
    stat: took === undefined ? nothing : html`<span class="stat">${formatDuration(took)}</span>`,
    body: html`${facts.state === "failed" ? resultBox(facts.resultText) : nothing}${notRunNote(facts)}`,
  });
}

function notRunNote({ notRun }: ToolFacts): TemplateResult | typeof nothing {
  if (!notRun) return nothing;
  const said = notRun.reason ? html` — <span dir="auto">${notRun.reason}</span>` : nothing;
  const what = {
    rejected: "You rejected this; it did not run",
    interrupted: "Cut off before it finished; what it did until then is not known",
    aborted: "Stopped before it ran",
  }[notRun.why];
  return html`<div class="note">${what}${said}</div>`;
}

function resultBox(text: string): TemplateResult | typeof nothing {
  if (text === "") return nothing;
  return plainBox("output", "Result", text.slice(0, 20_000));
}

/** The call and its result as they are; rendered only once it is opened. */
function rawCall(row: ToolRow, facts: ToolFacts, scope: RowScope): TemplateResult {
  const open = scope.memory.rawOpen ?? false;
  return html`<details
    class="raw"
    ?open=${open}
    @toggle=${(event: ToggleEvent) => {
      const now = event.newState === "open";
      if (now !== (scope.context.memory.get(row.key)?.rawOpen ?? false)) scope.remember({ rawOpen: now });
    }}
  >
    <summary>${icon("chevron")}Raw call</summary>
    ${open ? rawTexts(row, facts) : nothing}
  </details>`;
}

function rawTexts(row: ToolRow, facts: ToolFacts): TemplateResult {
  const args = row.call.argumentsError ?? JSON.stringify(facts.args, null, 2);
  return html`<div class="raw-title">Arguments</div>
    ${plainBox("raw-text", "Arguments", args)}
    ${
      row.result
        ? html`<div class="raw-title">Result</div>
            ${plainBox("raw-text", "Result", facts.resultText.slice(0, 60_000))}`
        : nothing
    }`;
}
