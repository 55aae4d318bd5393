// The kind of a failed request, from its status, its code and its words. The order of the rules is the point: what is
// said about money or rates is never an overflow, and what is deterministic is never retried.
import { isOverflowText } from "./overflow.ts";
import type { ErrorKind } from "./types.ts";

export interface FailureFacts {
  readonly status?: number;
  /** What the body or the error says. */
  readonly text: string;
  /** Machine-readable type and code, space-separated. */
  readonly code?: string;
}

/** Words of body or code that decide the kind whatever the status is; the first that matches wins. */
const byWords: readonly (readonly [ErrorKind, RegExp])[] = [
  [
    "quota",
    /insufficient_quota|insufficient[ _](credits?|balance|funds)|quota[ _]?exceeded(?!.*per minute)|exceeded your current quota(?!.*per minute)|billing_(error|hard_limit)|credit balance is too low|out of (credits|budget)|payment required|usage limit (has been )?reached/i,
  ],
  [
    "rate_limit",
    /rate.?limit|too many requests|(tokens|requests) per (minute|day|hour)|throttl|resource_?exhausted/i,
  ],
  ["content_filter", /content_filter|content management policy|responsible_?ai_?policy/i],
  [
    "auth",
    /authentication_error|permission_error|invalid_api_key|(invalid|incorrect|missing|bad|no) (x-)?api.?key|bad key|unauthori[sz]ed/i,
  ],
];

const afterOverflow: readonly (readonly [ErrorKind, RegExp])[] = [
  ["timeout", /timeout_error|timed? ?out|ETIMEDOUT|UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT/i],
  [
    "overloaded",
    /overloaded|server_error|internal_server_error|api_error|service (is )?(temporarily )?unavailable|at capacity|(server|model|engine) is (currently )?busy|upstream (error|connect)|provider returned error|try your request again/i,
  ],
];

const networkWords =
  /fetch failed|failed to fetch|network|connection (error|refused|reset|closed|terminated)|ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|EHOSTUNREACH|ENETUNREACH|socket|terminated|other side closed|premature close|UND_ERR|ERR_(TLS|SSL|HTTP2|CERT)|CERT_|certificate|SELF_SIGNED/i;

export function classify({ status, text, code = "" }: FailureFacts): ErrorKind {
  const words = `${code} ${text}`;
  if (status === 402) return "quota";
  for (const [kind, pattern] of byWords) if (pattern.test(words)) return kind;
  if (status === 429) return "rate_limit";
  if (status === 401 || status === 403) return "auth";
  if (isOverflowText(words) || isBareOverflow(status, text)) return "context_overflow";
  if (status !== undefined && isFinalStatus(status)) return "bad_request";
  for (const [kind, pattern] of afterOverflow) if (pattern.test(words)) return kind;
  if (status !== undefined) return byStatus(status);
  if (networkWords.test(words)) return "network";
  return /invalid_request|not_found/i.test(words) ? "bad_request" : "unknown";
}

/** Some servers answer an oversized prompt with a status and nothing else. */
function isBareOverflow(status: number | undefined, text: string): boolean {
  return status === 413 || (status === 400 && text === "");
}

/** Answered on purpose: the same request would be answered the same way. */
function isFinalStatus(status: number): boolean {
  return status < 500 && ![408, 409, 425].includes(status) && status >= 200;
}

function byStatus(status: number): ErrorKind {
  if (status === 408 || status === 504) return "timeout";
  return status === 409 || status === 425 || status >= 500 ? "overloaded" : "unknown";
}
