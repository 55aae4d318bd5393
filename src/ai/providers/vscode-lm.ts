// VS Code's language models: what the user has signed in to or set up there. They report no usage and no stop reason.
import { ProviderError } from "../errors.ts";
import { LanguageModelFailure } from "../language-models.ts";
import type { LanguageModelPart, LanguageModels } from "../language-models.ts";
import type { PartialMessage } from "../partial-message.ts";
import type { Provider } from "./provider.ts";
import { toLanguageModelRequest } from "./vscode-lm-convert.ts";

/** While VS Code asks the person whether Reins may use a model, that is no silence of the model. Milliseconds. */
const signOfLifeMs = 10_000;

/** Undefined: the host has none. */
export function languageModelProvider(api: LanguageModels | undefined): Provider {
  return async ({ model, request, partial, signal, alive }) => {
    if (api === undefined) {
      const message = "This VS Code offers no language models to extensions. Choose another model.";
      throw new ProviderError("bad_request", message);
    }
    alive();
    const asking = setInterval(alive, signOfLifeMs);
    let parts: AsyncIterable<LanguageModelPart>;
    try {
      parts = await api.send(toLanguageModelRequest(model, request), signal);
    } catch (error) {
      throw explained(error);
    } finally {
      clearInterval(asking);
    }
    const reader = new PartReader(partial);
    try {
      for await (const part of parts) {
        alive();
        reader.read(part);
        if (partial.ended) return;
      }
    } catch (error) {
      throw explained(error);
    }
    reader.finish();
  };
}

class PartReader {
  private readonly partial: PartialMessage;
  private text: number | undefined;

  constructor(partial: PartialMessage) {
    this.partial = partial;
  }

  read(part: LanguageModelPart): void {
    this.partial.start();
    if (part.type === "text") {
      if (part.text === "") return;
      this.text ??= this.partial.openText();
      this.partial.append(this.text, part.text);
      return;
    }
    this.closeText();
    const index = this.partial.openToolCall(part.id, part.name);
    this.partial.append(index, part.input === undefined ? "" : JSON.stringify(part.input));
    this.partial.close(index);
  }

  finish(): void {
    this.closeText();
    this.partial.finish("stop");
  }

  private closeText(): void {
    if (this.text !== undefined) this.partial.close(this.text);
    this.text = undefined;
  }
}

/** What VS Code refuses has its own next step; everything else is told by its words. */
function explained(error: unknown): unknown {
  if (!(error instanceof LanguageModelFailure)) return error;
  switch (error.reason) {
    case "permission":
      return new ProviderError(
        "auth",
        `VS Code did not let Reins use this model (${error.message}). Allow it when VS Code asks, or under "Manage Language Model Access", then try again.`,
      );
    case "blocked":
      return new ProviderError(
        "content_filter",
        `The model's provider declined to answer (${error.message}). Rephrase the request, or choose another model.`,
      );
    case "notFound":
      return new ProviderError(
        "bad_request",
        `VS Code has no such model any more (${error.message}). Choose another model.`,
      );
  }
}
