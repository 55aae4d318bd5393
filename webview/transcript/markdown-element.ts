// One text of the assistant on the page. Owns when it is rendered; leaves how to markdown.ts.
import { MarkdownStream } from "./markdown.ts";

/** Not a Lit element: its content grows by itself and is never compared with a template. */
export class MarkdownElement extends HTMLElement {
  private stream: MarkdownStream | undefined;
  /** The frame in which it is tried again; 0 when all of the text is on the page. */
  private retry = 0;
  private shown: { readonly text: string; readonly done: boolean } | undefined;

  show(text: string, done: boolean): void {
    if (this.shown?.text === text && this.shown.done === done) return;
    this.shown = { text, done };
    this.paint();
  }

  /** Whether the page lacks some of the text yet, because the last rendering was slow. */
  get isBehind(): boolean {
    return this.retry !== 0;
  }

  disconnectedCallback(): void {
    this.cancelRetry();
  }

  private cancelRetry(): void {
    cancelAnimationFrame(this.retry);
    this.retry = 0;
  }

  private paint(): void {
    this.cancelRetry();
    if (!this.shown) return;
    this.stream ??= new MarkdownStream(this);
    const { text, done } = this.shown;
    if (!this.stream.update(text, done)) this.retry = requestAnimationFrame(() => this.paint());
  }
}

customElements.define("reins-markdown", MarkdownElement);
