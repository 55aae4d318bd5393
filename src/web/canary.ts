// Does not compile when Node's or the page's types have leaked into the code that must run in a browser's worker.

type Leaked<T, Name extends string> = T extends Record<Name, unknown> ? true : false;

/** Each must be false; the compiler says so at the line that is not. */
export const leaks: {
  readonly process: false;
  readonly buffer: false;
  readonly document: false;
} = {
  process: false satisfies Leaked<typeof globalThis, "process">,
  buffer: false satisfies Leaked<typeof globalThis, "Buffer">,
  document: false satisfies Leaked<typeof globalThis, "document">,
};
