// How long a provider asks to wait, where it says so in words only: many do, and an error within a stream has no headers.

const unitMs: { readonly [unit: string]: number } = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** "Please retry in 37.5s", "try again in 7m12.5s", "wait 3600 seconds before retrying". */
const asked =
  /(?:retry|again|wait)(?: (?:in|after|for|about))? ((?:[\d.]+ ?(?:ms|millisecond|h(?:our)?|m(?:in(?:ute)?)?|s(?:ec(?:ond)?)?)s?\b ?)+|(?:[\d.]+(?:ms|[hms]))+)/i;

/** Milliseconds; undefined where nothing is said that can be understood. */
export function waitInWords(text: string): number | undefined {
  const said = asked.exec(text)?.[1];
  if (said === undefined) return undefined;
  let sum = 0;
  for (const [, amount = "", unit = ""] of said.matchAll(/([\d.]+) ?(ms|milli|[hms])/gi)) {
    sum +=
      Number(amount) * (unitMs[unit.toLowerCase() === "milli" ? "ms" : unit.toLowerCase()] ?? Number.NaN);
  }
  return Number.isFinite(sum) ? Math.ceil(sum) : undefined;
}
