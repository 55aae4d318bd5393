// What an empty session shows: how to power Reins while nothing does, else an invitation with something to try.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { PanelState } from "../../src/protocol/to-webview.ts";
import { icon } from "../icons.ts";
import type { IconName } from "../icons.ts";
import type { PanelContext } from "../panel-element.ts";

/** `use` puts an example into the composer; sending stays with the user. */
export function emptyState(
  panel: PanelState,
  context: PanelContext,
  use: (prompt: string) => void,
): TemplateResult {
  return html`<div class="empty">
    <div class="empty-inner">
      ${panel.model ? invitation(panel, use) : powerChoices(context)}
      ${
        panel.hasFolder
          ? nothing
          : html`<p class="empty-note">
              ${icon("folder")}<span
                >No folder is open. Open one, so that Reins can read and change files.</span
              >
            </p>`
      }
      ${
        panel.hasFolder && panel.commandsUnavailable
          ? html`<p class="empty-note">
              ${icon("terminal")}<span dir="auto">${panel.commandsUnavailable}</span>
            </p>`
          : nothing
      }
    </div>
  </div>`;
}

interface Choice {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly onClick: () => void;
}

function powerChoices({ send }: PanelContext): TemplateResult {
  const choices: readonly Choice[] = [
    {
      icon: "key",
      title: "Anthropic",
      text: "Use an Anthropic API key",
      onClick: () => send({ type: "setApiKey", provider: "anthropic" }),
    },
    {
      icon: "key",
      title: "OpenAI",
      text: "Use an OpenAI API key",
      onClick: () => send({ type: "setApiKey", provider: "openai" }),
    },
    {
      icon: "model",
      title: "A model that is here",
      text: "Ollama, LM Studio, llama.cpp or vLLM on this machine, or what VS Code offers",
      onClick: () => send({ type: "selectModel" }),
    },
    {
      icon: "server",
      title: "A compatible service",
      text: "Name it in the settings",
      onClick: () => send({ type: "openSettings", query: "reins.providers" }),
    },
    {
      icon: "compass",
      title: "Guided tour",
      text: "Needs no model and no key: see how Reins works on your files",
      onClick: () => send({ type: "startTour" }),
    },
  ];
  return html`<h2>How should Reins be powered?</h2>
    <p class="dim">Keys are kept in VS Code’s secret storage, never in a setting.</p>
    <div class="choices">${choices.map(choice)}</div>
    <p class="dim">
      Already set up?
      <button type="button" class="plain link" @click=${() => send({ type: "selectModel" })}>
        Choose a model
      </button>
    </p>`;
}

function choice({ icon: name, title, text, onClick }: Choice): TemplateResult {
  return html`<button type="button" class="choice" @click=${onClick}>
    ${icon(name)}<span><strong>${title}</strong><small>${text}</small></span>
  </button>`;
}

const examples = [
  "Explain how this project is built and tested",
  "Find the cause of the failing test and fix it",
  "Review my uncommitted changes",
];

function invitation({ model }: PanelState, use: (prompt: string) => void): TemplateResult {
  return html`<h2>What are we working on?</h2>
    <p class="dim">
      ${
        model?.isTour
          ? "The tour is a script, not a model. Send anything to begin."
          : "Every change is yours to accept, every command yours to allow."
      }
    </p>
    <div class="examples">
      ${examples.map(
        (prompt) =>
          html`<button type="button" class="example" @click=${() => use(prompt)}>
            ${prompt}${icon("insert")}
          </button>`,
      )}
    </div>`;
}
