// The bottom line: how full the context is, what it cost, how much came from the cache, and how long this run takes.
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Meter } from "../../src/harness/types.ts";
import { formatCost, formatDuration, formatTokens } from "../format.ts";
import { PanelElement } from "../panel-element.ts";

export class MeterLine extends PanelElement {
  static override properties = {
    meter: { attribute: false },
    running: { attribute: false },
    turn: { attribute: false },
    startedAt: { attribute: false },
  };

  declare meter: Meter;
  declare running: boolean;
  declare turn: number;
  /** Unix milliseconds at which the run began. */
  declare startedAt: number;
  private elapsed: number | undefined;
  private timer = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
    this.timer = 0;
  }

  protected override willUpdate(): void {
    if (this.running) this.elapsed = Math.max(0, Date.now() - this.startedAt);
    if (this.running && this.timer === 0) this.timer = window.setInterval(() => this.requestUpdate(), 1000);
    if (!this.running) {
      clearInterval(this.timer);
      this.timer = 0;
    }
  }

  protected override render(): TemplateResult {
    const { meter } = this;
    return html`<footer class="meter-line">
      ${meter.contextWindow > 0 ? contextMeter(meter) : nothing} ${sessionCost(meter)}
      ${
        meter.cacheHitRate === undefined
          ? nothing
          : html`<span class="wide-only" title="Input of the last request that came from the provider’s cache"
              >cache ${Math.round(meter.cacheHitRate * 100)}%</span
            >`
      }
      <span class="grow"></span>
      ${
        this.elapsed === undefined || this.turn === 0
          ? nothing
          : html`<span class="run-clock">turn ${this.turn} · ${clock(this.elapsed)}</span>`
      }
    </footer>`;
  }
}

/** Without a model there is nothing whose price could be unknown. */
function sessionCost({ cost, contextWindow }: Meter): TemplateResult | typeof nothing {
  if (cost === undefined && contextWindow === 0) return nothing;
  return html`<span title="What this session has cost so far"
    >${cost === undefined ? "cost unknown" : formatCost(cost)}</span
  >`;
}

function contextMeter({ contextTokens, contextWindow, estimated }: Meter): TemplateResult {
  const share = Math.min(1, contextTokens / contextWindow);
  const percent = Math.round(share * 100);
  const about = estimated ? "about " : "";
  const exact = `Context: ${about}${contextTokens.toLocaleString("en")} of ${contextWindow.toLocaleString("en")} tokens`;
  const level = share > 0.9 ? "full" : share > 0.75 ? "high" : "";
  return html`<span class="context" title=${exact}
    ><span
      class="bar ${level}"
      role="meter"
      aria-label="Context used"
      aria-valuemin="0"
      aria-valuemax="100"
      aria-valuenow=${percent}
      aria-valuetext=${exact}
      ><i .style=${`width: ${Math.max(2, percent)}%`}></i></span
    ><span
      >${estimated ? "~" : ""}${percent}%<span class="wide-only">
        of ${formatTokens(contextWindow)}</span
      ></span
    ></span
  >`;
}

function clock(ms: number): string {
  return formatDuration(Math.max(1000, Math.round(ms / 1000) * 1000));
}

customElements.define("reins-meter", MeterLine);
