// The panel's own small icons, drawn on a 16-pixel grid. Decorative: every user of one says the same in words.
import { html, svg } from "lit";
import type { TemplateResult } from "lit";

const shapes = {
  add: svg`<path d="M8 3v10M3 8h10"/>`,
  history: svg`<circle cx="8" cy="8" r="5.5"/><path d="M8 5v3.2l2.2 1.3"/>`,
  undo: svg`<path d="M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6"/><path d="M5.8 3.5l-3 3 3 3"/>`,
  more: svg`<g class="solid"><circle cx="3.5" cy="8" r="1.1"/><circle cx="8" cy="8" r="1.1"/><circle cx="12.5" cy="8" r="1.1"/></g>`,
  chevron: svg`<path d="M6 4l4 4-4 4"/>`,
  caret: svg`<path d="M5 6.5l3 3 3-3"/>`,
  up: svg`<path d="M8 12.5v-9M4.5 7L8 3.5 11.5 7"/>`,
  down: svg`<path d="M8 3.5v9M4.5 9L8 12.5 11.5 9"/>`,
  stop: svg`<rect class="solid" x="4.25" y="4.25" width="7.5" height="7.5" rx="1.2"/>`,
  file: svg`<path d="M3.5 2.5h5.3l3.7 3.7v7.3h-9z"/><path d="M8.6 2.6v3.8h3.8"/>`,
  newFile: svg`<path d="M8.5 2.5h-5v11h9V6.3z"/><path d="M8 7v4M6 9h4"/>`,
  trash: svg`<path d="M3 4.5h10M6.2 4.3V2.8h3.6v1.5M4.5 4.7l.6 8.8h5.8l.6-8.8M6.9 7v4M9.1 7v4"/>`,
  moveFile: svg`<path d="M8.5 2.5h-5v11h9V6.3z"/><path d="M5.5 9.3h4.8M8.4 7.4l1.9 1.9-1.9 1.9"/>`,
  pencil: svg`<path d="M11 2.6l2.4 2.4-7.5 7.5-3.1.7.7-3.1z"/>`,
  terminal: svg`<rect x="2" y="3" width="12" height="10" rx="1.5"/><path d="M4.6 6.4l2 1.7-2 1.7M8.2 10h3"/>`,
  tool: svg`<path d="M9.8 5.9a2.9 2.9 0 0 1 3.9-3l-1.8 1.9 1 1 1.9-1.8a2.9 2.9 0 0 1-3.6 3.8L6 13a1.4 1.4 0 0 1-2-2z" transform="translate(-.6)"/>`,
  thought: svg`<path d="M5.8 11.5h4.4M6.4 13.5h3.2"/><path d="M5.9 11.4c0-1.5-1.9-2.2-1.9-4.6a4 4 0 0 1 8 0c0 2.4-1.9 3.1-1.9 4.6"/>`,
  check: svg`<path d="M3.2 8.4l3.2 3.2 6.4-7"/>`,
  cross: svg`<path d="M4 4l8 8M12 4l-8 8"/>`,
  clock: svg`<circle cx="8" cy="8" r="5.5"/><path d="M8 4.8V8l2 1.6"/>`,
  banned: svg`<circle cx="8" cy="8" r="5.5"/><path d="M4.2 4.2l7.6 7.6"/>`,
  broken: svg`<path d="M2.5 8h3l1.2-3 2.2 6L10.5 8h3"/>`,
  alert: svg`<path d="M8 2.6l6 10.8H2z"/><path d="M8 6.6v3.1M8 11.4v.3"/>`,
  info: svg`<circle cx="8" cy="8" r="5.5"/><path d="M8 7.4v3.4M8 5v.4"/>`,
  copy: svg`<rect x="5.5" y="5.5" width="8" height="8" rx="1.3"/><path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2"/>`,
  insert: svg`<path d="M2.5 8h7M6.7 5.2L9.5 8l-2.8 2.8"/><path d="M12.8 3v10"/>`,
  steer: svg`<path d="M3 3v3.5a2.5 2.5 0 0 0 2.5 2.5H13"/><path d="M10 6l3 3-3 3"/>`,
  next: svg`<path d="M3 4l4.5 4L3 12zM8.5 4L13 8l-4.5 4z"/>`,
  comment: svg`<path d="M2.5 3.5h11v7.5H7.3L4.7 13.3V11H2.5z"/>`,
  open: svg`<path d="M6.5 3.5h-3v9h9v-3"/><path d="M9 3h4v4M12.8 3.2L7.5 8.5"/>`,
  key: svg`<circle cx="5.5" cy="10.5" r="2.7"/><path d="M7.5 8.5l5-5M10.6 5.4l1.9 1.9"/>`,
  server: svg`<rect x="2.5" y="3" width="11" height="4" rx="1"/><rect x="2.5" y="9" width="11" height="4" rx="1"/><path d="M5 5h.5M5 11h.5"/>`,
  compass: svg`<circle cx="8" cy="8" r="5.5"/><path d="M10.4 5.6L9 9l-3.4 1.4L7 7z"/>`,
  model: svg`<path d="M8 2.2l1.4 4.4L13.8 8l-4.4 1.4L8 13.8 6.6 9.4 2.2 8l4.4-1.4z"/>`,
  shield: svg`<path d="M8 2.3l5 1.8v3.6c0 3-2 5-5 6.1-3-1.1-5-3.1-5-6.1V4.1z"/>`,
  retry: svg`<path d="M13 8a5 5 0 1 1-1.5-3.6"/><path d="M12 1.8v2.9H9.1"/>`,
  folder: svg`<path d="M2.5 4h4l1.3 1.5h5.7V12.5h-11z"/>`,
  gear: svg`<circle cx="8" cy="8" r="2"/><path d="M8 2.3v1.8M8 11.9v1.8M2.3 8h1.8M11.9 8h1.8M4 4l1.2 1.2M10.8 10.8L12 12M12 4l-1.2 1.2M5.2 10.8L4 12"/>`,
  search: svg`<circle cx="7" cy="7" r="4.2"/><path d="M10.1 10.1l3.4 3.4"/>`,
  list: svg`<path d="M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.4M2.5 8h.4M2.5 12h.4"/>`,
} as const;

export type IconName = keyof typeof shapes;

/** `slot` puts it into a control's named slot (`start`, `end`). */
export function icon(name: IconName, slot = ""): TemplateResult {
  return html`<svg class="icon" slot=${slot} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    ${shapes[name]}
  </svg>`;
}
