// Who may use the loopback provider: the key in the header where each API has it, and the query that Azure asks for.
import type { IncomingMessage } from "node:http";
import type { ServedApi } from "./provider-replies.ts";
import type { Refusal } from "./server-answers.ts";

export interface ServerAccess {
  /** When set, any other key is answered with 401. */
  readonly apiKey?: string;
  /** Where the key must be, and nowhere else. Default: where the API has it. */
  readonly keyHeader?: "authorization" | "api-key" | "x-api-key";
  /** What the address must have, as Azure's `api-version`; without it there is nothing at that address. */
  readonly query?: { readonly [name: string]: string };
}

/** The Messages API takes both since its version 2026-10-21. */
const usualHeaders: Readonly<Record<ServedApi, readonly string[]>> = {
  "anthropic-messages": ["x-api-key", "authorization"],
  "openai-chat": ["authorization"],
  "openai-responses": ["authorization"],
};

/** Undefined: come in. Nobody is asked for a key where the test names none, as by servers on one's own machine. */
export function checkAccess(
  api: ServedApi,
  incoming: IncomingMessage,
  access: ServerAccess,
): Refusal | undefined {
  const asked = new URL(incoming.url ?? "/", "http://loopback").searchParams;
  for (const [name, value] of Object.entries(access.query ?? {})) {
    if (asked.get(name) === value) continue;
    return { status: 404, type: "not_found", message: "Resource not found", details: { code: "404" } };
  }
  const headers = access.keyHeader ? [access.keyHeader] : usualHeaders[api];
  const key = headers.map((header) => keyIn(incoming, header)).find((found) => found !== undefined);
  const { apiKey } = access;
  const isFine = apiKey === undefined || key === apiKey;
  if (isFine && !(access.keyHeader && keyElsewhere(incoming, access.keyHeader))) return undefined;
  if (api === "anthropic-messages") {
    return { status: 401, type: "authentication_error", message: `invalid ${headers[0]}` };
  }
  const message = key === undefined ? "You didn't provide an API key." : "Incorrect API key provided.";
  return { status: 401, type: "invalid_request_error", message, details: { code: "invalid_api_key" } };
}

function keyIn(incoming: IncomingMessage, header: string): string | undefined {
  const value = incoming.headers[header];
  if (typeof value !== "string") return undefined;
  if (header !== "authorization") return value;
  return /^Bearer (.+)$/.exec(value)?.[1];
}

function keyElsewhere(incoming: IncomingMessage, header: string): boolean {
  return ["authorization", "api-key", "x-api-key"].some(
    (other) => other !== header && incoming.headers[other] !== undefined,
  );
}
