// The entries of a session as a tree with a leaf: the place where the next entry goes. In memory only.
import type { SessionEntry } from "./entries.ts";

/**
 * A parent always comes before its child, so there are no cycles: an entry whose parent is missing, itself or later
 * hangs on the entry before it, and a second entry with the same id is left out.
 */
export class SessionTree {
  /** For people; what had to be repaired. */
  readonly problems: string[] = [];
  /** In the order in which they were written, over all branches. */
  readonly all: SessionEntry[] = [];
  private readonly entries = new Map<string, SessionEntry>();
  private leafId: string | null = null;

  constructor(entries: Iterable<SessionEntry> = []) {
    for (const entry of entries) this.add(entry);
  }

  /** Undefined before the first entry. */
  get leaf(): string | null {
    return this.leafId;
  }

  has(id: string): boolean {
    return this.entries.has(id);
  }

  /** Adds an entry and moves the leaf to it. */
  add(entry: SessionEntry): void {
    if (this.entries.has(entry.id)) {
      this.problems.push(`Entry ${entry.id} is there twice; the first one counts.`);
      return;
    }
    const known = entry.parentId === null || this.entries.has(entry.parentId);
    if (!known && entry.parentId !== "") {
      this.problems.push(`The entry before ${entry.id} is missing.`);
    }
    const placed = known ? entry : { ...entry, parentId: this.leafId };
    this.entries.set(entry.id, placed);
    this.all.push(placed);
    this.leafId = entry.id;
  }

  /** The active branch, from its root to the leaf. */
  path(): SessionEntry[] {
    const path: SessionEntry[] = [];
    for (let id = this.leafId; id !== null;) {
      const entry = this.entries.get(id);
      if (!entry) break;
      path.push(entry);
      id = entry.parentId;
    }
    return path.reverse();
  }
}
