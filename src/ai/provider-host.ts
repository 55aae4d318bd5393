// Where a model's requests go. The SDKs' environment variables are not consulted: settings alone decide.
import type { Model } from "./types.ts";

export const anthropicBaseUrl = "https://api.anthropic.com";
export const openAiBaseUrl = "https://api.openai.com/v1";

/** Without a trailing slash. */
export function baseUrlOf(model: Pick<Model, "api" | "baseUrl">): string {
  const fallback = model.api === "anthropic-messages" ? anthropicBaseUrl : openAiBaseUrl;
  return (model.baseUrl ?? fallback).replace(/\/+$/, "");
}

/** The host for people, without user name and password; the whole text when it is no URL. */
export function providerHost(model: Model): string {
  if (model.api === "scripted") return "The guided tour";
  if (model.api === "vscode-lm") return `VS Code's model ${model.name}`;
  const match = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/?#]+)/i.exec(baseUrlOf(model));
  return match?.[1] ?? baseUrlOf(model);
}

/**
 * Whether the model runs on this machine or in a private network: loopback, link-local and private addresses, names
 * without a dot, and names under `localhost`, `local`, `internal`, `lan` and `home.arpa`. Such servers load a model before
 * they answer, and think slowly. Never throws.
 */
export function isLocalServer(model: Pick<Model, "api" | "baseUrl">): boolean {
  const url = baseUrlOf(model);
  if (model.api === "scripted" || model.api === "vscode-lm" || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  if (hostname.startsWith("["))
    return /^\[(::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*|::ffff:7f.*)\]$/.test(hostname);
  if (/^\d+(\.\d+){3}$/.test(hostname)) {
    return /^(0|10|127)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\./.test(hostname);
  }
  return !hostname.includes(".") || /\.(localhost|local|internal|lan|home\.arpa)$/.test(hostname);
}
