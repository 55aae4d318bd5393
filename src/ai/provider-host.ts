// Where a model's requests go. The SDKs' environment variables are not consulted: settings alone decide.
import type { Model } from "./types.ts";

export const anthropicBaseUrl = "https://api.anthropic.com";
export const openAiBaseUrl = "https://api.openai.com/v1";

/** Without a trailing slash. */
export function baseUrlOf(model: Model): string {
  const fallback = model.api === "anthropic-messages" ? anthropicBaseUrl : openAiBaseUrl;
  return (model.baseUrl ?? fallback).replace(/\/+$/, "");
}

/** The host for people, without user name and password; the whole text when it is no URL. */
export function providerHost(model: Model): string {
  if (model.api === "scripted") return "The guided tour";
  const match = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/?#]+)/i.exec(baseUrlOf(model));
  return match?.[1] ?? baseUrlOf(model);
}
