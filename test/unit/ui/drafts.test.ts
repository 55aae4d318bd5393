import assert from "node:assert/strict";
import { Drafts } from "../../../src/ui/drafts.ts";
import { MemoryMemento } from "../../support/memory-ports.ts";

function neverFails(error: unknown): void {
  assert.fail(String(error));
}

describe("Drafts", () => {
  // U03
  it("survive a reload, each in its session", () => {
    const memento = new MemoryMemento();
    const before = new Drafts(memento, "draft", neverFails);
    before.set("one", "half a sent");
    before.set("two", "other");
    before.set("two", "");
    const after = new Drafts(memento, "draft", neverFails);
    assert.equal(after.get("one"), "half a sent");
    assert.equal(after.get("two"), "");
  });

  it("take text that comes back on a line of its own", () => {
    const drafts = new Drafts(new MemoryMemento(), "draft", neverFails);
    drafts.append("one", "first");
    drafts.append("one", "second");
    assert.equal(drafts.get("one"), "first\nsecond");
  });

  it("stay for the window when they cannot be kept, and say so", async () => {
    const failed: unknown[] = [];
    const memento = { get: () => undefined, set: () => Promise.reject(new Error("full")) };
    const drafts = new Drafts(memento, "draft", (error) => failed.push(error));
    drafts.set("one", "text");
    assert.equal(drafts.get("one"), "text");
    await Promise.resolve();
    assert.equal(failed.length, 1);
  });
});
