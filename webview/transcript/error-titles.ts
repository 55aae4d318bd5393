// What a failed request is called, in a few words. What to do about it is its own text's and its card's business.
import type { ErrorKind } from "../../src/ai/types.ts";

export const errorTitles: { readonly [kind in ErrorKind]: string } = {
  auth: "The key was not accepted",
  quota: "The account has no quota left",
  rate_limit: "Too many requests",
  overloaded: "The service is overloaded or failing",
  context_overflow: "The conversation is too long for this model",
  bad_request: "The service refused the request",
  network: "The connection failed",
  timeout: "The service stopped answering",
  content_filter: "The answer was blocked by the provider's filter",
  malformed_stream: "The answer broke off",
  unknown: "Something went wrong",
};
