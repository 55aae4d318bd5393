// What to tell a person when a language model of VS Code does not answer. VS Code says little in codes, and the models'
// providers each have their own words. Leaves the kind of those to `error-kind.ts`.
import { errorText } from "../../shared/errors.ts";
import { classify } from "../error-kind.ts";
import { ProviderError } from "../errors.ts";
import { LanguageModelFailure } from "../language-models.ts";
import type { ErrorKind } from "../types.ts";

const maxDetail = 500;

/** `host` is the model, for people. */
export function explainLanguageModelFailure(error: unknown, host: string): ProviderError {
  if (error instanceof ProviderError) return error;
  const texts = causes(error);
  const kind = classify({ text: texts.map(({ text }) => text).join(" "), code: namesOf(texts) });
  const detail = detailOf(texts);
  const said = detail === "" ? "" : ` (${detail})`;
  if (error instanceof LanguageModelFailure) {
    const refused = refusal(error.reason, kind, { host, said });
    if (refused) return refused;
  }
  return new ProviderError(kind, sentence(kind, host, said));
}

/** Undefined: what was said tells more. */
function refusal(
  reason: LanguageModelFailure["reason"],
  kind: ErrorKind,
  { host, said }: { readonly host: string; readonly said: string },
): ProviderError | undefined {
  switch (reason) {
    case "permission": {
      const advice = `Send the message again and allow it when VS Code asks, or allow it in the Accounts menu under "Manage Language Model Access".`;
      return new ProviderError("auth", `VS Code did not let Reins use ${host}${said}. ${advice}`);
    }
    case "notFound": {
      const advice =
        "Sign in to its provider or set it up in VS Code again, or choose another model with Reins: Select Model.";
      return new ProviderError("bad_request", `${host} is not there any more${said}. ${advice}`);
    }
    case "blocked": {
      if (kind === "quota" || kind === "rate_limit") return undefined;
      const advice = "Rephrase the request, check your quota with its provider, or choose another model.";
      return new ProviderError("content_filter", `${host} blocked the request${said}. ${advice}`);
    }
  }
}

function sentence(kind: ErrorKind, host: string, said: string): string {
  switch (kind) {
    case "auth":
      return `${host} refused access${said}. Sign in to its provider or set its key in VS Code, then try again.`;
    case "quota":
      return `The account behind ${host} has no credit or quota left${said}. Top it up, or choose another model.`;
    case "rate_limit":
      return `${host} limits the rate of requests${said}. Wait a little and try again.`;
    case "overloaded":
      return `${host} is overloaded or failing${said}. Try again in a moment, or choose another model.`;
    case "context_overflow":
      return `The conversation is longer than the context of ${host}${said}. Compact it, or choose a model with a larger context.`;
    case "bad_request":
      return `${host} rejected the request${said}. Choose another model.`;
    case "network":
      return `${host} could not be reached${said}. Check the network, the proxy and its provider's settings in VS Code, then try again.`;
    case "timeout":
      return `${host} did not answer in time${said}. Try again.`;
    case "content_filter":
      return `${host} declined to answer${said}. Rephrase the request, or choose another model.`;
    case "malformed_stream":
      return `The answer of ${host} broke off or could not be read${said}. Try again.`;
    case "unknown":
      return `The request to ${host} failed${said}. Try again, or choose another model.`;
  }
}

interface Cause {
  readonly text: string;
  readonly name: string;
}

/** Outermost first. VS Code wraps what a provider throws. */
function causes(thrown: unknown): Cause[] {
  const found: Cause[] = [];
  for (let error = thrown, depth = 0; error !== undefined && depth < 6; depth += 1) {
    found.push({ text: errorText(error), name: error instanceof Error ? error.name : "" });
    error = error instanceof Error ? error.cause : undefined;
  }
  return found;
}

/** Providers have names such as `ChatQuotaExceeded` where they have no codes. */
function namesOf(found: readonly Cause[]): string {
  return found.map(({ name }) => name).join(" ");
}

function detailOf(found: readonly Cause[]): string {
  const texts = new Set(found.map(({ text }) => text.replace(/\s+/g, " ").trim()));
  const detail = [...texts].filter((text) => text !== "").join(": ");
  return detail.length > maxDetail ? `${detail.slice(0, maxDetail).toWellFormed()}…` : detail;
}
