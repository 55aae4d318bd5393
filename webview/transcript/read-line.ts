// A finished reading as the one quiet line that it takes in the transcript. Leaves its card to tool-card.ts.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { ReadDetails } from "../../src/protocol/to-webview.ts";
import { icon } from "../icons.ts";
import { pathLink } from "./path-link.ts";
import type { RowScope } from "./row-scope.ts";
import { textArgument } from "./tool-state.ts";
import type { ToolFacts } from "./tool-state.ts";

/** Reads are silent: one quiet line, unfolding to the raw call. */
export function readLine(facts: ToolFacts, scope: RowScope): TemplateResult {
  const { path, range, link } = readParts(facts, scope);
  return html`<div class="line">
    <button
      type="button"
      class="plain icon-only fold"
      aria-expanded="false"
      aria-label="Show read ${path}"
      @click=${() => scope.remember({ open: true, rawOpen: true })}
    >
      ${icon("file")}
    </button>
    <span class="what">Read</span>${link}<span class="range nowrap">${range}</span>
    ${facts.read?.unsaved ? html`<span class="range nowrap">unsaved</span>` : nothing}
    <span class="sr-only">done</span>
  </div>`;
}

/** What was read, and which part of it. */
export function readParts({ read, args }: ToolFacts, scope: RowScope) {
  const path = read?.path ?? textArgument(args, "path");
  const lines = read?.firstLine === undefined ? "" : `${read.firstLine}–${read.lastLine ?? read.firstLine}`;
  const range = read?.cells === undefined ? lines : cellRange(read.cells);
  return { path, range, link: pathLink(path, read?.uri, read?.firstLine, scope) };
}

function cellRange({ total, first, last }: NonNullable<ReadDetails["cells"]>): string {
  const all = total === 1 ? "1 cell" : `${total} cells`;
  if (total === 0 || (first === 1 && last === total)) return all;
  return first === last ? `cell ${first} of ${total}` : `cells ${first}–${last} of ${total}`;
}
