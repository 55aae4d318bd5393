// The language models that VS Code offers: listed for the model picker, and asked for the model layer. Everything is
// guarded: the API is young, and a host may have less of it than its typings say.
import * as vscode from "vscode";
import { LanguageModelFailure } from "../ai/language-models.ts";
import type {
  LanguageModelContent,
  LanguageModelMessage,
  LanguageModelPart,
  LanguageModelRequest,
  LanguageModels,
} from "../ai/language-models.ts";
import type { Model, ToolDeclaration } from "../ai/types.ts";
import type { Log, ModelSource } from "../harness/ports.ts";
import type { Disposable } from "../shared/disposable.ts";
import { errorText } from "../shared/errors.ts";
import { Emitter } from "../shared/event.ts";

/** As sessions and settings name it: `vscode/<vendor>/<model>`. */
export const languageModelProviderId = "vscode";

/** The API tells nothing of output limits. */
const maxTokens = 8_192;

export class VsCodeLanguageModels implements ModelSource, LanguageModels, Disposable {
  private readonly log: Log;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private chats: readonly vscode.LanguageModelChat[] = [];
  private listener: vscode.Disposable | undefined;

  constructor(log: Log) {
    this.log = log;
  }

  get models(): readonly Model[] {
    return this.chats.map(toModel);
  }

  async refresh(): Promise<void> {
    try {
      this.listener ??= vscode.lm.onDidChangeChatModels(() => void this.look());
    } catch (error) {
      this.log.info(`VS Code's language models are not to be had: ${errorText(error)}`);
      return;
    }
    await this.look();
  }

  async send(request: LanguageModelRequest, signal: AbortSignal): Promise<AsyncIterable<LanguageModelPart>> {
    const chat = await this.find(request.model);
    const cancel = new vscode.CancellationTokenSource();
    signal.addEventListener("abort", () => cancel.cancel(), { once: true });
    if (signal.aborted) cancel.cancel();
    try {
      const tools = request.tools.map(toTool);
      const response = await chat.sendRequest(
        request.messages.map(toMessage),
        {
          justification: "Reins works on the task that you gave it with this model.",
          ...(tools.length > 0 && { tools, toolMode: vscode.LanguageModelChatToolMode.Auto }),
        },
        cancel.token,
      );
      return readParts(response.stream);
    } catch (error) {
      throw asFailure(error);
    }
  }

  dispose(): void {
    this.listener?.dispose();
    this.changed.dispose();
  }

  private async look(): Promise<void> {
    try {
      const chats = await vscode.lm.selectChatModels({});
      const same = namesOf(chats) === namesOf(this.chats);
      this.chats = chats;
      if (!same) this.changed.fire();
    } catch (error) {
      this.log.info(`VS Code's language models could not be listed: ${errorText(error)}`);
    }
  }

  private async find(id: string): Promise<vscode.LanguageModelChat> {
    const known = this.chats.find((chat) => idOf(chat) === id);
    if (known) return known;
    await this.refresh();
    const found = this.chats.find((chat) => idOf(chat) === id);
    if (found) return found;
    throw new LanguageModelFailure("notFound", id);
  }
}

function idOf({ vendor, id }: vscode.LanguageModelChat): string {
  return `${vendor}/${id}`;
}

function namesOf(chats: readonly vscode.LanguageModelChat[]): string {
  return JSON.stringify(chats.map((chat) => [idOf(chat), chat.name, chat.maxInputTokens]));
}

function toModel(chat: vscode.LanguageModelChat): Model {
  return {
    provider: languageModelProviderId,
    id: idOf(chat),
    name: chat.name,
    api: "vscode-lm",
    contextWindow: chat.maxInputTokens,
    maxTokens,
    input: canSee(chat) ? ["text", "image"] : ["text"],
    reasoning: false,
  };
}

/** Newer hosts tell it, the typings do not yet. */
function canSee(chat: vscode.LanguageModelChat): boolean {
  const { capabilities } = chat as { readonly capabilities?: unknown }; // Unchecked: it may be missing.
  if (typeof capabilities !== "object" || capabilities === null) return false;
  const told: readonly unknown[] = [
    "supportsImageToText" in capabilities && capabilities.supportsImageToText,
    "imageInput" in capabilities && capabilities.imageInput,
  ];
  return told.includes(true);
}

function toTool({ name, description, parameters }: ToolDeclaration): vscode.LanguageModelChatTool {
  return { name, description, inputSchema: parameters };
}

function toMessage({ role, content }: LanguageModelMessage): vscode.LanguageModelChatMessage {
  const parts = content.map(toPart);
  // Which parts may be in which message is the converter's business; the two functions differ in that only.
  return role === "user"
    ? vscode.LanguageModelChatMessage.User(parts as vscode.LanguageModelTextPart[])
    : vscode.LanguageModelChatMessage.Assistant(parts as vscode.LanguageModelTextPart[]);
}

function toPart(block: LanguageModelContent) {
  switch (block.type) {
    case "text":
      return new vscode.LanguageModelTextPart(block.text);
    case "image":
      return vscode.LanguageModelDataPart.image(decode(block.data), block.mimeType);
    case "toolCall":
      return new vscode.LanguageModelToolCallPart(block.id, block.name, block.arguments);
    case "toolResult":
      return new vscode.LanguageModelToolResultPart(
        block.toolCallId,
        block.content.map((part) =>
          part.type === "text"
            ? new vscode.LanguageModelTextPart(part.text)
            : vscode.LanguageModelDataPart.image(decode(part.data), part.mimeType),
        ),
      );
  }
}

function decode(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

async function* readParts(stream: AsyncIterable<unknown>): AsyncGenerator<LanguageModelPart> {
  try {
    for await (const part of stream) {
      if (part instanceof vscode.LanguageModelTextPart) yield { type: "text", text: part.value };
      else if (part instanceof vscode.LanguageModelToolCallPart)
        yield { type: "toolCall", id: part.callId, name: part.name, input: part.input };
    }
  } catch (error) {
    throw asFailure(error);
  }
}

const reasons: { readonly [code: string]: LanguageModelFailure["reason"] } = {
  NoPermissions: "permission",
  Blocked: "blocked",
  NotFound: "notFound",
};

function asFailure(error: unknown): unknown {
  if (!(error instanceof vscode.LanguageModelError)) return error;
  const reason = reasons[error.code];
  return reason === undefined ? error : new LanguageModelFailure(reason, error.message, { cause: error });
}
