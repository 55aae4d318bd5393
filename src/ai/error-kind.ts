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

type Rule = readonly [ErrorKind, RegExp];

/** Words of body or code that decide the kind whatever the status is; the first that matches wins. */
const byWords: readonly Rule[] = [
  // Google says "quota" and "billing" of limits per minute too; then it says when to come back, or per what.
  [
    "rate_limit",
    /(quota|resource)[^]*(retry in [\d.]+ ?(ms|s|m)|per[ _]?(second|minute))|allocated quota exceeded/i,
  ],
  [
    "quota",
    /insufficient[ _](quota|credits?|balance|funds)|quota[ _]?(is )?(exceeded|exhausted)|exceeded[ _](your[ _])?current[ _]quota|out of (credits|budget|funds)|requires more credits|(used|run out of) (all )?(of )?(your |the )?(available |remaining )?(credits|balance)|purchase more credits|top up/i,
  ],
  [
    "quota",
    /billing_(error|hard_limit|not_active)|check your (plan and )?billing|credit (balance|limit)[^.]{0,20}(too low|exceeded|reached|insufficient)|payment required|(usage|spend(ing)?|budget|key) limits?( has)?( been)? (reached|exceeded)|reached (your|its|the)( \w+){0,3} (usage|spend(ing)?|budget) limits?|extra usage is required|arrearage|account is in good standing|no resource package/i,
  ],
  [
    "rate_limit",
    /rate.?limit|too many requests|(tokens|requests) per (minute|day|hour|second)|per.minute|throttl|resource_?exhausted|requests? limit (reached|exceeded)|concurren(t|cy) (requests?|limit)/i,
  ],
  [
    "content_filter",
    /content_?filter|content management policy|responsible_?ai_?policy|content_policy|moderation|was flagged|data_inspection_failed|blocked by [^.]{0,30}(safety|policy)|invalid_prompt/i,
  ],
  ["bad_request", /unsupported_country|not (available|supported) in your (country|region|location)/i],
  [
    "auth",
    /authentication_error|permission_error|invalid_api_key|api_key_invalid|(invalid|incorrect|missing|bad|wrong|no|expired) (x-)?api.?(key|token)|api.?key (is )?(not valid|invalid|expired|missing)|bad key|unauthori[sz]ed|invalid (auth|bearer|access token|subscription key|credentials)/i,
  ],
];

const afterOverflow: readonly Rule[] = [
  [
    "timeout",
    /timeout_error|timed? ?out|deadline_?exceeded|ETIMEDOUT|UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT/i,
  ],
  [
    "overloaded",
    /overloaded|server_?error|internal_server_error|internal server error|api_error|service (is )?(currently |temporarily )?unavailable|temporarily unavailable|service_unavailable|capacity|(server|model|engine|service) is (currently )?(busy|loading)|loading model|upstream (error|connect|request failed)|provider (returned error|disconnected)|bad gateway|gateway timeout|(try|retry) (your request )?again/i,
  ],
];

const networkWords =
  /fetch failed|failed to fetch|load failed|network|connection (error|refused|reset|closed|terminated|lost|broke off)|net::ERR|ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|EHOSTUNREACH|ENETUNREACH|socket|terminated|other side closed|premature(ly)? close|UND_ERR|ERR_(TLS|SSL|HTTP2|CERT|INTERNET|PROXY|NAME)|CERT_|certificate|SELF_SIGNED/i;

export function classify({ status, text, code = "" }: FailureFacts): ErrorKind {
  const words = `${code} ${text}`;
  if (status === 402) return "quota";
  const named = found(byWords, words);
  if (named) return named;
  if (status === 429) return "rate_limit";
  if (status === 401 || status === 403) return "auth";
  if (isOverflowText(words) || isBareOverflow(status, text)) return "context_overflow";
  if (status !== undefined && isFinalStatus(status)) return "bad_request";
  const passing = found(afterOverflow, words);
  if (passing) return passing;
  if (status !== undefined) return byStatus(status);
  if (networkWords.test(words)) return "network";
  return /invalid_request|invalid_argument|not_found/i.test(words) ? "bad_request" : "unknown";
}

function found(rules: readonly Rule[], words: string): ErrorKind | undefined {
  return rules.find(([, pattern]) => pattern.test(words))?.[0];
}

/** Some servers answer an oversized prompt with a status and nothing else. */
function isBareOverflow(status: number | undefined, text: string): boolean {
  return status === 413 || (status === 400 && text === "");
}

/** Statuses below 500 that may pass by themselves; 424 and 498 are those of Bedrock and Groq for a model that has no room. */
const passingStatuses: readonly number[] = [408, 409, 424, 425, 498, 499];

/** Answered on purpose: the same request would be answered the same way. */
function isFinalStatus(status: number): boolean {
  return (status >= 300 && status < 500 && !passingStatuses.includes(status)) || status === 501;
}

/** A success with something that is no answer is the server's way, and will be again. */
function byStatus(status: number): ErrorKind {
  if (status < 300) return "bad_request";
  return status === 408 || status === 504 ? "timeout" : "overloaded";
}
