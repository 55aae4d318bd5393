// A button that opens a small menu above or below itself. The toolkit has none; the browser's popover gives the layer.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { IconName } from "./icons.ts";
import { icon } from "./icons.ts";
import { PanelElement } from "./panel-element.ts";

export interface MenuItem {
  readonly label: string;
  readonly detail?: string;
  readonly icon?: IconName;
  /** Given: one of a group of choices, and whether it is the chosen one. */
  readonly checked?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

export interface MenuGroup {
  readonly title?: string;
  readonly items: readonly MenuItem[];
}

let count = 0;

export class MenuElement extends PanelElement {
  static override properties = {
    label: { attribute: false },
    text: { attribute: false },
    iconName: { attribute: false },
    groups: { attribute: false },
  };

  declare label: string;
  /** Shown on the button; absent: the icon alone. */
  declare text: string | undefined;
  declare iconName: IconName | undefined;
  declare groups: readonly MenuGroup[];
  private readonly menuId = `menu-${(count += 1)}`;

  protected override render(): TemplateResult {
    return html`<button
        type="button"
        class=${this.text === undefined ? "plain icon-only" : "plain pick"}
        aria-haspopup="menu"
        aria-expanded="false"
        aria-label=${this.text === undefined ? this.label : `${this.label}: ${this.text}`}
        title=${this.label}
        popovertarget=${this.menuId}
      >
        ${this.iconName ? icon(this.iconName) : nothing}
        ${this.text === undefined ? nothing : html`<span class="clip">${this.text}</span>${icon("caret")}`}
      </button>
      <div
        id=${this.menuId}
        class="menu"
        popover
        role="menu"
        aria-label=${this.label}
        @toggle=${this.onToggle}
        @keydown=${this.onKeydown}
      >
        ${this.groups.map(
          (group) =>
            html`<div role="group" aria-label=${group.title ?? this.label}>
              ${group.title ? html`<div class="menu-title" aria-hidden="true">${group.title}</div>` : nothing}
              ${group.items.map((item) => this.item(item))}
            </div>`,
        )}
      </div>`;
  }

  private item(item: MenuItem): TemplateResult {
    return html`<button
      type="button"
      class="menu-item"
      role=${item.checked === undefined ? "menuitem" : "menuitemradio"}
      aria-checked=${item.checked === undefined ? nothing : String(item.checked)}
      tabindex="-1"
      ?disabled=${item.disabled ?? false}
      @click=${() => {
        this.popup?.hidePopover();
        item.onSelect();
      }}
    >
      <span class="menu-mark">${item.checked ? icon("check") : item.icon ? icon(item.icon) : nothing}</span>
      <span class="menu-text"
        >${item.label}${item.detail ? html`<small>${item.detail}</small>` : nothing}</span
      >
    </button>`;
  }

  private get popup(): HTMLElement | null {
    return this.querySelector<HTMLElement>(".menu");
  }

  private readonly onToggle = (event: ToggleEvent): void => {
    const opener = this.querySelector("button");
    const open = event.newState === "open";
    opener?.setAttribute("aria-expanded", String(open));
    if (!open || !opener || !this.popup) return;
    place(this.popup, opener.getBoundingClientRect());
    const items = this.enabledItems();
    (items.find((item) => item.getAttribute("aria-checked") === "true") ?? items[0])?.focus();
  };

  private readonly onKeydown = (event: KeyboardEvent): void => {
    const items = this.enabledItems();
    const index = items.findIndex((item) => item === document.activeElement);
    const target = nextIndex(event.key, index, items.length);
    if (event.key === "Tab") this.popup?.hidePopover();
    if (event.key === "Escape") event.stopPropagation(); // It closes the menu; the host would stop the run as well.
    if (target === undefined) return;
    event.preventDefault();
    items[target]?.focus();
  };

  private enabledItems(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>(".menu-item:not(:disabled)")];
  }
}

function nextIndex(key: string, index: number, length: number): number | undefined {
  if (key === "ArrowDown") return (index + 1) % length;
  if (key === "ArrowUp") return (index - 1 + length) % length;
  if (key === "Home") return 0;
  return key === "End" ? length - 1 : undefined;
}

/** Keeps the menu inside the page: above its button when there is more room, and never past an edge. */
function place(popup: HTMLElement, anchor: DOMRect): void {
  const gap = 4;
  const { offsetWidth: width, offsetHeight: height } = popup;
  const below = anchor.bottom + gap;
  const above = anchor.top - gap - height;
  const top = below + height <= innerHeight || above < 0 ? below : above;
  popup.style.top = `${Math.max(gap, Math.min(top, innerHeight - height - gap))}px`;
  popup.style.left = `${Math.max(gap, Math.min(anchor.left, innerWidth - width - gap))}px`;
}

customElements.define("reins-menu", MenuElement);
