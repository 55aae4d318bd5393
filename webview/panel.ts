// The whole panel: puts its parts below each other and hands each what it shows. Data goes down, messages go to the host.
import { html, nothing } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import type { TranscriptState } from "../src/agent/transcript.ts";
import { announcement } from "./announcer.ts";
import "./approvals/dock.ts";
import { unseenLine } from "./approvals/unseen.ts";
import "./composer/composer.ts";
import type { Composer } from "./composer/composer.ts";
import type { DraftKeeper } from "./composer/draft.ts";
import { emptyState } from "./header/empty-state.ts";
import "./header/header.ts";
import "./header/meter.ts";
import { PanelElement } from "./panel-element.ts";
import type { PanelView } from "./store.ts";
import "./transcript/list.ts";
import type { TranscriptList } from "./transcript/list.ts";
import type { Row } from "./transcript/row-types.ts";
import { RowBuilder } from "./transcript/rows.ts";

export class Panel extends PanelElement {
  static override properties = { view: { attribute: false }, drafts: { attribute: false } };

  declare view: PanelView | undefined;
  declare drafts: DraftKeeper;
  private builder = new RowBuilder();
  private rows: readonly Row[] = [];
  private spoken = "";
  private startedAt = 0;

  get composer(): Composer | null {
    return this.querySelector<Composer>("reins-composer");
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("click", this.onClick);
    this.addEventListener("keydown", this.onLinkKey);
    this.addEventListener("sent", () =>
      this.querySelector<TranscriptList>("reins-transcript")?.scrollToEnd(),
    );
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { view } = this;
    if (!view || !changed.has("view")) return;
    const before = changed.get("view");
    if (before?.panel.sessionId !== view.panel.sessionId) {
      this.builder = new RowBuilder();
      this.context.memory.clear();
    }
    this.rows = this.builder.build(view.transcript, view.panel);
    this.spoken = announcement(before, view) ?? this.spoken;
    this.startedAt = runStart(before?.transcript, view.transcript, this.startedAt);
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("view");
    if (this.view && before?.transcript.messages !== this.view.transcript.messages) {
      this.composer?.history.set(prompts(this.view.transcript));
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    const { view, context } = this;
    if (!view) return nothing;
    const { transcript, panel } = view;
    const running = transcript.status === "running" || panel.retry !== undefined;
    return html`<div class="panel">
      <reins-header .context=${context} .panel=${panel}></reins-header>
      <main class="main" aria-label="Conversation">
        <h2 class="sr-only">Conversation</h2>
        ${
          this.rows.length === 0
            ? emptyState(panel, context, (prompt) => this.useExample(prompt))
            : html`<reins-transcript
                .context=${context}
                .rows=${this.rows}
                .sessionId=${panel.sessionId}
              ></reins-transcript>`
        }
      </main>
      ${unseenLine(panel.unseenFiles, context)}
      <reins-dock .context=${context} .decisions=${panel.decisions} .platform=${panel.platform}></reins-dock>
      <reins-composer
        .context=${context}
        .panel=${panel}
        .running=${running}
        .queue=${transcript.queue}
        .drafts=${this.drafts}
      ></reins-composer>
      <reins-meter
        .context=${context}
        .meter=${panel.meter}
        .running=${running}
        .turn=${transcript.turn}
        .startedAt=${this.startedAt}
      ></reins-meter>
      <div class="sr-only" aria-live="polite">${this.spoken}</div>
    </div>`;
  }

  private useExample(prompt: string): void {
    this.composer?.setText(prompt);
    this.composer?.focus();
  }

  private readonly onClick = (event: Event): void => {
    if (!(event.target instanceof Element)) return;
    const link = event.target.closest<HTMLElement>("[data-href]");
    if (link) this.follow(link.dataset["href"] ?? "");
    const action = event.target.closest<HTMLElement>("[data-code-action]");
    const text = action?.closest(".code")?.querySelector("pre")?.textContent;
    if (action && text !== undefined) {
      this.context.send({
        type: action.dataset["codeAction"] === "insert" ? "insertAtCursor" : "copy",
        text,
      });
    }
  };

  private readonly onLinkKey = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLElement)) return;
    const { href } = event.target.dataset;
    if (href !== undefined) this.follow(href);
  };

  private follow(href: string): void {
    const line = /#L?(\d+)/.exec(href)?.[1];
    if (href.toLowerCase().startsWith("file:")) {
      const uri = href.replace(/#.*$/, "");
      this.context.send({ type: "openFile", uri, ...(line === undefined ? {} : { line: Number(line) }) });
    } else {
      this.context.send({ type: "openLink", url: href });
    }
  }
}

/** A panel that opens in the middle of a run takes the last prompt's time; else the run starts when it is seen to. */
function runStart(before: TranscriptState | undefined, after: TranscriptState, known: number): number {
  if (after.status !== "running" || (before?.status === "running" && known > 0)) return known;
  if (before) return Date.now();
  return after.messages.findLast(({ message }) => message.role === "user")?.message.timestamp ?? Date.now();
}

function prompts({ messages }: TranscriptState): string[] {
  return messages.flatMap(({ message }) => {
    if (message.role !== "user") return [];
    const { content } = message;
    return [
      typeof content === "string" ? content : content.map((b) => (b.type === "text" ? b.text : "")).join(""),
    ];
  });
}

customElements.define("reins-panel", Panel);
