// Looks through an error and its causes: the SDKs and fetch wrap what really happened.
import { errorText } from "../shared/errors.ts";

/** Causes of causes that are looked at. */
const maxDepth = 8;

/** Outermost first; what is no error is the last of them. */
export function errorChain(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let error = thrown; error !== undefined && error !== null && chain.length < maxDepth;) {
    chain.push(error);
    error = error instanceof Error ? error.cause : undefined;
  }
  return chain;
}

export function findCause(thrown: unknown, matches: (error: Error) => boolean): Error | undefined {
  return errorChain(thrown).find((error): error is Error => error instanceof Error && matches(error));
}

/** The texts and codes of an error and its causes, outermost first, without repeats. */
export function causes(thrown: unknown): string {
  const texts: string[] = [];
  for (const error of errorChain(thrown)) {
    for (const text of [errorText(error), textOf(error, "code")]) {
      if (text !== "" && !texts.some((known) => known.includes(text))) texts.push(text);
    }
  }
  return texts.join(": ");
}

/** For the log: every error of the chain with its name and code. */
export function rawChain(thrown: unknown): string {
  return errorChain(thrown)
    .map((error) => {
      const name = error instanceof Error ? error.name : typeof error;
      const code = textOf(error, "code");
      return `${name}${code === "" ? "" : ` [${code}]`}: ${errorText(error)}`;
    })
    .join(" <- ");
}

/** A property that is a text; numbers as text; else "". */
export function textOf(error: unknown, name: string): string {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
