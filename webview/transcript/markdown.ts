// Streaming markdown: finished blocks are rendered once and never touched again, only the tail is rendered anew, and the
// text of an open code fence is appended. Leaves to markdown-render.ts what a block looks like.
import type { Token, TokensList } from "marked";
import remend from "remend";
import { lexBlocks, openCodeBlock, renderBlocks } from "./markdown-render.ts";
import { limitStackedMarks } from "./stacked-marks.ts";

/** So many blocks at the end may still change their meaning by what follows (lists, tables, setext headings). */
const keptOpen = 3;
/** A tail that took this long to render, in milliseconds, is not rendered again before `restFactor` times as long. */
const slowRender = 8;
const restFactor = 3;
/** An open fence is laid out in pieces of so many characters, so that appending does not lay out the whole again. */
const chunkSize = 8_000;

interface TailBlock {
  readonly raw: string;
  readonly nodes: readonly ChildNode[];
}

interface OpenFence {
  readonly marker: string;
  readonly code: HTMLElement;
  readonly block: HTMLElement;
  /** Offset in the source up to which lines are known to be content. */
  scanned: number;
  /** Offset up to which text is shown. */
  shown: number;
}

/** Renders one growing text into `host`. The result of `update(text, true)` equals rendering the whole text at once. */
export class MarkdownStream {
  private committed = 0;
  private tail: TailBlock[] = [];
  private fence: OpenFence | undefined;
  private source = "";
  private restUntil = 0;
  private readonly host: HTMLElement;

  constructor(host: HTMLElement) {
    this.host = host;
  }

  /** False: the text was not rendered because the last one was slow; call again a little later. */
  update(text: string, done: boolean): boolean {
    const source = limitStackedMarks(text.includes("\r") ? text.replace(/\r\n|\r/g, "\n") : text);
    if (!source.startsWith(this.source)) this.reset();
    this.source = source;
    if (done) {
      // What a link refers to may have come after the link was rendered.
      if (hasDefinitions(source)) this.reset();
      this.source = source;
      this.closeFence();
      this.renderTail(true);
      return true;
    }
    if (this.fence && this.appendToFence(this.fence)) return true;
    const start = performance.now();
    if (start < this.restUntil) return false;
    this.renderTail(false);
    const took = performance.now() - start;
    this.restUntil = took > slowRender ? start + took * (1 + restFactor) : 0;
    return true;
  }

  private reset(): void {
    this.host.replaceChildren();
    this.committed = 0;
    this.tail = [];
    this.fence = undefined;
    this.source = "";
  }

  private renderTail(done: boolean): void {
    const blocks = lexBlocks(this.source.slice(this.committed));
    if (!done) this.commit(blocks);
    const last = blocks.at(-1);
    const fence = last && !done ? openFenceOf(last) : undefined;
    this.replaceTail(fence ? blocks.slice(0, -1) : blocks, done || fence !== undefined);
    if (fence && last) this.openFence(fence, last.raw);
  }

  /** Moves blocks that can no longer change out of the tail. `blocks` keeps what is left. */
  private commit(blocks: TokensList): void {
    const open = openIndex(blocks);
    const settled = blocks.splice(0, open);
    for (const block of settled) {
      this.committed += block.raw.length;
      const known = this.tail.shift();
      if (known?.raw === block.raw) continue;
      this.dropTail(known ? [known] : []);
      this.insert(renderBlocks([block]), this.tail.flatMap((open) => open.nodes)[0] ?? null);
    }
  }

  /** `exact`: the last block is finished too. */
  private replaceTail(blocks: readonly Token[], exact: boolean): void {
    const keep = samePrefix(this.tail, exact ? blocks : blocks.slice(0, -1));
    this.dropTail(this.tail.splice(keep));
    blocks.slice(keep).forEach((block, index, list) => {
      const unfinished = !exact && index === list.length - 1;
      const tokens = unfinished ? completed(block) : [block];
      this.tail.push({ raw: unfinished ? "" : block.raw, nodes: this.insert(renderBlocks(tokens), null) });
    });
  }

  private insert(fragment: DocumentFragment, before: ChildNode | null): ChildNode[] {
    const nodes = [...fragment.childNodes];
    this.host.insertBefore(fragment, before?.isConnected ? before : null);
    return nodes;
  }

  private dropTail(blocks: readonly TailBlock[]): void {
    for (const block of blocks) for (const node of block.nodes) node.remove();
  }

  private openFence(opening: FenceOpening, raw: string): void {
    const { block, code } = openCodeBlock(opening.language);
    this.host.append(block);
    const start = this.source.length - raw.length + opening.headLength;
    this.fence = { marker: opening.marker, code, block, scanned: start, shown: start };
    this.appendToFence(this.fence);
  }

  /** False: the fence was closed by the new text, so the tail has to be read again. */
  private appendToFence(fence: OpenFence): boolean {
    const { source } = this;
    for (let end = source.indexOf("\n", fence.scanned); end >= 0; end = source.indexOf("\n", fence.scanned)) {
      if (closes(source.slice(fence.scanned, end), fence.marker)) {
        this.closeFence();
        return false;
      }
      fence.scanned = end + 1;
    }
    // A last line that could still become the closing one is not shown yet.
    const mayClose = /^ {0,3}[`~]*[ \t]*$/.test(source.slice(fence.scanned));
    const until = mayClose ? Math.max(fence.shown, fence.scanned - 1) : source.length;
    appendCode(fence.code, source.slice(fence.shown, until));
    fence.shown = until;
    return true;
  }

  private closeFence(): void {
    this.fence?.block.remove();
    this.fence = undefined;
  }
}

interface FenceOpening {
  readonly marker: string;
  readonly language: string;
  /** Length of the opening line with its line break. */
  readonly headLength: number;
}

/** Fences with an indent or inside other blocks take the ordinary road. */
function openFenceOf(token: Token): FenceOpening | undefined {
  if (token.type !== "code") return undefined;
  const head = /^(`{3,}|~{3,})([^\n]*)\n/.exec(token.raw);
  const [whole, marker, info] = head ?? [];
  if (whole === undefined || marker === undefined || info === undefined) return undefined;
  const body = token.raw.slice(whole.length);
  if (body.split("\n").some((line) => closes(line, marker))) return undefined;
  return { marker, language: info.trim().split(/\s/)[0] ?? "", headLength: whole.length };
}

function closes(line: string, marker: string): boolean {
  const trimmed = line.replace(/^ {0,3}/, "").trimEnd();
  return trimmed.length >= marker.length && trimmed === (marker[0] ?? "").repeat(trimmed.length);
}

function appendCode(code: HTMLElement, text: string): void {
  if (text === "") return;
  const last = code.lastChild;
  if (
    last instanceof HTMLElement &&
    (last.textContent.length < chunkSize || !last.textContent.endsWith("\n"))
  ) {
    const node = last.firstChild;
    if (node instanceof Text) {
      node.appendData(text);
      return;
    }
  }
  const chunk = document.createElement("span");
  chunk.className = "chunk";
  chunk.append(text);
  code.append(chunk);
}

/** The first block that has to stay open: the last `keptOpen` blocks, blank lines not counted. */
function openIndex(blocks: readonly Token[]): number {
  let seen = 0;
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    if (blocks[index]?.type === "space") continue;
    seen += 1;
    if (seen === keptOpen) return index;
  }
  return 0;
}

function samePrefix(tail: readonly TailBlock[], blocks: readonly Token[]): number {
  let length = 0;
  while (length < tail.length && length < blocks.length && tail[length]?.raw === blocks[length]?.raw)
    length += 1;
  return length;
}

/** The unfinished last block with its half-written emphasis, links and code spans closed for display. */
function completed(block: Token): readonly Token[] {
  if (block.type === "code" || block.type === "space") return [block];
  return lexBlocks(remend(block.raw, { linkMode: "text-only" }));
}

function hasDefinitions(source: string): boolean {
  return /^ {0,3}\[[^\]]+\]:/m.test(source);
}
