// Property: whatever the user types, and whenever (between decisions, while one is read, applied or saved), no line of
// theirs is lost, and what does not overlap ends as it was proposed.
import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { splitLines } from "../../../../src/harness/proposals/lines.ts";
import { Proposals } from "../../../../src/harness/proposals/proposals.ts";
import type { ProposalDecision } from "../../../../src/harness/proposals/types.ts";
import type { TextApplied, TextChange, TextSnapshot } from "../../../../src/harness/ports.ts";
import { UserError } from "../../../../src/shared/errors.ts";
import { MemoryFiles } from "../../../support/memory-files.ts";
import { runs } from "../../../support/properties.ts";
import { until } from "../../../support/until.ts";
import { lineEdits } from "../proposals/arbitrary-texts.ts";

const uri = "memory:///work/a.txt";

/** Files that the user types into before and after every step of an acceptance. */
class BusyFiles extends MemoryFiles {
  meanwhile: () => void = () => undefined;
  onApplied: (text: string) => void = () => undefined;

  override async readText(place: string): Promise<TextSnapshot> {
    this.meanwhile();
    const snapshot = await super.readText(place);
    this.meanwhile();
    return snapshot;
  }

  override async applyText(change: TextChange): Promise<TextApplied> {
    this.meanwhile();
    const applied = await super.applyText(change);
    this.onApplied(applied.text);
    this.meanwhile();
    return applied;
  }
}

/** Where a line is typed, and whether another program wrote it to the disk instead. */
const typing = fc.record({ at: fc.nat(14), onDisk: fc.boolean() });
const steps = fc.array(
  fc.oneof(
    typing.map((place) => ({ type: "type" as const, ...place })),
    fc.nat(14).map((at) => ({ type: "propose" as const, at })),
    fc.nat(5).map((index) => ({ type: "acceptHunk" as const, index })),
    fc.nat(5).map((index) => ({ type: "rejectHunk" as const, index })),
    fc.constantFrom({ type: "acceptAll" as const }, { type: "saving fails" as const }),
  ),
  { maxLength: 6 },
);
type Step = typeof steps extends fc.Arbitrary<(infer T)[]> ? T : never;
type Typing = typeof typing extends fc.Arbitrary<infer T> ? T : never;

class Sitting {
  readonly typed: string[] = [];
  readonly own: string[] = [];
  overlapped = false;
  private readonly files: BusyFiles;
  private readonly end: string;
  private readonly book: Proposals;
  private readonly abort = new AbortController();

  constructor(base: string) {
    this.end = base.includes("\r\n") ? "\r\n" : "\n";
    this.files = new BusyFiles({ [uri]: base });
    this.book = new Proposals(this.files);
    this.files.onApplied = (text) => this.tell(text);
  }

  async open(proposed: string): Promise<void> {
    const base = await this.files.readText(uri);
    const label = { toolCallId: "call", uri, path: "a.txt", kind: "edit" as const };
    const onChange = ({ hunks }: { hunks: readonly { status: string }[] }) => {
      this.overlapped ||= hunks.some(({ status }) => status === "conflict");
    };
    let ended = false;
    void this.book
      .propose({ ...label, base, text: proposed }, { signal: this.abort.signal, auto: false, onChange })
      .then(() => (ended = true));
    await until(() => ended || this.book.pending.length > 0);
  }

  typeMeanwhile(all: readonly Typing[]): void {
    const left = [...all];
    this.files.meanwhile = () => {
      const next = left.shift();
      if (next !== undefined) this.type(next);
    };
  }

  async take(step: Step): Promise<void> {
    if (step.type === "type") return this.type(step);
    if (step.type === "saving fails") this.files.saveError = "The disk is full.";
    else if (step.type === "propose") this.propose(step.at);
    else if (step.type === "acceptAll") await this.decide(step);
    else await this.decide(this.ofHunk(step));
  }

  /** Until nothing is left that can be accepted. */
  async finish(): Promise<void> {
    this.files.meanwhile = () => undefined;
    await this.decide({ type: "acceptAll" });
    const left = this.book.pending.flatMap(({ view }) => view.hunks.map(({ status }) => status));
    assert.ok(!left.includes("pending"), "something was not accepted");
    this.abort.abort();
  }

  get text(): string {
    return this.files.unsaved[0]?.text ?? this.files.onDisk(uri) ?? "";
  }

  private type({ at, onDisk }: Typing): void {
    const line = `user ${this.typed.length}${this.end}`;
    const text = inserted(this.text, at, line);
    this.typed.push(line);
    if (onDisk && this.files.unsaved.length === 0) this.files.write(uri, text);
    else this.files.type(uri, text);
    this.tell(text);
  }

  /** Into the proposed side; not into a conflict, which that would decide. */
  private propose(at: number): void {
    const open = this.book.pending[0];
    if (open === undefined || open.view.hunks.some(({ status }) => status === "conflict")) return;
    const line = `own ${this.own.length}${this.end}`;
    this.own.push(line);
    this.book.proposedTextChanged(open.view.id, inserted(open.proposedText, at, line));
  }

  private ofHunk({ type, index }: { type: "acceptHunk" | "rejectHunk"; index: number }): ProposalDecision {
    const hunks = this.book.pending[0]?.view.hunks.filter(({ status }) => status === "pending") ?? [];
    return { type, hunkId: hunks[index]?.id ?? "none" };
  }

  /** It may be refused, for example where the text changed just then; nothing is lost by that. */
  private async decide(decision: ProposalDecision): Promise<void> {
    try {
      await this.book.decide(this.book.pending[0]?.view.id ?? "", decision);
    } catch (error) {
      assert.ok(error instanceof UserError, String(error));
    }
  }

  private tell(text: string): void {
    for (const { view } of this.book.pending) this.book.documentTextChanged(view.id, text);
  }
}

/** Never behind a last line without a line end, which would make two lines one. */
function inserted(text: string, at: number, line: string): string {
  const lines = splitLines(text);
  const open = lines.length > 0 && !/[\r\n]$/.test(text);
  return lines.toSpliced(Math.min(at, lines.length - (open ? 1 : 0)), 0, line).join("");
}

const without = (text: string, lines: readonly string[]) =>
  splitLines(text)
    .filter((line) => !lines.some((each) => each.trim() === line.trim()))
    .join("")
    .replace(/\r?\n$/, "");

describe("Typing while a proposal waits and while it is applied", function () {
  this.timeout(20_000);

  it("never loses a line of the user's, and what is accepted is what was proposed where nothing overlaps", async () => {
    let compared = 0;
    const property = fc.asyncProperty(
      ...([lineEdits, steps, fc.array(typing, { maxLength: 5 })] as const),
      async ({ base, next }, all, meanwhile) => {
        const sitting = new Sitting(base);
        await sitting.open(next);
        sitting.typeMeanwhile(meanwhile);
        for (const step of all) await sitting.take(step);
        await sitting.finish();
        const now = splitLines(sitting.text).map((line) => line.trim());
        for (const line of sitting.typed)
          assert.equal(
            now.filter((each) => each === line.trim()).length,
            1,
            `${line.trim()} is lost or twice`,
          );
        if (sitting.overlapped || all.some(({ type }) => type === "rejectHunk")) return;
        compared += 1;
        assert.equal(without(sitting.text, [...sitting.typed, ...sitting.own]), without(next, []));
      },
    );
    await fc.assert(property, { numRuns: runs(400) });
    assert.ok(compared > 50, `only ${compared} were compared`);
  });
});
