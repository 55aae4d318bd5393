// What VS Code tells of a language model, as the model layer has it. Trusts no field to be there.
import type * as vscode from "vscode";
import type { Model } from "../ai/types.ts";

/** As sessions and settings name them: `vscode/<vendor>/<model>`. */
const provider = "vscode";

/** Where VS Code does not say. */
const defaultWindow = 32_768;
/** It tells nothing of output limits, and takes none. */
const usualOutput = 8_192;

/** Undefined for what cannot be asked, or calls no tools: VS Code's own agent leaves that out too. */
export function toModel(chat: vscode.LanguageModelChat): Model | undefined {
  try {
    const { vendor, id, name, maxInputTokens } = chat;
    const can = capabilitiesOf(chat);
    if (vendor === "" || id === "" || can.supportsToolCalling === false) return undefined;
    const isKnown = Number.isFinite(maxInputTokens) && maxInputTokens > 0;
    const contextWindow = isKnown ? Math.floor(maxInputTokens) : defaultWindow;
    return {
      ...{ provider, id: `${vendor}/${id}`, name: name || id, api: "vscode-lm", contextWindow },
      maxTokens: Math.min(usualOutput, Math.ceil(contextWindow / 2)),
      input: can.supportsImageToText === true ? ["text", "image"] : ["text"],
      reasoning: false,
    };
  } catch {
    return undefined;
  }
}

interface Capabilities {
  readonly supportsToolCalling?: unknown;
  readonly supportsImageToText?: unknown;
}

/** Hosts tell them, the typings do not yet; one that keeps a proposal from us may throw. */
function capabilitiesOf(chat: vscode.LanguageModelChat): Capabilities {
  try {
    // The stable typings lack it, so it is taken as a thing that may be anything.
    const { capabilities } = chat as { readonly capabilities?: unknown };
    return typeof capabilities === "object" && capabilities !== null ? capabilities : {};
  } catch {
    return {};
  }
}
