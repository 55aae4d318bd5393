// Contents by name over VS Code's file system: each a file of its own that appears complete. Knows no VS Code;
// `host.ts` brings the file system.
import type { BlobStorage } from "../harness/ports.ts";
import type { SegmentFiles } from "./segmented-append.ts";

const draftEnd = ".draft";

export class BlobFiles implements BlobStorage {
  private readonly files: SegmentFiles;
  private drafts = 0;

  constructor(files: SegmentFiles) {
    this.files = files;
  }

  async list(): Promise<
    readonly { readonly name: string; readonly size: number; readonly modified: number }[]
  > {
    const names = ((await this.files.list("")) ?? []).filter(isName);
    return Promise.all(names.map(async (name) => ({ name, ...(await this.files.stat(name)) })));
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    return (await this.has(name)) ? this.files.read(name) : undefined;
  }

  /** Written again where it is there already: nothing else makes it count as new here. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    if (!isName(name)) throw new Error(`Not a name of a content: ${name}`);
    if ((await this.files.list("")) === undefined) await this.files.createFolder("");
    const draft = `${name}.${++this.drafts}${draftEnd}`;
    await this.files.write(draft, bytes);
    await this.files.rename(draft, name);
  }

  async remove(name: string): Promise<void> {
    if (await this.has(name)) await this.files.remove(name);
  }

  private async has(name: string): Promise<boolean> {
    return isName(name) && ((await this.files.list("")) ?? []).includes(name);
  }
}

function isName(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}
