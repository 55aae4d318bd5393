// What the markdown tests load instead of the panel: the renderer alone, in a page with the panel's styles.
import { adoptStyles } from "../../webview/styles/adopt.ts";
import { MarkdownStream } from "../../webview/transcript/markdown.ts";

export interface MarkdownTest {
  /** The text rendered as it would stream in, with the given ends of the pieces; markup of the result. */
  stream(text: string, ends: readonly number[]): string;
  /** The same text rendered at once. */
  whole(text: string): string;
  /** Streams a text a frame at a time: how long the main thread was busy, in milliseconds. */
  measure(text: string, pieces: number): Promise<{ readonly longest: number; readonly total: number }>;
}

declare global {
  interface Window {
    markdownTest: MarkdownTest;
  }
}

function host(): HTMLElement {
  const element = document.createElement("div");
  element.className = "markdown";
  document.body.replaceChildren(element);
  return element;
}

function untilShown(stream: MarkdownStream, text: string): void {
  while (!stream.update(text, false));
}

window.markdownTest = {
  stream(text, ends) {
    const element = host();
    const stream = new MarkdownStream(element);
    for (const end of ends) untilShown(stream, text.slice(0, end));
    stream.update(text, true);
    return element.innerHTML;
  },
  whole(text) {
    const element = host();
    new MarkdownStream(element).update(text, true);
    return element.innerHTML;
  },
  async measure(text, pieces) {
    const element = host();
    const stream = new MarkdownStream(element);
    const size = Math.ceil(text.length / pieces);
    let longest = 0;
    let total = 0;
    for (let end = size; end < text.length + size; end += size) {
      const start = performance.now();
      stream.update(text.slice(0, end), end >= text.length);
      void element.offsetHeight;
      const took = performance.now() - start;
      longest = Math.max(longest, took);
      total += took;
      await new Promise(requestAnimationFrame);
    }
    return { longest, total };
  },
};

adoptStyles();
