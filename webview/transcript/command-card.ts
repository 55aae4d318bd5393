// A command's output in its card: the live tail while it runs, what is left of it afterwards, and the way to the terminal.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { button } from "../controls.ts";
import { formatDuration } from "../format.ts";
import { terminalText } from "./ansi.ts";
import type { RowScope } from "./row-scope.ts";
import type { ToolRow } from "./row-types.ts";
import type { ToolFacts } from "./tool-state.ts";
import { textArgument } from "./tool-state.ts";

/** A finished command folds away when its output is longer than this many lines. */
const unfoldedLines = 6;
const shownLines = 400;

export function commandStat(row: ToolRow): TemplateResult | typeof nothing {
  const took = row.result?.durationMs;
  return took === undefined ? nothing : html`<span class="stat">${formatDuration(took)}</span>`;
}

export interface CommandBody {
  readonly foldable: boolean;
  readonly body: TemplateResult;
  readonly actions: TemplateResult | typeof nothing;
}

export function commandBody(row: ToolRow, facts: ToolFacts, scope: RowScope): CommandBody {
  const command = facts.bash?.command ?? textArgument(facts.args, "command");
  const running = facts.state === "running";
  const lines = outputLines(facts, running);
  const ended = row.result !== undefined && facts.notRun === undefined;
  const script = command.includes("\n") ? plainBox("script", "Command", command) : nothing;
  return {
    foldable: ended && (lines.length > unfoldedLines || command.includes("\n")),
    body: html`${script}${lines.length > 0 ? outputBox(lines, running) : nothing}`,
    // One that was cut off lost its terminal with the window.
    actions: running || (ended && facts.bash?.end !== undefined) ? actions(row, running, scope) : nothing,
  };
}

function outputLines(facts: ToolFacts, running: boolean): string[] {
  if (facts.notRun) return [];
  const raw = running || facts.resultText === "" ? facts.output : (facts.bash?.tail ?? facts.resultText);
  const text = terminalText(raw).replace(/\n+$/, "");
  return text === "" ? [] : text.split("\n").slice(-shownLines);
}

function outputBox(lines: readonly string[], follow: boolean): TemplateResult {
  return html`<pre
    class="output"
    tabindex="0"
    dir="ltr"
    role="group"
    aria-label="Output"
    .textContent=${lines.join("\n")}
    ${ref((element) => {
      if (element instanceof HTMLElement) keepAtEnd(element, follow);
    })}
  ></pre>`;
}

/** Set as a property: a template would add its own line breaks. */
export function plainBox(className: string, label: string, text: string): TemplateResult {
  return html`<pre
    class=${className}
    tabindex="0"
    dir="ltr"
    role="group"
    aria-label=${label}
    .textContent=${text}
  ></pre>`;
}

/** The end of the output is what matters, until the reader scrolls up in it. */
function keepAtEnd(element: HTMLElement, follow: boolean): void {
  const fresh = element.dataset["seen"] === undefined;
  const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
  element.dataset["seen"] = "true";
  if (!fresh && !(follow && atEnd)) return;
  queueMicrotask(() => (element.scrollTop = element.scrollHeight));
}

function actions(row: ToolRow, running: boolean, { context }: RowScope): TemplateResult {
  return html`${button({
    label: "Show terminal",
    icon: "terminal",
    look: "quiet",
    className: "small",
    onClick: () => context.send({ type: "showTerminal", toolCallId: row.call.id }),
  })}${
    running
      ? button({
          label: "Stop",
          name: "Stop the run",
          icon: "stop",
          className: "small",
          onClick: () => context.send({ type: "stop" }),
        })
      : nothing
  }`;
}
