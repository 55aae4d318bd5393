// Commands, watched for what they change in the workspace: each command's changes are recorded a little after it ended,
// with what the files were where a tool had looked at them. It delays no command's result.
import type { Disposable } from "../../shared/disposable.ts";
import { errorText } from "../../shared/errors.ts";
import type {
  Clock,
  CommandOptions,
  CommandResult,
  CommandRunner,
  FileEvent,
  FileImage,
  FileImages,
  Files,
  FileWatch,
  Log,
} from "../ports.ts";
import { fact } from "../session/entries.ts";
import type { ReinsFacts, StoredImage } from "../session/entries.ts";
import type { SessionLog } from "../session/log.ts";
import type { ChangeHistory } from "./history.ts";
import type { ImageStore } from "./image-store.ts";
import type { KnownImages } from "./known-images.ts";
import { sha256 } from "./sha256.ts";

export interface CommandWatchDeps {
  readonly commands: CommandRunner;
  readonly fileWatch: FileWatch;
  readonly files: Files;
  readonly images: FileImages;
  readonly session: SessionLog;
  readonly history: ChangeHistory;
  readonly store: ImageStore;
  readonly known: KnownImages;
  readonly clock: Clock;
  readonly log: Log;
  readonly onChanged: () => void;
}

type CommandFile = ReinsFacts["reins.commandChanges"]["files"][number];

interface Span {
  readonly toolCallId: string;
  readonly known: Map<string, FileImage>;
  /** The first thing that happened to each file. */
  readonly events: Map<string, FileEvent["type"]>;
  /** What the user saved meanwhile, by SHA-256. */
  readonly saved: Map<string, Promise<string | null>>;
  timer?: Disposable;
}

/** How long events of a command that ended are waited for. */
const lateMs = 1_000;
const mostFiles = 200;
const mostBytes = 20 * 1024 * 1024;

export class CommandWatch implements CommandRunner, Disposable {
  private readonly deps: CommandWatchDeps;
  private readonly spans: Span[] = [];
  private recording: Promise<void> = Promise.resolve();
  private readonly listener: Disposable;

  constructor(deps: CommandWatchDeps) {
    this.deps = deps;
    this.listener = deps.fileWatch.onDidChange((events) => this.take(events));
  }

  get unavailable(): string | undefined {
    return this.deps.commands.unavailable;
  }

  get shell(): string {
    return this.deps.commands.shell;
  }

  show(toolCallId: string): void {
    this.deps.commands.show(toolCallId);
  }

  async run(command: string, options: CommandOptions): Promise<CommandResult> {
    const known = await this.deps.known.snapshot();
    const span: Span = { toolCallId: options.toolCallId, known, events: new Map(), saved: new Map() };
    this.spans.push(span);
    try {
      return await this.deps.commands.run(command, options);
    } finally {
      span.timer = this.deps.clock.schedule(lateMs, () => this.close(span));
    }
  }

  /** Records at once what is still waited for. */
  settle(): Promise<void> {
    for (const span of [...this.spans]) if (span.timer) this.close(span);
    return this.recording;
  }

  dispose(): void {
    this.listener.dispose();
    for (const span of this.spans) span.timer?.dispose();
  }

  private take(events: readonly FileEvent[]): void {
    const [span] = this.spans;
    for (const { uri, type } of events) {
      if (type === "saved") this.takeSave(uri);
      else if (span === undefined) this.refresh(uri);
      else if (!/\/\.git\//.test(uri) && !span.events.has(uri)) span.events.set(uri, type);
    }
  }

  /** A save in this window comes as an event of its file too, and is no command's doing. */
  private takeSave(uri: string): void {
    this.refresh(uri);
    for (const { known, saved } of this.spans) {
      known.delete(uri);
      // What cannot be read is compared with nothing.
      saved.set(
        uri,
        this.hash(uri).catch(() => ""),
      );
    }
  }

  private async hash(uri: string): Promise<string | null> {
    const image = await this.deps.images.read(uri);
    return image === undefined ? null : sha256(image.bytes);
  }

  private refresh(uri: string): void {
    if (this.deps.known.has(uri)) this.deps.known.look(uri);
  }

  private close(span: Span): void {
    span.timer?.dispose();
    const at = this.spans.indexOf(span);
    if (at < 0) return;
    this.spans.splice(at, 1);
    this.recording = this.recording
      .then(() => this.record(span))
      .catch((error: unknown) => this.deps.log.error(`Checkpoints: ${errorText(error)}`));
  }

  private async record(span: Span): Promise<void> {
    const { toolCallId, events } = span;
    const looked = [...events].slice(0, mostFiles);
    const files: CommandFile[] = [];
    for (const [uri, type] of looked) {
      const file = await this.look(uri, type, span);
      if (file) files.push(file);
      this.refresh(uri);
    }
    const more = events.size - looked.length;
    if (files.length === 0 && more === 0) return;
    const data = { toolCallId, files, ...(more > 0 && { more }) };
    await this.deps.session.append(fact("reins.commandChanges", data));
    this.deps.onChanged();
  }

  /** Undefined: no command changed it. */
  private async look(uri: string, type: FileEvent["type"], span: Span): Promise<CommandFile | undefined> {
    const { files, history } = this.deps;
    const info = await files.stat(uri);
    if (info?.type === "directory" || (info === undefined && type === "created")) return undefined;
    if (info !== undefined && info.size > mostBytes) return { uri };
    const after = await this.hash(uri);
    if (history.last(uri)?.after === after || (await span.saved.get(uri)) === after) return undefined;
    const known = span.known.get(uri);
    if (known !== undefined && (await sha256(known.bytes)) === after) return undefined;
    const before = known && (await this.keep(known, uri));
    return { uri, after, ...(before && { before }) };
  }

  private async keep(image: FileImage, uri: string): Promise<StoredImage | undefined> {
    try {
      return await this.deps.store.keep(image, uri);
    } catch (error) {
      this.deps.log.error(`Checkpoints: ${errorText(error)}`);
      return undefined;
    }
  }
}
