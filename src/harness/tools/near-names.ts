// Names that someone who wrote a wrong one may have meant.

/** The closest ones first, at most `count`. */
export function nearNames(name: string, names: readonly string[], count = 5): string[] {
  return names
    .map((candidate) => ({ candidate, distance: nameDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, name.length / 3))
    .sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate))
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** Same name but for its extension counts as one edit; otherwise edits between the two. */
function nameDistance(a: string, b: string): number {
  if (a === b) return 0;
  return stem(a) === stem(b) ? 1 : editDistance(a, b);
}

function stem(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let k = 1; k <= b.length; k += 1) {
      const replace = (row[k - 1] ?? 0) + (a[i - 1] === b[k - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[k] ?? 0) + 1, (next[k - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
