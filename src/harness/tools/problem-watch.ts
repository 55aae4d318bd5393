// Which problems a change made and which it fixed: what the editor showed right before it, against what it shows once
// language servers and linters are quiet again. What has only moved is no news.
import type { Disposable } from "../../shared/disposable.ts";
import { contentChanges, splitLines } from "../proposals/lines.ts";
import type { Clock, Diagnostics, Problem } from "../ports.ts";

/** Milliseconds without news after which everyone is taken to be done. */
const quietMs = 400;
/** Milliseconds in which whoever reports on files of this kind has to say a first word. */
const firstWordMs = 1_500;
/** After so many edits on which nobody said a word, nobody is waited for. */
const silentEdits = 2;
/** Milliseconds in all. */
const longestMs = 3_000;

export interface ProblemChange {
  readonly added: readonly Problem[];
  readonly fixed: readonly Problem[];
}

/** A text before and after. */
export interface ChangedText {
  readonly uri: string;
  readonly before: string;
  readonly after: string;
}

/** On which kinds of files somebody has reported in this session. */
export class ProblemSources {
  /** Edits in a row on which nobody said a word, by kind. */
  private readonly silent = new Map<string, number>();

  isExpected(uri: string): boolean {
    return (this.silent.get(kindOf(uri)) ?? 0) < silentEdits;
  }

  note(uri: string, heard: boolean): void {
    const kind = kindOf(uri);
    this.silent.set(kind, heard ? 0 : (this.silent.get(kind) ?? 0) + 1);
  }
}

/** Remembers the problems of now; `changes` tells what became of them. */
export class ProblemWatch {
  private readonly diagnostics: Diagnostics;
  private readonly clock: Clock;
  private readonly sources: ProblemSources;
  private readonly uri: string;
  private readonly before: readonly Problem[];
  private readonly listener: Disposable;
  private heard = false;
  private onNews: () => void = () => undefined;

  /** `uri`: the file that is about to change. */
  constructor(ports: { diagnostics: Diagnostics; clock: Clock }, sources: ProblemSources, uri: string) {
    this.diagnostics = ports.diagnostics;
    this.clock = ports.clock;
    this.sources = sources;
    this.uri = uri;
    this.before = this.diagnostics.current();
    this.listener = this.diagnostics.onDidChange(() => {
      this.heard = true;
      this.onNews();
    });
  }

  /** Waits until nothing more is said, three seconds at most; less when `signal` fires. */
  async changes(text: ChangedText, signal: AbortSignal): Promise<ProblemChange> {
    try {
      if (this.heard || this.sources.isExpected(this.uri)) await this.quiet(signal);
      this.sources.note(this.uri, this.heard);
      return compareProblems(this.before, this.diagnostics.current(), text);
    } finally {
      this.dispose();
    }
  }

  dispose(): void {
    this.listener.dispose();
  }

  private quiet(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        longest.dispose();
        pause.dispose();
        this.onNews = () => undefined;
        signal.removeEventListener("abort", end);
        resolve();
      };
      const wait = (ms: number) => this.clock.schedule(ms, end);
      const longest = wait(longestMs);
      let pause = wait(this.heard ? quietMs : firstWordMs);
      this.onNews = () => {
        pause.dispose();
        pause = wait(quietMs);
      };
      signal.addEventListener("abort", end);
      if (signal.aborted) end();
    });
  }
}

/** Problems are the same if place, source, code and message are, wherever in the file the change has moved them. */
export function compareProblems(
  before: readonly Problem[],
  after: readonly Problem[],
  text: ChangedText,
): ProblemChange {
  const moved = mapLines(text);
  const left = new Map<string, { readonly problem: Problem; readonly line: number }[]>();
  for (const problem of before) {
    const line = problem.uri === text.uri ? moved(problem.line) : problem.line;
    const same = left.get(keyOf(problem));
    if (same) same.push({ problem, line });
    else left.set(keyOf(problem), [{ problem, line }]);
  }
  const take = (problem: Problem, farthest: number) => {
    const same = left.get(keyOf(problem)) ?? [];
    const distance = (at: { readonly line: number }) => Math.abs(at.line - problem.line);
    const [nearest] = [...same].sort((a, b) => distance(a) - distance(b));
    if (nearest === undefined || distance(nearest) > farthest) return false;
    return same.splice(same.indexOf(nearest), 1).length > 0;
  };
  // Those that stand exactly where they belong first: of several like it, the odd one out is the new one.
  const elsewhere = after.filter((problem) => !take(problem, 0));
  const added = elsewhere.filter((problem) => !take(problem, Infinity));
  return { added, fixed: [...left.values()].flat().map(({ problem }) => problem) };
}

/** Where a line (1-based) of the text before is in the text after; within a change, where the change is. */
function mapLines({ before, after }: ChangedText): (line: number) => number {
  const changes = contentChanges(splitLines(before), splitLines(after));
  return (line) => {
    let shift = 0;
    for (const change of changes) {
      if (change.oldStart >= line) break;
      if (change.oldEnd >= line) return Math.min(line + shift, Math.max(change.newStart, change.newEnd));
      shift = change.newEnd - change.oldEnd;
    }
    return line + shift;
  };
}

function keyOf({ uri, severity, message, source = "", code = "" }: Problem): string {
  return JSON.stringify([uri, severity, source, code, message]);
}

/** Files of one kind are mostly one server's business. */
function kindOf(uri: string): string {
  return /\.[^./]*$/.exec(uri)?.[0].toLowerCase() ?? "";
}
