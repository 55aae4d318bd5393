// Edits in plain Node, over files in memory: many replacements in a large file, a long rewrite, and a review of many files.
// Each beside the same work on half of it: what is linear has a ratio of 2.
import { createProposal, changeDocument, proposedTextOf } from "../../../src/harness/proposals/proposal.ts";
import { Proposals } from "../../../src/harness/proposals/proposals.ts";
import { ApprovalGate } from "../../../src/harness/approvals/gate.ts";
import { Decisions } from "../../../src/harness/approvals/decisions.ts";
import { MemoryFiles } from "../../support/memory-files.ts";
import { until } from "../../support/until.ts";
import { textOf, ToolBench } from "../../unit/harness/tools/tool-bench.ts";
import type { Measure } from "../measures.ts";

const runs = 3;
const megabytes = 5;
const replacements = 50;
const rewritten = 20_000;
const reviewed = 200;

export async function measureEdits(): Promise<Measure[]> {
  return [
    await row(`edit, ${replacements} exact replacements in ${megabytes} MB`, (share) =>
      editLarge(share, (line) => line),
    ),
    await row(`edit, ${replacements} replacements with other blanks`, (share) =>
      editLarge(share, (line) => line.replace("\n", "  \n")),
    ),
    await row(`edit, ${replacements} replacements with other indentation`, (share) =>
      editLarge(share, (line) => line.replaceAll(/^ {2}/gm, "")),
    ),
    await row(`hunks of a rewrite of ${rewritten} lines, every 4th new`, (share) => {
      const { before, after } = rewrite(share, 4);
      return () => done(createProposal(before, after, false).entries.length === (rewritten / 4) * share);
    }),
    await row(`hunks of a rewrite of ${rewritten} lines, all new`, (share) => {
      const { before, after } = rewrite(share, 1);
      return () => done(createProposal(before, after, false).entries.length === 1);
    }),
    await row(`a key typed beside the ${rewritten / 4} hunks of that rewrite`, (share) => {
      const { before, after } = rewrite(share, 4);
      const state = createProposal(before, after, false);
      const typed = before.replace("line 1 ", "line 1! ");
      return () => done(proposedTextOf(changeDocument(state, typed)).includes("line 1! "));
    }),
    await row(
      `review of ${reviewed} files opened, panel told`,
      (share) => () => review(reviewed * share, false),
    ),
    await row(
      `a key typed in each of the ${reviewed} files`,
      (share) => () => review(reviewed * share, true),
    ),
  ];
}

type Prepare = (
  share: number,
) => (() => Promise<number | undefined>) | Promise<() => Promise<number | undefined>>;

/** A run that gives a number was measured by itself. */
async function row(name: string, prepare: Prepare): Promise<Measure> {
  const half = await median(await prepare(0.5));
  const value = await median(await prepare(1));
  return {
    name: `Edits: ${name}`,
    unit: "ms",
    value,
    of: `half of it ${half.toFixed(1)} ms, ratio ${(value / half).toFixed(2)}`,
  };
}

async function median(run: () => Promise<number | undefined>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n <= runs; n += 1) {
    const started = performance.now();
    const own = await run();
    if (n > 0) times.push(own ?? performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? NaN;
}

function done(asExpected: boolean): Promise<undefined> {
  if (!asExpected) throw new Error("The result is not what it should be.");
  return Promise.resolve(undefined);
}

/** Through the tool, accepted at once. */
function editLarge(share: number, spell: (lines: string) => string): () => Promise<undefined> {
  const lines: string[] = [];
  for (let length = 0; length < megabytes * share * 1024 * 1024; length += lines.at(-1)?.length ?? 0) {
    lines.push(`    const value${lines.length} = compute(first, second); // as before\n`);
  }
  const edits = Array.from({ length: replacements }, (_, n) => {
    const at = Math.floor(((n + 0.5) * lines.length) / replacements);
    return { oldText: spell(lines.slice(at, at + 2).join("")), newText: `    const other${n} = 1;\n` };
  });
  const text = lines.join("");
  return async () => {
    const bench = new ToolBench({ "a.ts": text }, { approvalEdits: "auto", editUnread: true });
    const outcome = await bench.call("edit", { path: "a.ts", edits });
    if (outcome.isError === true) throw new Error(textOf(outcome));
    return undefined;
  };
}

function rewrite(share: number, every: number) {
  const before = Array.from({ length: rewritten * share }, (_, n) => `line ${n} of the file\n`);
  const after = before.map((line, n) => (n % every === 0 ? `other ${n}\n` : line));
  return { before: before.join(""), after: after.join("") };
}

/** Files of 300 lines with ten hunks each. Every change is looked at as the panel and the review do. */
async function review(count: number, typing: boolean): Promise<number> {
  const uris = Array.from({ length: count }, (_, n) => `memory:/work/f${n}.ts`);
  const before = rewrite(300 / rewritten, 30);
  const files = new MemoryFiles(Object.fromEntries(uris.map((uri) => [uri, before.before])));
  const book = new Proposals(files);
  const decisions = new Decisions(new ApprovalGate(), book);
  let seen = 0;
  decisions.onDidChange(() => (seen = decisions.pending.length));
  const abort = new AbortController();
  let started = performance.now();
  for (const uri of uris) {
    const base = await files.readText(uri);
    const label = { toolCallId: uri, uri, path: uri, kind: "edit" as const };
    void book.propose(
      { ...label, base, text: before.after },
      { signal: abort.signal, auto: false, onChange: () => undefined },
    );
  }
  await until(() => seen === count);
  if (typing) {
    started = performance.now();
    for (const uri of uris) {
      const own = book.pending.filter((each) => each.view.uri === uri);
      for (const { view } of own)
        book.documentTextChanged(view.id, before.before.replace("line 1 ", "line 1! "));
    }
  }
  const time = performance.now() - started;
  abort.abort();
  await until(() => book.pending.length === 0);
  decisions.dispose();
  return time;
}
