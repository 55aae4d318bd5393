// Cards that say what went wrong or waits, each with the action that goes on from there.
import { html, nothing } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import type { RetryInfo } from "../../src/harness/types.ts";
import type { FromWebview } from "../../src/protocol/from-webview.ts";
import type { ButtonOptions } from "../controls.ts";
import { button } from "../controls.ts";
import { icon } from "../icons.ts";
import type { IconName } from "../icons.ts";
import { PanelElement } from "../panel-element.ts";
import { errorTitles } from "./error-titles.ts";
import type { RowScope } from "./row-scope.ts";
import type { ErrorRow } from "./row-types.ts";

export interface CardContent {
  readonly icon: IconName;
  readonly tone: "error" | "warning" | "info";
  readonly title: string;
  readonly text?: string;
  readonly actions: readonly ButtonOptions[];
}

export function card(content: CardContent): TemplateResult {
  return html`<div class="card status ${content.tone}">
    ${icon(content.icon)}
    <div class="grow">
      <strong>${content.title}</strong>
      ${content.text ? html`<div class="wrap" dir="auto">${content.text}</div>` : nothing}
      ${content.actions.length > 0 ? html`<div class="actions">${content.actions.map(button)}</div>` : nothing}
    </div>
  </div>`;
}

export function errorCard(row: ErrorRow, { context }: RowScope): TemplateResult {
  const { send } = context;
  return card({
    icon: "alert",
    tone: "error",
    title: errorTitles[row.errorKind],
    text: row.text,
    actions: row.actions ? fixes(row, send) : [],
  });
}

/** What fixes it first; every error can also be looked up in the log. */
function fixes(row: ErrorRow, send: (message: FromWebview) => void): ButtonOptions[] {
  const retry: ButtonOptions = {
    label: "Retry",
    icon: "retry",
    look: "primary",
    onClick: () => send({ type: "continueRun" }),
  };
  const switchModel: ButtonOptions = {
    label: "Switch model",
    icon: "model",
    onClick: () => send({ type: "selectModel" }),
  };
  const setKey: ButtonOptions = {
    label: "Set API key",
    icon: "key",
    look: "primary",
    onClick: () => send({ type: "setApiKey", provider: row.provider }),
  };
  const newSession: ButtonOptions = {
    label: "New session",
    icon: "add",
    look: "primary",
    onClick: () => send({ type: "newSession" }),
  };
  const log: ButtonOptions = { label: "Show log", look: "quiet", onClick: () => send({ type: "showLog" }) };
  const secondary = (options: ButtonOptions): ButtonOptions => ({ ...options, look: "secondary" });
  const primary = (options: ButtonOptions): ButtonOptions => ({ ...options, look: "primary" });
  switch (row.errorKind) {
    case "auth":
      return [setKey, secondary(retry), log];
    case "quota":
    case "bad_request":
    case "content_filter":
      return [primary(switchModel), secondary(retry), log];
    case "context_overflow":
      return [newSession, switchModel, log];
    case "rate_limit":
    case "overloaded":
    case "network":
    case "timeout":
    case "malformed_stream":
    case "unknown":
      return [retry, switchModel, log];
  }
}

export function interruptedCard({ context }: RowScope): TemplateResult {
  return card({
    icon: "broken",
    tone: "warning",
    title: "This run was cut off",
    text: "VS Code closed or reloaded while Reins was working. Everything up to here is kept.",
    actions: [{ label: "Continue", look: "primary", onClick: () => context.send({ type: "continueRun" }) }],
  });
}

/** Counts down to the next try. */
export class RetryCard extends PanelElement {
  static override properties = { retry: { attribute: false } };

  declare retry: RetryInfo;
  private timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  protected override shouldUpdate(_changed: PropertyValues<this>): boolean {
    return this.isConnected;
  }

  protected override render(): TemplateResult {
    const { attempt, maxAttempts, at, error } = this.retry;
    const seconds = Math.max(0, Math.ceil((at - Date.now()) / 1000));
    return card({
      icon: "retry",
      tone: "warning",
      title: seconds > 0 ? `Trying again in ${seconds} s` : "Trying again…",
      text: `${error} (attempt ${attempt} of ${maxAttempts})`,
      actions: [
        {
          label: "Try now",
          icon: "retry",
          look: "primary",
          onClick: () => this.context.send({ type: "retryNow" }),
        },
        { label: "Stop", icon: "stop", onClick: () => this.context.send({ type: "stop" }) },
      ],
    });
  }
}
