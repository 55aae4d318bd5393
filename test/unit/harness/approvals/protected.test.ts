// Places that are not the agent's: git's own files, what `.reinsignore` names, files with secrets, and the user's rules,
// through links and in any spelling.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { BeforeToolCall, ToolDecision } from "../../../../src/agent/types.ts";
import { createBeforeToolCall } from "../../../../src/harness/approvals/before-tool-call.ts";
import { ApprovalGate } from "../../../../src/harness/approvals/gate.ts";
import { editMode } from "../../../../src/harness/approvals/policy.ts";
import { readApprovalRules, ruleFor } from "../../../../src/harness/approvals/rules.ts";
import { isSecretPath } from "../../../../src/harness/approvals/secret-files.ts";
import { locate } from "../../../../src/harness/tools/paths.ts";
import type { SettingsSnapshot } from "../../../../src/harness/ports.ts";
import { errorText } from "../../../../src/shared/errors.ts";
import { ToolBench, textOf, uri } from "../tools/tool-bench.ts";

function setUp(files: { readonly [path: string]: string } = {}, settings: Partial<SettingsSnapshot> = {}) {
  const bench = new ToolBench(files, settings);
  const gate = new ApprovalGate();
  const hook = createBeforeToolCall(gate, bench.ports);
  const abort = new AbortController();
  const assistantMessage = {} as BeforeToolCall["assistantMessage"]; // The policy does not look at it.
  const call = (name: string, path: string): Promise<ToolDecision> =>
    hook({
      toolCall: { type: "toolCall", id: "1", name, arguments: { path } },
      args: { path },
      signal: abort.signal,
      assistantMessage,
    });
  /** "allow", "ask: <title>", or why it is refused. */
  const verdict = async (name: string, path: string): Promise<string> => {
    const decision = call(name, path).then(
      ({ type }) => type,
      (error: unknown) => errorText(error),
    );
    const asked = new Promise<string>((resolve) => {
      const look = () => gate.pending[0] && resolve(`ask: ${gate.pending[0].title}`);
      gate.onDidChange(look);
      look();
    });
    const result = await Promise.race([decision, asked]);
    if (gate.pending[0]) gate.answer(gate.pending[0].id, { type: "reject" });
    return result;
  };
  return { bench, verdict };
}

describe("A place that .reinsignore names", () => {
  const files = {
    ".reinsignore": "# not for agents\nprivate/\n*.dump\n!keep.dump\n",
    "src/.reinsignore": "/generated.ts\n",
    "private/a.txt": "needle",
    "src/generated.ts": "needle",
    "src/sub/generated.ts": "needle",
    "db.dump": "needle",
    "keep.dump": "needle",
    "a.txt": "needle",
  };

  it("is neither read nor edited, with the rule in the refusal", async () => {
    const { verdict } = setUp(files);
    assert.match(
      await verdict("read", "private/a.txt"),
      /kept from you by the user's \.reinsignore \(rule "private\/"\)/,
    );
    assert.match(await verdict("write", "private/new/b.txt"), /rule "private\/"/);
    assert.match(await verdict("edit", "src/generated.ts"), /rule "\/generated\.ts"/);
    assert.match(await verdict("grep", "db.dump"), /rule "\*\.dump"/);
    assert.match(await verdict("read", "sub/../PRIVATE/a.txt"), /rule "private\/"/);
    for (const path of ["keep.dump", "a.txt", "src/sub/generated.ts"])
      assert.equal(await verdict("read", path), "allow");
  });

  it("is not reached through a link, and counts as the buffer says before it is saved", async () => {
    const { bench, verdict } = setUp(files);
    bench.ports.files.link(uri("innocent.txt"), uri("private/a.txt"));
    assert.match(await verdict("read", "innocent.txt"), /rule "private\/"/);
    bench.ports.files.type(uri(".reinsignore"), "a.txt\n");
    assert.match(await verdict("read", "a.txt"), /rule "a\.txt"/);
    assert.match(await verdict("read", "private/a.txt"), /rule "a\.txt"/);
    assert.equal(await verdict("read", "db.dump"), "allow");
  });

  it("is in no result of a search or a list", async () => {
    const { bench } = setUp(files);
    const lines = textOf(await bench.call("grep", { pattern: "needle" })).split("\n");
    const found = lines.filter((line) => line.includes(": needle")).map((line) => line.split(":")[0]);
    assert.deepEqual(found.sort(), ["a.txt", "keep.dump", "src/sub/generated.ts"]);
    const names = textOf(await bench.call("find", { pattern: "**" }));
    assert.ok(!/private|db\.dump|src\/generated/.test(names), names);
    assert.ok(!/private|db\.dump/.test(textOf(await bench.call("ls", {}))));
  });
});

describe("Git's own files", () => {
  it("are never edited, in any case and through links; reading them is free", async () => {
    const { bench, verdict } = setUp({ ".git/config": "x" });
    bench.ports.files.link(uri("config.txt"), uri(".git/config"));
    for (const path of [".git/config", ".GIT/hooks/pre-commit", "sub/.git/config", "config.txt"])
      assert.match(await verdict("write", path), /belongs to git's own files/);
    assert.equal(await verdict("read", ".git/config"), "allow");
    assert.equal(await verdict("edit", ".github/workflows/ci.yml"), "allow");
  });
});

describe("A file that may hold secrets", () => {
  it("is asked about before each reading, in the workspace too, and never accepted unseen", async () => {
    const { bench, verdict } = setUp({ ".env": "KEY=1", "a.txt": "" }, { approvalEdits: "auto" });
    bench.ports.files.link(uri("notes.txt"), uri(".env"));
    for (const path of [".env", ".env.local", "deploy/server.PEM", "notes.txt", ".ssh/config"])
      assert.equal(await verdict("read", path), "ask: Read this file, which may hold secrets?");
    for (const path of [".env.example", "id_rsa.pub", ".ssh/id_rsa.pub", "src/keys.ts", "environment.ts"])
      assert.equal(await verdict("read", path), "allow");
    const unseen = async (path: string) => editMode(await locate(path, bench.ports), bench.ports) === "auto";
    assert.deepEqual(
      [await unseen("a.txt"), await unseen(".env"), await unseen(".reinsignore")],
      [true, false, false],
    );
  });

  it("shows no line in a search of everything, and says that it was left out", async () => {
    const { bench } = setUp({ ".env": "needle=1", "a.txt": "needle" });
    const all = textOf(await bench.call("grep", { pattern: "needle" }));
    assert.match(all, /^a\.txt:1: needle/);
    assert.match(all, /1 file that may hold secrets is left out/);
    assert.match(textOf(await bench.call("grep", { pattern: "needle", path: ".env" })), /\.env:1: needle=1/);
  });

  it("is known by its name whatever its folder, case and spelling", () => {
    const name = fc.constantFrom(".env", ".env.production", "id_ed25519", "server.key", "credentials.json");
    fc.assert(
      fc.property(
        name,
        fc.array(fc.constantFrom("a", "b c", "ü"), { maxLength: 3 }),
        fc.boolean(),
        (file, way, upper) => {
          const path = [...way, upper ? file.toUpperCase() : file].join("/");
          assert.ok(isSecretPath(path));
          assert.ok(
            isSecretPath(`file:///${way.map(encodeURIComponent).join("/")}/${encodeURIComponent(file)}`),
          );
        },
      ),
    );
  });
});

describe("The user's rules", () => {
  const rules = [
    { glob: "src/**", edits: "auto" },
    { glob: "src/legacy/**", edits: "refuse", reads: "ask" },
    { glob: "**/*.lock", reads: "refuse" },
    { glob: ".env", reads: "allow" },
  ];

  it("decide by the last one that is about a path, and never take protection away from an edit", async () => {
    const { bench, verdict } = setUp({}, { approvalRules: rules });
    const unseen = async (path: string) => editMode(await locate(path, bench.ports), bench.ports) === "auto";
    assert.deepEqual(
      [await unseen("src/a.ts"), await unseen("a.ts"), await unseen("src/.env"), await unseen("../src/a.ts")],
      [true, false, false, false],
    );
    assert.match(
      await verdict("edit", "src/legacy/a.ts"),
      /reins\.approval\.rules\) refuse changes of src\/legacy/,
    );
    assert.equal(await verdict("read", "src/legacy/a.ts"), "ask: Read this file?");
    assert.match(await verdict("read", "sub/yarn.lock"), /refuse reading sub\/yarn\.lock/);
    assert.equal(await verdict("read", ".env"), "allow");
  });

  it("are reported where they are wrong, with the rest still working", () => {
    const { rules: read, problems } = readApprovalRules([
      ...rules,
      7,
      { glob: "" },
      { glob: "a", edits: "yes", x: 1 },
    ]);
    assert.equal(read.length, 5);
    assert.deepEqual(problems, [
      "reins.approval.rules[4] must be an object with a glob.",
      "reins.approval.rules[5].glob must be a glob such as src/**.",
      "reins.approval.rules[6].x is not known; known are glob, edits and reads.",
      "reins.approval.rules[6].edits must be one of auto, ask, later, refuse.",
    ]);
    assert.deepEqual(readApprovalRules("all").problems, ["reins.approval.rules must be a list."]);
    assert.deepEqual(ruleFor(read, "src/a.ts"), { edits: "auto" });
  });
});
