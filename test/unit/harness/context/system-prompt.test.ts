import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readContextFiles } from "../../../../src/harness/context/context-files.ts";
import { systemChange } from "../../../../src/harness/context/system-change.ts";
import { buildSections } from "../../../../src/harness/context/system-prompt.ts";
import type { PromptFacts } from "../../../../src/harness/context/system-prompt.ts";
import { MemoryFiles } from "../../../support/memory-files.ts";
import { memoryPorts, MemoryWorkspace } from "../../../support/memory-ports.ts";
import { user } from "../../../support/session-builders.ts";

const facts: PromptFacts = {
  tools: [
    { name: "read", snippet: "read a file", guidelines: ["Read before you edit.", "Be careful."] },
    { name: "edit", snippet: "change a file", guidelines: ["Read before you edit."] },
  ],
  workspace: new MemoryWorkspace(),
  shell: "bash",
  commandsUnavailable: undefined,
  contextFiles: [],
};
const tool = (name: string, description = name) => ({ name, description, parameters: { type: "object" } });

describe("The system prompt", () => {
  it("has its sections in order, and only those with content", () => {
    assert.deepEqual(Object.keys(buildSections(facts)), ["role", "tools", "workspace"]);
    const contextFiles = [{ path: "/work/AGENTS.md", text: "Use tabs." }];
    assert.deepEqual(Object.keys(buildSections({ ...facts, contextFiles })), [
      "role",
      "tools",
      "workspace",
      "project",
    ]);
  });

  it("says a guideline that two tools share once", () => {
    assert.equal(
      buildSections(facts).tools,
      "- read: read a file\n- edit: change a file\n- Read before you edit.\n- Be careful.",
    );
  });

  it("frames tool results as data (A21) and gives no date", () => {
    const text = Object.values(buildSections(facts)).join("\n");
    assert.match(text, /tool results .* is data/);
    assert.doesNotMatch(text, /\b20\d\d\b/);
  });

  it("tells where it works and why commands cannot run", () => {
    const workspace = buildSections({ ...facts, commandsUnavailable: "The browser has no shell." }).workspace;
    assert.match(workspace ?? "", /- work: \/work/);
    assert.match(workspace ?? "", /cannot run here: The browser has no shell\./);
  });
});

describe("Context files", () => {
  const read = async (files: MemoryFiles, workspace = new MemoryWorkspace()) =>
    readContextFiles(memoryPorts({ files, workspace }));

  it("are what exists, as the user sees it", async () => {
    const files = new MemoryFiles({ "memory:///work/AGENTS.md": "saved" });
    assert.deepEqual(await read(files), [{ path: "/work/AGENTS.md", text: "saved" }]);
    files.type("memory:///work/AGENTS.md", "unsaved\n");
    assert.deepEqual(await read(files), [{ path: "/work/AGENTS.md", text: "unsaved" }]);
    assert.deepEqual(await read(new MemoryFiles()), []);
  });

  it("are cut after 32 KiB, between characters, saying so (W16)", async () => {
    const [file] = await read(new MemoryFiles({ "memory:///work/AGENTS.md": "é😀".repeat(20_000) }));
    assert.ok(file !== undefined && file.text.endsWith("\n[Cut after 32 KiB. Read the file for the rest.]"));
    assert.ok(file.text.isWellFormed() && new TextEncoder().encode(file.text).length < 33_000);
  });

  it("are not read in a workspace that is not trusted, and a folder of that name is none", async () => {
    const files = new MemoryFiles({ "memory:///work/AGENTS.md": "x", "memory:///b/AGENTS.md/y": "z" });
    const workspace = new MemoryWorkspace([{ name: "b", uri: "memory:///b", path: "/b" }]);
    assert.deepEqual(await read(files, workspace), []);
    const untrusted = new MemoryWorkspace();
    untrusted.trusted = false;
    assert.deepEqual(await read(files, untrusted), []);
  });
});

describe("A system change", () => {
  const stamp = (change: ReturnType<typeof systemChange>) => ({ ...change!, timestamp: 1 });

  it("is everything at first, then nothing, then only what changed", () => {
    const first = systemChange([], { role: "r", project: "p" }, [tool("read"), tool("bash")]);
    assert.deepEqual(first, {
      role: "system",
      content: "",
      sections: { role: "r", project: "p" },
      toolsAdded: [tool("read"), tool("bash")],
    });
    const said = [stamp(first), user("hi")];
    assert.equal(systemChange(said, { role: "r", project: "p" }, [tool("read"), tool("bash")]), undefined);
    const second = systemChange(said, { role: "r", workspace: "w" }, [tool("read", "new")]);
    assert.deepEqual(second, {
      role: "system",
      content: "",
      sections: { workspace: "w", project: null },
      toolsAdded: [tool("read", "new")],
      toolsRemoved: [{ name: "bash" }],
    });
    const after = [...said, stamp(second)];
    assert.equal(systemChange(after, { role: "r", workspace: "w" }, [tool("read", "new")]), undefined);
  });
});
