// Requests in the classes of VS Code's language model API, and what it answers as plain data.
import * as vscode from "vscode";
import { LanguageModelFailure } from "../ai/language-models.ts";
import type {
  LanguageModelContent,
  LanguageModelMessage,
  LanguageModelPart,
  LanguageModelRequest,
} from "../ai/language-models.ts";

type InputPart =
  | vscode.LanguageModelTextPart
  | vscode.LanguageModelDataPart
  | vscode.LanguageModelToolCallPart
  | vscode.LanguageModelToolResultPart;

/** Shown where VS Code asks the person whether Reins may use the model. */
const justification = "Reins sends your messages, and what it reads for them, to this model.";

export function toOptions({ tools }: LanguageModelRequest): vscode.LanguageModelChatRequestOptions {
  if (tools.length === 0) return { justification };
  return {
    justification,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })),
    toolMode: vscode.LanguageModelChatToolMode.Auto,
  };
}

export function toMessage({ role, content }: LanguageModelMessage): vscode.LanguageModelChatMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  return new vscode.LanguageModelChatMessage(role === "user" ? User : Assistant, content.map(toPart));
}

function toPart(block: LanguageModelContent): InputPart {
  switch (block.type) {
    case "text":
      return new vscode.LanguageModelTextPart(block.text);
    case "image":
      return toImage(block);
    case "toolCall":
      return new vscode.LanguageModelToolCallPart(block.id, block.name, block.arguments);
    case "toolResult":
      return new vscode.LanguageModelToolResultPart(block.toolCallId, block.content.map(toPart));
  }
}

function toImage({ data, mimeType }: Extract<LanguageModelContent, { type: "image" }>): InputPart {
  // Typed as always there, but hosts have it only since 1.110.
  const { LanguageModelDataPart: DataPart } = vscode as Partial<typeof vscode>;
  if (!DataPart)
    return new vscode.LanguageModelTextPart("(An image was left out: this VS Code cannot send it.)");
  return DataPart.image(
    Uint8Array.from(atob(data), (character) => character.charCodeAt(0)),
    mimeType,
  );
}

/** `release` is called when nothing more comes, or nobody wants it. */
export async function* readParts(
  stream: AsyncIterable<unknown>,
  release: () => void,
): AsyncGenerator<LanguageModelPart> {
  try {
    for await (const part of stream) yield toPlain(part);
  } catch (error) {
    throw asFailure(error);
  } finally {
    release();
  }
}

function toPlain(part: unknown): LanguageModelPart {
  if (part instanceof vscode.LanguageModelTextPart) return { type: "text", text: text(part.value) };
  if (part instanceof vscode.LanguageModelToolCallPart)
    return { type: "toolCall", id: text(part.callId), name: text(part.name), input: part.input };
  return { type: "other" };
}

/** What comes from another extension may be anything. */
function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const reasons: { readonly [code: string]: LanguageModelFailure["reason"] } = {
  NoPermissions: "permission",
  Blocked: "blocked",
  NotFound: "notFound",
};

/** By its code, as VS Code advises; what has none is left as it is. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  const reason = reasons[error.code];
  return reason === undefined ? error : new LanguageModelFailure(reason, error.message, { cause: error });
}
