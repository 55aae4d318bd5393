// Where people write. Enter sends or steers, Alt+Enter follows up, Up and Down go through earlier prompts. Owns the text;
// allowing, rejecting and stopping by key are VS Code keybindings and are handled by the host alone.
import { html, nothing } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import type { QueuedMessage } from "../../src/agent/types.ts";
import type { PanelState } from "../../src/protocol/to-webview.ts";
import { button, textArea } from "../controls.ts";
import type { TextControl } from "../controls.ts";
import { formatTokens, keyLabel } from "../format.ts";
import { icon } from "../icons.ts";
import { PanelElement } from "../panel-element.ts";
import type { DraftKeeper } from "./draft.ts";
import { PromptHistory } from "./history.ts";
import { ImeGuard } from "./ime.ts";
import "./queue.ts";
import { toolbar } from "./toolbar.ts";

/** Browsers take minutes to put more than this into a text box, and nothing else moves meanwhile. Characters. */
const longestPaste = 400_000;

export class Composer extends PanelElement {
  static override properties = {
    panel: { attribute: false },
    running: { attribute: false },
    queue: { attribute: false },
    drafts: { attribute: false },
    empty: { state: true },
    hint: { state: true },
  };

  declare panel: PanelState;
  declare running: boolean;
  declare queue: readonly QueuedMessage[];
  declare drafts: DraftKeeper;
  declare empty: boolean;
  declare hint: string;
  readonly history = new PromptHistory();
  private box: TextControl | undefined;
  private ime: ImeGuard | undefined;
  private reported = "";

  constructor() {
    super();
    this.empty = true;
    this.hint = "";
  }

  get text(): string {
    return this.box?.value ?? "";
  }

  /** Replaces what is written, for example with the draft of a session that was opened. */
  setText(text: string): void {
    if (!this.box) return;
    this.box.value = text;
    // The toolkit would set it a frame later, after the caret has been placed.
    this.box.control.value = text;
    this.changed();
  }

  /** Adds text after what is written, on its own line; the caret goes to the end if the composer has it. */
  insertText(text: string): void {
    const before = this.text;
    this.setText(before.trim() === "" ? text : `${before.trimEnd()}\n${text}`);
    const { length } = this.text;
    this.box?.control.setSelectionRange(length, length);
  }

  override focus(): void {
    this.box?.focus();
  }

  protected override firstUpdated(): void {
    const box = this.querySelector<TextControl>("vscode-text-area");
    if (!box) return;
    this.box = box;
    this.ime = new ImeGuard(box, () => this.report());
    box.addEventListener("input", () => {
      this.context.lastTyped = performance.now();
      this.changed();
    });
    box.addEventListener("keydown", this.onKeydown);
    box.addEventListener("paste", (event) => {
      const { length } = event.clipboardData?.getData("text/plain") ?? "";
      if (length <= longestPaste) return;
      event.preventDefault();
      this.hint = `That is too long to paste (${formatTokens(length)} characters). Save it as a file and name its path.`;
    });
    box.addEventListener("focusin", () => this.report());
    box.addEventListener("focusout", () => this.report());
    window.addEventListener("blur", () => this.report());
    window.addEventListener("focus", () => this.report());
    this.report();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("panel") && this.panel.model) this.hint = "";
  }

  protected override render(): TemplateResult {
    const { panel, running } = this;
    return html`<section aria-label="Write to Reins">
      <reins-queue .context=${this.context} .queue=${this.queue}></reins-queue>
      <div class="composer" @click=${(event: Event) => event.target === event.currentTarget && this.focus()}>
        ${textArea({
          label: running ? "Steer Reins" : "Message to Reins",
          placeholder: placeholder(panel, running),
        })}
        ${this.hint ? html`<div class="hint" role="status">${icon("info")}${this.hint}</div>` : nothing}
        <div class="toolbar">
          <div class="picks">${toolbar(panel, this.context)}</div>
          ${this.sendButtons()}
        </div>
      </div>
    </section>`;
  }

  private sendButtons(): TemplateResult {
    const { platform } = this.panel;
    const stop = button({
      label: "Stop",
      title: `Stop (${keyLabel("stop", platform)})`,
      icon: "stop",
      look: "icon",
      className: this.empty ? "send" : "stop",
      onClick: () => this.context.send({ type: "stop" }),
    });
    const send = button({
      label: this.running ? "Steer" : "Send",
      title: this.running
        ? `Steer: enters after this turn (${keyLabel("send", platform)}). Follow up with ${keyLabel("followUp", platform)}`
        : `Send (${keyLabel("send", platform)})`,
      icon: "up",
      look: "icon",
      className: "send",
      disabled: this.empty,
      onClick: () => this.submit("prompt"),
    });
    return html`${this.running ? stop : nothing}${this.running && this.empty ? nothing : send}`;
  }

  private readonly onKeydown = (event: KeyboardEvent): void => {
    this.context.lastTyped = performance.now();
    if (this.ime?.takes(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.submit(event.altKey ? "followUp" : "prompt");
    } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      this.onArrow(event);
    }
  };

  private onArrow(event: KeyboardEvent): void {
    const control = this.box?.control;
    if (!control || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const { selectionStart, selectionEnd, value } = control;
    const atStart = selectionStart === 0 && selectionEnd === 0;
    const atEnd = selectionStart === value.length && selectionEnd === value.length;
    const recalled = this.history.showing(value) && (atStart || atEnd);
    const older = event.key === "ArrowUp";
    if (!(older ? atStart : atEnd) && !recalled) return;
    const text = this.history.step(older ? "older" : "newer", value);
    if (text === undefined) return;
    event.preventDefault();
    this.setText(text);
    const caret = older ? 0 : text.length;
    control.setSelectionRange(caret, caret);
  }

  private submit(type: "prompt" | "followUp"): void {
    const { text } = this;
    if (text.trim() === "") return;
    if (!this.panel.model) {
      this.hint = "Choose how to power Reins first. Your text stays here.";
      return;
    }
    this.context.send({ type, text });
    this.history.leave();
    this.setText("");
    this.drafts.flush();
    this.dispatchEvent(new CustomEvent("sent", { bubbles: true }));
  }

  private changed(): void {
    const { text } = this;
    this.empty = text.trim() === "";
    this.hint = "";
    this.drafts.changed(this.panel.sessionId, text);
    growByHand(this.box?.control);
    this.report();
  }

  private report(): void {
    const state = {
      empty: this.text.trim() === "",
      composing: this.ime?.composing ?? false,
      focused: document.hasFocus() && this.box !== undefined && document.activeElement === this.box,
    };
    const key = JSON.stringify(state);
    if (key === this.reported) return;
    this.reported = key;
    this.context.send({ type: "composerState", ...state });
  }
}

/** Browsers that cannot size a text box by its content get its height set; the style sheet bounds it. */
function growByHand(control: HTMLElement | undefined): void {
  if (!control || CSS.supports("field-sizing", "content")) return;
  control.style.height = "auto";
  control.style.height = `${control.scrollHeight + 2}px`;
}

function placeholder({ model, hasFolder }: PanelState, running: boolean): string {
  if (running) return "Steer: type while it works…";
  if (model?.isTour) return "Answer the tour…";
  return hasFolder ? "What should change?" : "Ask anything…";
}

customElements.define("reins-composer", Composer);
