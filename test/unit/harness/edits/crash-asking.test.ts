// Proof that a window may die while the user answers what is asked: each file is what it was or what was allowed, the
// session says which, nothing is done twice, and everything can still be put back.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, it } from "mocha";
import type { SessionBook } from "../../../../src/harness/sessions.ts";
import { runs } from "../../../support/properties.ts";
import { text } from "../../../support/scripted-stream.ts";
import { openDiskSession } from "../checkpoints/disk-session.ts";
import { putStartFiles, runAsking, startFiles } from "./asking-run.ts";

const child = fileURLToPath(new URL("./asking-child.ts", import.meta.url));
const places = [...Object.keys(startFiles), "deep/b.txt", "deep/n.txt"];

async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "reins-asking-")));
  try {
    putStartFiles(folder);
    return await act(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function countSteps(): Promise<number> {
  return inFolder(async (folder) => {
    let steps = 0;
    await runAsking(
      folder,
      () => Promise.resolve(void (steps += 1)),
      () => 0,
    );
    assert.deepEqual(onDisk(folder), [
      "ONE\nkept\nTHREE\n",
      undefined,
      undefined,
      "new",
      startFiles["m.txt"],
    ]);
    return steps;
  });
}

/** From the given step on nothing happens any more in that window. Where a run had fewer steps, it just ended. */
async function freezeAt(folder: string, at: number): Promise<void> {
  let steps = 0;
  const frozen = Promise.withResolvers<void>();
  let isFrozen = false;
  const onStep = async () => {
    if (++steps < at) return;
    isFrozen = true;
    frozen.resolve();
    await new Promise(() => undefined);
  };
  const run = runAsking(
    folder,
    onStep,
    () => at % 4,
    () => isFrozen,
  );
  await Promise.race([frozen.promise, run]);
}

async function killAt(folder: string, ...when: readonly number[]): Promise<void> {
  const run = spawn(process.execPath, [child, folder, ...when.map(String)], { stdio: "ignore" });
  const [code, signal] = (await once(run, "exit")) as [number | null, string | null];
  assert.ok(signal === "SIGKILL" || code === 0, `exit code ${code}`);
}

function onDisk(folder: string): (string | undefined)[] {
  return places.map((name) => {
    const file = path.join(folder, "work", name);
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
  });
}

/** What the session says of each call is what the disk says. */
function checkTold(folder: string, book: SessionBook): void {
  const [a = "", d, m, b, n] = onDisk(folder);
  const accepted = ["ONE", "THREE"].filter((part) => a.includes(part)).length;
  assert.match(a, /^(one|ONE)\nkept\n(three|THREE)\n$/);
  assert.ok([undefined, startFiles["d.txt"]].includes(d));
  assert.ok([undefined, "new"].includes(b));
  assert.deepEqual(
    [m, n].filter((each) => each !== undefined),
    [startFiles["m.txt"]],
    "moved once, or not at all",
  );
  const done = { c1: accepted > 0, c2: b !== undefined, c3: d === undefined, c4: m === undefined };
  for (const [id, isDone] of Object.entries(done)) {
    const told = resultOf(book, id);
    if (told === undefined) assert.ok(!isDone, `${id} is done, and the session does not know of it`);
    else if (told.includes("Interrupted")) {
      assert.equal(/at least in part|accepted is in|changes are in/.test(told), isDone, `${id}: ${told}`);
      const count = /(\d) of 2 changes are in/.exec(told)?.[1];
      if (count !== undefined) assert.equal(Number(count), accepted, told);
      if (id === "c4" && isDone) assert.match(told, /m\.txt and deep\/n\.txt were changed/);
    } else assert.ok(isDone, `${id}: ${told}`);
  }
}

function resultOf(book: SessionBook, id: string): string | undefined {
  const found = book.current.transcript.messages.find(
    ({ message }) => message.role === "toolResult" && message.toolCallId === id,
  );
  return found && "content" in found.message ? JSON.stringify(found.message.content) : undefined;
}

async function checkAfter(folder: string): Promise<void> {
  const book = await openDiskSession(folder, [text("I see.")], undefined, "ask");
  checkTold(folder, book);
  const before = onDisk(folder);
  const prompt = book.current.transcript.messages.find(({ message }) => message.role === "user");
  if (prompt !== undefined) {
    if (book.current.interrupted) await book.current.continue();
    assert.deepEqual(onDisk(folder), before, "something was done again");
    const plan = await book.current.checkpoints.plan({ type: "message", id: prompt.id });
    assert.deepEqual(plan.uncovered, []);
    const { failed } = await book.current.checkpoints.restore(
      plan,
      plan.files.map(({ uri }) => uri),
    );
    assert.deepEqual(failed, []);
    assert.deepEqual(onDisk(folder), [...Object.values(startFiles), undefined, undefined]);
  }
  await book.current.flush();
  book.dispose();
}

async function dieAt(die: (folder: string) => Promise<void>, what: string): Promise<void> {
  await inFolder(async (folder) => {
    await die(folder);
    await checkAfter(folder);
  }).catch((error: unknown) => {
    throw new Error(`It died at ${what}`, { cause: error });
  });
}

describe("A window that dies while the user answers", function () {
  this.timeout(60_000);

  it("at any step leaves each file before or after, tells which, and can put all back", async () => {
    const steps = await countSteps();
    assert.ok(steps > 30, `${steps} steps`);
    const each = Array.from({ length: steps }, (_, index) => index + 1);
    await Promise.all(each.map((at) => dieAt((folder) => freezeAt(folder, at), `step ${at}`)));
  });

  it("by SIGKILL, at random moments between steps, too", async () => {
    const steps = await countSteps();
    const moment = fc.record({ at: fc.integer({ min: 1, max: steps }), turns: fc.nat(6), pause: fc.nat(5) });
    const moments = fc.sample(moment, runs(2));
    const kill = ({ at, turns, pause }: (typeof moments)[number]) =>
      dieAt(
        (folder) => killAt(folder, at, turns, pause),
        `step ${at}, ${turns} turns later, answers after ${pause}`,
      );
    await Promise.all(moments.map(kill));
  });
});
