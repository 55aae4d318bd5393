// The top line: which session this is, and the ways to another. The title is renamed in place.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { PanelState } from "../../src/protocol/to-webview.ts";
import { isImeKey } from "../composer/ime.ts";
import { button, textField } from "../controls.ts";
import { plural } from "../format.ts";
import { icon } from "../icons.ts";
import type { MenuGroup } from "../menu.ts";
import "../menu.ts";
import { PanelElement } from "../panel-element.ts";

export class PanelHeader extends PanelElement {
  static override properties = { panel: { attribute: false }, editing: { state: true } };

  declare panel: PanelState;
  declare editing: string | undefined;

  protected override render(): TemplateResult {
    const { send } = this.context;
    return html`<header>
      <div class="header">
        ${this.editing === undefined ? this.titleButton() : this.editor(this.editing)}
        ${button({ label: "New session", look: "icon", icon: "add", onClick: () => send({ type: "newSession" }) })}
        ${button({ label: "History", look: "icon", icon: "history", onClick: () => send({ type: "openHistory" }) })}
        <reins-menu .label=${"More"} .iconName=${"more"} .groups=${this.menu()}></reins-menu>
      </div>
      ${this.strips()}
    </header>`;
  }

  private titleButton(): TemplateResult {
    const { title } = this.panel;
    return html`<h1 class="session-title">
      <button
        type="button"
        class="plain clip"
        dir="auto"
        title="${title} — click to rename"
        @click=${this.rename}
      >
        ${title}
      </button>
    </h1>`;
  }

  private editor(value: string): TemplateResult {
    return html`<h1 class="session-title">
      ${textField({
        label: "Session title",
        value,
        onInput: (text) => (this.editing = text),
        onKeydown: (event) => {
          if (isImeKey(event)) return;
          if (event.key === "Enter") this.save();
          if (event.key !== "Escape") return;
          event.stopPropagation(); // The host would stop the run.
          this.editing = undefined;
        },
      })}
      ${button({ label: "Save title", look: "icon", icon: "check", onClick: () => this.save() })}
    </h1>`;
  }

  private readonly rename = (): void => {
    this.editing = this.panel.title;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("vscode-text-field")?.focus());
  };

  private save(): void {
    const title = this.editing?.trim() ?? "";
    this.editing = undefined;
    if (title !== "" && title !== this.panel.title) this.context.send({ type: "renameSession", title });
  }

  private menu(): readonly MenuGroup[] {
    const { send } = this.context;
    return [
      {
        items: [
          { label: "Rename session", icon: "pencil", onSelect: this.rename },
          { label: "Choose model…", icon: "model", onSelect: () => send({ type: "selectModel" }) },
          { label: "Set API key…", icon: "key", onSelect: () => send({ type: "setApiKey" }) },
        ],
      },
      {
        items: [
          { label: "Start guided tour", icon: "compass", onSelect: () => send({ type: "startTour" }) },
          { label: "Settings", icon: "gear", onSelect: () => send({ type: "openSettings" }) },
          { label: "Show log", icon: "list", onSelect: () => send({ type: "showLog" }) },
        ],
      },
    ];
  }

  /** What stays true for the whole session and must not be overlooked. */
  private strips(): TemplateResult {
    const { model, trusted, problems } = this.panel;
    return html`${
      model?.isTour
        ? html`<div class="strip tour">
            ${icon("compass")}<span>Guided tour — scripted, not a model</span>
          </div>`
        : nothing
    }
    ${
      trusted
        ? nothing
        : html`<div class="strip">
            ${icon("shield")}<span>Restricted Mode: every change and command asks first</span>
          </div>`
    }
    ${
      problems.length === 0
        ? nothing
        : html`<details class="strip warning">
            <summary>${icon("alert")}${plural(problems.length, "problem")} in your settings</summary>
            <ul>
              ${problems.map((problem) => html`<li dir="auto">${problem}</li>`)}
            </ul>
            ${button({
              label: "Open settings.json",
              className: "small",
              onClick: () => this.context.send({ type: "editSetting", setting: "reins.providers" }),
            })}
          </details>`
    }`;
  }
}

customElements.define("reins-header", PanelHeader);
