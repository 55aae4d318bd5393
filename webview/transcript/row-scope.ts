// What a row's template may do besides drawing.
import type { PanelContext, RowMemory } from "../panel-element.ts";

export interface RowScope {
  readonly context: PanelContext;
  readonly memory: RowMemory;
  /** Changes what the row remembers and draws it again. */
  readonly remember: (change: RowMemory) => void;
}
