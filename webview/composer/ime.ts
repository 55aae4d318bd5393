// Tells keys that belong to an input method from keys that are meant for the panel.
// Browsers differ: Chromium sends the confirming Enter while composing, Safari after the composition has ended.

/** How long after the end of a composition its own Enter may still arrive, in milliseconds. */
const settleMs = 60;

/** The legacy code browsers give to a key that the input method has taken. */
const imeKeyCode = 229;

export function isImeKey(event: KeyboardEvent): boolean {
  // `keyCode` is deprecated, but the only sign of this in Safari.
  return event.isComposing || event.keyCode === imeKeyCode;
}

/** Follows the compositions of one text box. */
export class ImeGuard {
  private active = false;
  private confirmedBefore = false;
  private endedAt = -Infinity;
  private readonly onChange: () => void;

  constructor(target: EventTarget, onChange: () => void) {
    this.onChange = onChange;
    target.addEventListener("compositionstart", () => {
      this.confirmedBefore = false;
      this.set(true);
    });
    target.addEventListener("compositionend", (event) => {
      this.endedAt = this.confirmedBefore ? -Infinity : event.timeStamp;
      this.set(false);
    });
    target.addEventListener("keyup", () => (this.endedAt = -Infinity));
    target.addEventListener("focusout", () => this.set(false));
  }

  get composing(): boolean {
    return this.active;
  }

  /** Whether this Enter confirms a composition rather than sends. Call for every keydown. */
  takes(event: KeyboardEvent): boolean {
    if (isImeKey(event)) {
      this.confirmedBefore ||= this.active && event.key === "Enter";
      return true;
    }
    // Chromium drops a composition whose text is replaced without a word: no key may be lost for ever.
    this.set(false);
    const late = event.key === "Enter" && event.timeStamp - this.endedAt < settleMs;
    this.endedAt = -Infinity;
    return late;
  }

  private set(active: boolean): void {
    if (active === this.active) return;
    this.active = active;
    this.onChange();
  }
}
