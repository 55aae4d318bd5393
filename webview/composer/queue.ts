// Messages that wait for their turn, as chips: each can be edited, removed, moved and switched between the two kinds.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { QueuedMessage } from "../../src/agent/types.ts";
import { button, textField } from "../controls.ts";
import type { MenuGroup } from "../menu.ts";
import "../menu.ts";
import { icon } from "../icons.ts";
import { PanelElement } from "../panel-element.ts";
import { isImeKey } from "./ime.ts";

const kinds = {
  steering: { icon: "steer", hint: "Steering: enters after this turn" },
  followUp: { icon: "next", hint: "Follow-up: enters when the run ends" },
} as const;

export class QueueChips extends PanelElement {
  static override properties = { queue: { attribute: false }, editing: { state: true } };

  declare queue: readonly QueuedMessage[];
  declare editing: { readonly id: string; readonly text: string } | undefined;

  protected override render(): TemplateResult | typeof nothing {
    if (this.queue.length === 0) return nothing;
    return html`<ul class="queue" aria-label="Queued messages">
      ${this.queue.map((queued) => html`<li>${this.chip(queued)}</li>`)}
    </ul>`;
  }

  private chip(queued: QueuedMessage): TemplateResult {
    if (this.editing?.id === queued.id) return this.editor(queued, this.editing.text);
    const text = textOf(queued);
    const { icon: name, hint } = kinds[queued.kind];
    return html`<span class="chip" title=${hint}>
      ${icon(name)}<span class="sr-only">${hint}:</span>
      <button
        type="button"
        class="plain clip"
        dir="auto"
        data-queued=${queued.id}
        aria-label="Edit: ${text}"
        @click=${() => this.edit(queued)}
      >
        ${text}
      </button>
      <reins-menu .label=${`Change “${text}”`} .iconName=${"more"} .groups=${this.menu(queued)}></reins-menu>
      ${button({
        label: `Remove “${text}”`,
        look: "icon",
        icon: "cross",
        className: "tiny",
        onClick: () => this.context.send({ type: "removeQueued", id: queued.id }),
      })}
    </span>`;
  }

  private menu(queued: QueuedMessage): readonly MenuGroup[] {
    const { send } = this.context;
    const peers = this.queue.filter((other) => other.kind === queued.kind);
    const index = peers.indexOf(queued);
    const other = queued.kind === "steering" ? "followUp" : "steering";
    const before = peers[index - 1];
    const afterNext = peers[index + 2];
    return [
      {
        items: [
          { label: "Edit", icon: "pencil", onSelect: () => this.edit(queued) },
          {
            label: other === "followUp" ? "Send when the run ends" : "Send after this turn",
            icon: kinds[other].icon,
            onSelect: () => send({ type: "editQueued", id: queued.id, kind: other }),
          },
          {
            label: "Move earlier",
            icon: "up",
            disabled: !before,
            onSelect: () => before && send({ type: "moveQueued", id: queued.id, before: before.id }),
          },
          {
            label: "Move later",
            icon: "down",
            disabled: index >= peers.length - 1,
            onSelect: () =>
              send({ type: "moveQueued", id: queued.id, ...(afterNext ? { before: afterNext.id } : {}) }),
          },
        ],
      },
    ];
  }

  private editor(queued: QueuedMessage, text: string): TemplateResult {
    return html`<span class="chip editing">
      ${textField({
        label: "Queued message",
        value: text,
        onInput: (value) => (this.editing = { id: queued.id, text: value }),
        onKeydown: (event) => this.onKeydown(event, queued),
      })}
      ${button({ label: "Save", look: "icon", icon: "check", className: "tiny", onClick: () => this.save(queued) })}
      ${button({
        label: "Cancel",
        look: "icon",
        icon: "cross",
        className: "tiny",
        onClick: () => this.endEditing(queued),
      })}
    </span>`;
  }

  private onKeydown(event: KeyboardEvent, queued: QueuedMessage): void {
    if (isImeKey(event)) return;
    if (event.key === "Enter") {
      event.preventDefault(); // Else it would press the button that gets the focus.
      this.save(queued);
    } else if (event.key === "Escape") {
      event.stopPropagation(); // The host would stop the run.
      this.endEditing(queued);
    }
  }

  private edit(queued: QueuedMessage): void {
    this.editing = { id: queued.id, text: textOf(queued) };
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("vscode-text-field")?.focus());
  }

  /** The focus goes back to where editing began. */
  private endEditing({ id }: QueuedMessage): void {
    this.editing = undefined;
    void this.updateComplete.then(() =>
      this.querySelector<HTMLElement>(`[data-queued="${CSS.escape(id)}"]`)?.focus(),
    );
  }

  private save(queued: QueuedMessage): void {
    const text = this.editing?.text.trim() ?? "";
    this.endEditing(queued);
    if (text !== "" && text !== textOf(queued))
      this.context.send({ type: "editQueued", id: queued.id, text });
  }
}

function textOf({ message }: QueuedMessage): string {
  if (typeof message.content === "string") return message.content;
  return message.content.map((block) => (block.type === "text" ? block.text : "[image]")).join(" ");
}

customElements.define("reins-queue", QueueChips);
