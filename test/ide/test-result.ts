// How a suite, wherever it runs, tells its counts to the process that adds them up: one marked line of output.

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const mark = "REINS-RESULT ";

/** The part of mocha's statistics that is counted, in Node and in a browser. */
interface Stats {
  readonly passes?: number;
  readonly failures?: number;
  readonly pending?: number;
}

export function resultLine(stats: Stats | undefined): string {
  const counts: Counts = {
    passed: stats?.passes ?? 0,
    failed: stats?.failures ?? 1,
    skipped: stats?.pending ?? 0,
  };
  return mark + JSON.stringify(counts);
}

/** The counts if `line` is a result line. */
export function parseResultLine(line: string): Counts | undefined {
  const at = line.indexOf(mark);
  // Written by resultLine above, in a process of this same test run.
  return at < 0 ? undefined : (JSON.parse(line.slice(at + mark.length)) as Counts);
}

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

export const noCounts: Counts = { passed: 0, failed: 0, skipped: 0 };

const printMark = "REINS-PRINTS ";

/** Marks what a suite inside VS Code prints, because VS Code's own log arrives through the same channel. */
export function markAsPrinted(text: string): string {
  return text
    .split("\n")
    .map((line) => printMark + line)
    .join("\n");
}

/** What a suite printed if `line` is that, without its mark; otherwise it is VS Code's own. */
export function printedBySuite(line: string): string | undefined {
  if (!line.includes(printMark)) return undefined;
  return line
    .split("\n")
    .map((each) => each.slice(each.indexOf(printMark) + printMark.length))
    .join("\n");
}
