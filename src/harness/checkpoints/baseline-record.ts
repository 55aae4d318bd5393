// Baselines in the session's file: one fact whenever one changes, its texts among the pre-images. So a later window
// can compare again. What they mean is baseline-file.ts' business.
import { errorText } from "../../shared/errors.ts";
import type { Json, JsonObject } from "../../shared/json.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { Log } from "../ports.ts";
import { fact, factData } from "../session/entries.ts";
import type { SessionEntry, StoredImage } from "../session/entries.ts";
import type { SessionLog } from "../session/log.ts";
import type { BaselineTexts } from "./baseline-file.ts";
import type { ImageStore } from "./image-store.ts";
import { sha256 } from "./sha256.ts";

export interface BaselineRecordDeps {
  readonly session: SessionLog;
  readonly store: ImageStore;
  readonly log: Log;
}

export class BaselineRecord {
  private readonly deps: BaselineRecordDeps;
  private writing: Promise<void> = Promise.resolve();

  constructor(deps: BaselineRecordDeps) {
    this.deps = deps;
  }

  /** Written together with what is recorded next. Undefined: there is nothing to compare any more. Never rejects. */
  note(uri: string, texts: BaselineTexts | undefined): Promise<void> {
    return this.enqueue(async () => {
      const { session } = this.deps;
      session.note(fact("reins.baseline", { uri, ...(texts && (await this.stored(uri, texts))) }));
    });
  }

  /** As `note`, and durable when it resolves. */
  async write(uri: string, texts: BaselineTexts | undefined): Promise<void> {
    await this.note(uri, texts);
    // Asks for the note to be written; a failure is told to the user by the session's log.
    await this.deps.session.appendSurely([]).catch(() => undefined);
  }

  /** The file became another text than `last`, which is therefore needed for comparing. Never rejects. */
  keepLast(uri: string, { last }: BaselineTexts): Promise<void> {
    return this.enqueue(async () => void (await this.keepText(uri, last)));
  }

  /** The newest texts of each file that has something to compare, where they are known; `live` is asked what it is now. */
  async read(
    live: (uri: string) => Promise<string | null | undefined>,
  ): Promise<
    readonly { readonly uri: string; readonly texts: BaselineTexts; readonly live: string | null }[]
  > {
    const found = await Promise.all(
      [...newestFacts(this.deps.session.tree.all)].map(async ([uri, data]) => {
        const now = await live(uri);
        const texts = now === undefined ? undefined : await this.textsOf(data, now);
        return texts && now !== undefined ? [{ uri, texts, live: now }] : [];
      }),
    );
    return found.flat();
  }

  settled(): Promise<void> {
    return this.writing;
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    this.writing = this.writing
      .then(work)
      .catch((error: unknown) => this.deps.log.error(`Baselines: ${errorText(error)}`));
    return this.writing;
  }

  private async stored(uri: string, { base, last }: BaselineTexts) {
    const kept = base === null ? null : await this.keepText(uri, base);
    const bytes = encode(last);
    return { base: kept, last: { hash: await sha256(bytes), size: bytes.length } };
  }

  private keepText(uri: string, text: string): Promise<StoredImage> {
    return this.deps.store.keep({ bytes: encode(text) }, uri);
  }

  /** Where `last` is not known, all that differs counts as Reins' change. */
  private async textsOf(data: JsonObject, live: string | null): Promise<BaselineTexts | undefined> {
    const base = data.base === null ? null : await this.textOf(data.base);
    if (base === undefined) return undefined;
    if (live !== null && (await sha256(encode(live))) === hashOf(data.last)) return { base, last: live };
    return { base, last: (await this.textOf(data.last)) ?? live ?? "" };
  }

  private async textOf(image: Json | undefined): Promise<string | undefined> {
    const hash = hashOf(image);
    const bytes = hash === undefined ? undefined : await this.deps.store.read(hash);
    return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
}

function newestFacts(entries: readonly SessionEntry[]): ReadonlyMap<string, JsonObject> {
  const newest = new Map<string, JsonObject>();
  for (const entry of entries) {
    const data = factData(entry, "reins.baseline");
    if (typeof data?.uri !== "string") continue;
    if (data.base === undefined) newest.delete(data.uri);
    else newest.set(data.uri, data);
  }
  return newest;
}

function hashOf(image: Json | undefined): string | undefined {
  return isJsonObject(image) && typeof image.hash === "string" ? image.hash : undefined;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
