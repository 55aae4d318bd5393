// What the search tools found: one quiet line, unfolding to a list of places that open in the editor. Leaves the card
// around the list to tool-card.ts.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { SearchDetails } from "../../src/protocol/to-webview.ts";
import { icon } from "../icons.ts";
import type { IconName } from "../icons.ts";
import { pathLink } from "./path-link.ts";
import type { RowScope } from "./row-scope.ts";
import type { ToolRow } from "./row-types.ts";
import { textArgument } from "./tool-state.ts";
import type { ToolFacts } from "./tool-state.ts";

type Hit = SearchDetails["hits"][number];

export interface SearchParts {
  readonly icon: IconName;
  readonly label: string;
  /** What is searched for; of a list, the folder. */
  readonly title: TemplateResult;
  readonly name: string;
  /** "" while it runs. */
  readonly count: string;
}

export function searchParts(row: ToolRow, { search, args }: ToolFacts): SearchParts {
  const isList = row.call.name === "ls";
  const path = search?.path ?? textArgument(args, "path");
  const name = isList ? path || "." : (search?.pattern ?? textArgument(args, "pattern"));
  const where = isList || path === "" || path === "." ? "" : ` in ${path}`;
  return {
    icon: isList ? "folder" : "search",
    label: { grep: "Search", find: "Find", ls: "List" }[row.call.name] ?? row.call.name,
    title: html`<span class="found" dir="ltr" title="${name}${where}"
      >${isList ? name : html`<code>${name}</code>`}${where}</span
    >`,
    name,
    count: search ? countText(search) : "",
  };
}

/** Searches are as silent as reads. */
export function searchLine(row: ToolRow, facts: ToolFacts, scope: RowScope): TemplateResult {
  const { icon: sign, label, title, name, count } = searchParts(row, facts);
  return html`<div class="line">
    <button
      type="button"
      class="plain icon-only fold"
      aria-expanded="false"
      aria-label="Show ${label.toLowerCase()} ${name}"
      @click=${() => scope.remember({ open: true })}
    >
      ${icon(sign)}
    </button>
    <span class="what">${label}</span>${title}<span class="range nowrap">${count}</span>
    <span class="sr-only">done</span>
  </div>`;
}

export function searchBody({ search }: ToolFacts, scope: RowScope): TemplateResult | typeof nothing {
  if (!search || search.hits.length === 0) return nothing;
  const rest = search.count - search.hits.length;
  const tail = rest > 0 ? `and ${rest} more${search.more ? ", not all" : ""}` : search.more ? "and more" : "";
  return html`<div class="hits" tabindex="0" role="group" aria-label="What was found">
    ${search.hits.map((hit, at) => hitRows(hit, search.hits[at - 1], scope))}
    ${tail === "" ? nothing : html`<div class="dim">${tail}</div>`}
  </div>`;
}

/** A file's path stands once, above its lines. */
function hitRows(hit: Hit, before: Hit | undefined, scope: RowScope): TemplateResult {
  const path =
    hit.line !== undefined && before?.path === hit.path
      ? nothing
      : html`<div class="hit">${pathLink(hit.path, hit.uri, hit.line, scope)}</div>`;
  return html`${path}${hit.line === undefined ? nothing : hitLine(hit, hit.line, scope)}`;
}

function hitLine({ path, uri, text = "" }: Hit, line: number, { context }: RowScope): TemplateResult {
  return html`<button
    type="button"
    class="plain hit"
    dir="ltr"
    title=${text}
    @click=${() => (uri === undefined ? undefined : context.send({ type: "openFile", uri, line }))}
  >
    <span class="sr-only">Open ${path} at line</span><span class="number">${line}</span><code>${text}</code>
  </button>`;
}

function countText({ tool, count, files, more }: SearchDetails): string {
  if (count === 0) return tool === "ls" ? "empty" : "none";
  const number = `${count}${more ? "+" : ""}`;
  return files === undefined ? number : `${number} in ${files} ${files === 1 ? "file" : "files"}`;
}
