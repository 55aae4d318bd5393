// Errors as values for people. A UserError carries a text that may be shown as it is.

/** A failure whose message names the next step and may be shown to a person unchanged. */
export class UserError extends Error {
  override readonly name = "UserError";
}

/** A text is not any more what a change of it was made on; nothing was changed. Worth another look and another try. */
export class ChangedMeanwhileError extends UserError {}

/** The message of anything thrown, without a stack. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  return typeof error === "string" ? error : (JSON.stringify(error) ?? String(error));
}

/** Whether this is the rejection of an aborted operation rather than a failure. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

export function abortError(message = "Operation aborted"): Error {
  const error = new Error(message);
  error.name = "AbortError";
  return error;
}
