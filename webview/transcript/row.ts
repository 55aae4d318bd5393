// One row of the transcript as an element. It renders again only when its row object changed or the user opened something.
import { html } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import { PanelElement } from "../panel-element.ts";
import { limitCard } from "./limit-card.ts";
import { errorCard, interruptedCard, RetryCard } from "./notice-cards.ts";
import { noticeLine, textRow, thinkingRow, userRow, workingLine } from "./message-rows.ts";
import type { RowScope } from "./row-scope.ts";
import type { Row } from "./row-types.ts";
import { toolRow } from "./tool-card.ts";

export class RowElement extends PanelElement {
  static override properties = { row: { attribute: false } };

  declare row: Row;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("row")) return;
    this.className = `row row-${this.row.kind}`;
    this.dataset["tool"] = this.row.kind === "tool" ? this.row.call.name : "";
  }

  protected override render(): TemplateResult {
    const memory = this.context.memory.get(this.row.key) ?? {};
    return rowTemplate(this.row, {
      context: this.context,
      memory,
      remember: (change) => {
        this.context.memory.set(this.row.key, { ...this.context.memory.get(this.row.key), ...change });
        this.requestUpdate();
      },
    });
  }
}

function rowTemplate(row: Row, scope: RowScope): TemplateResult {
  switch (row.kind) {
    case "user":
      return userRow(row, scope);
    case "text":
      return textRow(row, scope);
    case "thinking":
      return thinkingRow(row, scope);
    case "tool":
      return toolRow(row, scope);
    case "notice":
      return noticeLine(row, scope);
    case "error":
      return errorCard(row, scope);
    case "retry":
      return html`<reins-retry .context=${scope.context} .retry=${row.retry}></reins-retry>`;
    case "working":
      return workingLine();
    case "interrupted":
      return interruptedCard(scope);
    case "limit":
      return limitCard(scope, row.limit);
  }
}

customElements.define("reins-retry", RetryCard);
customElements.define("reins-row", RowElement);
