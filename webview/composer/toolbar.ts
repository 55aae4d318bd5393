// Below the text: which model, how much it thinks, what needs approval. Opens the host's own pickers where there are any.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { PanelState } from "../../src/protocol/to-webview.ts";
import { icon } from "../icons.ts";
import type { MenuGroup, MenuItem } from "../menu.ts";
import "../menu.ts";
import type { PanelContext } from "../panel-element.ts";

export function toolbar(panel: PanelState, context: PanelContext): TemplateResult {
  const { model } = panel;
  const name = model?.name ?? "Choose a model";
  return html`<button
      type="button"
      class="plain pick model"
      title=${model ? `Model: ${model.ref}` : "Choose a model"}
      aria-label="Model: ${name}"
      @click=${() => context.send({ type: "selectModel" })}
    >
      ${icon(model?.isTour ? "compass" : "model")}<span class="clip">${name}</span>${icon("caret")}
    </button>
    ${model?.reasoning ? thinkingMenu(panel, context) : nothing}
    <reins-menu
      .label=${"What needs approval"}
      .text=${approvalText(panel)}
      .iconName=${"shield"}
      .groups=${approvalGroups(panel, context)}
    ></reins-menu>`;
}

function thinkingMenu(panel: PanelState, context: PanelContext): TemplateResult {
  const { thinkingLevel, thinking } = panel;
  const items = thinking.levels.map((level): MenuItem => {
    return {
      label: level,
      checked: level === thinking.used,
      onSelect: () => context.send({ type: "setThinkingLevel", level }),
    };
  });
  const title =
    thinking.used === thinkingLevel
      ? "How much the model thinks"
      : `How much the model thinks: it has no “${thinkingLevel}”, “${thinking.used}” is used`;
  return html`<reins-menu
    .label=${"Thinking"}
    .text=${thinking.used}
    .iconName=${"thought"}
    .groups=${[{ title, items }]}
  ></reins-menu>`;
}

function approvalText({ approvalEdits, approvalCommands }: PanelState): string {
  if (approvalEdits === approvalCommands) return approvalEdits;
  if (approvalCommands === "auto" && approvalEdits === "ask") return "auto commands";
  return approvalEdits === "later" ? "review later" : "auto edits";
}

type ModeChange =
  | { readonly what: "edits"; readonly mode: PanelState["approvalEdits"] }
  | { readonly what: "commands"; readonly mode: PanelState["approvalCommands"] };

function approvalGroups(panel: PanelState, context: PanelContext): readonly MenuGroup[] {
  const choice = (change: ModeChange, label: string): MenuItem => {
    const { what, mode } = change;
    const blocked = mode === "auto" && !panel.trusted;
    return {
      label,
      ...(blocked ? { detail: "Not in Restricted Mode" } : {}),
      checked: (what === "edits" ? panel.approvalEdits : panel.approvalCommands) === mode,
      disabled: blocked,
      onSelect: () => context.send({ type: "setApprovalMode", ...change }),
    };
  };
  return [
    {
      title: "Changes to files",
      items: [
        choice({ what: "edits", mode: "ask" }, "Review each hunk"),
        choice({ what: "edits", mode: "later" }, "Review later, go on meanwhile"),
        choice({ what: "edits", mode: "auto" }, "Apply without asking"),
      ],
    },
    {
      title: panel.commandsUnavailable ?? "Commands",
      items: [
        choice({ what: "commands", mode: "ask" }, "Ask before each"),
        choice({ what: "commands", mode: "auto" }, "Run without asking"),
      ],
    },
  ];
}
