// One file with changes that nobody has looked at yet: what it was, what Reins made of it, what it is now.
import { UserError } from "../../shared/errors.ts";
import { sameContent, splitLines } from "../proposals/lines.ts";
import { areDifferences, keepChange, rebaseBaseline, undoChange } from "./baseline-lines.ts";
import type { ChangePart } from "./types.ts";

export interface BaselineTexts {
  /** Null: there was no file. */
  readonly base: string | null;
  /** What the last unseen change made of it: `base` is its baseline. */
  readonly last: string;
}

export class BaselineFile {
  readonly uri: string;
  private current: BaselineTexts;
  /** Null: there is no file. */
  private live: string | null;
  /** Of these texts; undefined until somebody asks. */
  private computed: { readonly baseline: string; readonly differs: boolean } | undefined;

  constructor(uri: string, texts: BaselineTexts, live: string | null) {
    this.uri = uri;
    this.current = texts;
    this.live = live;
  }

  get texts(): BaselineTexts {
    return this.current;
  }

  /** What the file is compared with; empty where there was none. */
  get baseline(): string {
    return this.compare().baseline;
  }

  get created(): boolean {
    return this.current.base === null;
  }

  /** It is not what Reins made of it. */
  get touched(): boolean {
    return this.live !== this.current.last;
  }

  /** There is something to keep or to undo. A file that is gone has nothing of Reins in it any more. */
  get open(): boolean {
    if (this.live === null) return false;
    return this.created || this.compare().differs;
  }

  /** What the file is now, whoever made it so. False: it was that before. */
  take(live: string | null): boolean {
    if (live === this.live) return false;
    this.live = live;
    this.computed = undefined;
    return true;
  }

  /** The texts once Reins has turned `before` into `after` without anybody looking. Changes nothing. */
  after(before: string | null, after: string): BaselineTexts {
    const { base, last } = this.current;
    // A file that was gone starts anew.
    if (before === null || base === null) return { base: null, last: after };
    return { base: rebaseBaseline({ base, last, live: before }), last: after };
  }

  /** Reins changed it, so that it is `texts.last` now. */
  changed(texts: BaselineTexts): void {
    this.set(texts);
    this.take(texts.last);
  }

  /** Makes a change, or all of them, part of the baseline. Throws a UserError when the file is no longer the one shown. */
  keep(part?: ChangePart): void {
    const live = this.live ?? this.current.last;
    const base = part === undefined ? live : keepChange(this.baseline, live, this.changeOf(part, live));
    this.set({ base, last: live });
  }

  /** The file without a change, or without all of them; null: without the file. Throws as `keep`. */
  without(part?: ChangePart): string | null {
    const live = this.live ?? this.current.last;
    const text = part ? undoChange(this.baseline, live, this.changeOf(part, live)) : this.baseline;
    return this.created && (part === undefined || text === "") ? null : text;
  }

  private compare() {
    const { base, last } = this.current;
    const live = this.live ?? last;
    this.computed ??= compareTexts(rebaseBaseline({ base: base ?? "", last, live }), live);
    return this.computed;
  }

  private changeOf({ changes, index }: ChangePart, live: string) {
    const change = changes[index];
    if (change === undefined || !areDifferences(this.baseline, live, changes))
      throw new UserError("The file changed just now. Look at its changes again, then decide.");
    return change;
  }

  private set(texts: BaselineTexts): void {
    this.current = texts;
    this.computed = undefined;
  }
}

function compareTexts(baseline: string, live: string) {
  return { baseline, differs: !sameContent(splitLines(baseline), splitLines(live)) };
}
