// Time that a run itself takes: it stands still between runs, and while the run waits for a person.

export class WorkClock {
  private readonly now: () => number;
  private total = 0;
  private since: number | undefined;
  private running = false;
  private waits = 0;

  /** `now` gives milliseconds. */
  constructor(now: () => number) {
    this.now = now;
  }

  elapsedMs(): number {
    return this.total + (this.since === undefined ? 0 : Math.max(0, this.now() - this.since));
  }

  start(): void {
    this.running = true;
    this.update();
  }

  stop(): void {
    this.running = false;
    this.update();
  }

  /** Settles as `pending` does; the time until then is the person's. */
  async waiting<T>(pending: Promise<T>): Promise<T> {
    this.waits += 1;
    this.update();
    try {
      return await pending;
    } finally {
      this.waits -= 1;
      this.update();
    }
  }

  private update(): void {
    const ticks = this.running && this.waits === 0;
    if (ticks === (this.since !== undefined)) return;
    if (!ticks) this.total = this.elapsedMs();
    this.since = ticks ? this.now() : undefined;
  }
}
