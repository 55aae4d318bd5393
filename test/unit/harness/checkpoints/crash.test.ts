// Proof that a window may die at any step of a change: each file is what it was or what it was to be, the session says
// which, nothing is applied twice, and everything can still be put back.
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
import { crashTurns } from "./crash-turns.ts";
import { openDiskSession } from "./disk-session.ts";

const child = fileURLToPath(new URL("./crash-child.ts", import.meta.url));

function newFolder(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "reins-crash-")));
  fs.mkdirSync(path.join(folder, "work"));
  fs.writeFileSync(path.join(folder, "work", "a.txt"), "one");
  return folder;
}

const read = (folder: string, name: string): string | undefined => {
  const file = path.join(folder, "work", name);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
};

/** Steps that a whole run has. */
async function countSteps(): Promise<number> {
  const folder = newFolder();
  let steps = 0;
  const book = await openDiskSession(folder, crashTurns, () => Promise.resolve(void (steps += 1)));
  await book.current.prompt("change both");
  await book.current.flush();
  book.dispose();
  fs.rmSync(folder, { recursive: true });
  return steps;
}

/** Runs until the given step, from which on nothing happens any more in that window. */
async function freezeAt(folder: string, at: number): Promise<void> {
  let steps = 0;
  const frozen = Promise.withResolvers<void>();
  const book = await openDiskSession(folder, crashTurns, async () => {
    if (++steps < at) return;
    frozen.resolve();
    await new Promise(() => undefined);
  });
  void book.current.prompt("change both");
  await frozen.promise;
}

async function killAt(folder: string, at: number): Promise<void> {
  const run = spawn(process.execPath, [child, folder, String(at)], { stdio: "ignore" });
  const [, signal] = (await once(run, "exit")) as [number | null, string | null];
  assert.equal(signal, "SIGKILL");
}

const resultOf = (book: SessionBook, id: string): string | undefined => {
  const found = book.current.transcript.messages.find(
    ({ message }) => message.role === "toolResult" && message.toolCallId === id,
  );
  return found && "content" in found.message ? JSON.stringify(found.message.content) : undefined;
};

/** What the session says of each call is what the disk says. */
function checkTold(folder: string, book: SessionBook): void {
  const now = { a: read(folder, "a.txt"), b: read(folder, "deep/b.txt") };
  assert.ok(["one", "two", "three"].includes(now.a ?? ""), `a.txt is ${now.a}`);
  assert.ok([undefined, "new"].includes(now.b), `b.txt is ${now.b}`);
  const done = { c1: now.a !== "one", c2: now.b !== undefined, c3: now.a === "three" };
  for (const [id, isDone] of Object.entries(done)) {
    const told = resultOf(book, id);
    if (told === undefined) assert.equal(isDone, false, `${id} is done, and the session does not know of it`);
    else if (told.includes("Interrupted")) {
      const saysDone = /at least in part|accepted is in|changes are in/.test(told);
      assert.equal(saysDone, isDone, `${id}: ${told}`);
    } else assert.equal(isDone, true, `${id}: ${told}`);
  }
}

async function checkAfter(folder: string): Promise<void> {
  const book = await openDiskSession(folder, [text("I see.")]);
  checkTold(folder, book);
  const before = [read(folder, "a.txt"), read(folder, "deep/b.txt")];
  const prompt = book.current.transcript.messages.find(({ message }) => message.role === "user");
  if (prompt !== undefined) {
    if (book.current.interrupted) await book.current.continue();
    assert.deepEqual([read(folder, "a.txt"), read(folder, "deep/b.txt")], before);
    const plan = await book.current.checkpoints.plan({ type: "message", id: prompt.id });
    assert.deepEqual(plan.uncovered, []);
    const uris = plan.files.filter(({ changedSince }) => !changedSince).map(({ uri }) => uri);
    await book.current.checkpoints.restore(plan, uris);
    assert.deepEqual([read(folder, "a.txt"), read(folder, "deep/b.txt")], ["one", undefined]);
    assert.equal(fs.existsSync(path.join(folder, "work", "deep")), false);
  }
  await book.current.flush();
  book.dispose();
}

async function dieAt(die: (folder: string, at: number) => Promise<void>, at: number): Promise<void> {
  const folder = newFolder();
  try {
    await die(folder, at);
    await checkAfter(folder);
  } catch (error) {
    throw new Error(`It died at step ${at}`, { cause: error });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

describe("A window that dies while files are changed", () => {
  it("at any step leaves each file before or after, tells which, and can put all back", async () => {
    const steps = await countSteps();
    assert.ok(steps > 20);
    const each = Array.from({ length: steps }, (_, index) => index + 1);
    await Promise.all(each.map((at) => dieAt(freezeAt, at)));
  });

  it("by SIGKILL, at random steps, too", async () => {
    const steps = await countSteps();
    const random = fc.sample(fc.integer({ min: 1, max: steps - 2 }), runs(2));
    await Promise.all(random.map((at) => dieAt(killAt, at)));
  });
});
