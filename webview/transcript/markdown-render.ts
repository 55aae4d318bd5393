// Markdown tokens to safe DOM: HTML from the model is shown as text, links carry no address the browser could follow,
// images are never loaded. Leaves to markdown.ts which part of a text is rendered when.
import DOMPurify from "dompurify";
import { render as renderTemplate } from "lit";
import { Marked } from "marked";
import type { Token, TokensList } from "marked";
import { icon } from "../icons.ts";
import type { IconName } from "../icons.ts";
import { highlight } from "./highlight.ts";

const marked = new Marked({ gfm: true, async: false });

marked.use({
  renderer: {
    html: ({ text }) => escapeHtml(text),
    // One heading level for all: an answer starts where it likes, the page's outline stays in order.
    heading({ tokens, depth }) {
      return `<h3 class="depth-${depth}" dir="auto">${this.parser.parseInline(tokens)}</h3>`;
    },
    link({ href, tokens }) {
      return linkHtml(href, this.parser.parseInline(tokens));
    },
    image: ({ href, text }) => linkHtml(href, escapeHtml(text === "" ? "image" : `image: ${text}`)),
    checkbox: ({ checked }) => `<span class="task">${checked ? "☑" : "☐"}</span> `,
    code: ({ text, lang = "" }) =>
      `<pre data-lang="${escapeHtml(lang.trim().split(/\s/)[0] ?? "")}"><code>${escapeHtml(text.replace(/\n$/, ""))}</code></pre>`,
  },
});

/** The top-level blocks of a text. Each carries its source in `raw`; the raws joined are the text. */
export function lexBlocks(text: string): TokensList {
  return marked.lexer(text);
}

/** One block, or several, as DOM. */
export function renderBlocks(tokens: readonly Token[]): DocumentFragment {
  const fragment = DOMPurify.sanitize(marked.parser([...tokens]), {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: ["class", "dir", "data-href", "data-lang", "role", "tabindex", "title", "align", "start"],
    ALLOW_DATA_ATTR: false,
    // Checked by linkHtml; the browser never follows it.
    ADD_URI_SAFE_ATTR: ["data-href"],
  });
  for (const element of fragment.querySelectorAll("p, li, td, th, blockquote"))
    element.setAttribute("dir", "auto");
  for (const element of fragment.querySelectorAll("code")) element.setAttribute("dir", "ltr");
  for (const table of fragment.querySelectorAll("table")) wrapTable(table);
  for (const pre of fragment.querySelectorAll("pre")) dressCode(pre, pre.textContent, true);
  return fragment;
}

/** A code block that is still being written: plain, with the element its text is appended to. */
export function openCodeBlock(language: string): { readonly block: HTMLElement; readonly code: HTMLElement } {
  const pre = document.createElement("pre");
  pre.dataset["lang"] = language;
  const code = pre.appendChild(document.createElement("code"));
  code.setAttribute("dir", "ltr");
  const holder = document.createElement("div");
  holder.append(pre);
  const block = dressCode(pre, "", false);
  return { block, code };
}

const allowedTags = [
  ..."p h3 strong em del code pre br hr blockquote ul ol li table thead tbody tr th td span a".split(" "),
];

function linkHtml(href: string, inner: string): string {
  if (!/^(https?|file):/i.test(href))
    return `<span class="no-link" title="${escapeHtml(href)}">${inner}</span>`;
  const target = escapeHtml(href);
  return `<a role="link" tabindex="0" data-href="${target}" title="${target}">${inner}</a>`;
}

function wrapTable(table: Element): void {
  const holder = document.createElement("div");
  holder.className = "table";
  holder.tabIndex = 0;
  holder.setAttribute("role", "group");
  holder.setAttribute("aria-label", "Table");
  table.replaceWith(holder);
  holder.append(table);
}

/** Puts a bar with the language and the actions above a code block; panel.ts handles the clicks. */
function dressCode(pre: HTMLElement, text: string, coloured: boolean): HTMLElement {
  const language = pre.dataset["lang"] ?? "";
  const code = pre.querySelector("code");
  if (coloured && code) code.replaceChildren(...codeNodes(text, language));
  pre.tabIndex = 0;
  pre.setAttribute("dir", "ltr");
  const block = document.createElement("div");
  block.className = "code";
  pre.replaceWith(block);
  const bar = document.createElement("div");
  bar.className = "code-bar";
  const name = bar.appendChild(document.createElement("span"));
  name.className = "code-lang clip";
  name.textContent = language;
  bar.append(actionButton("copy", "Copy code", "copy"), actionButton("insert", "Insert at cursor", "insert"));
  block.append(bar, pre);
  return block;
}

function actionButton(action: string, label: string, iconName: IconName): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain icon-only";
  button.dataset["codeAction"] = action;
  button.title = label;
  button.setAttribute("aria-label", label);
  renderTemplate(icon(iconName), button);
  return button;
}

function codeNodes(text: string, language: string): Node[] {
  const nodes: Node[] = [];
  highlight(text, language).forEach((line, index) => {
    if (index > 0) nodes.push(document.createTextNode("\n"));
    for (const segment of line) {
      if (segment.className === "") {
        nodes.push(document.createTextNode(segment.text));
        continue;
      }
      const span = document.createElement("span");
      span.className = segment.className;
      span.textContent = segment.text;
      nodes.push(span);
    }
  });
  return nodes;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
