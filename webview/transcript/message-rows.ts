// What people and the model said: user messages, answers, thinking, and single lines of the system.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { button, spinner } from "../controls.ts";
import { formatDuration, plural } from "../format.ts";
import { icon } from "../icons.ts";
import "./markdown-element.ts";
import { MarkdownElement } from "./markdown-element.ts";
import { limitStackedMarks } from "./stacked-marks.ts";
import type { RowScope } from "./row-scope.ts";
import type { NoticeRow, TextRow, ThinkingRow, UserRow } from "./row-types.ts";

/** A long prompt is folded: the transcript is for reading what came of it. Characters. */
const foldedPrompt = 1200;

export function userRow(row: UserRow, { context, memory, remember }: RowScope): TemplateResult {
  const long = row.text.length > foldedPrompt;
  const text = limitStackedMarks(long && !memory.open ? `${row.text.slice(0, foldedPrompt)}…` : row.text);
  return html`<div class="bubble">
      <h3 class="sr-only">You</h3>
      <div class="prompt" dir="auto">${text}</div>
      ${row.images > 0 ? html`<div class="dim">${plural(row.images, "image")}</div>` : nothing}
      ${long ? foldButton(memory.open ?? false, (open) => remember({ open })) : nothing}
    </div>
    <div class="row-actions">
      ${button({
        label: "Restore files to here",
        title: "Restore files to what they were before this message",
        look: "icon",
        icon: "undo",
        onClick: () => context.send({ type: "restoreFiles", messageId: row.key }),
      })}
      ${button({
        label: "Copy message",
        look: "icon",
        icon: "copy",
        onClick: () => context.send({ type: "copy", text: row.text }),
      })}
    </div>`;
}

export function textRow(row: TextRow, { context }: RowScope): TemplateResult {
  return html`<h3 class="sr-only">Reins</h3>
    <reins-markdown
      class="markdown"
      ${ref((element) => {
        if (element instanceof MarkdownElement) element.show(row.text, row.done);
      })}
    ></reins-markdown>
    ${
      row.done
        ? html`<div class="row-actions">
            ${button({
              label: "Copy answer",
              look: "icon",
              icon: "copy",
              onClick: () => context.send({ type: "copy", text: row.text }),
            })}
          </div>`
        : nothing
    }`;
}

export function thinkingRow(row: ThinkingRow, { memory, remember }: RowScope): TemplateResult {
  const open = memory.open ?? false;
  const took = row.durationMs === undefined ? "" : formatDuration(row.durationMs);
  const summary = html`${row.done ? icon(row.redacted ? "thought" : "chevron") : spinner()}
    <span class="sr-only">${row.done ? "Thought:" : "Thinking:"}</span>
    <i class="clip grow" dir="auto">${row.redacted ? "Thinking hidden by the provider" : firstLine(row)}</i>
    <span class="nowrap">${took}</span>`;
  if (row.redacted) return html`<div class="thinking-line">${summary}</div>`;
  return html`<button
      type="button"
      class="plain thinking-line"
      aria-expanded=${String(open)}
      @click=${() => remember({ open: !open })}
    >
      ${summary}
    </button>
    ${open ? html`<div class="thinking-text" dir="auto">${row.text.trim()}</div>` : nothing}`;
}

/** While it streams, the latest line says more than the first. */
function firstLine(row: ThinkingRow): string {
  const lines = row.text
    .slice(row.done ? 0 : -400, row.done ? 400 : undefined)
    .split("\n")
    .map((line) => line.replace(/[*_`#]/g, "").trim())
    .filter((line) => line !== "");
  return (row.done ? lines[0] : lines.at(-1)) ?? "Thinking…";
}

export function noticeLine(row: NoticeRow, { context }: RowScope): TemplateResult {
  const { restoreId } = row;
  return html`<div class="notice ${row.tone}">
    <span dir="auto">
      ${row.tone === "warning" ? icon("alert") : nothing}${row.text}
      ${
        restoreId === undefined
          ? nothing
          : html`<button
              type="button"
              class="plain link"
              @click=${() => context.send({ type: "undoRestore", restoreId })}
            >
              Undo restore
            </button>`
      }
    </span>
  </div>`;
}

export function workingLine(): TemplateResult {
  return html`<div class="working">${spinner()}<span>Working…</span></div>`;
}

export function foldButton(open: boolean, onChange: (open: boolean) => void): TemplateResult {
  return html`<button
    type="button"
    class="plain link"
    aria-expanded=${String(open)}
    @click=${() => onChange(!open)}
  >
    ${open ? "Show less" : "Show more"}
  </button>`;
}
