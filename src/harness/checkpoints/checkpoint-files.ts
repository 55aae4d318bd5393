// The files as tools and proposals get them: every change goes through the recorder first, so that nothing is written
// whose pre-image is not kept. What is read is looked at too, for the case that a command changes it.
import type { Notebook } from "../notebooks/types.ts";
import type { FileInfo, Files, FolderEntry, TextApplied, TextChange, TextSnapshot } from "../ports.ts";
import type { Baselines } from "./baselines.ts";
import { mostOfOne } from "./known-images.ts";
import type { KnownImages } from "./known-images.ts";
import type { ChangeRecorder } from "./recorder.ts";

export class CheckpointFiles implements Files {
  private readonly files: Files;
  private readonly recorder: ChangeRecorder;
  private readonly known: KnownImages;
  private readonly baselines: Baselines;

  constructor(
    files: Files,
    parts: { readonly recorder: ChangeRecorder; readonly known: KnownImages; readonly baselines: Baselines },
  ) {
    this.files = files;
    this.recorder = parts.recorder;
    this.known = parts.known;
    this.baselines = parts.baselines;
  }

  stat(uri: string): Promise<FileInfo | undefined> {
    return this.files.stat(uri);
  }

  readBytes(uri: string): Promise<Uint8Array> {
    return this.files.readBytes(uri);
  }

  async readText(uri: string): Promise<TextSnapshot> {
    const snapshot = await this.files.readText(uri);
    if (snapshot.text.length <= mostOfOne && !this.known.has(uri)) this.known.look(uri);
    return snapshot;
  }

  unsavedNotebook(uri: string): Notebook | undefined {
    return this.files.unsavedNotebook(uri);
  }

  list(uri: string): Promise<readonly FolderEntry[]> {
    return this.files.list(uri);
  }

  realUri(uri: string): Promise<string> {
    return this.files.realUri(uri);
  }

  checkText(change: TextChange): Promise<void> {
    return this.files.checkText(change);
  }

  applyText(change: TextChange): Promise<TextApplied> {
    const { uri, text, toolCallId } = change;
    return this.baselines.follow(change, () =>
      this.recorder.record([{ uri, text, toolCallId }], () => this.files.applyText(change)),
    );
  }

  /** An empty folder has nothing to keep: one that a file needs is made again with it. */
  async deleteFile(uri: string, toolCallId?: string): Promise<void> {
    if ((await this.files.stat(uri))?.type !== "file") return this.files.deleteFile(uri);
    await this.recorder.record([{ uri, toolCallId }], () => this.files.deleteFile(uri));
    await this.baselines.look(uri);
  }

  async renameFile(from: string, to: string, toolCallId?: string): Promise<void> {
    const changes = [from, to].map((uri) => ({ uri, toolCallId }));
    await this.recorder.record(changes, () => this.files.renameFile(from, to));
    await this.baselines.moved(from, to);
  }
}
