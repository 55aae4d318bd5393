/** Ends a switch over a closed union: a new member does not compile until it is handled. Throws when reached. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
