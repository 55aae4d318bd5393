// Which version of which file the model has seen in this session: nothing is edited unseen. The texts are kept too, as
// far as memory allows, so that an edit can be carried over to what a file has become.
import type { MessageEntry } from "../../agent/types.ts";
import { isJsonObject } from "../../shared/json.ts";

/** Characters of all texts together; the files seen longest ago lose theirs first. */
const mostCharacters = 10_000_000;

export interface SeenText {
  /** Of `TextSnapshot`. Undefined: it was seen, but as what is not known. */
  readonly version: string | undefined;
  readonly text?: string;
}

/** `stale`: it is not what the model saw any more. */
export type SeenState = "unread" | "stale" | "current";

export class ReadRecords {
  /** In the order in which they were seen last. */
  private readonly seen = new Map<string, SeenText>();
  private characters = 0;

  remember(realUri: string, { version, text }: SeenText): void {
    // One that is too large alone would cost all others theirs, and then its own.
    const kept = text !== undefined && text.length <= mostCharacters;
    this.keep(realUri, kept ? { version, text } : { version });
  }

  private keep(realUri: string, seen: SeenText): void {
    this.characters += (seen.text?.length ?? 0) - (this.seen.get(realUri)?.text?.length ?? 0);
    this.seen.delete(realUri);
    this.seen.set(realUri, seen);
    for (const [uri, { version, text }] of this.seen) {
      if (this.characters <= mostCharacters) return;
      if (text === undefined) continue;
      this.characters -= text.length;
      this.seen.set(uri, { version });
    }
  }

  /** The file is gone. */
  forget(realUri: string): void {
    this.characters -= this.seen.get(realUri)?.text?.length ?? 0;
    this.seen.delete(realUri);
  }

  /** The file is at another place now. What is known of it there; undefined: it was never seen. */
  follow(from: string, to: string): SeenText | undefined {
    const seen = this.seen.get(from);
    this.forget(from);
    this.forget(to);
    if (seen !== undefined) this.remember(to, seen);
    return seen;
  }

  /** Takes over what an earlier window's tools told in their details (see details.ts). */
  restore(messages: readonly MessageEntry[]): void {
    for (const { message } of messages) {
      const tells = message.role === "toolResult" || message.role === "app";
      if (!tells || !isJsonObject(message.details)) continue;
      const { seen, gone } = message.details;
      if (typeof gone === "string") this.forget(gone);
      if (!isJsonObject(seen) || typeof seen["realUri"] !== "string") continue;
      const { realUri, version } = seen;
      this.remember(realUri, { version: typeof version === "string" ? version : undefined });
    }
  }

  state(realUri: string, version: string): SeenState {
    const seen = this.seen.get(realUri);
    if (seen === undefined) return "unread";
    return seen.version === version ? "current" : "stale";
  }

  /** What the model saw last; undefined when that is not kept. */
  textOf(realUri: string): string | undefined {
    return this.seen.get(realUri)?.text;
  }
}
