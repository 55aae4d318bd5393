// What a person is told of a failed request: what happened, with which host, and what to do next.
import type { ErrorKind } from "./types.ts";

/** `detail`: what the server or the network said, on one line and without secrets; may be empty. */
export function failureText(
  kind: ErrorKind,
  detail: string,
  { provider, host }: { readonly provider: string; readonly host: string },
): string {
  const said = detail === "" ? "." : ` (${detail}).`;
  switch (kind) {
    case "auth":
      return `${host} refused the API key${said} Set a valid key for ${provider} and try again.`;
    case "quota":
      return `The ${provider} account has no credit or quota left${said} Top it up, or choose another model.`;
    case "rate_limit":
      return `${host} limits the rate of requests${said} Wait a little and try again.`;
    case "overloaded":
      return `${host} is overloaded or failing${said} Try again in a moment, or choose another model.`;
    case "context_overflow":
      return `The conversation is longer than the model's context${said} Compact it, or choose a model with a larger context.`;
    case "bad_request":
      return `${host} rejected the request${said}${badRequestAdvice(detail, provider)}`;
    case "network":
      return `The connection to ${host} failed${said} Check the network, the proxy (the setting \`http.proxy\`) and the provider's base URL, then try again.`;
    case "timeout":
      return `${host} did not answer in time${said} Try again.`;
    case "content_filter":
      return `${provider} declined to answer${said} Rephrase the request, or choose another model.`;
    case "malformed_stream":
      return `The answer of ${host} broke off or could not be read${said} Try again.`;
    case "unknown":
      return `The request to ${host} failed${said} Try again, or choose another model.`;
  }
}

/** The settings that make a compatible server's wishes come true. */
function badRequestAdvice(detail: string, provider: string): string {
  const compat = `reins.providers.${provider}.compat`;
  if (/role/i.test(detail)) return ` Set \`systemRole\` in \`${compat}\` to a role the server accepts.`;
  if (/max_completion_tokens|max_tokens/i.test(detail)) return ` Set \`maxTokensField\` in \`${compat}\`.`;
  if (/reasoning_content/i.test(detail)) return ` Set or remove \`reasoningField\` in \`${compat}\`.`;
  if (/reasoning_effort/i.test(detail)) return ` Set \`reasoningEffort\` to false in \`${compat}\`.`;
  if (/web page/.test(detail)) return ` Check \`baseUrl\` in \`reins.providers.${provider}\`.`;
  return " Check the model and the provider's settings, or choose another model.";
}
