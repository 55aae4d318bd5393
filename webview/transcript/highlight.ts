// Syntax colours: text in, classed segments by line out. The only file that knows the highlighting library.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Extensions whose language is not known by that very name or alias. */
const byExtension: { readonly [extension: string]: string } = {
  mts: "typescript",
  cts: "typescript",
  htm: "xml",
  vue: "xml",
  svelte: "xml",
  scss: "css",
  less: "css",
  h: "c",
  hpp: "cpp",
  jsonl: "json",
  jsonc: "json",
};

/** Above this a block stays plain: colours are not worth a stalled panel. Characters. */
const maxHighlighted = 60_000;

export interface Segment {
  readonly text: string;
  /** Space-separated `hljs-…` classes; empty for plain text. */
  readonly className: string;
}

/** The lines of `code`, coloured when `language` (a name, an alias or a file extension) is known. Never throws. */
export function highlight(code: string, language: string): readonly (readonly Segment[])[] {
  const name = byExtension[language.toLowerCase()] ?? language.toLowerCase();
  if (code.length > maxHighlighted || !hljs.getLanguage(name)) return plainLines(code);
  return markupLines(hljs.highlight(code, { language: name, ignoreIllegals: true }).value);
}

/** The language of a file by its name, for `highlight`. */
export function languageOfPath(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? name : name.slice(dot + 1);
}

function plainLines(code: string): Segment[][] {
  return code.split("\n").map((text) => [{ text, className: "" }]);
}

/** The library answers in markup of nested spans and escaped text; nothing of it reaches the page as markup. */
function markupLines(markup: string): Segment[][] {
  let line: Segment[] = [];
  const lines = [line];
  const open: string[] = [];
  for (const [token, className] of markup.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (className !== undefined) open.push(className);
    else if (token === "</span>") open.pop();
    else {
      unescape(token)
        .split("\n")
        .forEach((text, index) => {
          if (index > 0) lines.push((line = []));
          if (text !== "") line.push({ text, className: open.join(" ") });
        });
    }
  }
  return lines;
}

const entities: { readonly [entity: string]: string } = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

function unescape(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity);
}
