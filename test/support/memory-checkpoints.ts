// The ports of checkpoints in memory: whole files over MemoryFiles, contents by name, and events that a test sends.
// Faults are switched on by the test.
import type { BlobStorage, FileEvent, FileImage, FileImages, FileWatch } from "../../src/harness/ports.ts";
import { Emitter } from "../../src/shared/event.ts";
import type { MemoryFiles } from "./memory-files.ts";

export class MemoryImages implements FileImages {
  /** Thrown by `write` for these places. */
  readonly writeErrors = new Map<string, Error>();
  private readonly files: MemoryFiles;
  private readonly modes = new Map<string, number>();

  constructor(files: MemoryFiles) {
    this.files = files;
  }

  setMode(uri: string, mode: number): void {
    this.modes.set(uri, mode);
  }

  mode(uri: string): number | undefined {
    return this.modes.get(uri);
  }

  read(uri: string): Promise<(FileImage & { readonly dirty: boolean }) | undefined> {
    const image = this.files.image(uri);
    const mode = this.modes.get(uri);
    return Promise.resolve(image && { ...image, ...(mode !== undefined && { mode }) });
  }

  write(uri: string, image: FileImage | undefined): Promise<void> {
    const error = this.writeErrors.get(uri);
    if (error) return Promise.reject(error);
    this.files.remove(uri);
    if (image) this.files.write(uri, image.bytes);
    if (image?.mode === undefined) this.modes.delete(uri);
    else this.modes.set(uri, image.mode);
    return Promise.resolve();
  }

  removeEmptyFolder(uri: string): Promise<void> {
    this.files.removeEmptyFolder(uri);
    return Promise.resolve();
  }
}

/** `writeError` makes writes fail until it is taken back. */
export class MemoryBlobs implements BlobStorage {
  writeError: Error | undefined;
  private readonly contents = new Map<string, { bytes: Uint8Array; modified: number }>();
  private readonly now: () => number;

  constructor(clock: { now(): number }) {
    this.now = () => clock.now();
  }

  get names(): readonly string[] {
    return [...this.contents.keys()];
  }

  /** As a damaged disk does. */
  damage(name: string): void {
    const blob = this.contents.get(name);
    if (blob) this.contents.set(name, { ...blob, bytes: new Uint8Array([...blob.bytes, 0]) });
  }

  list(): Promise<readonly { readonly name: string; readonly size: number; readonly modified: number }[]> {
    return Promise.resolve(
      [...this.contents].map(([name, { bytes, modified }]) => ({ name, size: bytes.length, modified })),
    );
  }

  read(name: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.contents.get(name)?.bytes);
  }

  write(name: string, bytes: Uint8Array): Promise<void> {
    if (this.writeError) return Promise.reject(this.writeError);
    this.contents.set(name, { bytes, modified: this.now() });
    return Promise.resolve();
  }

  remove(name: string): Promise<void> {
    this.contents.delete(name);
    return Promise.resolve();
  }
}

export class MemoryFileWatch implements FileWatch {
  private readonly happened = new Emitter<readonly FileEvent[]>();
  readonly onDidChange = this.happened.event;

  fire(...events: readonly FileEvent[]): void {
    this.happened.fire(events);
  }
}
