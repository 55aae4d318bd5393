// Lines that two long texts surely have in common, at which a diff of them can be cut into short ones.

export interface CommonLine {
  readonly oldLine: number;
  readonly newLine: number;
}

/** The most lines that are once in both and in the same order in both. 0-based. */
export function commonOnce(oldLines: readonly string[], newLines: readonly string[]): readonly CommonLine[] {
  const inOld = placesOf(oldLines);
  const inNew = placesOf(newLines);
  const common: CommonLine[] = [];
  for (const [line, oldLine] of inOld) {
    const newLine = inNew.get(line) ?? -1;
    if (oldLine >= 0 && newLine >= 0) common.push({ oldLine, newLine });
  }
  return longestRising(common);
}

/** Where each line is; -1 for one that is there several times. In the order of the lines. */
function placesOf(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  lines.forEach((line, at) => places.set(line, places.has(line) ? -1 : at));
  return places;
}

/** `common` rises in `oldLine`; the longest part of it that rises in `newLine` too (patience sorting). */
function longestRising(common: readonly CommonLine[]): CommonLine[] {
  /** For each length the index of the one that a chain of that length ends with at the earliest line. */
  const ends: number[] = [];
  const before: number[] = [];
  common.forEach(({ newLine }, index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((common[ends[middle] ?? 0]?.newLine ?? 0) < newLine) low = middle + 1;
      else high = middle;
    }
    before.push(ends[low - 1] ?? -1);
    ends[low] = index;
  });
  const chain: CommonLine[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const line = common[at];
    if (line !== undefined) chain.push(line);
  }
  return chain.reverse();
}
