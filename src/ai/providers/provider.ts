// What every provider is given for one response, and the one adaptation a refused request may get.
import { HttpFailure } from "../errors.ts";
import type { PartialMessage } from "../partial-message.ts";
import type { Model, ModelRequest, StreamOptions } from "../types.ts";
import type { WatchedFetch } from "./watched-fetch.ts";

export interface ProviderRun {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly options: StreamOptions;
  /** Where everything that arrives goes. The provider finishes it, or throws. */
  readonly partial: PartialMessage;
  /** Aborted by the user, by the idle limit, and when the response has ended. */
  readonly signal: AbortSignal;
  readonly wire: WatchedFetch;
  /** A sign of life, for what does not come through `wire`: silence is counted from the last one. */
  readonly alive: () => void;
  /** Running in a browser: the SDKs must be told that this is meant. */
  readonly web: boolean;
}

/** Resolves when the stream has been read; rejects with whatever went wrong. */
export type Provider = (run: ProviderRun) => Promise<void>;

/** Each takes one refused part away. */
const maxAdaptations = 3;

/**
 * Opens with `body`; when that is refused as a bad request and `adapt` knows a body without the refused part, again
 * with that.
 */
export async function openAdapted<Body, Result>(
  body: Body,
  open: (body: Body) => Promise<Result>,
  adapt: (refusal: string, body: Body) => Body | undefined,
): Promise<Result> {
  for (let sent = body, left = maxAdaptations; ; left -= 1) {
    try {
      return await open(sent);
    } catch (error) {
      const refusal = left > 0 ? refusalText(error) : undefined;
      const adapted = refusal === undefined ? undefined : adapt(refusal, sent);
      if (adapted === undefined) throw error;
      sent = adapted;
    }
  }
}

function refusalText(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 6; depth += 1) {
    if (cause instanceof HttpFailure)
      return cause.status === 400 || cause.status === 422 ? cause.body : undefined;
    cause = cause.cause;
  }
  return undefined;
}
