// VS Code's language models: what the user has signed in to or set up there. They report no usage and no stop reason.
// Leaves what to say of failures to `vscode-lm-failure.ts`.
import { ProviderError } from "../errors.ts";
import type { LanguageModelPart, LanguageModels } from "../language-models.ts";
import type { PartialMessage } from "../partial-message.ts";
import { providerHost } from "../provider-host.ts";
import type { Provider, ProviderRun } from "./provider.ts";
import { toLanguageModelRequest } from "./vscode-lm-convert.ts";
import { explainLanguageModelFailure } from "./vscode-lm-failure.ts";

/** While VS Code asks the person whether Reins may use a model, that is no silence of the model. Milliseconds. */
const signOfLifeMs = 10_000;

/** Undefined: the host has none. */
export function languageModelProvider(api: LanguageModels | undefined): Provider {
  return async (run) => {
    if (api === undefined) {
      const message = "This VS Code offers no language models to extensions. Choose another model.";
      throw new ProviderError("bad_request", message);
    }
    const host = providerHost(run.model);
    const reader = new PartReader(run.partial, host);
    try {
      const parts = await send(api, run);
      for await (const part of parts) {
        run.alive();
        if (run.partial.ended) return;
        reader.read(part);
      }
    } catch (error) {
      throw explainLanguageModelFailure(error, host);
    }
    // A stream that was cancelled may just end.
    if (!run.signal.aborted) reader.finish();
  };
}

async function send(
  api: LanguageModels,
  { model, request, options, signal, alive }: ProviderRun,
): Promise<AsyncIterable<LanguageModelPart>> {
  alive();
  const pause = Math.min(signOfLifeMs, (options.idleTimeoutMs ?? Number.POSITIVE_INFINITY) / 2);
  const asking = api.mayAsk?.(model.id) === true ? setInterval(alive, pause) : undefined;
  const stopAsking = () => clearInterval(asking);
  signal.addEventListener("abort", stopAsking, { once: true });
  try {
    return await api.send(toLanguageModelRequest(model, request), signal);
  } finally {
    stopAsking();
    signal.removeEventListener("abort", stopAsking);
    alive();
  }
}

class PartReader {
  private readonly partial: PartialMessage;
  private readonly host: string;
  private text: number | undefined;

  constructor(partial: PartialMessage, host: string) {
    this.partial = partial;
    this.host = host;
  }

  read(part: LanguageModelPart): void {
    this.partial.start();
    switch (part.type) {
      case "text":
        if (part.text === "") return;
        this.text ??= this.partial.openText();
        this.partial.append(this.text, part.text);
        return;
      case "toolCall":
        this.readCall(part);
        return;
      case "other":
        return;
    }
  }

  finish(): void {
    this.closeText();
    this.partial.finish("stop");
  }

  private readCall({ id, name, input }: Extract<LanguageModelPart, { type: "toolCall" }>): void {
    if (name === "") {
      const message = `The answer of ${this.host} could not be read (a call without a name). Try again.`;
      throw new ProviderError("malformed_stream", message);
    }
    this.closeText();
    const index = this.partial.openToolCall(id, name);
    this.partial.append(index, argumentText(input));
    this.partial.close(index);
  }

  private closeText(): void {
    if (this.text !== undefined) this.partial.close(this.text);
    this.text = undefined;
  }
}

/** An object, as a rule. Some providers pass the text on that their model wrote. */
function argumentText(input: unknown): string {
  if (typeof input === "string") return input;
  return input === undefined || input === null ? "" : JSON.stringify(input);
}
