// The pre-images of files by their content, of all sessions together: kept once each, checked when read, and bounded.
// When the room is used up, what no session refers to goes first, then the oldest.
import { errorText, UserError } from "../../shared/errors.ts";
import type { BlobStorage, Clock, FileImage, Log, SessionStorage, Settings } from "../ports.ts";
import type { StoredImage } from "../session/entries.ts";
import { sha256 } from "./sha256.ts";

export interface ImageStoreDeps {
  readonly blobs: BlobStorage;
  readonly storage: SessionStorage;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Log;
  /** For the user: copies that a session may still need had to go. */
  readonly onRemoved: (text: string) => void;
}

const megabyte = 1024 * 1024;
/** Another window may have written it for a change that it is about to record. */
const unrecordedMs = 3_600_000;
const hashes = /"hash":"([0-9a-f]{64})"/g;

export class ImageStore {
  private readonly deps: ImageStoreDeps;
  /** Bytes of all; undefined until they were counted. */
  private total: number | undefined;
  private tidying: Promise<void> = Promise.resolve();

  constructor(deps: ImageStoreDeps) {
    this.deps = deps;
  }

  /** Durable when it resolves. Rejects with a UserError when it cannot be kept: then nothing may be changed. */
  async keep({ bytes, mode }: FileImage, path: string): Promise<StoredImage> {
    const stored = { hash: await sha256(bytes), size: bytes.length, ...(mode !== undefined && { mode }) };
    const limit = this.limit;
    if (limit === 0) return stored;
    if (bytes.length > limit) throw tooLarge(path, bytes.length, limit);
    try {
      await this.deps.blobs.write(stored.hash, bytes);
    } catch (error) {
      throw new UserError(
        `No copy of ${path} could be kept (${errorText(error)}), so it was not changed. Make room on the disk, then try again.`,
      );
    }
    if (this.total !== undefined) this.total += bytes.length;
    if (this.total === undefined || this.total > limit) this.tidy();
    return stored;
  }

  /** Undefined when it is not there (any more), or damaged. */
  async read(hash: string): Promise<Uint8Array | undefined> {
    const bytes = await this.deps.blobs.read(hash);
    if (bytes === undefined || (await sha256(bytes)) !== hash) return undefined;
    return bytes;
  }

  /** Resolves when nothing is being removed. */
  settled(): Promise<void> {
    return this.tidying;
  }

  private get limit(): number {
    return this.deps.settings.current().checkpointMegabytes * megabyte;
  }

  private tidy(): void {
    this.tidying = this.tidying
      .then(() => this.makeRoom())
      .catch((error: unknown) => this.deps.log.error(`Checkpoints: ${errorText(error)}`));
  }

  private async makeRoom(): Promise<void> {
    const { limit } = this;
    const all = [...(await this.deps.blobs.list())].sort((a, b) => a.modified - b.modified);
    this.total = all.reduce((sum, { size }) => sum + size, 0);
    if (this.total <= limit) return;
    const referred = await this.referredTo();
    const now = this.deps.clock.now();
    const loose = all.filter(({ name, modified }) => !referred.has(name) && modified < now - unrecordedMs);
    await this.removeAll(loose, 0);
    // Some more than needed, so that not every change has to look through all of them again.
    const gone = await this.removeAll(
      all.filter((each) => !loose.includes(each)).slice(0, -1),
      this.total > limit ? limit * 0.9 : Infinity,
    );
    if (gone > 0) this.deps.onRemoved(removedText(gone, limit));
  }

  /** Until no more than `target` bytes are left. How many went. */
  private async removeAll(
    blobs: readonly { readonly name: string; readonly size: number }[],
    target: number,
  ): Promise<number> {
    let removed = 0;
    for (const { name, size } of blobs) {
      if ((this.total ?? 0) <= target) break;
      await this.deps.blobs.remove(name);
      this.total = (this.total ?? 0) - size;
      removed += 1;
    }
    return removed;
  }

  private async referredTo(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const { name } of await this.deps.storage.list()) {
      const text = await this.deps.storage.read(name);
      for (const [, hash] of text.matchAll(hashes)) if (hash !== undefined) found.add(hash);
    }
    return found;
  }
}

function tooLarge(path: string, size: number, limit: number): UserError {
  const mb = (bytes: number) => `${(bytes / megabyte).toFixed(1)} MB`;
  return new UserError(
    `${path} (${mb(size)}) is larger than all copies for restoring may be (${mb(limit)}, reins.checkpoints.maxMegabytes), so it was not changed. Ask the user to raise that, or to set it to 0 to go without.`,
  );
}

function removedText(count: number, limit: number): string {
  const files = count === 1 ? "The oldest copy of a file" : `The ${count} oldest copies of files`;
  return `${files} kept for restoring went, to stay below ${limit / megabyte} MB (reins.checkpoints.maxMegabytes).`;
}
