// Keeps a key that was meant for something else from deciding what only just came into its place. Commands that a
// keybinding gives say so in their argument (`{"by": "key"}` in package.json); the palette and buttons are not held up.
import { isJsonObject } from "../shared/json.ts";

/** How long what just came does not take keys, in milliseconds. */
export const keyGuardMs = 400;

export class KeyGuard {
  private readonly now: () => number;
  private shown: string | undefined;
  private until = 0;

  /** `now` in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** What is in front now takes keys after `ms`. Telling it again changes nothing. */
  appeared(id: string | undefined, ms: number): void {
    if (id === this.shown) return;
    this.shown = id;
    this.hold(ms);
  }

  /** No key counts for `ms` from now. */
  hold(ms: number): void {
    this.until = this.now() + ms;
  }

  /** The user went there themselves. */
  release(): void {
    this.until = 0;
  }

  /** Whether a key may decide on `id`: it is in front, and has been for long enough. */
  passes(id: string | undefined): boolean {
    return id === this.shown && this.now() >= this.until;
  }
}

/** Whether a command was given by a key, and not by the palette, a button or a menu. */
export function isByKey(argument: unknown): boolean {
  return isJsonObject(argument) && argument["by"] === "key";
}
