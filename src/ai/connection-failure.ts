// Failures between here and the provider that a setting of VS Code is about: certificates and proxies. Says in which
// words, and whether another try could help. What holds for VS Code's fetch was found by trying (test/e2e/proxy.test.ts):
// it follows `http.proxy`, `http.noProxy`, `http.proxySupport`, `http.fetchAdditionalSupport` and
// `http.systemCertificates`, and neither `http.proxyStrictSSL` nor `http.proxyAuthorization`.
import { errorText } from "../shared/errors.ts";
import { errorChain, textOf } from "./error-chain.ts";

export interface ConnectionFailure {
  /** For a person, with the next step. */
  readonly message: string;
  /** Another try would fail in the same way. */
  readonly final: boolean;
}

/** Undefined: nothing that a setting is about. `host` is the provider's, with its port where the address has one. */
export function connectionFailure(
  thrown: unknown,
  { host, provider }: { readonly host: string; readonly provider: string },
): ConnectionFailure | undefined {
  const chain = errorChain(thrown);
  for (const error of chain) {
    const text = errorText(error);
    const advice = certificateAdvice(`${textOf(error, "code")} ${text}`, provider);
    if (advice !== undefined) {
      const reason = text.split(";")[0] ?? text;
      const message = `The connection to ${host} failed: its certificate was not accepted (${reason}). ${advice}`;
      return { message, final: true };
    }
  }
  for (const error of chain) {
    const status = /proxy response \((\d{3})\)/i.exec(errorText(error))?.[1];
    if (status !== undefined) return proxyRefused(host, Number(status));
  }
  const elsewhere = chain.map((error) => otherAddress(error, host)).find((address) => address !== undefined);
  return elsewhere === undefined ? undefined : proxyUnreachable(host, elsewhere);
}

/** `status` is what the proxy answered instead of passing the request on. */
export function proxyRefused(host: string, status: number): ConnectionFailure {
  const start = `The connection to ${host} failed: the proxy`;
  if (status === 407) {
    const advice =
      "Put them into the setting `http.proxy` (`http://user:password@host:port`, with special characters as %-codes); `http.proxyAuthorization` is not used for requests of extensions.";
    return { message: `${start} wants a user name and a password (HTTP 407). ${advice}`, final: true };
  }
  const final = status >= 400 && status < 500 && status !== 408 && status !== 429;
  const advice = `Check the setting \`http.proxy\`, and whether the proxy lets requests to ${host} through; \`http.noProxy\` names hosts that are reached without it.`;
  return { message: `${start} answered with HTTP ${status}. ${advice}`, final };
}

function proxyUnreachable(host: string, address: string): ConnectionFailure {
  const advice =
    "Check the setting `http.proxy` (or HTTPS_PROXY in the environment of VS Code), or name the host in `http.noProxy`.";
  return {
    message: `The connection to ${host} failed: the proxy at ${address} could not be reached. ${advice}`,
    final: false,
  };
}

const expired =
  /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_CERT_DATE_INVALID|certificate (has expired|is not yet valid)/i;
const wrongName =
  /ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|ERR_CERT_COMMON_NAME_INVALID|does not match certificate/i;
const untrusted =
  /SELF_SIGNED|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY|UNABLE_TO_GET_CRL|UNABLE_TO_DECRYPT_CERT|INVALID_CA|INVALID_PURPOSE|CERT_(UNTRUSTED|REVOKED|REJECTED|SIGNATURE_FAILURE|CHAIN_TOO_LONG)|ERR_CERT_|self[- ]signed certificate|unable to (get (local )?issuer|verify the first) certificate/i;

function certificateAdvice(facts: string, provider: string): string | undefined {
  if (expired.test(facts))
    return "Check the clock of this machine. If a proxy (`http.proxy`) presents the certificate, or the server is yours, renew it.";
  if (wrongName.test(facts))
    return `Check \`baseUrl\` in \`reins.providers.${provider}\`, and whether a proxy (\`http.proxy\`) presents its own certificate.`;
  if (!untrusted.test(facts)) return undefined;
  return [
    "If it is that of your company's proxy or of your own server, add it (or its authority's) to the certificates of this",
    "system, which VS Code uses while `http.systemCertificates` is on, and reload the window. Or turn that setting off,",
    "name its file in the environment variable NODE_EXTRA_CA_CERTS, and restart VS Code. `http.proxyStrictSSL` makes no",
    "difference for requests of extensions.",
  ].join(" ");
}

/** What could not be reached, where that is not the provider itself: then it is the proxy. */
function otherAddress(error: unknown, host: string): string | undefined {
  const code = textOf(error, "code");
  const [, name = "", port = ""] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    const asked = textOf(error, "hostname");
    return asked === "" || asked.toLowerCase() === name.replace(/^\[|\]$/g, "").toLowerCase()
      ? undefined
      : asked;
  }
  if (!/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code)) return undefined;
  const asked = textOf(error, "port");
  const own = port === "" ? ["80", "443"] : [port];
  return asked === "" || own.includes(asked) ? undefined : `${textOf(error, "address")}:${asked}`;
}
