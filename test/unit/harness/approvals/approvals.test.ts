import assert from "node:assert/strict";
import type { BeforeToolCall, ToolDecision } from "../../../../src/agent/types.ts";
import { createBeforeToolCall } from "../../../../src/harness/approvals/before-tool-call.ts";
import { Decisions } from "../../../../src/harness/approvals/decisions.ts";
import { ApprovalGate } from "../../../../src/harness/approvals/gate.ts";
import { editMode } from "../../../../src/harness/approvals/policy.ts";
import { Proposals } from "../../../../src/harness/proposals/proposals.ts";
import { locate } from "../../../../src/harness/tools/paths.ts";
import type { JsonObject } from "../../../../src/shared/json.ts";
import { MemoryFiles } from "../../../support/memory-files.ts";
import { MemorySettings, memoryPorts } from "../../../support/memory-ports.ts";
import { until } from "../../../support/until.ts";

function setUp(settings = new MemorySettings()) {
  const ports = memoryPorts({ settings });
  const gate = new ApprovalGate();
  const hook = createBeforeToolCall(gate, ports);
  const abort = new AbortController();
  const call = (name: string, args: JsonObject, id = "call"): Promise<ToolDecision> =>
    hook({
      toolCall: { type: "toolCall", id, name, arguments: args },
      args,
      signal: abort.signal,
      assistantMessage,
    });
  return { ports, gate, call, abort };
}

const assistantMessage: BeforeToolCall["assistantMessage"] = {
  role: "assistant",
  content: [],
  api: "scripted",
  provider: "test",
  model: "test",
  usage: {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: "toolUse",
  timestamp: 0,
};

describe("What needs the user's approval", () => {
  it("is no read inside the workspace, and no edit: its review is the approval", async () => {
    const { call, gate } = setUp();
    assert.deepEqual(await call("read", { path: "a.ts" }), { type: "allow" });
    assert.deepEqual(await call("edit", { path: "../a.ts" }), { type: "allow" });
    assert.deepEqual(gate.pending, []);
  });

  it("A21: is every command, whatever was said before", async () => {
    const { call, gate } = setUp();
    const decision = call("bash", { command: "touch p" });
    await until(() => gate.pending.length === 1);
    const [request] = gate.pending;
    assert.equal(request?.kind, "command");
    assert.equal(request?.subject, "touch p");
    gate.answer(request?.id ?? "", { type: "allowOnce" });
    assert.deepEqual(await decision, { type: "allow" });
  });

  it("A16, A17: is reading outside, shown with its real place", async () => {
    const { call, gate, ports } = setUp();
    ports.files.link("memory:///work/doc.txt", "memory:///outside/s.txt");
    void call("read", { path: "../x" }, "1");
    void call("read", { path: "doc.txt" }, "2");
    await until(() => gate.pending.length === 2);
    assert.deepEqual(
      gate.pending.map(({ kind, subject }) => [kind, subject]),
      [
        ["read", "/x"],
        ["read", "/outside/s.txt"],
      ],
    );
  });

  it("is searching outside, but not in the workspace or without a path", async () => {
    const { call, gate } = setUp();
    for (const tool of ["grep", "find", "ls"]) {
      assert.deepEqual(await call(tool, { pattern: "x" }), { type: "allow" });
      assert.deepEqual(await call(tool, { pattern: "x", path: "src" }), { type: "allow" });
      void call(tool, { pattern: "x", path: "/etc" }, tool);
    }
    await until(() => gate.pending.length === 3);
    assert.deepEqual(
      gate.pending.map(({ title, subject }) => [title, subject]),
      Array.from({ length: 3 }, () => ["Search this place outside the workspace?", "/etc"]),
    );
  });

  it("is no command when the user set them to auto, unless the workspace is not trusted", async () => {
    const { call, gate, ports } = setUp(new MemorySettings({ approvalCommands: "auto" }));
    assert.deepEqual(await call("bash", { command: "ls" }), { type: "allow" });
    ports.workspace.change({ trusted: false });
    void call("bash", { command: "ls" });
    await until(() => gate.pending.length === 1);
    assert.match(gate.pending[0]?.why ?? "", /not trusted/);
  });
});

describe("The user's answer", () => {
  it("A29: reaches the model with its reason when it is no", async () => {
    const { call, gate } = setUp();
    const decision = call("bash", { command: "make" });
    await until(() => gate.pending.length === 1);
    const id = gate.pending[0]?.id ?? "";
    gate.answer(id, { type: "reject", reason: "use npm" });
    gate.answer(id, { type: "allowOnce" });
    assert.deepEqual(await decision, {
      type: "block",
      reason: "The user rejected this: use npm",
      details: { tool: "none", why: "rejected", reason: "use npm" },
    });
    assert.deepEqual(gate.pending, []);
  });

  it("A29: to one of several calls leaves the others waiting", async () => {
    const { call, gate } = setUp();
    const calls = ["1", "2", "3"].map((id) => call("bash", { command: id }, id));
    await until(() => gate.pending.length === 3);
    gate.answer(gate.pending[1]?.id ?? "", { type: "reject" });
    assert.equal((await calls[1])?.type, "block");
    assert.deepEqual(
      gate.pending.map((request) => request.toolCallId),
      ["1", "3"],
    );
  });

  it("is not awaited any more when the run is stopped", async () => {
    const { call, gate, abort } = setUp();
    const decision = call("bash", { command: "make" });
    await until(() => gate.pending.length === 1);
    abort.abort();
    assert.deepEqual((await decision).type, "block");
    assert.deepEqual(gate.pending, []);
    assert.equal((await call("bash", { command: "make" })).type, "block");
  });
});

describe("Edits that are applied without review", () => {
  const cases: readonly [string, boolean][] = [
    ["src/a.ts", true],
    ["package.json", true],
    ["../a.ts", false],
    // A19: files that run code later.
    [".vscode/settings.json", false],
    [".vscode/tasks.json", false],
    ["x.code-workspace", false],
    ["sub/.git/hooks/pre-commit", false],
    [".GIT/config", false],
    [".npmrc", false],
    [".github/workflows/ci.yml", false],
    ["alias", false],
    [".gitignore", true],
  ];

  function decide(text: string, settings: MemorySettings, trusted = true): Promise<boolean> {
    const files = new MemoryFiles();
    files.link("memory:///work/alias", "memory:///work/.git/config");
    const ports = memoryPorts({ files, settings });
    ports.workspace.trusted = trusted;
    return locate(text, ports).then((place) => editMode(place, ports) === "auto");
  }

  for (const [path, unseen] of cases) {
    it(`${unseen ? "may be" : "are never"} of ${path}`, async () => {
      assert.equal(await decide(path, new MemorySettings({ approvalEdits: "auto" })), unseen);
    });
  }

  it("need the setting and a trusted workspace", async () => {
    assert.equal(await decide("a.ts", new MemorySettings()), false);
    assert.equal(await decide("a.ts", new MemorySettings({ approvalEdits: "auto" }), false), false);
  });
});

describe("Everything that waits", () => {
  it("is listed in the order in which it began to wait", async () => {
    const { call, gate, ports, abort } = setUp();
    const proposals = new Proposals(ports.files);
    const decisions = new Decisions(gate, proposals);
    const propose = (toolCallId: string): void => {
      const input = { toolCallId, uri: `memory:///work/${toolCallId}`, path: toolCallId, base: undefined };
      void proposals.propose(
        { ...input, kind: "create", text: "x" },
        { signal: abort.signal, auto: false, onChange: () => undefined },
      );
    };
    void call("bash", { command: "1" }, "1");
    await until(() => decisions.pending.length === 1);
    propose("2");
    await until(() => decisions.pending.length === 2);
    void call("bash", { command: "3" }, "3");
    await until(() => decisions.pending.length === 3);
    const ids = (): string[] =>
      decisions.pending.map((d) => (d.type === "approval" ? d.request : d.proposal).toolCallId);
    assert.deepEqual(ids(), ["1", "2", "3"]);
    gate.answer(gate.pending[0]?.id ?? "", { type: "allowOnce" });
    assert.deepEqual(ids(), ["2", "3"]);
    abort.abort();
    await until(() => decisions.pending.length === 0);
  });
});
