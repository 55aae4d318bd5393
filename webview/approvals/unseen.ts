// One line above the composer for what was changed without being reviewed, while there is some to look at.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { FromWebview } from "../../src/protocol/from-webview.ts";
import { plural } from "../format.ts";
import { icon } from "../icons.ts";
import type { PanelContext } from "../panel-element.ts";

type Action = Extract<FromWebview, { readonly type: "unseenChanges" }>["action"];

export function unseenLine(files: number, { send }: PanelContext): TemplateResult | typeof nothing {
  if (files === 0) return nothing;
  const act = (action: Action, label: string, title: string) =>
    html`<button
      type="button"
      class="plain link"
      title=${title}
      @click=${() => send({ type: "unseenChanges", action })}
    >
      ${label}
    </button>`;
  return html`<section class="unseen" aria-label="Changed without review">
    ${icon("pencil")}
    <span class="grow clip"
      >${plural(files, "file")} changed<span class="narrow-hidden"> without review</span></span
    >
    ${act("review", "Review", "Show all changes together")}
    ${act("keep", "Keep", "Keep all changes; there is nothing to look at then")}
    ${act("undo", "Undo", "Undo all changes, after a question")}
  </section>`;
}
