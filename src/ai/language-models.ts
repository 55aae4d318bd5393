// What the model layer needs of VS Code's language model API, as plain data, so that it knows nothing of VS Code.
// `vscode/language-models.ts` implements it.
import type { ImageBlock, TextBlock, ToolCallBlock, ToolDeclaration } from "./types.ts";

/** There is no system role. */
export interface LanguageModelMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly LanguageModelContent[];
}

export type LanguageModelContent =
  | TextBlock
  | ImageBlock
  | Pick<ToolCallBlock, "type" | "id" | "name" | "arguments">
  | {
      readonly type: "toolResult";
      readonly toolCallId: string;
      readonly content: readonly (TextBlock | ImageBlock)[];
    };

export interface LanguageModelRequest {
  /** `Model.id`. */
  readonly model: string;
  readonly messages: readonly LanguageModelMessage[];
  readonly tools: readonly ToolDeclaration[];
}

/** Tool calls come whole. `other`: a kind that is not known here, which still is a sign of life. */
export type LanguageModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "toolCall"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: "other" };

export interface LanguageModels {
  /** VS Code may ask the person before it lets a request to this model through. Absent: it never does. Never throws. */
  mayAsk?(model: string): boolean;
  /**
   * Resolves when the request was let through: VS Code may ask the person first. Rejects, as iterating does, with what
   * VS Code says, or with a LanguageModelFailure.
   */
  send(request: LanguageModelRequest, signal: AbortSignal): Promise<AsyncIterable<LanguageModelPart>>;
}

/** Why VS Code did not answer. */
export class LanguageModelFailure extends Error {
  override readonly name = "LanguageModelFailure";
  readonly reason: "permission" | "blocked" | "notFound";

  constructor(reason: LanguageModelFailure["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
