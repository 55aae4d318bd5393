// Keeps text that would stall the browser's layout out of it.

/** Characters with more combining marks than any script uses lose the rest: shaping them costs quadratic time. */
export function limitStackedMarks(text: string): string {
  return text.replace(/(\p{M}{32})\p{M}+/gu, "$1");
}
