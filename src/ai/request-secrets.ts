// Which texts of a request are secret: the key, and what settings put into headers, query and address. How they are
// taken out of other texts is `redact.ts`' business.
import type { Model } from "./types.ts";

type Access = Pick<Model, "baseUrl" | "headers" | "query">;

const secretName = /auth|key|token(?!s)|secret|passw|cookie|credential|session|signature|\bsig\b/i;

/**
 * May hold the same one twice. A header or a query parameter is secret by its name, or because it may be one: it has no
 * spaces and at least 8 characters, and is no date, version or address.
 */
export function requestSecrets(model: Access, apiKey: string | undefined): string[] {
  const named = [...Object.entries(model.headers ?? {}), ...Object.entries(model.query ?? {})];
  return [
    ...(apiKey ? [apiKey, ...partsOf(apiKey)] : []),
    ...named.flatMap(([name, value]) => valueSecrets(name, value)),
    ...addressSecrets(model.baseUrl ?? ""),
  ].filter((secret) => secret !== "");
}

/** Whether a header or a query parameter carries a secret by its name. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

function valueSecrets(name: string, value: string): string[] {
  if (isSecretName(name)) return [value, ...partsOf(value)];
  if (/^https?:\/\//i.test(value)) return addressSecrets(value);
  const isPlain =
    value.length < 8 || /\s/.test(value) || /^v?\d{1,4}([.-]\d{1,2}){1,3}(-preview)?$/.test(value);
  return isPlain ? [] : [value];
}

/** What stands behind `Bearer` or `Basic`, and each value of a cookie. */
function partsOf(value: string): string[] {
  return value.split(/[\s;]+/).flatMap((part) => {
    const assigned = part.slice(part.indexOf("=") + 1);
    return [part, assigned].filter((text) => text.length >= 8);
  });
}

/** User name and password, and every value of a query. */
function addressSecrets(address: string): string[] {
  const user = /^[a-z][\w+.-]*:\/\/([^/?#]*)@/i.exec(address)?.[1] ?? "";
  const password = user.slice(user.indexOf(":") + 1);
  const query = /\?([^#]*)/.exec(address)?.[1] ?? "";
  const values = query.split("&").flatMap((pair) => {
    const [name = "", value = ""] = pair.split("=", 2);
    return isSecretName(name) || value.length >= 16 ? [value] : [];
  });
  return [user, password, ...values].flatMap((text) => [text, decoded(text)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Not encoded at all.
  }
}
