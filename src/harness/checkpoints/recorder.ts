// Lets a file be changed only after what it was is on disk and the session says that it is about to be changed; then
// records what became of it. Whatever the window dies of in between, the file is one of the two and can be told.
import { URI, Utils } from "vscode-uri";
import type { FileImage, FileImages, Files, Log, Workspace } from "../ports.ts";
import { errorText } from "../../shared/errors.ts";
import { fact } from "../session/entries.ts";
import type { EntryData, StoredImage } from "../session/entries.ts";
import type { SessionLog } from "../session/log.ts";
import { shownPath } from "../tools/paths.ts";
import type { ChangeHistory } from "./history.ts";
import type { ImageStore } from "./image-store.ts";
import type { KnownImages } from "./known-images.ts";
import { sha256 } from "./sha256.ts";

export interface ChangeOf {
  readonly uri: string;
  readonly toolCallId?: string | undefined;
  readonly restoreId?: string;
  /** The whole text that is written, where it is text. */
  readonly text?: string;
}

export interface RecorderDeps {
  readonly files: Files;
  readonly images: FileImages;
  readonly workspace: Workspace;
  readonly session: SessionLog;
  readonly history: ChangeHistory;
  readonly store: ImageStore;
  readonly known: KnownImages;
  readonly log: Log;
  readonly createId: () => string;
  /** A change ended. */
  readonly onChanged: () => void;
}

export class ChangeRecorder {
  private readonly deps: RecorderDeps;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(deps: RecorderDeps) {
    this.deps = deps;
  }

  /**
   * Runs `act`, which may change these files and no others. One after the other. Rejects with a UserError, without
   * `act` having run, when the files' contents or the record cannot be kept; else as `act` does.
   */
  record<T>(changes: readonly ChangeOf[], act: () => Promise<T>): Promise<T> {
    const result = this.queue.then(() => this.recordNow(changes, act));
    this.queue = result.catch(() => undefined);
    return result;
  }

  private async recordNow<T>(changes: readonly ChangeOf[], act: () => Promise<T>): Promise<T> {
    const begun: { readonly changeId: string; readonly uri: string }[] = [];
    const facts: EntryData[] = [];
    for (const change of changes) {
      const changeId = this.deps.createId();
      begun.push({ changeId, uri: change.uri });
      facts.push(await this.before(changeId, change));
    }
    await this.deps.session.appendSurely(facts);
    try {
      return await act();
    } finally {
      await this.ended(begun);
    }
  }

  private async before(changeId: string, { uri, text, ...rest }: ChangeOf): Promise<EntryData> {
    const image = await this.deps.images.read(uri);
    const realUri = await this.deps.files.realUri(uri);
    const folders = image === undefined ? await this.missingFolders(uri) : [];
    return fact("reins.checkpoint", {
      ...{
        changeId,
        uri,
        before: image === undefined ? null : await this.keep(realUri, image, rest.restoreId),
      },
      ...(realUri !== uri && { realUri }),
      ...(text !== undefined && { text: await sha256(text) }),
      ...(rest.toolCallId !== undefined && { toolCallId: rest.toolCallId }),
      ...(rest.restoreId !== undefined && { restoreId: rest.restoreId }),
      ...(folders.length > 0 && { folders }),
    });
  }

  /** A state between two changes of ours belongs to no message, so that its bytes are not kept. */
  private async keep(uri: string, image: FileImage, restoreId: string | undefined): Promise<StoredImage> {
    const { bytes, mode } = image;
    const earlier = this.deps.history.changedSinceMessage(uri);
    if (restoreId === undefined && earlier?.before !== undefined && earlier.after != null) {
      const hash = await sha256(bytes);
      if (hash === earlier.after) return { hash, size: bytes.length, ...(mode !== undefined && { mode }) };
    }
    return this.deps.store.keep(image, shownPath(uri, this.deps.workspace));
  }

  private async missingFolders(uri: string): Promise<string[]> {
    const missing: string[] = [];
    for (let folder = Utils.dirname(URI.parse(uri)); ; folder = Utils.dirname(folder)) {
      if ((await this.deps.files.stat(folder.toString())) !== undefined) return missing;
      missing.unshift(folder.toString());
      if (Utils.dirname(folder).path === folder.path) return missing;
    }
  }

  private async ended(begun: readonly { readonly changeId: string; readonly uri: string }[]): Promise<void> {
    const { images, session, known, log, onChanged } = this.deps;
    for (const { changeId, uri } of begun) {
      try {
        const image = await images.read(uri);
        const after = image === undefined ? null : await sha256(image.bytes);
        session.note(fact("reins.checkpointEnd", { changeId, after }));
        known.remember(uri, image);
      } catch (error) {
        // It cannot be looked at now. Without an end it counts as changed by somebody else when it is to be put back.
        log.error(`Checkpoints: ${uri}: ${errorText(error)}`);
      }
    }
    await session.appendSurely([]).catch((error: unknown) => log.error(errorText(error)));
    onChanged();
  }
}
