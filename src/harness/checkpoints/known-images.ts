// The bytes of small files that a tool has looked at, in memory: what they were before a command changed them.
import type { FileImage, FileImages } from "../ports.ts";

/** Bytes of one file up to which it is kept. */
export const mostOfOne = 1024 * 1024;
const mostOfAll = 32 * mostOfOne;

export class KnownImages {
  private readonly images: FileImages;
  /** In the order in which they were looked at last. */
  private readonly known = new Map<string, FileImage>();
  private readonly looking = new Map<string, Promise<void>>();
  private total = 0;

  constructor(images: FileImages) {
    this.images = images;
  }

  /** Looks at it in the background. */
  look(uri: string): void {
    const look = (this.looking.get(uri) ?? Promise.resolve())
      .then(() => this.images.read(uri))
      .then((image) => this.remember(uri, image))
      // What cannot be read is not known.
      .catch(() => this.remember(uri, undefined))
      .finally(() => {
        if (this.looking.get(uri) === look) this.looking.delete(uri);
      });
    this.looking.set(uri, look);
  }

  /** Unsaved changes are not what a command finds. */
  remember(uri: string, image: (FileImage & { readonly dirty: boolean }) | undefined): void {
    this.total -= this.known.get(uri)?.bytes.length ?? 0;
    this.known.delete(uri);
    if (image === undefined || image.dirty || image.bytes.length > mostOfOne) return;
    const { bytes, mode } = image;
    this.known.set(uri, { bytes, ...(mode !== undefined && { mode }) });
    this.total += bytes.length;
    for (const [oldest, { bytes }] of this.known) {
      if (this.total <= mostOfAll) return;
      this.known.delete(oldest);
      this.total -= bytes.length;
    }
  }

  has(uri: string): boolean {
    return this.known.has(uri);
  }

  /** All that are known now, and stay so for the caller. */
  async snapshot(): Promise<Map<string, FileImage>> {
    await Promise.all(this.looking.values());
    return new Map(this.known);
  }
}
