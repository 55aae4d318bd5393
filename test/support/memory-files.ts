// Files in memory: bytes on disk, and buffers of an editor above them. Honest where it matters for edits: versions,
// stale bases, encodings, unsaved changes, links. It leaves diffing to whoever asks for a change.
import type {
  FileInfo,
  Files,
  FolderEntry,
  LaterChange,
  TextApplied,
  TextChange,
  TextSnapshot,
} from "../../src/harness/ports.ts";
import type { Notebook } from "../../src/harness/notebooks/types.ts";
import { URI } from "vscode-uri";
import { ChangedMeanwhileError, UserError } from "../../src/shared/errors.ts";

interface Buffer {
  text: string;
  dirty: boolean;
}

/** URIs like `memory:///work/a.ts`, however written; folders exist when something is in them or after `makeFolder`. */
export class MemoryFiles implements Files {
  /** Everything asked of the port, for example `readText memory:///a`. */
  readonly calls: string[] = [];
  /** Format on save: what a save turns the text into. */
  onSave: ((uri: string, text: string) => string) | undefined;
  /** Set to make saving fail with this text; the buffer then stays unsaved. */
  saveError: string | undefined;
  /** Open in a notebook editor, with unsaved changes. */
  readonly notebooks = new Map<string, Notebook>();
  private readonly disk = new Map<string, Uint8Array>();
  private readonly buffers = new Map<string, Buffer>();
  private readonly versions = new Map<string, number>();
  private readonly folders = new Set<string>();
  private readonly readonlyUris = new Set<string>();
  private readonly links = new Map<string, string>();
  private readonly encodings = new Map<string, string>();

  /** What the user makes of a text while it is being saved. */
  typedWhileSaving: ((text: string) => string) | undefined;
  /** What happens between looking at a text and changing it. */
  beforeApply: (() => void) | undefined;

  constructor(files: { readonly [uri: string]: string | Uint8Array } = {}) {
    for (const [uri, content] of Object.entries(files)) this.write(uri, content);
  }

  // What a test does to the world.

  /** Writes to disk, as another program would; a buffer without unsaved changes follows. */
  write(uri: string, content: string | Uint8Array): void {
    const place = canonical(uri);
    this.disk.set(place, typeof content === "string" ? new TextEncoder().encode(content) : content);
    const buffer = this.buffers.get(place);
    if (buffer && !buffer.dirty) this.buffers.delete(place);
    this.touch(place);
  }

  /** The user types: the open buffer has this text, unsaved. */
  type(uri: string, text: string): void {
    this.buffers.set(canonical(uri), { text, dirty: true });
    this.touch(canonical(uri));
  }

  makeFolder(uri: string): void {
    this.folders.add(canonical(uri));
  }

  makeReadonly(uri: string): void {
    this.readonlyUris.add(canonical(uri));
  }

  /** `uri` (a file or folder) is a symbolic link to `target`. */
  link(uri: string, target: string): void {
    this.links.set(canonical(uri), canonical(target));
  }

  /** The encoding the editor opens it with; default `utf8`, or `utf8bom` where there is one. `iso88591` is real too. */
  setEncoding(uri: string, encoding: string): void {
    this.encodings.set(canonical(uri), encoding);
  }

  /** Bytes on disk, as text. Undefined when there is no file. */
  onDisk(uri: string): string | undefined {
    const bytes = this.disk.get(canonical(uri));
    return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  /** What saving now would leave on disk. */
  image(uri: string): { readonly bytes: Uint8Array; readonly dirty: boolean } | undefined {
    const place = this.resolve(uri);
    const bytes = this.disk.get(place);
    const buffer = this.buffers.get(place);
    if (!buffer?.dirty) return bytes && { bytes, dirty: false };
    const { encoding } = decode(bytes ?? new Uint8Array(), this.encodings.get(place));
    return { bytes: encode(uri, buffer.text, encoding), dirty: true };
  }

  removeEmptyFolder(uri: string): void {
    const place = canonical(uri);
    if (![...this.disk.keys()].some((known) => known.startsWith(`${place}/`))) this.folders.delete(place);
  }

  remove(uri: string): void {
    this.disk.delete(canonical(uri));
    this.buffers.delete(canonical(uri));
    this.touch(canonical(uri));
  }

  // The port.

  stat(uri: string): Promise<FileInfo | undefined> {
    this.calls.push(`stat ${uri}`);
    const place = this.resolve(uri);
    const bytes = this.disk.get(place);
    const link = this.links.has(canonical(uri)) && { link: true };
    if (bytes) {
      const info = { type: "file" as const, size: bytes.length, readonly: this.readonlyUris.has(place) };
      return Promise.resolve({ ...info, ...link });
    }
    return Promise.resolve(
      this.isFolder(place)
        ? { type: "directory", size: 0, readonly: this.readonlyUris.has(place), ...link }
        : undefined,
    );
  }

  readBytes(uri: string): Promise<Uint8Array> {
    this.calls.push(`readBytes ${uri}`);
    const bytes = this.disk.get(this.resolve(uri));
    return bytes ? Promise.resolve(bytes) : Promise.reject(notFound(uri));
  }

  readText(uri: string): Promise<TextSnapshot> {
    this.calls.push(`readText ${uri}`);
    const snapshot = this.snapshot(uri);
    return snapshot ? Promise.resolve(snapshot) : Promise.reject(notFound(uri));
  }

  unsavedNotebook(uri: string): Notebook | undefined {
    return this.notebooks.get(canonical(uri));
  }

  list(uri: string): Promise<readonly FolderEntry[]> {
    this.calls.push(`list ${uri}`);
    const place = this.resolve(uri);
    if (!this.isFolder(place)) return Promise.reject(notFound(uri));
    const prefix = place.endsWith("/") ? place : `${place}/`;
    const found = new Map<string, FileInfo["type"]>();
    for (const known of [...this.disk.keys(), ...this.folders]) {
      if (!known.startsWith(prefix)) continue;
      const [name = "", ...rest] = known.slice(prefix.length).split("/");
      if (name) found.set(name, rest.length > 0 || this.folders.has(prefix + name) ? "directory" : "file");
    }
    const entries = [...found].map(([name, type]): FolderEntry => ({ name: decodeURIComponent(name), type }));
    return Promise.resolve([...entries, ...this.linksIn(prefix)]);
  }

  /** Buffers with unsaved changes, by URI. */
  get unsaved(): readonly { readonly uri: string; readonly text: string }[] {
    return [...this.buffers].flatMap(([uri, { text, dirty }]) => (dirty ? [{ uri, text }] : []));
  }

  realUri(uri: string): Promise<string> {
    return Promise.resolve(this.resolve(uri));
  }

  checkText({ uri, text }: TextChange): Promise<void> {
    try {
      this.check(this.resolve(uri), text);
      return Promise.resolve();
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  applyText(change: TextChange): Promise<TextApplied> {
    this.calls.push(`applyText ${change.uri}`);
    this.beforeApply?.();
    try {
      return Promise.resolve(this.apply(change));
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async deleteFile(uri: string): Promise<void> {
    this.calls.push(`deleteFile ${uri}`);
    const place = await this.changeable(uri);
    if (!this.disk.has(place)) {
      if ((await this.list(uri)).length > 0)
        throw new UserError(`${uri} is not empty. Delete what is in it first.`);
      this.folders.delete(place);
      return;
    }
    this.folders.add(place.replace(/\/[^/]*$/, ""));
    this.remove(place);
  }

  async renameFile(from: string, to: string): Promise<void> {
    this.calls.push(`renameFile ${from} ${to}`);
    const [source, target] = [await this.changeable(from), this.resolve(to)];
    const bytes = this.disk.get(source);
    if (!bytes) throw new UserError(`${from} is a folder. Move the files in it.`);
    if ((await this.stat(to)) !== undefined) throw new UserError(`${to} exists. Choose another name.`);
    const version = this.versions.get(source);
    this.folders.add(source.replace(/\/[^/]*$/, ""));
    this.remove(source);
    this.disk.set(target, bytes);
    // As in VS Code, where a version is one of the text.
    if (version !== undefined) this.versions.set(target, version);
  }

  /** The place; rejects where deleting and moving refuse. */
  private async changeable(uri: string): Promise<string> {
    const info = await this.stat(uri);
    if (info === undefined) throw notFound(uri);
    if (info.link === true) throw new UserError(`${uri} is a link. Ask the user.`);
    if (info.readonly) throw new UserError(`${uri} is read-only. Make it writable first.`);
    if (this.snapshot(uri)?.dirty === true) throw new UserError(`${uri} has unsaved changes. Save it first.`);
    return this.resolve(uri);
  }

  private check(place: string, text: string): void {
    if (this.readonlyUris.has(place)) throw new UserError(`${place} is read-only. Make it writable first.`);
    encode(place, text, this.snapshot(place)?.encoding ?? "utf8");
  }

  private apply(change: TextChange): TextApplied {
    const place = this.resolve(change.uri);
    const now = this.snapshot(place);
    if (now?.text !== change.base?.text) {
      throw new ChangedMeanwhileError(
        `${change.uri} changed in the meantime. Read it again and repeat the change.`,
      );
    }
    this.check(place, change.text);
    const encoding = now?.encoding ?? "utf8";
    if (now?.dirty) {
      this.type(place, change.text);
      return { text: change.text, saved: false };
    }
    const text = this.onSave?.(change.uri, change.text) ?? change.text;
    if (this.saveError !== undefined) {
      this.type(place, text);
      return { text, saved: false, saveError: this.saveError };
    }
    this.disk.set(place, encode(change.uri, text, encoding));
    this.touch(place);
    const typed = this.typedWhileSaving?.(text);
    if (typed === undefined) return { text, saved: true };
    this.type(place, typed);
    const later: LaterChange[] = [
      { by: "save", before: change.text, after: text },
      { by: "user", before: text, after: typed },
    ];
    return { text: typed, saved: true, later };
  }

  private snapshot(uri: string): TextSnapshot | undefined {
    const place = this.resolve(uri);
    const buffer = this.buffers.get(place);
    const bytes = this.disk.get(place);
    if (!buffer && !bytes) return undefined;
    const decoded = decode(bytes ?? new Uint8Array(), this.encodings.get(place));
    return {
      uri,
      text: buffer?.text ?? decoded.text,
      version: String(this.versions.get(place) ?? 0),
      dirty: buffer?.dirty ?? false,
      encoding: decoded.encoding,
      lossy: decoded.lossy,
    };
  }

  private touch(uri: string): void {
    this.versions.set(uri, (this.versions.get(uri) ?? 0) + 1);
  }

  private linksIn(prefix: string): FolderEntry[] {
    return [...this.links.keys()].flatMap((uri): FolderEntry[] => {
      const name = uri.startsWith(prefix) ? uri.slice(prefix.length) : "";
      if (name === "" || name.includes("/")) return [];
      const target = this.resolve(uri);
      const type = this.disk.has(target) ? "file" : this.isFolder(target) ? "directory" : "other";
      return [{ name: decodeURIComponent(name), type, link: true }];
    });
  }

  private isFolder(uri: string): boolean {
    const prefix = uri.endsWith("/") ? uri : `${uri}/`;
    return [...this.folders, ...this.disk.keys()].some((known) => known === uri || known.startsWith(prefix));
  }

  private resolve(given: string): string {
    const uri = canonical(given);
    for (const [from, to] of this.links) {
      if (uri === from || uri.startsWith(`${from}/`)) return this.resolve(to + uri.slice(from.length));
    }
    return uri;
  }
}

/** As VS Code writes it: `memory:///a` is `memory:/a`. */
function canonical(uri: string): string {
  return URI.parse(uri).toString();
}

function decode(bytes: Uint8Array, encoding: string | undefined) {
  if (encoding === "iso88591") {
    return { text: String.fromCharCode(...bytes), encoding, lossy: false };
  }
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = new TextDecoder("utf-8").decode(bytes);
  return { text, encoding: encoding ?? (hasBom ? "utf8bom" : "utf8"), lossy: text.includes("\ufffd") };
}

function encode(uri: string, text: string, encoding: string): Uint8Array {
  if (encoding === "iso88591") {
    if ([...text].some((character) => character > "\u00ff")) {
      throw new UserError(
        `${uri} is saved as ${encoding}, which cannot hold this text. Save it as UTF-8 first.`,
      );
    }
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  }
  return new TextEncoder().encode(encoding === "utf8bom" ? `\ufeff${text}` : text);
}

function notFound(uri: string): UserError {
  return new UserError(`There is no ${uri}. Check the path.`);
}
