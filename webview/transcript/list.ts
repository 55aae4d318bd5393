// The scrolling list: only the rows near the viewport are on the page. It follows the end while the reader is there, and
// otherwise keeps what is being read where it is. Leaves every row's content to row.ts.
import {
  Virtualizer,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  defaultRangeExtractor,
} from "@tanstack/virtual-core";
import type { VirtualItem, VirtualizerOptions } from "@tanstack/virtual-core";
import type { PropertyValues } from "lit";
import { render } from "lit";
import { button } from "../controls.ts";
import { PanelElement } from "../panel-element.ts";
import { RowElement } from "./row.ts";
import type { Row } from "./row-types.ts";

/** Whoever scrolls down to within this of the end wants to be there. CSS pixels. */
const endThreshold = 24;

const estimates: { readonly [kind in Row["kind"]]: number } = {
  user: 64,
  text: 110,
  thinking: 34,
  tool: 48,
  notice: 34,
  error: 110,
  retry: 100,
  working: 36,
  interrupted: 100,
  limit: 100,
};

export class TranscriptList extends PanelElement {
  static override properties = { rows: { attribute: false }, sessionId: { attribute: false } };

  declare rows: readonly Row[];
  declare sessionId: string;
  private following = true;
  /** Where the list itself has put the scroll position; any other position is the reader's doing. */
  private ownTop = 0;
  private scroller!: HTMLElement;
  private canvas!: HTMLElement;
  private jump!: HTMLElement;
  private readonly elements = new Map<string, RowElement>();
  private virtualizer: Virtualizer<HTMLElement, RowElement> | undefined;
  private unmount: () => void = () => undefined;
  private readonly resizes = new ResizeObserver(() => this.stayAtEnd());

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.scroller) this.build();
    this.virtualizer = new Virtualizer(this.options());
    this.unmount = this.virtualizer._didMount();
    this.virtualizer._willUpdate();
    this.resizes.observe(this.scroller);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unmount();
    this.resizes.disconnect();
  }

  /** Shows the newest row and follows again. */
  scrollToEnd(): void {
    this.following = true;
    this.stayAtEnd();
  }

  protected override update(changed: PropertyValues<this>): void {
    super.update(changed);
    if (changed.has("sessionId")) this.following = true;
    this.virtualizer?.setOptions(this.options());
    this.virtualizer?._willUpdate();
    this.place();
    this.stayAtEnd();
  }

  private build(): void {
    this.scroller = document.createElement("div");
    this.scroller.className = "scroller";
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "feed");
    this.scroller.setAttribute("aria-label", "Conversation");
    this.canvas = document.createElement("div");
    this.canvas.className = "canvas";
    this.scroller.append(this.canvas);
    this.jump = document.createElement("div");
    this.jump.className = "jump";
    this.jump.hidden = true;
    const jumpButton = button({ label: "Jump to latest", icon: "down", onClick: () => this.scrollToEnd() });
    render(jumpButton, this.jump);
    this.append(this.scroller, this.jump);
    this.scroller.addEventListener("scroll", this.onScroll, { passive: true });
  }

  private options(): VirtualizerOptions<HTMLElement, RowElement> {
    return {
      count: this.rows.length,
      getScrollElement: () => this.scroller,
      estimateSize: (index) => estimates[this.rows[index]?.kind ?? "text"],
      getItemKey: (index) => this.rows[index]?.key ?? index,
      observeElementRect,
      observeElementOffset,
      scrollToFn: (offset, how, instance) => {
        elementScroll(offset, how, instance);
        this.ownTop = this.scroller.scrollTop;
      },
      overscan: 6,
      paddingStart: 12,
      paddingEnd: 4,
      onChange: () => {
        this.place();
        this.stayAtEnd();
      },
      // A focused row stays on the page wherever the list is scrolled: focus is the user's.
      rangeExtractor: (range) => {
        const indexes = defaultRangeExtractor(range);
        const focused = this.focusedIndex();
        return focused === undefined || indexes.includes(focused)
          ? indexes
          : [...indexes, focused].sort((one, other) => one - other);
      },
    };
  }

  /** Puts the visible rows on the page, in reading order, each at its place. */
  private place(): void {
    const { virtualizer } = this;
    if (!virtualizer) return;
    const items = virtualizer.getVirtualItems();
    const keep = new Set<string>();
    let cursor = this.canvas.firstElementChild;
    for (const item of items) {
      const row = this.rows[item.index];
      if (!row) continue;
      keep.add(row.key);
      const element = this.elementOf(row, item);
      if (element === cursor) cursor = cursor.nextElementSibling;
      else this.canvas.insertBefore(element, cursor);
    }
    for (const [key, element] of this.elements) {
      if (keep.has(key)) continue;
      element.remove();
      this.elements.delete(key);
    }
    this.canvas.style.height = `${virtualizer.getTotalSize()}px`;
    for (const element of this.elements.values()) virtualizer.measureElement(element);
  }

  private elementOf(row: Row, item: VirtualItem): RowElement {
    let element = this.elements.get(row.key);
    if (!element) {
      element = new RowElement();
      element.context = this.context;
      element.setAttribute("role", "article");
      this.elements.set(row.key, element);
    }
    element.row = row;
    element.dataset["index"] = String(item.index);
    element.setAttribute("aria-posinset", String(item.index + 1));
    element.setAttribute("aria-setsize", String(this.rows.length));
    element.style.top = `${item.start}px`;
    return element;
  }

  private focusedIndex(): number | undefined {
    const row = document.activeElement?.closest("reins-row");
    const index = row instanceof RowElement && this.contains(row) ? Number(row.dataset["index"]) : undefined;
    // A focused row at the end may be one that is going: then it has no place any more.
    return index !== undefined && index < this.rows.length ? index : undefined;
  }

  private readonly onScroll = (): void => {
    const { scrollTop } = this.scroller;
    // Rows that turned out taller also move the end away, without the reader having gone anywhere.
    const moved = scrollTop - this.ownTop;
    this.ownTop = scrollTop;
    if (Math.abs(moved) <= 1) return this.stayAtEnd();
    // Leaving the end takes one pixel, coming near it is enough to be there again.
    this.following = this.distanceFromEnd() <= (moved > 0 ? endThreshold : 1);
    this.showJump();
  };

  private stayAtEnd(): void {
    if (this.following && this.distanceFromEnd() > 1) {
      this.scroller.scrollTop = this.scroller.scrollHeight;
      this.ownTop = this.scroller.scrollTop;
    }
    this.showJump();
  }

  private showJump(): void {
    this.jump.hidden = this.following || this.rows.length === 0;
  }

  private distanceFromEnd(): number {
    return this.scroller.scrollHeight - this.scroller.scrollTop - this.scroller.clientHeight;
  }
}

customElements.define("reins-transcript", TranscriptList);
