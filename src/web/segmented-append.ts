// The session files where nothing can append, only write whole files: each session is a folder of segments, and
// only its last, small segment is ever written again. Knows no VS Code; `host.ts` brings the file system.
import PQueue from "p-queue";
import type { SessionStorage } from "../harness/ports.ts";

/** Files below one folder, by relative paths. All but `list` reject when there is nothing at the path. */
export interface SegmentFiles {
  /** Undefined when there is no such folder. */
  list(path: string): Promise<readonly string[] | undefined>;
  stat(path: string): Promise<{ readonly size: number; readonly modified: number }>;
  read(path: string): Promise<Uint8Array>;
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Replaces what is at `to`. */
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  createFolder(path: string): Promise<void>;
}

/** Bytes up to which a segment grows. One batch that is larger has a segment to itself. */
export const maxSegment = 64 * 1024;

/** Ends the name of a segment's next version while it is written. */
const draftEnd = ".next";

interface Segment {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}

export class SegmentedStorage implements SessionStorage {
  private readonly files: SegmentFiles;
  private readonly queues = new Map<string, PQueue>();
  /** Of segments that have a successor: they never change again. */
  private readonly settled = new Map<string, Segment>();
  private readonly tails = new Map<string, { readonly path: string; readonly bytes: Uint8Array }>();

  constructor(files: SegmentFiles) {
    this.files = files;
  }

  async list(): Promise<
    readonly { readonly name: string; readonly size: number; readonly modified: number }[]
  > {
    const names = (await this.files.list("")) ?? [];
    const files = await Promise.all(
      names.map(async (name) => {
        const segments = await this.segments(name);
        const modified = segments.at(-1)?.modified;
        return modified === undefined ? [] : [{ name, size: totalSize(segments), modified }];
      }),
    );
    return files.flat();
  }

  async size(name: string): Promise<number | undefined> {
    const segments = await this.segments(name);
    return segments.length ? totalSize(segments) : undefined;
  }

  async read(name: string): Promise<string> {
    const segments = await this.existing(name);
    return decode(await Promise.all(segments.map((segment) => this.files.read(segment.path))));
  }

  async readHead(name: string, bytes: number): Promise<string> {
    const parts: Uint8Array[] = [];
    let missing = bytes;
    for (const segment of await this.existing(name)) {
      if (missing <= 0) break;
      const part = (await this.files.read(segment.path)).subarray(0, missing);
      parts.push(part);
      missing -= part.length;
    }
    return decode(parts);
  }

  append(name: string, lines: string): Promise<void> {
    return this.serialised(name, () => this.write(name, new TextEncoder().encode(lines)));
  }

  remove(name: string): Promise<void> {
    return this.serialised(name, async () => {
      this.tails.delete(name);
      if (await this.files.list(checked(name))) await this.files.remove(name);
    });
  }

  private async write(name: string, bytes: Uint8Array): Promise<void> {
    const segments = await this.segments(name);
    if (!segments.length) await this.files.createFolder(name);
    const tail = await this.mended(segments.at(-1));
    const extend = tail !== undefined && tail.size + bytes.length <= maxSegment;
    const path = extend ? tail.path : segmentPath(name, segments.length + 1);
    const content = extend ? concat([await this.tailBytes(name, tail), bytes]) : bytes;
    // A write that is cut off leaves the segment as it was. Renaming over it may first delete it: then the complete
    // draft stands for it (see `segments`), so that a crash in between loses nothing.
    const draft = extend ? `${path}${draftEnd}` : `${name}/next.tmp`;
    await this.files.write(draft, content);
    await this.files.rename(draft, path);
    this.tails.set(name, { path, bytes: content });
  }

  /** Gives a segment that only its draft holds its name back. */
  private async mended(tail: Segment | undefined): Promise<Segment | undefined> {
    if (!tail?.path.endsWith(draftEnd)) return tail;
    const path = tail.path.slice(0, -draftEnd.length);
    await this.files.rename(tail.path, path);
    return { ...tail, path };
  }

  private async tailBytes(name: string, tail: Segment): Promise<Uint8Array> {
    const known = this.tails.get(name);
    if (known?.path === tail.path && known.bytes.length === tail.size) return known.bytes;
    return this.files.read(tail.path);
  }

  private async existing(name: string): Promise<readonly Segment[]> {
    const segments = await this.segments(name);
    if (!segments.length) throw new Error(`There is no session file ${name}.`);
    return segments;
  }

  private async segments(name: string): Promise<readonly Segment[]> {
    const entries = (await this.files.list(checked(name))) ?? [];
    const names = new Set(entries.filter((entry) => /^\d+\.part$/.test(entry)));
    const lone = (entry: string) => !names.has(entry.slice(0, -draftEnd.length));
    const drafts = entries.filter((entry) => /^\d+\.part\.next$/.test(entry) && lone(entry));
    const paths = [...names, ...drafts].sort();
    return Promise.all(
      paths.map(async (entry, index) => {
        const path = `${name}/${entry}`;
        const segment = this.settled.get(path) ?? { path, ...(await this.files.stat(path)) };
        if (index < paths.length - 1) this.settled.set(path, segment);
        return segment;
      }),
    );
  }

  private serialised(name: string, task: () => Promise<void>): Promise<void> {
    const queue = this.queues.get(name) ?? new PQueue({ concurrency: 1 });
    this.queues.set(name, queue);
    return queue.add(task);
  }
}

function segmentPath(name: string, index: number): string {
  return `${name}/${String(index).padStart(6, "0")}.part`;
}

function checked(name: string): string {
  if (!/^\w[\w.-]*$/.test(name)) throw new Error(`Not a name of a session file: ${name}`);
  return name;
}

function totalSize(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + segment.size, 0);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    result.set(part, offset);
    offset += part.length;
  }
  return result;
}

function decode(parts: readonly Uint8Array[]): string {
  return new TextDecoder().decode(concat(parts));
}
