// Calls that outlived the grace of a stopped run: nobody waits for them, but what they hold is still theirs.

export class LostCalls {
  private readonly keys = new Map<string, number>();

  /** `key` is taken until `work` has settled, however long that takes. */
  add(key: string, work: Promise<unknown>): void {
    this.keys.set(key, (this.keys.get(key) ?? 0) + 1);
    const release = () => {
      const left = (this.keys.get(key) ?? 1) - 1;
      if (left > 0) this.keys.set(key, left);
      else this.keys.delete(key);
    };
    work.then(release, release);
  }

  has(key: string): boolean {
    return this.keys.has(key);
  }
}
