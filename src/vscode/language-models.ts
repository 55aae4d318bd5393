// The language models that VS Code offers: listed for the model picker, and asked for the model layer. Everything is
// guarded: the API is young, and a host may have less of it than its typings say. How a request is written with VS Code's
// own classes is `language-model-parts.ts`' business.
import * as vscode from "vscode";
import { LanguageModelFailure } from "../ai/language-models.ts";
import type { LanguageModelPart, LanguageModelRequest, LanguageModels } from "../ai/language-models.ts";
import type { Model } from "../ai/types.ts";
import type { Clock, Log, ModelSource } from "../harness/ports.ts";
import type { Disposable } from "../shared/disposable.ts";
import { errorText } from "../shared/errors.ts";
import { Emitter } from "../shared/event.ts";
import { asFailure, readParts, toMessage, toOptions } from "./language-model-parts.ts";
import { toModel } from "./language-model-facts.ts";

export interface LanguageModelParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Which models the person has let Reins use already; undefined where the host cannot tell. Asked for on first use. */
  readonly access: () => vscode.LanguageModelAccessInformation | undefined;
}

/** An extension that does not say which models it has holds nobody up for longer. Milliseconds. */
const longestLook = 10_000;

interface Entry {
  readonly chat: vscode.LanguageModelChat;
  readonly model: Model;
}

export class VsCodeLanguageModels implements ModelSource, LanguageModels, Disposable {
  private readonly parts: LanguageModelParts;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private entries: ReadonlyMap<string, Entry> = new Map();
  private found: readonly Model[] = [];
  private listener: vscode.Disposable | undefined;
  private looking: Promise<void> | undefined;
  /** The list changed while it was being read. */
  private outdated = false;
  private disposed = false;

  constructor(parts: LanguageModelParts) {
    this.parts = parts;
  }

  get models(): readonly Model[] {
    return this.found;
  }

  /** Who asks while it is looking gets what it finds. */
  refresh(): Promise<void> {
    this.listen();
    return this.inTime(this.look());
  }

  mayAsk(model: string): boolean {
    const entry = this.entries.get(model);
    try {
      return entry === undefined || this.parts.access()?.canSendRequest(entry.chat) !== true;
    } catch {
      return true;
    }
  }

  async send(request: LanguageModelRequest, signal: AbortSignal): Promise<AsyncIterable<LanguageModelPart>> {
    const chat = await this.find(request.model);
    const cancel = new vscode.CancellationTokenSource();
    const stop = () => cancel.cancel();
    const release = () => {
      signal.removeEventListener("abort", stop);
      cancel.dispose();
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const messages = request.messages.map(toMessage);
      const response = await chat.sendRequest(messages, toOptions(request), cancel.token);
      return readParts(response.stream, release);
    } catch (error) {
      release();
      throw asFailure(error);
    }
  }

  dispose(): void {
    this.disposed = true;
    this.listener?.dispose();
    this.changed.dispose();
  }

  /** From the first look on, the list is kept current. */
  private listen(): void {
    if (this.listener || this.disposed) return;
    try {
      this.listener = vscode.lm.onDidChangeChatModels(() => this.listChanged());
    } catch (error) {
      this.parts.log.info(`VS Code does not tell when its language models change: ${errorText(error)}`);
    }
  }

  private listChanged(): void {
    this.outdated = true;
    void this.look();
  }

  private look(): Promise<void> {
    this.looking ??= this.read().finally(() => (this.looking = undefined));
    return this.looking;
  }

  /** Never rejects. */
  private async read(): Promise<void> {
    do {
      this.outdated = false;
      try {
        this.take(await vscode.lm.selectChatModels({}));
      } catch (error) {
        this.parts.log.info(`VS Code's language models could not be listed: ${errorText(error)}`);
      }
    } while (this.isOutdated());
  }

  private take(chats: readonly vscode.LanguageModelChat[]): void {
    const entries = new Map<string, Entry>();
    for (const chat of chats) {
      const model = toModel(chat);
      if (model && !entries.has(model.id)) entries.set(model.id, { chat, model });
    }
    this.entries = entries;
    const models = [...entries.values()].map(({ model }) => model);
    if (JSON.stringify(models) === JSON.stringify(this.found)) return;
    this.found = models;
    if (!this.disposed) this.changed.fire();
  }

  private isOutdated(): boolean {
    return this.outdated && !this.disposed;
  }

  /** What comes later is told by `onDidChange`. */
  private inTime(look: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const limit = this.parts.clock.schedule(longestLook, resolve);
      void look.then(() => {
        limit.dispose();
        resolve();
      });
    });
  }

  private async find(id: string): Promise<vscode.LanguageModelChat> {
    if (!this.entries.has(id)) await this.refresh();
    const found = this.entries.get(id);
    if (!found) throw new LanguageModelFailure("notFound", id);
    return found.chat;
  }
}
