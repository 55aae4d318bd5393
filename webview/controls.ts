// The controls of VS Code's webview toolkit, and the only file that knows it. A successor replaces this file.
// Each helper also cures what the toolkit does to names: text controls overwrite `aria-label` when they connect.
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeProgressRing,
  vsCodeTextArea,
  vsCodeTextField,
} from "@vscode/webview-ui-toolkit";
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import type { IconName } from "./icons.ts";
import { icon } from "./icons.ts";

/** Defines the toolkit's elements. Call once, before the first render. */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeTextArea(),
    vsCodeTextField(),
    vsCodeProgressRing(),
  );
}

export interface ButtonOptions {
  readonly label: string;
  readonly onClick: (event: Event) => void;
  /** `icon` shows the icon only; the label is its name and its tooltip. Default `secondary`. */
  readonly look?: "primary" | "secondary" | "quiet" | "icon";
  readonly icon?: IconName;
  /** Shown after the label. */
  readonly key?: string;
  readonly disabled?: boolean;
  readonly title?: string;
  readonly className?: string;
  /** For the accessible name, when the label alone would be ambiguous. */
  readonly name?: string;
}

export function button(options: ButtonOptions): TemplateResult {
  const look = options.look ?? "secondary";
  const iconOnly = look === "icon";
  return html`<vscode-button
    class="${look} ${options.className ?? ""}"
    appearance=${look === "quiet" || iconOnly ? "icon" : look}
    aria-label=${options.name ?? (iconOnly || look === "quiet" ? options.label : nothing)}
    title=${options.title ?? (iconOnly ? options.label : nothing)}
    ?disabled=${options.disabled ?? false}
    @click=${options.onClick}
    >${options.icon ? icon(options.icon, iconOnly ? "" : "start") : nothing}${
      iconOnly ? nothing : options.label
    }${options.key ? html`<kbd>${options.key}</kbd>` : nothing}</vscode-button
  >`;
}

/** What the toolkit's text controls share; the inner native control takes the keys. */
export interface TextControl extends HTMLElement {
  value: string;
  readonly control: HTMLTextAreaElement | HTMLInputElement;
}

export interface TextOptions {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly onInput: (text: string) => void;
  readonly onKeydown?: (event: KeyboardEvent) => void;
  readonly className?: string;
}

export function textField(options: TextOptions): TemplateResult {
  return html`<vscode-text-field
    class=${options.className ?? ""}
    placeholder=${options.placeholder ?? ""}
    .value=${options.value}
    @input=${(event: Event) => options.onInput(controlOf(event).value)}
    @keydown=${options.onKeydown ?? nothing}
    ${ref((element) => nameControl(element, options.label))}
  ></vscode-text-field>`;
}

/** The composer's text box. Its value is set by its owner, never by rendering, so that typing is never overwritten. */
export function textArea(options: Pick<TextOptions, "label" | "placeholder" | "className">): TemplateResult {
  return html`<vscode-text-area
    class=${options.className ?? ""}
    placeholder=${options.placeholder ?? ""}
    rows="1"
    ${ref((element) => nameControl(element, options.label))}
  ></vscode-text-area>`;
}

/** A turning ring beside a word that says the same; therefore hidden from assistive technology. */
export function spinner(): TemplateResult {
  return html`<span class="spinner" aria-hidden="true"
    ><vscode-progress-ring ${ref(silence)}></vscode-progress-ring
  ></span>`;
}

/** The text control an event came from, whichever part of it was hit. */
export function controlOf(event: Event): TextControl {
  // The listeners above sit on the toolkit's elements themselves, which all have this shape.
  return event.currentTarget as TextControl;
}

function nameControl(element: Element | undefined, label: string): void {
  if (!element) return;
  // `dir` is not forwarded by the toolkit; the native control inside follows the text's own direction (U16).
  queueMicrotask(() => {
    element.setAttribute("aria-label", label);
    const inner = element.shadowRoot?.querySelector("textarea, input");
    inner?.setAttribute("dir", "auto");
  });
}

function silence(element: Element | undefined): void {
  if (!element) return;
  queueMicrotask(() => {
    for (const name of ["role", "aria-live", "aria-label"]) element.removeAttribute(name);
  });
}
