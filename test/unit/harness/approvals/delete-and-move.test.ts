// Deleting and moving ask first, unless edits of all their places are accepted unseen; what is not the agent's stays.
import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { SettingsSnapshot } from "../../../../src/harness/ports.ts";
import { approvalNeed } from "../../../../src/harness/approvals/policy.ts";
import type { JsonObject } from "../../../../src/shared/json.ts";
import { ToolBench, uri } from "../tools/tool-bench.ts";

const files = {
  ...{ "a.txt": "one\ntwo\n", "b.bin": "a\0b", "src/c.ts": "c", ".env": "KEY=1", ".git/config": "x" },
  ...{ ".reinsignore": "private/\n", "private/p.txt": "p" },
};

function setUp(settings: Partial<SettingsSnapshot> = {}) {
  const bench = new ToolBench(files, settings);
  const need = (tool: string, args: JsonObject) => approvalNeed(tool, args, bench.ports);
  return { bench, need };
}

describe("Deleting and moving", () => {
  it("ask with the places, and with what is in the file", async () => {
    const { bench, need } = setUp();
    assert.deepEqual(await need("delete", { path: "a.txt" }), {
      ...{ kind: "delete", title: "Delete this file?", subject: "a.txt", why: "It has 2 lines, 8 bytes." },
    });
    assert.equal((await need("delete", { path: "b.bin" }))?.why, "It has 3 bytes.");
    assert.deepEqual(await need("move", { from: "a.txt", to: "src/new.txt" }), {
      ...{ kind: "move", title: "Move this file?", subject: "a.txt\n→ src/new.txt" },
      why: "It has 2 lines, 8 bytes. Its content stays as it is.",
    });
    bench.ports.files.makeFolder(uri("empty"));
    assert.equal((await need("delete", { path: "empty" }))?.title, "Delete this empty folder?");
  });

  it("do not ask where edits are accepted unseen, at both places", async () => {
    const { bench, need } = setUp({ approvalEdits: "auto" });
    assert.equal(await need("delete", { path: "a.txt" }), undefined);
    assert.equal(await need("move", { from: "a.txt", to: "new.txt" }), undefined);
    for (const to of [".vscode/tasks.json", "/outside.txt", ".env.local"])
      assert.equal((await need("move", { from: "a.txt", to }))?.kind, "move", to);
    const outside = await need("move", { from: "a.txt", to: "/outside.txt" });
    assert.equal(outside?.title, "Move this file outside the workspace?");
    bench.ports.workspace.change({ trusted: false });
    assert.equal((await need("delete", { path: "a.txt" }))?.kind, "delete");
  });

  it("always ask for what is not read without asking", async () => {
    const approvalRules = [{ glob: "src/**", reads: "ask" }];
    const { need } = setUp({ approvalEdits: "auto", approvalRules });
    assert.equal((await need("delete", { path: ".env" }))?.kind, "delete");
    for (const from of [".env", "src/c.ts"])
      assert.match((await need("move", { from, to: "n.txt" }))?.why ?? "", /at its new place it may be/);
  });

  it("are refused at either place for git's files, for what .reinsignore names, and by the user's rules", async () => {
    const approvalRules = [
      { glob: "src/**", edits: "refuse" },
      { glob: "a.txt", reads: "refuse" },
    ];
    const { need } = setUp({ approvalEdits: "auto", approvalRules });
    const refused: [string, RegExp][] = [
      [".git/config", /git's own files/],
      ["private/p.txt", /kept from you/],
      ["src/c.ts", /refuse changes of src\/c\.ts/],
    ];
    for (const [path, why] of refused) {
      await assert.rejects(need("delete", { path }), why);
      await assert.rejects(need("move", { from: path, to: "n.txt" }), why);
      await assert.rejects(need("move", { from: "b.bin", to: path }), why);
    }
    await assert.rejects(need("move", { from: "a.txt", to: "n.txt" }), /refuse reading a\.txt/);
  });

  it("do not ask for what cannot be done", async () => {
    const { bench, need } = setUp();
    await assert.rejects(need("delete", { path: "no.txt" }), /does not exist/);
    await assert.rejects(need("delete", { path: "src" }), /is a folder with something in it/);
    await assert.rejects(need("move", { from: "a.txt", to: "b.bin" }), /exists already/);
    bench.ports.files.type(uri("a.txt"), "typed");
    await assert.rejects(need("delete", { path: "a.txt" }), /unsaved changes/);
  });
});
