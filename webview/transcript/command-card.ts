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
}

export function commandBody(row: ToolRow, facts: ToolFacts, scope: RowScope): CommandBody {
  const command = facts.bash?.command ?? textArgument(facts.args, "command");
  const running = facts.state === "running";
  const lines = outputLines(facts, running);
  const ended = row.result !== undefined && facts.notRun === undefined;
  const long = lines.length > unfoldedLines || command.includes("\n");
  return {
    foldable: ended && long,
    body: html`${command.includes("\n") ? html`<pre class="script" tabindex="0" dir="ltr">${command}</pre>` : nothing}
    ${lines.length > 0 ? outputBox(lines, running) : nothing}
    ${running || ended ? html`<div class="card-actions">${actions(row, running, scope)}</div>` : nothing}`,
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
    aria-label="Output"
    ${ref((element) => {
      if (element instanceof HTMLElement) keepAtEnd(element, follow);
    })}
  >
${lines.join("\n")}</pre>`;
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
