// A run in which everything is asked, in a folder on the disk: an edit in two places, a new file, a deletion and a move; and
// a user who allows it all, hunk by hunk, each after a moment of their own.
import fs from "node:fs";
import path from "node:path";
import type { PendingDecision } from "../../../../src/harness/approvals/types.ts";
import type { CodingSession } from "../../../../src/harness/types.ts";
import { text, toolCalls } from "../../../support/scripted-stream.ts";
import { openDiskSession } from "../checkpoints/disk-session.ts";
import type { OnStep } from "../checkpoints/disk-session.ts";

export const startFiles: { readonly [name: string]: string } = {
  "a.txt": "one\nkept\nthree\n",
  "d.txt": "to be deleted\n",
  "m.txt": "to be moved\n",
};

const edits = [
  { oldText: "one", newText: "ONE" },
  { oldText: "three", newText: "THREE" },
];

const turns = [
  toolCalls({ id: "c1", name: "edit", args: { path: "a.txt", edits } }),
  toolCalls({ id: "c2", name: "write", args: { path: "deep/b.txt", content: "new" } }),
  toolCalls({ id: "c3", name: "delete", args: { path: "d.txt" } }),
  toolCalls({ id: "c4", name: "move", args: { from: "m.txt", to: "deep/n.txt" } }),
  text("done"),
];

export function putStartFiles(folder: string): void {
  fs.mkdirSync(path.join(folder, "work"));
  for (const [name, content] of Object.entries(startFiles)) {
    fs.writeFileSync(path.join(folder, "work", name), content);
  }
}

/** `pause`: turns of the event loop until the next answer. `isDead`: the user gives up. */
export async function runAsking(
  folder: string,
  onStep: OnStep,
  pause: () => number,
  isDead: () => boolean = () => false,
): Promise<void> {
  const book = await openDiskSession(folder, turns, onStep, "ask");
  let ended = false;
  const run = book.current.prompt("change all").finally(() => (ended = true));
  for (let left = pause(); !ended && !isDead(); left -= 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const [decision] = book.current.decisions;
    if (decision === undefined || left > 0) continue;
    await allow(book.current, decision);
    left = pause();
  }
  if (isDead()) return;
  await run;
  await book.current.flush();
  book.dispose();
}

async function allow(session: CodingSession, decision: PendingDecision): Promise<void> {
  if (decision.type === "approval") return session.answerApproval(decision.request.id, { type: "allowOnce" });
  const { id, hunks } = decision.proposal;
  const hunk = hunks.find(({ status }) => status === "pending");
  if (hunk !== undefined) await session.proposals.decide(id, { type: "acceptHunk", hunkId: hunk.id });
}
