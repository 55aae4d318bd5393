// Going back through earlier prompts with Up and Down, without losing what was being written.

export class PromptHistory {
  private prompts: readonly string[] = [];
  /** Counted from the newest; -1: not in the history. */
  private position = -1;
  private draft = "";

  /** Oldest first. */
  set(prompts: readonly string[]): void {
    this.prompts = prompts;
  }

  leave(): void {
    this.position = -1;
  }

  /** Whether `text` is the entry that was called up, unchanged. */
  showing(text: string): boolean {
    return this.position >= 0 && this.at(this.position) === text;
  }

  /** The text to show instead of `current`, or undefined at the end of the history. */
  step(direction: "older" | "newer", current: string): string | undefined {
    if (!this.showing(current)) {
      this.position = -1;
      this.draft = current;
    }
    const next = this.position + (direction === "older" ? 1 : -1);
    if (next < -1 || next >= this.prompts.length) return undefined;
    if (next === -1 && this.position === -1) return undefined;
    this.position = next;
    return next === -1 ? this.draft : this.at(next);
  }

  private at(position: number): string | undefined {
    return this.prompts[this.prompts.length - 1 - position];
  }
}
