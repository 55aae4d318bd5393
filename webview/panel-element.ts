// The base of the panel's own elements: light DOM, so that labels, ids and styles reach across, and the shared context.
import { LitElement } from "lit";
import type { PropertyDeclarations } from "lit";
import type { FromWebview } from "../src/protocol/from-webview.ts";

/** What every part of the panel may use. One per page. */
export interface PanelContext {
  readonly send: (message: FromWebview) => void;
  /** What the user opened or typed inside a row, by row key: rows leave the page while scrolled away. */
  readonly memory: Map<string, RowMemory>;
  /** `performance.now()` of the last key or input in the composer. */
  lastTyped: number;
}

export interface RowMemory {
  open?: boolean;
  rawOpen?: boolean;
  /** The hunk whose rejection is being explained, and the text so far. */
  reasonFor?: string;
  reason?: string;
}

export abstract class PanelElement extends LitElement {
  static override properties: PropertyDeclarations = { context: { attribute: false } };

  declare context: PanelContext;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
