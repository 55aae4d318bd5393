// A file's path as a link that opens it in the editor.
import { html } from "lit";
import type { TemplateResult } from "lit";
import type { RowScope } from "./row-scope.ts";

/** The path keeps its end when it is too long: the file's name says more than the folder's. */
export function pathLink(
  path: string,
  uri: string | undefined,
  line: number | undefined,
  scope: RowScope,
): TemplateResult {
  const slash = path.lastIndexOf("/") + 1;
  const parts = html`<span class="folder">${path.slice(0, slash)}</span
    ><span class="file">${path.slice(slash)}</span>`;
  if (uri === undefined) return html`<span class="path" dir="ltr" title=${path}>${parts}</span>`;
  return html`<button
    type="button"
    class="plain path link"
    dir="ltr"
    title=${path}
    aria-label="Open ${path}"
    @click=${() => scope.context.send({ type: "openFile", uri, ...(line === undefined ? {} : { line }) })}
  >
    ${parts}
  </button>`;
}
